package io.github.bloomguard.generation;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.gate.RedisGate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * One filter as this instance sees it: asks the active generation, adds to all live ones,
 * and notices when the active one is not to be trusted any more.
 * <p>
 * Concurrency: all that lookups need is in one immutable {@link View}. It is replaced by
 * a refresh, of which there is at most one at a time, and by whoever finds the active
 * generation lost; both do so atomically. A refresh takes its place in {@code refreshed}
 * before it begins, and begins when the one that was there has ended: it may itself ask
 * for another. A generation that has been found lost is remembered in {@code lost}
 * <em>before</em> the view changes, so a refresh that has read the record earlier can't
 * bring it back.
 * <p>
 * A view is trusted for {@link ControlRecord#TRUST} after the record was read. Whoever
 * creates the record anew waits for longer than that, so nobody asks a generation that
 * adds do not know of any more. The time is looked at <em>after</em> the bits were read.
 *
 * @since 0.1.0
 */
public final class GenerationalFilter {

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private final FilterKeys keys;

	private final FilterStore store;

	private final ControlStore control;

	private final RedisGate gate;

	private final TrackedState state;

	private final LiveWriter writer;

	private final Map<String, StoredFilter> open = new ConcurrentHashMap<>();

	private final Set<String> lost = Collections.newSetFromMap(new ConcurrentHashMap<>());

	private final AtomicReference<View> view = new AtomicReference<>(View.NOTHING);

	private final AtomicReference<CompletableFuture<Boolean>> refreshed = new AtomicReference<>(
			CompletableFuture.completedFuture(true));

	/**
	 * Create a filter about which nothing is known before the first {@link #refresh}.
	 * @param keys the names of the keys
	 * @param store where the bits are
	 * @param control where the record is
	 * @param gate is told whether Redis answers, and tells it
	 * @param listener is told of each change of the state
	 */
	public GenerationalFilter(FilterKeys keys, FilterStore store, ControlStore control, RedisGate gate,
			StateListener listener) {
		this.keys = keys;
		this.store = store;
		this.control = control;
		this.gate = gate;
		this.state = new TrackedState(keys.filter(), listener);
		this.writer = new LiveWriter(control, this::stored);
		gate.addListener(this::unreachable);
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
					.lookup(keys.stream().map(active.generation()::element).toList())
					.thenApply((answers) -> answers.stream().map((answer) -> certain(active, answer)).toList()));
	}

	private <T> CompletableFuture<T> ask(T unknown, Function<ActiveGeneration, CompletableFuture<T>> question) {
		View view = current();
		if (view.active() == null || !view.isTrusted()) {
			return CompletableFuture.completedFuture(unknown);
		}
		return question.apply(view.active());
	}

	/**
	 * Pass an answer on only if the generation that gave it was to be trusted when the
	 * bits were read.
	 */
	private Membership certain(ActiveGeneration active, Membership answer) {
		if (answer == Membership.UNKNOWN) {
			lose(active.generation(), "its bits are gone");
			return Membership.UNKNOWN;
		}
		View view = current();
		return (view.active() == active && view.isTrusted()) ? answer : Membership.UNKNOWN;
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
			.thenCompose((former) -> readRecord())
			.whenComplete((nothing, failure) -> {
				if (failure != null) {
					this.gate.unanswered(unwrap(failure));
					unreachable(unwrap(failure));
				}
				else {
					this.gate.answered();
				}
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
		long readAt = System.nanoTime();
		return this.control.read().thenCompose((record) -> update(record, readAt));
	}

	private CompletableFuture<Void> update(ControlRecord record, long readAt) {
		this.open.keySet().retainAll(record.generations().stream().map(Generation::id).toList());
		ActiveGeneration former = current().active();
		if (former != null && record.generations().stream().noneMatch(former::is)) {
			lose(former.generation(), "the record does not list it any more");
		}
		record.generations()
			.stream()
			.filter((generation) -> this.lost.contains(generation.id()))
			.forEach((generation) -> this.store.delete(this.keys.bits(generation.id())));
		Generation next = record.active();
		if (next != null && !record.sameServer()) {
			lose(next, "another server has taken over, which may lack keys");
		}
		if (next == null || !next.isReadable() || this.lost.contains(next.id())) {
			show(record, null, readAt);
			return CompletableFuture.completedFuture(null);
		}
		ActiveGeneration active = (former != null && former.is(next)) ? former
				: new ActiveGeneration(next, stored(next));
		return active.filter().isIntact().thenAccept((intact) -> {
			if (!intact) {
				lose(next, "its bits are gone");
			}
			show(record, active, readAt);
		});
	}

	private void show(ControlRecord record, @Nullable ActiveGeneration active, long readAt) {
		this.view.updateAndGet((view) -> new View(record.epoch(), isLost(active) ? null : active, readAt, record));
		this.state.change((current().active() != null) ? FilterState.READY
				: this.lost.isEmpty() ? FilterState.WARMING_UP : FilterState.LOST, null);
	}

	private boolean isLost(@Nullable ActiveGeneration active) {
		return active != null && this.lost.contains(active.generation().id());
	}

	/**
	 * Make sure that a generation gives no answer any more, here or elsewhere: its bits
	 * are deleted, so whoever still asks it misses the seal. The next refresh tells
	 * whether it has a successor.
	 */
	private void lose(Generation generation, String reason) {
		if (!this.lost.add(generation.id())) {
			return;
		}
		logger.info(LogMessage.format("Generation %s of the filter '%s' is not asked any more: %s", generation.id(),
				this.keys.filter(), reason));
		this.view.updateAndGet(
				(view) -> isLost(view.active()) ? new View(view.epoch(), null, view.readAt(), view.record()) : view);
		this.store.delete(this.keys.bits(generation.id()));
		refresh();
	}

	/**
	 * Give up the active generation, because it may lack a key.
	 * @param reason why
	 */
	public void mistrust(String reason) {
		ActiveGeneration active = current().active();
		if (active != null) {
			lose(active.generation(), reason);
		}
	}

	private void unreachable(Throwable cause) {
		this.state.change(FilterState.UNREACHABLE, cause);
	}

	/**
	 * Return the state.
	 * @return the state
	 */
	public FilterState state() {
		return this.state.get();
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
	 * Return the generation that lookups ask.
	 * @return the generation, or {@code null} if none is to be trusted
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
		return active != null && active.serves(specification);
	}

	/**
	 * Count the bits that are set in the active generation.
	 * @return the number of bits, 0 if none is active
	 */
	public CompletableFuture<Long> bitsSet() {
		ActiveGeneration active = current().active();
		return (active != null) ? active.filter().bitsSet() : CompletableFuture.completedFuture(0L);
	}

	private View current() {
		return Objects.requireNonNull(this.view.get());
	}

	private StoredFilter stored(Generation generation) {
		return this.open.computeIfAbsent(generation.id(),
				(id) -> this.store.open(this.keys.bits(id), generation.specification()));
	}

	static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
