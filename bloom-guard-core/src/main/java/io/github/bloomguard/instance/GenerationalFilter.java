/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.generation.RecordWatch;
import io.github.bloomguard.generation.RecordWatch.Watched;
import io.github.bloomguard.instance.LatestSnapshot.Choice;
import io.github.bloomguard.instance.LatestSnapshot.Known;
import io.github.bloomguard.logging.LogFields;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * One filter as this instance sees it: asks the active generation of its origin, adds to
 * all live ones, and notices when the active one must not answer any more.
 * <p>
 * Concurrency: a refresh takes its place in {@code refreshed} before it begins, and
 * begins when the one that was there has ended. A snapshot has a lease of
 * {@link ControlRecord#LEASE} from when the record was read, and the time is looked at
 * <em>after</em> the bits were read. The one that creates the record anew waits for
 * longer than that, so no lookup asks a generation that adds do not know of any more.
 */
public final class GenerationalFilter {

	private static final Duration HUNG = Duration.ofSeconds(10);

	/**
	 * After how long the record is read although nothing seems to have changed.
	 */
	private static final Duration LONGEST_QUIET = Duration.ofMinutes(30);

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private final String name;

	private final Origin origin;

	private final FilterStore store;

	private final ControlStore control;

	private final RecordSteps steps;

	private final CircuitBreaker breaker;

	private final MonotonicClock clock;

	private final LatestSnapshot snapshot;

	private final ObservedState state;

	private final Mirrors mirrors;

	private final LiveWriter writer;

	private final CallEvidence evidence;

	private final EffectiveMode mode;

	/**
	 * The filter of the other application that this one asks, {@code null} for a filter
	 * of its own.
	 */
	private final @Nullable OwnerView owner;

	private volatile Requirements required;

	private volatile long startedAt;

	private volatile @Nullable String readFor;

	/**
	 * How long added keys are kept in the journal, and as keys that were added lately.
	 */
	private final Duration kept;

	private volatile long readInFullAt;

	private final AtomicReference<CompletableFuture<Boolean>> refreshed = new AtomicReference<>(
			CompletableFuture.completedFuture(true));

	/**
	 * Whether a refresh is to come that serves all threads that mistrust the filter.
	 */
	private final AtomicBoolean mistrusted = new AtomicBoolean();

	public GenerationalFilter(FilterSettings settings, Origin origin, FilterStore store, ControlStore control,
			CircuitBreaker breaker, MonotonicClock clock, BloomGuardListener listener) {
		this(settings, origin, null, store, control, breaker, clock, listener);
	}

	private GenerationalFilter(FilterSettings settings, Origin origin, @Nullable String owner, FilterStore store,
			ControlStore control, CircuitBreaker breaker, MonotonicClock clock, BloomGuardListener listener) {
		this.owner = (owner != null) ? new OwnerView(settings.name(), owner, settings.type(), settings.mode(),
				settings.verification().mode()) : null;
		this.name = settings.name();
		this.origin = origin;
		this.store = store;
		this.control = control;
		this.steps = new RecordSteps(control);
		this.breaker = breaker;
		this.clock = clock;
		this.startedAt = clock.nanoTime();
		this.kept = Collections.max(List.of(settings.adding().journalRetention(), settings.adding().addedRetention()))
			.plusSeconds(1);
		this.required = new Requirements(0, Duration.ZERO, settings.verification().mode(), false, null, () -> 0);
		this.mode = new EffectiveMode(settings.name(), settings.mode(), clock);
		this.evidence = new CallEvidence(this::standing, this::judgeAnew);
		// last of these, because it judges at once
		this.snapshot = new LatestSnapshot(store, control, this::judge, this::choose);
		this.state = new ObservedState(settings.name(), this.snapshot, breaker, clock, listener);
		this.mirrors = new Mirrors(control, settings, clock, this::refresh);
		this.writer = new LiveWriter(control, this.snapshot, breaker, clock, this.mirrors, settings.adding().longest());
		breaker.addListener(this.state::asked);
	}

	/**
	 * Create a filter that another application owns, which is only asked.
	 * @param origin that of a reader
	 * @param owner the name of the other application
	 */
	public static GenerationalFilter ofOwner(FilterSettings settings, Origin origin, String owner, FilterStore store,
			ControlStore control, CircuitBreaker breaker, MonotonicClock clock, BloomGuardListener listener) {
		return new GenerationalFilter(settings, origin, owner, new ReadOnlyStore(store), new ReadOnlyControl(control),
				breaker, clock, listener);
	}

	/**
	 * Return the name of the application that owns the filter, {@code null} if it is this
	 * one.
	 */
	public @Nullable String owner() {
		return (this.owner != null) ? this.owner.owner() : null;
	}

	/**
	 * Find out whether keys could be added, without adding any.
	 * @return exceptionally with the reason if they could not
	 */
	public CompletableFuture<Void> checkAdds() {
		return this.control.checkAppend();
	}

	private List<Generation> choose(ControlRecord record, String origin) {
		return (this.owner != null) ? this.owner.asked(record) : Choice.OF_ORIGIN.asked(record, origin);
	}

	/**
	 * Return whether a key may be called absent, as far as the owner of the filter tells.
	 */
	public boolean tellsApart(KeyFormat format, Object key) {
		return this.owner == null || this.owner.tellApart(format, key, record());
	}

	/**
	 * Set what the filter has to show before it is believed, which is nothing at first.
	 */
	public void require(Requirements required) {
		this.required = required;
		judgeAnew();
	}

	/**
	 * Return what the filter has to show before it is believed.
	 */
	public Requirements required() {
		return this.required;
	}

	/**
	 * Set in which way rows may come that no writer shows, {@code null} if there is none.
	 */
	public void setUnseenWriters(@Nullable String unseenWriters) {
		Requirements required = this.required;
		if (!Objects.equals(unseenWriters, required.unseenWriters())) {
			require(required.withUnseenWriters(unseenWriters));
			if (unseenWriters != null) {
				LogFields.withFilter(this.name, () -> logger.warn(LogMessage.format(
						"Rows may come to the filter '%s' by %s, and no writer shows their keys. So absent answers are"
								+ " looked up before they are given. Follow the change log of the database"
								+ " (changes.enabled) to have such rows added",
						this.name, unseenWriters)));
			}
		}
	}

	private void judgeAnew() {
		this.snapshot.judgeAnew();
	}

	private Standing judge(@Nullable ControlRecord record, boolean active, boolean lost, long readAt) {
		if (this.owner != null) {
			return this.owner.judge(record, active, lost, this.evidence);
		}
		return Standing.of(record, active, lost, this.mode.mode(),
				this.origin.isOwn() ? this.required.ofOwn() : this.required, this.evidence,
				Duration.ofNanos(readAt - this.startedAt));
	}

	/**
	 * Return all that a call needs to know, as it is now.
	 */
	public FilterSnapshot snapshot() {
		return this.snapshot.get();
	}

	/**
	 * Return how far the filter is believed now.
	 */
	public Standing standing() {
		return this.snapshot.get().standing();
	}

	/**
	 * Return where to note what calls show about the filter.
	 */
	public CallEvidence evidence() {
		return this.evidence;
	}

	public boolean isOriginDue() {
		return this.origin.isDue(record());
	}

	public boolean isCurrent() {
		return !isOriginDue() && this.origin.value().equals(this.readFor);
	}

	/**
	 * Look up the origin, before which nothing is answered. May wait for a database.
	 * @param unseenWriters asks it in which way rows may come that no writer shows
	 */
	public void findOrigin(Supplier<Optional<String>> unseenWriters) {
		String found = this.origin.lookUp(record());
		setUnseenWriters(unseenWriters.get().orElse(null));
		if (this.origin.isOutdated()) {
			this.control.read().thenCompose((record) -> delete(record, found)).join();
		}
		if (!found.equals(this.origin.value())) {
			this.startedAt = this.clock.nanoTime();
		}
		this.origin.use(found);
	}

	/**
	 * Look whether a migration was run, which may have inserted rows, and answer nothing
	 * then until the origin was looked up again. May wait for a database.
	 */
	public void lookForMigration() {
		if (this.origin.forgetIfMigrated()) {
			refresh();
		}
	}

	public Duration running() {
		return Duration.ofNanos(this.clock.nanoTime() - this.startedAt);
	}

	private CompletableFuture<Void> delete(ControlRecord record, String origin) {
		return CompletableFuture.allOf(record.generations()
			.stream()
			.filter((generation) -> generation.origin().equals(origin))
			.map((generation) -> this.store.delete(generation.bits(), generation.specification()))
			.toArray(CompletableFuture<?>[]::new));
	}

	public void open() {
		this.mirrors.open();
	}

	/**
	 * Give up the mirror, and only that, and report what calls have shown since the last
	 * refresh.
	 */
	public CompletableFuture<Void> close() {
		return CompletableFuture.allOf(this.mirrors.close(),
				this.breaker.ask(() -> this.control.refresh(this.evidence.evidence())));
	}

	public MirrorStatus mirrorStatus() {
		FilterSnapshot snapshot = this.snapshot.get();
		Mirror answering = (snapshot.isLeased(this.clock) && this.breaker.permits()) ? snapshot.askedInstead() : null;
		return this.mirrors.status(answering);
	}

	public boolean isLocal() {
		return this.store.isLocal();
	}

	/**
	 * Ask for a key in the memory of this process: the mirror, or a filter kept there.
	 * @return the answer, {@code UNKNOWN} if there is nothing that may give one
	 */
	public Membership lookupInMemory(FilterSnapshot snapshot, String key) {
		Mirror mirror = snapshot.askedInstead();
		if (mirror != null) {
			return answerOf(snapshot, mirror, mirror.mightContain(key));
		}
		ActiveGeneration asked = snapshot.asked();
		return (asked != null && snapshot.others().isEmpty() && isLocal() && asked.forms().areExact())
				? ifKnown(asked, lookupInMemory(asked, key)) : Membership.UNKNOWN;
	}

	private static Membership lookupInMemory(ActiveGeneration asked, String key) {
		List<String> forms = asked.forms().asked(key);
		if (forms.size() == 1 && forms != TextForms.CANNOT_TELL) {
			// nearly each key, on the path of each call
			return asked.filter().lookupInMemory(asked.generation().salt(), forms.get(0));
		}
		List<Membership> found = new ArrayList<>(forms.size());
		for (String form : forms) {
			found.add(asked.filter().lookupInMemory(asked.generation().salt(), form));
		}
		return TextForms.answer(forms, found);
	}

	public Membership lookupInMemory(FilterSnapshot snapshot, long number) {
		Mirror mirror = snapshot.askedInstead();
		if (mirror != null) {
			return answerOf(snapshot, mirror, mirror.mightContain(number));
		}
		ActiveGeneration asked = snapshot.asked();
		return (asked != null && snapshot.others().isEmpty() && asked.forms().areExact())
				? ifKnown(asked, asked.filter().lookupInMemory(asked.generation().salt(), number)) : Membership.UNKNOWN;
	}

	/**
	 * Pass the answer of a mirror on. Its bits were read under a snapshot, and it is that
	 * snapshot whose lease has to last until afterwards: a later one may have been shown
	 * with bits that were not there yet when they were read.
	 */
	private Membership answerOf(FilterSnapshot snapshot, Mirror mirror, boolean found) {
		if (mirror.isEnded() || !snapshot.isLeased(this.clock)) {
			return Membership.UNKNOWN;
		}
		return found ? Membership.MAYBE : Membership.ABSENT;
	}

	private Membership ifKnown(ActiveGeneration asked, Membership answer) {
		return (answer != Membership.UNKNOWN) ? ifLeased(asked, answer) : Membership.UNKNOWN;
	}

	/**
	 * Return the answer of the generation of a snapshot, exceptionally if Redis gives
	 * none.
	 */
	public CompletableFuture<Membership> lookup(FilterSnapshot snapshot, String key) {
		if (!snapshot.others().isEmpty()) {
			return lookup(snapshot, List.of(key)).thenApply((answers) -> answers.get(0));
		}
		return ask(snapshot, Membership.UNKNOWN, (active) -> {
			List<String> asked = active.forms().asked(key);
			if (asked.size() == 1 && asked != TextForms.CANNOT_TELL) {
				return active.filter()
					.lookup(active.generation().salt() + asked.get(0))
					.thenApply((answer) -> ifLeased(active, answer));
			}
			return lookup(active, List.of(key)).thenApply((answers) -> answers.get(0));
		});
	}

	public CompletableFuture<List<Membership>> lookup(FilterSnapshot snapshot, List<String> keys) {
		CompletableFuture<List<Membership>> answers = ask(snapshot,
				Collections.nCopies(keys.size(), Membership.UNKNOWN), (active) -> lookup(active, keys));
		for (ActiveGeneration other : snapshot.others()) {
			answers = answers.thenCompose((former) -> lookup(other, keys).thenApply((more) -> agreed(former, more)));
		}
		return answers;
	}

	/**
	 * A key is absent only if all say so.
	 */
	private static List<Membership> agreed(List<Membership> some, List<Membership> others) {
		List<Membership> agreed = new ArrayList<>(some.size());
		for (int i = 0; i < some.size(); i++) {
			Membership one = some.get(i);
			agreed.add((one == Membership.ABSENT) ? others.get(i) : one);
		}
		return agreed;
	}

	private CompletableFuture<List<Membership>> lookup(ActiveGeneration active, List<String> keys) {
		List<List<String>> asked = keys.stream().map(active.forms()::asked).toList();
		List<String> forms = asked.stream().flatMap(List::stream).toList();
		return active.filter().lookup(active.generation().salted(forms)).thenApply((found) -> {
			List<Membership> answers = new ArrayList<>(keys.size());
			int next = 0;
			for (List<String> one : asked) {
				int end = next + one.size();
				answers.add(ifLeased(active, TextForms.answer(one, found.subList(next, end))));
				next = end;
			}
			return answers;
		});
	}

	public @Nullable TextForms text() {
		return this.origin.text();
	}

	/**
	 * Return whether each text is a key of its own, in whatever way it is written.
	 */
	public boolean isVerbatim() {
		if (this.owner != null) {
			return allForms(TextForms::areVerbatim);
		}
		TextForms text = text();
		return text != null && text.areVerbatim();
	}

	/**
	 * Return whether any key may be called absent, whatever its text.
	 */
	public boolean canTellAll() {
		TextForms text = text();
		return text != null && text.areExact();
	}

	/**
	 * Return whether a key may be called absent, as far as its text decides.
	 */
	public boolean canTell(String key) {
		if (this.owner != null) {
			return allForms((forms) -> forms.canTell(key));
		}
		TextForms text = text();
		return text != null && text.canTell(key);
	}

	/**
	 * Return whether a key may pass for another one that the database tells apart from
	 * it, as the form of both leaves characters out.
	 */
	public boolean leavesOut(String key) {
		if (this.owner != null) {
			return !allForms((forms) -> !forms.leaveOut(key));
		}
		TextForms text = text();
		return text != null && text.leaveOut(key);
	}

	/**
	 * Return whether the database calls no other key equal, except for blanks at the end.
	 */
	public boolean isDistinct(String key) {
		if (this.owner != null) {
			return allForms((forms) -> forms.areDistinct(key));
		}
		TextForms text = text();
		return text != null && text.areDistinct(key);
	}

	private boolean allForms(Predicate<TextForms> condition) {
		List<ActiveGeneration> all = this.snapshot.get().all();
		return !all.isEmpty() && all.stream().map(ActiveGeneration::forms).allMatch(condition);
	}

	private static <T> CompletableFuture<T> ask(FilterSnapshot snapshot, T unknown,
			Function<ActiveGeneration, CompletableFuture<T>> question) {
		ActiveGeneration asked = snapshot.asked();
		return (asked != null) ? question.apply(asked) : CompletableFuture.completedFuture(unknown);
	}

	/**
	 * Pass an answer on only if the lease of its generation lasts now that the bits have
	 * been read. One that could not answer has been replaced or lost: a refresh finds
	 * out.
	 */
	private Membership ifLeased(ActiveGeneration asked, Membership answer) {
		if (answer == Membership.UNKNOWN) {
			refreshIfIdle();
			return Membership.UNKNOWN;
		}
		FilterSnapshot snapshot = this.snapshot.get();
		return (snapshot.asks(asked) && snapshot.isLeased(this.clock)) ? answer : Membership.UNKNOWN;
	}

	public boolean isAnswering() {
		FilterSnapshot snapshot = this.snapshot.get();
		return snapshot.asked() != null && snapshot.isLeased(this.clock) && this.breaker.permits();
	}

	/**
	 * Add keys to all live generations.
	 * @return the oldest epoch in which one was appended, 0 if the server has changed and
	 * may lack other keys of the same transaction
	 */
	public CompletableFuture<Long> add(Collection<String> keys) {
		return this.writer.add(keys);
	}

	/**
	 * Let mirrors call keys absent whose rows are gone.
	 * @param decided the {@link #serverTime()} when that was decided
	 * @param addedWithin a key that was added since then, or so long before, is left
	 */
	public CompletableFuture<Long> remove(Collection<String> keys, long decided, Duration addedWithin) {
		return this.control.remove(List.copyOf(keys), decided, decided - addedWithin.toMillis());
	}

	/**
	 * Return a past time of the server's clock in milliseconds, 0 if none has a lease.
	 */
	public long serverTime() {
		FilterSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return (record != null && record.sameServer() && snapshot.isLeased(this.clock)) ? record.now() : 0;
	}

	/**
	 * Return whether the record has not changed since keys were added, as far as that is
	 * known without asking. It is not known where replicas are waited for.
	 */
	public boolean isUnmovedSince(long epoch) {
		FilterSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return record != null && record.epoch() <= epoch && record.sameServer() && !this.control.awaitsReplicas()
				&& snapshot.isLeased(this.clock);
	}

	/**
	 * Return whether keys may be missing that were added in an epoch.
	 */
	public CompletableFuture<Boolean> hasMovedSince(long epoch) {
		Known known = this.snapshot.known();
		return this.breaker.insist(this.control::read)
			.thenApply((record) -> record.epoch() != epoch || !record.sameServer() || known.isAheadOf(record));
	}

	/**
	 * Read the record, and look whether the active generation is intact. To be called at
	 * intervals well below {@link ControlRecord#LEASE}.
	 * @return whether Redis has answered, completed when the snapshot is up to date with
	 * a record that was read after this call; never exceptionally
	 */
	public CompletableFuture<Boolean> refresh() {
		CompletableFuture<Boolean> refresh = new CompletableFuture<>();
		Objects.requireNonNull(this.refreshed.getAndSet(refresh))
			.thenCompose((former) -> readRecord().orTimeout(HUNG.toMillis(), TimeUnit.MILLISECONDS))
			.whenComplete((nothing, failure) -> {
				if (failure != null) {
					this.breaker.open(unwrap(failure));
				}
				else {
					this.breaker.answered();
					this.mirrors.follow(mirrored());
				}
				this.state.asked((failure != null) ? unwrap(failure) : null);
				refresh.complete(failure == null);
			});
		return refresh;
	}

	private @Nullable ActiveGeneration mirrored() {
		FilterSnapshot snapshot = this.snapshot.get();
		return (mode() != FilterMode.OFF && snapshot.others().isEmpty()) ? snapshot.asked() : null;
	}

	/**
	 * Refresh, unless a refresh is under way.
	 * @return completed when the one that is now under way has ended; never exceptionally
	 */
	public CompletableFuture<Boolean> refreshIfIdle() {
		CompletableFuture<Boolean> latest = Objects.requireNonNull(this.refreshed.get());
		return latest.isDone() ? refresh() : latest;
	}

	/**
	 * Return what looks at the records of this filter and others at once.
	 */
	public RecordWatch recordWatch() {
		return this.control.watch();
	}

	/**
	 * Return what has to be still as it is for the filter to need no refresh. To be asked
	 * before anything is looked at.
	 * @return {@code null} if it needs one in any case
	 */
	public @Nullable Quiet quiet() {
		long readAt = this.clock.nanoTime();
		FilterSnapshot shown = this.snapshot.get();
		ControlRecord record = shown.record();
		ActiveGeneration active = shown.active();
		boolean quiet = this.owner == null && record != null && active != null && !record.stamp().isEmpty()
				&& Objects.requireNonNull(this.refreshed.get()).isDone() && !this.mistrusted.get()
				&& shown.isLeased(this.clock) && record.sameServer() && isCurrent()
				&& record.trust().rollout().rival() < record.now() - RecordState.UNUSED.toMillis()
				&& this.snapshot.hasAllOf(shown) && this.evidence.evidence().isEmpty() && !isTrimmingDue(record)
				&& this.mirrors.isSettled(shown.mirror());
		return (quiet && record != null && active != null)
				? new Quiet(new Watched(this.name, record, active.generation(), this.origin.value()), shown, readAt)
				: null;
	}

	/**
	 * Return whether keys have become too old to be kept, or it is a long time ago that
	 * the record was read: another version may change what it does not stamp.
	 */
	private boolean isTrimmingDue(ControlRecord record) {
		long kept = record.journalEnd().millis() + this.kept.toMillis();
		return record.now() - this.readInFullAt > LONGEST_QUIET.toMillis()
				|| (record.now() >= kept && this.readInFullAt < kept);
	}

	/**
	 * Go on as after a refresh that has found nothing new.
	 * @param quiet what was still as it is
	 * @param now when that was so, in milliseconds of the server's clock
	 */
	public void unchanged(Quiet quiet, long now) {
		Mirror mirror = quiet.shown().mirror();
		if (mirror != null) {
			this.mirrors.unchanged(mirror, now);
		}
		this.breaker.answered();
		if (this.snapshot.unchanged(quiet.shown(), quiet.readAt(), now)) {
			this.mirrors.follow((mode() != FilterMode.OFF) ? this.snapshot.get().asked() : null);
		}
		this.state.asked(null);
	}

	/**
	 * Look whether the bits of the active generation are what they were. Calls and adds
	 * notice it at once if they are not; this is for a filter that nothing asks.
	 */
	public void lookAtBits() {
		ActiveGeneration active = this.snapshot.get().active();
		if (active != null) {
			active.filter().isIntact().thenAccept((intact) -> {
				if (!intact) {
					refreshIfIdle();
				}
			});
		}
	}

	private CompletableFuture<Void> readRecord() {
		long readAt = this.clock.nanoTime();
		Evidence evidence = this.evidence.evidence();
		this.mistrusted.set(false);
		Known known = this.snapshot.known();
		String origin = this.origin.value();
		return this.mirrors.refresh(evidence).thenCompose((refreshed) -> {
			ModeSwitch lost = this.mode.read(refreshed.record());
			if (this.owner != null) {
				this.mode.give(this.owner.mode(refreshed.record()));
			}
			else if (lost != null) {
				this.steps.restore(lost);
			}
			return this.snapshot.update(refreshed, readAt, known, origin).thenRun(() -> {
				// when the record that has it is shown: in between there would be no
				// doubt
				this.evidence.reported(evidence);
				this.readFor = origin;
				this.readInFullAt = refreshed.record().now();
				if (this.owner == null) {
					this.evidence.rememberProof(refreshed.record(), origin, standing());
				}
			});
		});
	}

	/**
	 * Give up all generations that there are, because they may lack a key. While Redis
	 * does not answer, only this instance does; what is there when it answers again is
	 * given up then.
	 */
	public void mistrust(String reason) {
		this.snapshot.mistrust(reason);
		this.mirrors.follow(null);
		state();
		if (this.mistrusted.compareAndSet(false, true)) {
			refresh();
		}
	}

	/**
	 * Return the shapes of the keys that were loaded, nothing if that is not known.
	 */
	public CompletableFuture<Optional<String>> shapes() {
		Generation active = active();
		return (active != null)
				? this.control.state().thenApply((record) -> Optional.ofNullable(record.shapes(active.id())))
				: CompletableFuture.completedFuture(Optional.empty());
	}

	/**
	 * End what doubt there is of this origin.
	 * @return as {@link #switchTo}
	 */
	public CompletableFuture<Boolean> acknowledge() {
		if (this.owner != null) {
			return CompletableFuture.failedFuture(this.owner.refusal("acknowledged"));
		}
		return this.steps.acknowledge().thenCompose((nothing) -> refresh());
	}

	/**
	 * Return the mode that the filter has now.
	 */
	public FilterMode mode() {
		return this.mode.mode();
	}

	/**
	 * Return who has given it that mode at run time, {@code null} if it is the configured
	 * one.
	 */
	public @Nullable ModeSwitch switched() {
		return this.mode.switched();
	}

	/**
	 * Give the filter another mode, in all instances of the application.
	 * @param to {@code null} for the configured one
	 * @return completed when this instance has it; exceptionally if Redis does not answer
	 */
	public CompletableFuture<Void> switchTo(@Nullable ModeSwitch to) {
		if (this.owner != null) {
			return CompletableFuture.failedFuture(this.owner.refusal("switched"));
		}
		return this.steps.switchTo(to).thenCompose((nothing) -> refresh()).thenApply((answered) -> null);
	}

	/**
	 * Give the filters of this name another mode, in all applications.
	 * @param to {@code null} for what each has configured
	 * @return as {@link #switchTo}
	 */
	public CompletableFuture<Void> switchEverywhere(@Nullable ModeSwitch to) {
		if (this.owner != null) {
			return CompletableFuture.failedFuture(this.owner.refusal("switched"));
		}
		return this.steps.switchEverywhere(to).thenCompose((nothing) -> refresh()).thenApply((answered) -> null);
	}

	/**
	 * Return the state, and publish it if it has changed.
	 */
	public FilterState state() {
		return this.state.update();
	}

	/**
	 * Return whether the active generation was lost, whatever the mode is.
	 */
	public boolean isLost() {
		return this.state.isLost();
	}

	public StateChange stateChange() {
		return this.state.latest();
	}

	public MonotonicClock clock() {
		return this.clock;
	}

	public @Nullable ControlRecord record() {
		return this.snapshot.get().record();
	}

	/**
	 * Return the active generation of this origin, {@code null} if none is intact.
	 */
	public @Nullable Generation active() {
		ActiveGeneration active = this.snapshot.get().active();
		return (active != null) ? active.generation() : null;
	}

	public boolean isServed(FilterSpecification specification) {
		Generation active = active();
		return active != null && active.isOfSize(specification);
	}

	public Generation next(FilterSpecification specification, long configuredInsertions) {
		return Generation.loading(this.store.withRoom(specification), configuredInsertions, this.origin.value());
	}

	public CompletableFuture<Occupancy> occupancy() {
		ActiveGeneration active = this.snapshot.get().active();
		return (active != null) ? this.breaker.ask(() -> active.filter().occupancy())
				: CompletableFuture.completedFuture(Occupancy.NOTHING);
	}

	static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * What a filter is while nothing happens to it.
	 *
	 * @param readAt when that was looked at, by the monotonic clock
	 */
	public record Quiet(Watched watched, FilterSnapshot shown, long readAt) {

	}

}
