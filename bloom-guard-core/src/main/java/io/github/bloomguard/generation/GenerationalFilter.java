package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.MirrorKeeper.Refreshed;
import org.jspecify.annotations.Nullable;

/**
 * One filter as this instance sees it: asks the active generation of its origin, adds to
 * all live ones, and notices when the active one is not to be trusted any more.
 * <p>
 * Concurrency: all that lookups need is in one immutable {@link View}. It is replaced by
 * a refresh, of which there is at most one at a time unless one hangs, and by whoever
 * mistrusts what there is; both do so atomically. A refresh takes its place in
 * {@code refreshed} before it begins, and begins when the one that was there has ended.
 * Mistrust is counted in {@code mistrusted} <em>before</em> the view changes, and in
 * {@code givenUp} by a refresh that has read the record after that, so one that has read
 * it earlier can't bring anything back. Only refreshes write {@code lost}.
 * <p>
 * A view is trusted for {@link ControlRecord#TRUST} after the record was read. Whoever
 * creates the record anew waits for longer than that, so nobody asks a generation that
 * adds do not know of any more. The time is looked at <em>after</em> the bits were read.
 *
 * @since 0.1.0
 */
public final class GenerationalFilter {

	/**
	 * After this long a refresh that has not ended is not waited for any more.
	 */
	private static final Duration HUNG = Duration.ofSeconds(10);

	private static final String MAY_LACK_KEYS = "it may lack keys";

	private final String origin;

	private final FilterStore store;

	private final ControlStore control;

	private final RedisGate gate;

	private final MonotonicClock clock;

	private final TrackedState state;

	private final Mirrors mirrors;

	private final LiveWriter writer;

	private final Map<String, StoredFilter> open = new ConcurrentHashMap<>();

	private final Set<String> lost = Collections.newSetFromMap(new ConcurrentHashMap<>());

	private final AtomicReference<View> view = new AtomicReference<>(View.NOTHING);

	/**
	 * How often all generations were to be given up, and how often of these they have
	 * been.
	 */
	private final AtomicLong mistrusted = new AtomicLong();

	private final AtomicLong givenUp = new AtomicLong();

	private final AtomicLong provingCalls = new AtomicLong();

	private final AtomicReference<CompletableFuture<Boolean>> refreshed = new AtomicReference<>(
			CompletableFuture.completedFuture(true));

	private volatile @Nullable Throwable failure;

	/**
	 * Create a filter about which nothing is known before the first {@link #refresh}.
	 * @param filter the name of the filter
	 * @param origin where its keys come from
	 * @param store where the bits are
	 * @param control where the record is
	 * @param gate is told whether Redis answers, and tells it
	 * @param clock measures trust
	 * @param listener is told of each change of the state
	 */
	public GenerationalFilter(String filter, String origin, FilterStore store, ControlStore control, RedisGate gate,
			MonotonicClock clock, StateListener listener) {
		this.origin = origin;
		this.store = store;
		this.control = control;
		this.gate = gate;
		this.clock = clock;
		this.state = new TrackedState(filter, listener);
		this.mirrors = new Mirrors(control, clock, this::refresh);
		this.writer = new LiveWriter(control, this::live, this::stored, clock, this.mirrors);
		gate.addListener(this::unreachable);
	}

	/**
	 * Keep a mirror from now on.
	 * @param settings whether and how
	 */
	public void mirror(MirrorSettings settings) {
		this.mirrors.own().use(settings);
	}

	/**
	 * Keep no mirror any more.
	 * @return completed when adds do not wait for the one that there was
	 */
	public CompletableFuture<Void> close() {
		return this.mirrors.close();
	}

	/**
	 * Ask the mirror for a key, without Redis. The bits are read under a view, and it is
	 * that view which has to be trusted afterwards: a later one may have been shown with
	 * bits that were not there yet when they were read.
	 * @param key the key in its one form
	 * @return the answer, {@code UNKNOWN} if there is no mirror that may give one
	 */
	public Membership lookupHere(String key) {
		View view = current();
		Mirror mirror = view.askedInstead();
		if (mirror == null) {
			return Membership.UNKNOWN;
		}
		Membership answer = mirror.mightContain(key) ? Membership.MAYBE : Membership.ABSENT;
		return (!mirror.isEnded() && view.isTrusted(this.clock)) ? answer : Membership.UNKNOWN;
	}

	/**
	 * Ask for a key.
	 * @param key the key in its one form
	 * @return the answer, exceptionally if Redis did not give one
	 */
	public CompletableFuture<Membership> lookup(String key) {
		return ask(Membership.UNKNOWN,
				(active) -> active.filter()
					.lookup(active.generation().element(key))
					.thenApply((answer) -> certain(active, answer)));
	}

	/**
	 * Ask for many keys.
	 * @param keys the keys in their one form
	 * @return the answers in the same order, exceptionally if Redis did not give them
	 */
	public CompletableFuture<List<Membership>> lookup(List<String> keys) {
		return ask(Collections.nCopies(keys.size(), Membership.UNKNOWN),
				(active) -> active.filter()
					.lookup(active.generation().elements(keys))
					.thenApply((answers) -> answers.stream().map((answer) -> certain(active, answer)).toList()));
	}

	private <T> CompletableFuture<T> ask(T unknown, Function<ActiveGeneration, CompletableFuture<T>> question) {
		ActiveGeneration asked = current().asked();
		return (asked != null) ? question.apply(asked) : CompletableFuture.completedFuture(unknown);
	}

	/**
	 * Pass an answer on only if the generation that gave it is to be trusted now that the
	 * bits have been read. One that could not answer has been replaced or lost; a refresh
	 * tells which.
	 */
	private Membership certain(ActiveGeneration asked, Membership answer) {
		if (answer == Membership.UNKNOWN) {
			refreshIfIdle();
			return Membership.UNKNOWN;
		}
		View view = current();
		return (view.asked() == asked && view.isTrusted(this.clock)) ? answer : Membership.UNKNOWN;
	}

	/**
	 * Tell whether lookups are answered, as far as that is known without asking.
	 * @return whether there is a generation that is trusted and believed
	 */
	public boolean isAnswering() {
		View view = current();
		return view.asked() != null && view.isTrusted(this.clock) && this.gate.permits();
	}

	/**
	 * Add keys.
	 * @param keys the keys in their one form
	 * @return the epoch in which every lookup anywhere finds them
	 */
	public CompletableFuture<Long> add(Collection<String> keys) {
		return this.writer.add(keys);
	}

	/**
	 * Tell whether keys may be missing that were added in an epoch.
	 * @param epoch the epoch
	 * @return whether anything has happened to the record since, or another server
	 * answers
	 */
	public CompletableFuture<Boolean> hasMovedSince(long epoch) {
		return this.control.read().thenApply((record) -> record.epoch() != epoch || !record.sameServer());
	}

	/**
	 * Read the record, and look whether the active generation is intact. To be called at
	 * intervals well below {@link ControlRecord#TRUST}.
	 * @return whether Redis has answered, completed when the view is up to date with a
	 * record that was read after this call; never exceptionally
	 */
	public CompletableFuture<Boolean> refresh() {
		CompletableFuture<Boolean> refresh = new CompletableFuture<>();
		Objects.requireNonNull(this.refreshed.getAndSet(refresh))
			.thenCompose((former) -> readRecord().orTimeout(HUNG.toMillis(), TimeUnit.MILLISECONDS))
			.whenComplete((nothing, failure) -> {
				this.failure = (failure != null) ? unwrap(failure) : null;
				if (failure != null) {
					this.gate.unanswered(unwrap(failure));
				}
				else {
					this.gate.answered();
					this.mirrors.follow(current().asked());
				}
				state();
				refresh.complete(failure == null);
			});
		return refresh;
	}

	/**
	 * Do as {@link #refresh()} unless that is under way.
	 * @return whether Redis has answered; {@code false} if a refresh is under way
	 */
	public CompletableFuture<Boolean> refreshIfIdle() {
		return Objects.requireNonNull(this.refreshed.get()).isDone() ? refresh()
				: CompletableFuture.completedFuture(false);
	}

	private CompletableFuture<Void> readRecord() {
		long readAt = this.clock.nanoTime();
		long proving = this.provingCalls.get();
		long mistrusted = this.mistrusted.get();
		return this.mirrors.own().refresh(proving).thenCompose((refreshed) -> {
			this.provingCalls.addAndGet(-proving);
			return isOlder(readAt) ? CompletableFuture.completedFuture(null) : update(refreshed, readAt, mistrusted);
		});
	}

	private boolean isOlder(long readAt) {
		View view = current();
		return view.record() != null && view.readAt() - readAt > 0;
	}

	private CompletableFuture<Void> update(Refreshed refreshed, long readAt, long mistrusted) {
		ControlRecord record = refreshed.record();
		List<String> listed = ids(record.generations());
		this.open.keySet().retainAll(listed);
		this.lost.retainAll(listed);
		if (this.givenUp.get() < mistrusted) {
			this.lost.addAll(listed);
			this.givenUp.set(mistrusted);
		}
		record.generations()
			.stream()
			.filter((generation) -> this.lost.contains(generation.id()))
			.forEach((generation) -> this.store.delete(generation.bits()));
		ActiveGeneration former = current().active();
		if (former != null && !record.lists(former.generation())) {
			// it never comes back; if the record was lost, nobody else knows of it
			this.store.delete(former.generation().bits());
		}
		Generation next = record.active(this.origin);
		if (next == null) {
			show(record, null, lossOf("the record does not list it any more"), readAt);
			return CompletableFuture.completedFuture(null);
		}
		if (this.lost.contains(next.id())) {
			show(record, null, MAY_LACK_KEYS, readAt);
			return CompletableFuture.completedFuture(null);
		}
		if (!record.sameServer()) {
			String reason = "another server has taken over, which may lack keys";
			lose(next);
			show(record, null, reason, readAt);
			return CompletableFuture.completedFuture(null);
		}
		ActiveGeneration active = active(next);
		return active.filter().isIntact().thenCompose((intact) -> {
			if (!intact) {
				return lookAgain(next, readAt, mistrusted);
			}
			show(record, active, null, readAt, mirrorOf(next, refreshed));
			return CompletableFuture.completedFuture(null);
		});
	}

	/**
	 * The bits of a generation are not there: it is lost, unless it has just been
	 * replaced.
	 */
	private CompletableFuture<Void> lookAgain(Generation gone, long readAt, long mistrusted) {
		return this.control.refresh(0).thenCompose((record) -> {
			Generation active = record.active(this.origin);
			if (active != null && !active.id().equals(gone.id())) {
				return update(new Refreshed(record, null), readAt, mistrusted);
			}
			lose(gone);
			show(record, null, "its bits are gone", readAt);
			return CompletableFuture.completedFuture(null);
		});
	}

	/**
	 * Return why there is no active generation, {@code null} if there has never been one.
	 */
	private @Nullable String lossOf(String reason) {
		View view = current();
		return (view.active() != null) ? reason : view.loss();
	}

	private ActiveGeneration active(Generation next) {
		ActiveGeneration former = current().active();
		return (former != null && former.is(next)) ? former : new ActiveGeneration(next, stored(next));
	}

	private static List<String> ids(List<Generation> generations) {
		return generations.stream().map(Generation::id).toList();
	}

	private static @Nullable Mirror mirrorOf(Generation next, Refreshed refreshed) {
		Mirror mirror = refreshed.mirror();
		return (mirror != null && mirror.isOf(next) && mirror.isComplete()) ? mirror : null;
	}

	private void show(ControlRecord record, @Nullable ActiveGeneration active, @Nullable String loss, long readAt) {
		show(record, active, loss, readAt, null);
	}

	private void show(ControlRecord record, @Nullable ActiveGeneration active, @Nullable String loss, long readAt,
			@Nullable Mirror mirror) {
		this.view.updateAndGet((view) -> (this.givenUp.get() == this.mistrusted.get())
				? new View(record, active, loss, readAt, mirror) : new View(record, null, MAY_LACK_KEYS, readAt, null));
	}

	/**
	 * Make sure that a generation gives no answer any more, here or elsewhere: its bits
	 * are deleted, so whoever still asks it misses the seal.
	 */
	private void lose(Generation generation) {
		this.lost.add(generation.id());
		this.store.delete(generation.bits());
	}

	/**
	 * Give up all generations that there are, because they may lack a key. While Redis
	 * does not answer, this instance only knows; what is there when it answers again is
	 * given up then.
	 * @param reason why
	 */
	public void mistrust(String reason) {
		this.mistrusted.incrementAndGet();
		this.view.updateAndGet((view) -> view.without(reason));
		this.mirrors.follow(null);
		state();
		refresh();
	}

	/**
	 * Let nobody believe the active generation any more, because it called a key absent
	 * that was found.
	 * @return the shapes of the keys that were loaded; empty if the generation is not
	 * active any more, or has been refuted before
	 */
	public CompletableFuture<Optional<String>> refute() {
		Generation active = active();
		if (active == null) {
			return CompletableFuture.completedFuture(Optional.empty());
		}
		return this.control.refute(active.id()).thenCompose((shapes) -> refresh().thenApply((answered) -> shapes));
	}

	/**
	 * Let a refuted generation prove itself anew.
	 */
	public void acknowledge() {
		this.control.acknowledge().thenCompose((nothing) -> refresh());
	}

	/**
	 * A key that the filter called absent was looked for and not found.
	 * @param keys how many such keys
	 */
	public void prove(long keys) {
		this.provingCalls.addAndGet(keys);
	}

	/**
	 * Return how many keys that the filter called absent have been looked for and not
	 * found.
	 * @return the number, for all instances as far as this one knows
	 */
	public long provingCalls() {
		ControlRecord record = current().record();
		return this.provingCalls.get() + ((record != null) ? record.proof().calls() : 0);
	}

	private void unreachable(Throwable cause) {
		this.failure = cause;
		state();
	}

	/**
	 * Return the state.
	 * @return the state
	 */
	public FilterState state() {
		View view = current();
		Throwable failure = this.failure;
		boolean trusted = view.isTrusted(this.clock) && this.gate.permits();
		FilterState state = trusted ? view.state()
				: (view.record() == null && failure == null) ? FilterState.WARMING_UP : FilterState.UNREACHABLE;
		this.state.tell(state, trusted ? view.loss() : null, trusted ? null : failure);
		return state;
	}

	/**
	 * Return the clock that trust is measured by.
	 * @return the clock
	 */
	public MonotonicClock clock() {
		return this.clock;
	}

	/**
	 * Return the epoch of the view that lookups use.
	 * @return the epoch, 0 if the record has not been read yet
	 */
	public long epoch() {
		return current().epoch();
	}

	/**
	 * Return the record as it was read last.
	 * @return the record, or {@code null} if it has not been read yet
	 */
	public @Nullable ControlRecord record() {
		return current().record();
	}

	/**
	 * Return the generation whose keys come from where its keys do.
	 * @return the generation, or {@code null} if there is none that is intact
	 */
	public @Nullable Generation active() {
		ActiveGeneration active = current().active();
		return (active != null) ? active.generation() : null;
	}

	/**
	 * Tell whether a generation of a size is active and intact.
	 * @param specification the size
	 * @return whether there is one
	 */
	public boolean isServed(FilterSpecification specification) {
		Generation active = active();
		return active != null && active.isOfSize(specification);
	}

	/**
	 * Return the generation that should follow the active one.
	 * @param specification its size
	 * @param configuredInsertions how many keys the filter is configured for
	 * @return the generation, which is not listed yet
	 */
	public Generation next(FilterSpecification specification, long configuredInsertions) {
		return Generation.loading(specification, configuredInsertions, this.origin);
	}

	/**
	 * Count the bits that are set in the active generation.
	 * @return the number of bits, 0 if none is active
	 */
	public CompletableFuture<Long> bitsSet() {
		ActiveGeneration active = current().active();
		return (active != null) ? this.gate.ask(() -> active.filter().bitsSet())
				: CompletableFuture.completedFuture(0L);
	}

	private List<Generation> live() {
		ControlRecord record = current().record();
		return (record != null) ? record.live() : List.of();
	}

	private View current() {
		return Objects.requireNonNull(this.view.get());
	}

	private StoredFilter stored(Generation generation) {
		return this.open.computeIfAbsent(generation.id(),
				(id) -> this.store.open(generation.bits(), generation.specification()));
	}

	static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
