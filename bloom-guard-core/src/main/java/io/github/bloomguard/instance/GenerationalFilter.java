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

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.TextEquality;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.TextForms.Question;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.ActiveGeneration;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.instance.LatestSnapshot.Known;
import io.github.bloomguard.mirror.Mirror;
import io.github.bloomguard.mirror.MirrorStatus;
import io.github.bloomguard.mirror.Mirrors;
import org.jspecify.annotations.Nullable;

/**
 * One filter as this instance sees it: asks the active generation of its origin, adds to
 * all live ones, and notices when the active one is not to be trusted any more.
 * <p>
 * Concurrency: a refresh takes its place in {@code refreshed} before it begins, and
 * begins when the one that was there has ended.
 * <p>
 * A snapshot is trusted for {@link ControlRecord#TRUST} after the record was read. The
 * one that creates the record anew waits for longer than that, so no lookup asks a
 * generation that adds do not know of any more. The time is looked at <em>after</em> the
 * bits were read.
 */
public final class GenerationalFilter {

	/**
	 * After this long a refresh that has not ended is not waited for any more.
	 */
	private static final Duration HUNG = Duration.ofSeconds(10);

	private final Origin origin;

	private final FilterStore store;

	private final ControlStore control;

	private final RedisCircuitBreaker breaker;

	private final MonotonicClock clock;

	private final LatestSnapshot snapshot;

	private final TrackedState state;

	private final Mirrors mirrors;

	private final LiveWriter writer;

	private final Probation probation;

	/**
	 * Since when its origin is what it is.
	 */
	private volatile long startedAt;

	/**
	 * Where the keys came from, as far as that was known, when the record was read last.
	 */
	private volatile @Nullable String readFor;

	private final AtomicReference<CompletableFuture<Boolean>> refreshed = new AtomicReference<>(
			CompletableFuture.completedFuture(true));

	/**
	 * Whether a refresh is to come because the filter is mistrusted. It serves all who
	 * mistrust it before it begins.
	 */
	private final AtomicBoolean mistrusted = new AtomicBoolean();

	private volatile @Nullable Throwable failure;

	/**
	 * Create a filter about which nothing is known before the first {@link #refresh}.
	 * @param breaker tells whether Redis may be asked, and learns whether it answers
	 */
	public GenerationalFilter(String filter, Origin origin, FilterStore store, ControlStore control,
			RedisCircuitBreaker breaker, MonotonicClock clock, StateListener listener) {
		this.origin = origin;
		this.store = store;
		this.control = control;
		this.breaker = breaker;
		this.clock = clock;
		this.startedAt = clock.nanoTime();
		this.snapshot = new LatestSnapshot(store, control);
		this.probation = new Probation(this.snapshot);
		this.state = new TrackedState(filter, listener);
		this.mirrors = new Mirrors(control, clock, this::refresh);
		this.writer = new LiveWriter(control, this.snapshot, breaker, clock, this.mirrors);
		breaker.addListener(this::unreachable);
	}

	/**
	 * Return whether it has to be found out where the keys come from: it is not known
	 * yet, or may have changed.
	 */
	public boolean isOriginDue() {
		return this.origin.isDue(record());
	}

	/**
	 * Return whether {@link #active()} tells what there is: it is known where the keys
	 * come from, and the record has been read since.
	 */
	public boolean isCurrent() {
		return !isOriginDue() && this.origin.value().equals(this.readFor);
	}

	/**
	 * Find out where the keys come from. Until then, nothing is answered. May wait for a
	 * database.
	 */
	public void findOrigin() {
		String found = this.origin.lookUp(record());
		if (this.origin.isOutdated()) {
			this.control.read().thenCompose((record) -> delete(record, found)).join();
		}
		if (!found.equals(this.origin.value())) {
			this.startedAt = this.clock.nanoTime();
		}
		this.origin.use(found);
	}

	/**
	 * Return for how long this instance has been running with its origin.
	 */
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

	/**
	 * Keep a mirror from now on.
	 * @param settings whether and how
	 */
	public void mirror(FilterSettings settings) {
		this.mirrors.use(settings);
	}

	/**
	 * Make a mirror again after a {@link #close}.
	 */
	public void open() {
		this.mirrors.open();
	}

	/**
	 * Keep no mirror any more.
	 */
	public CompletableFuture<Void> close() {
		return this.mirrors.close();
	}

	/**
	 * Return how the mirror is doing.
	 */
	public MirrorStatus mirrorStatus() {
		RecordSnapshot snapshot = this.snapshot.get();
		Mirror answering = (snapshot.isTrusted(this.clock) && this.breaker.permits()) ? snapshot.askedInstead() : null;
		return this.mirrors.status(answering);
	}

	/**
	 * Return whether the filter is kept in the memory of this process.
	 */
	public boolean isLocal() {
		return this.store.isLocal();
	}

	/**
	 * Ask for a key in the memory of this process: the mirror, or a filter that is kept
	 * there.
	 * @return the answer, {@code UNKNOWN} if there is nothing that may give one
	 */
	public Membership lookupHere(String key) {
		RecordSnapshot snapshot = this.snapshot.get();
		Mirror mirror = snapshot.askedInstead();
		if (mirror != null) {
			return certain(snapshot, mirror, mirror.mightContain(key));
		}
		ActiveGeneration asked = snapshot.asked();
		return (asked != null && asked.forms().areExact())
				? certainHere(asked, asked.filter().lookupHere(asked.generation().salt(), key)) : Membership.UNKNOWN;
	}

	/**
	 * Ask for a key that is a number, as {@link #lookupHere(String)} does.
	 * @return the answer, {@code UNKNOWN} if there is nothing that may give one
	 */
	public Membership lookupHere(long number) {
		RecordSnapshot snapshot = this.snapshot.get();
		Mirror mirror = snapshot.askedInstead();
		if (mirror != null) {
			return certain(snapshot, mirror, mirror.mightContain(number));
		}
		ActiveGeneration asked = snapshot.asked();
		return (asked != null && asked.forms().areExact())
				? certainHere(asked, asked.filter().lookupHere(asked.generation().salt(), number)) : Membership.UNKNOWN;
	}

	/**
	 * Pass the answer of a mirror on. Its bits were read under a snapshot, and it is that
	 * snapshot which has to be trusted afterwards: a later one may have been shown with
	 * bits that were not there yet when they were read.
	 */
	private Membership certain(RecordSnapshot snapshot, Mirror mirror, boolean found) {
		if (mirror.isEnded() || !snapshot.isTrusted(this.clock)) {
			return Membership.UNKNOWN;
		}
		return found ? Membership.MAYBE : Membership.ABSENT;
	}

	private Membership certainHere(ActiveGeneration asked, Membership answer) {
		return (answer != Membership.UNKNOWN) ? certain(asked, answer) : Membership.UNKNOWN;
	}

	/**
	 * Ask for a key.
	 * @return the answer, exceptionally if Redis did not give one
	 */
	public CompletableFuture<Membership> lookup(String key) {
		return ask(Membership.UNKNOWN, (active) -> {
			if (active.forms().areExact()) {
				return active.filter()
					.lookup(active.generation().salt() + key)
					.thenApply((answer) -> certain(active, answer));
			}
			return lookup(active, List.of(active.forms().question(key))).thenApply((answers) -> answers.get(0));
		});
	}

	/**
	 * Ask for many keys.
	 * @return the answers in the same order, exceptionally if Redis did not give them
	 */
	public CompletableFuture<List<Membership>> lookup(List<String> keys) {
		return ask(Collections.nCopies(keys.size(), Membership.UNKNOWN), (active) -> {
			if (active.forms().areExact()) {
				return active.filter()
					.lookup(active.generation().salted(keys))
					.thenApply((answers) -> answers.stream().map((answer) -> certain(active, answer)).toList());
			}
			return lookup(active, keys.stream().map(active.forms()::question).toList());
		});
	}

	private CompletableFuture<List<Membership>> lookup(ActiveGeneration active, List<Question> questions) {
		List<String> forms = questions.stream().flatMap((question) -> question.forms().stream()).toList();
		return active.filter().lookup(active.generation().salted(forms)).thenApply((found) -> {
			List<Membership> answers = new ArrayList<>(questions.size());
			int next = 0;
			for (Question question : questions) {
				int end = next + question.forms().size();
				answers.add(certain(active, question.answer(found.subList(next, end))));
				next = end;
			}
			return answers;
		});
	}

	/**
	 * Return which texts are one key.
	 * @return how the database compares text that the keys come from; {@code null} until
	 * that has been found out
	 */
	public @Nullable TextEquality text() {
		return this.origin.text();
	}

	/**
	 * Return whether the database calls no other key equal to a key, but for blanks at
	 * the end.
	 */
	public boolean isDistinct(String key) {
		TextEquality text = text();
		return text != null && (text.isExact() || new TextForms(text).areDistinct(key));
	}

	private <T> CompletableFuture<T> ask(T unknown, Function<ActiveGeneration, CompletableFuture<T>> question) {
		ActiveGeneration asked = this.snapshot.get().asked();
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
		RecordSnapshot snapshot = this.snapshot.get();
		return (snapshot.asked() == asked && snapshot.isTrusted(this.clock)) ? answer : Membership.UNKNOWN;
	}

	/**
	 * Return whether lookups are answered, as far as that is known without asking.
	 */
	public boolean isAnswering() {
		RecordSnapshot snapshot = this.snapshot.get();
		return snapshot.asked() != null && snapshot.isTrusted(this.clock) && this.breaker.permits();
	}

	/**
	 * Add keys.
	 */
	public CompletableFuture<Long> add(Collection<String> keys) {
		return this.writer.add(keys);
	}

	/**
	 * Let mirrors call keys absent whose rows are gone.
	 * @param decided what {@link #serverTime()} was when that was decided
	 * @param addedWithin a key that was added since then, or so long before, is left
	 */
	public CompletableFuture<Long> remove(Collection<String> keys, long decided, Duration addedWithin) {
		return this.control.remove(List.copyOf(keys), decided, decided - addedWithin.toMillis());
	}

	/**
	 * Return a time that has passed.
	 * @return the time of the server's clock in milliseconds when the record was read
	 * last, 0 if it is not known or not trusted
	 */
	public long serverTime() {
		RecordSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return (record != null && record.sameServer() && snapshot.isTrusted(this.clock)) ? record.now() : 0;
	}

	/**
	 * Return how many keys of the active generation have been removed.
	 */
	public long removedKeys() {
		return this.probation.proof().removed();
	}

	/**
	 * Return whether nothing is known to have happened to the record since keys were
	 * added, as far as this instance knows without asking. Where replicas are waited for,
	 * it does not: they are to be asked.
	 * @return {@code false} if it knows of something, or nothing of the record
	 */
	public boolean isUnmovedSince(long epoch) {
		RecordSnapshot snapshot = this.snapshot.get();
		ControlRecord record = snapshot.record();
		return record != null && record.epoch() <= epoch && record.sameServer() && !this.control.awaitsReplicas()
				&& snapshot.isTrusted(this.clock);
	}

	/**
	 * Return whether the journal reaches back for some time, as it was read last.
	 */
	public boolean hasJournalOf(Duration time) {
		ControlRecord record = record();
		return record != null && record.journalSince() > 0 && record.now() - record.journalSince() >= time.toMillis();
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
	 * intervals well below {@link ControlRecord#TRUST}.
	 * @return whether Redis has answered, completed when the snapshot is up to date with
	 * a record that was read after this call; never exceptionally
	 */
	public CompletableFuture<Boolean> refresh() {
		CompletableFuture<Boolean> refresh = new CompletableFuture<>();
		Objects.requireNonNull(this.refreshed.getAndSet(refresh))
			.thenCompose((former) -> readRecord().orTimeout(HUNG.toMillis(), TimeUnit.MILLISECONDS))
			.whenComplete((nothing, failure) -> {
				this.failure = (failure != null) ? unwrap(failure) : null;
				if (failure != null) {
					this.breaker.unanswered(unwrap(failure));
				}
				else {
					this.breaker.answered();
					this.mirrors.follow(this.snapshot.get().asked());
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
		Evidence evidence = this.probation.evidence();
		this.mistrusted.set(false);
		Known known = this.snapshot.known();
		String origin = this.origin.value();
		return this.mirrors.refresh(evidence).thenCompose((refreshed) -> {
			this.probation.reported(evidence);
			return this.snapshot.update(refreshed, readAt, known, origin).thenRun(() -> this.readFor = origin);
		});
	}

	/**
	 * Give up all generations that there are, because they may lack a key. While Redis
	 * does not answer, this instance only knows; what is there when it answers again is
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
	 * Refute the active generation for all instances, because it called a key absent that
	 * was found.
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
	 * Return what the filter has to show before it is believed.
	 */
	public Probation probation() {
		return this.probation;
	}

	/**
	 * Return whether the active generation is provisional, and one that were loaded now
	 * would not be.
	 */
	public boolean isSettleDue() {
		return this.probation.isSettleDue(running());
	}

	private void unreachable(Throwable cause) {
		this.failure = cause;
		state();
	}

	/**
	 * Return the state.
	 */
	public FilterState state() {
		RecordSnapshot snapshot = this.snapshot.get();
		Throwable failure = this.failure;
		boolean trusted = snapshot.isTrusted(this.clock) && this.breaker.permits();
		FilterState state = trusted ? stateIn(snapshot)
				: (snapshot.record() == null && failure == null) ? FilterState.WARMING_UP : FilterState.UNREACHABLE;
		this.state.publish(state, trusted ? snapshot.loss() : null, trusted ? null : failure);
		return state;
	}

	/**
	 * A filter that answers is ready only if its answers are believed.
	 */
	private FilterState stateIn(RecordSnapshot snapshot) {
		FilterState state = snapshot.state();
		return (state == FilterState.READY && !this.probation.isOver(snapshot)) ? FilterState.WARMING_UP : state;
	}

	/**
	 * Return the state, and how the filter came into it, or what it lacks to be ready.
	 */
	public StateChange stateChange() {
		state();
		StateChange latest = this.state.latest();
		boolean loaded = latest.state() == FilterState.WARMING_UP && active() != null;
		return loaded ? new StateChange(latest.state(), latest.since(), this.probation.remaining()) : latest;
	}

	/**
	 * Return the clock that trust is measured by.
	 */
	public MonotonicClock clock() {
		return this.clock;
	}

	/**
	 * Return the epoch of the snapshot that lookups use.
	 * @return the epoch, 0 if the record has not been read yet
	 */
	public long epoch() {
		return this.snapshot.get().epoch();
	}

	/**
	 * Return the record as it was read last.
	 * @return the record, or {@code null} if it has not been read yet
	 */
	public @Nullable ControlRecord record() {
		return this.snapshot.get().record();
	}

	/**
	 * Return the generation whose keys come from where its keys do.
	 * @return the generation, or {@code null} if there is none that is intact
	 */
	public @Nullable Generation active() {
		ActiveGeneration active = this.snapshot.get().active();
		return (active != null) ? active.generation() : null;
	}

	/**
	 * Return whether a generation of a size is active and intact.
	 */
	public boolean isServed(FilterSpecification specification) {
		Generation active = active();
		return active != null && active.isOfSize(specification);
	}

	/**
	 * Return the generation that should follow the active one.
	 */
	public Generation next(FilterSpecification specification, long configuredInsertions) {
		return Generation.loading(specification, configuredInsertions, this.origin.value());
	}

	/**
	 * Find out how full the active generation is.
	 * @return how full it is, nothing if none is active
	 */
	public CompletableFuture<Occupancy> occupancy() {
		ActiveGeneration active = this.snapshot.get().active();
		return (active != null) ? this.breaker.ask(() -> active.filter().occupancy())
				: CompletableFuture.completedFuture(Occupancy.NOTHING);
	}

	static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
