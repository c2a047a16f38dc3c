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

package io.github.bloomguard.verifying;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Loader;
import io.github.bloomguard.Membership;
import io.github.bloomguard.adding.AddedKeysListeners;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.deciding.CallbackExecutor;
import io.github.bloomguard.deciding.FilterLookup;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.verifying.AbsenceQuestions.Asked;
import io.github.bloomguard.verifying.SourceLookUps.Call;
import io.github.bloomguard.verifying.VerifiedKeys.Chance;
import io.github.bloomguard.verifying.VerifiedKeys.KeyLookUp;
import io.github.bloomguard.verifying.VerifiedKeys.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a filter calls absent with what there is.
 * <p>
 * At first all calls for absent keys go through. When so many were right, the filter is
 * believed, and so many absent answers a second are verified: behind the answer, where
 * the source is asked, or before it, where the call goes through as at first. In peace
 * these are all, under a flood a sample. {@link VerifiedKeys} says which, and that those
 * who ask for one key share what is found. {@link Findings} decides what follows from it.
 * <p>
 * What could not be found out in time is not told as absent: the call goes through,
 * within a bound.
 */
public final class Verification {

	public static final Answer<Boolean> CONFIRMED = Answer.of(true);

	public static final Answer<Boolean> REFUSED = Answer.of(false);

	private static final Answer<Membership> ABSENT = Answer.of(Membership.ABSENT);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final Duration LONGEST_CALL = Duration.ofSeconds(60);

	/**
	 * How long a caller waits for a look-up that no call of a method replaces.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	/**
	 * How many callers wait at the same time in a flood.
	 */
	static final int MAX_WAITING = 16;

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterLookup lookup;

	private final SourceAnswers sources;

	private final AbsenceBarrier confirmation;

	private final AddedKeysListeners listeners;

	private final CallbackExecutor handOver;

	private final VerifiedKeys keys;

	/**
	 * Half of the rate, for calls that find out about keys that come again in a flood.
	 */
	private final QuestionRate again;

	private final GatheredKeys<Gathered> gathered;

	private final AtomicInteger waiting = new AtomicInteger();

	private final SourceLookUps lookUps;

	private final AbsenceQuestions afterLoads;

	private final Findings findings;

	/**
	 * Whether the last look-up has failed, so that the next ones are waited for. Any
	 * thread writes it.
	 */
	private volatile boolean failing;

	/**
	 * How long the last question took, in nanoseconds. Any thread writes it.
	 */
	private volatile long took;

	/**
	 * @param confirmation passed when the change log has brought what was there before
	 */
	public Verification(FilterSettings settings, GenerationalFilter filter, FilterLookup lookup, SourceAnswers sources,
			AbsenceBarrier confirmation, AddedKeysListeners listeners, Findings findings, FloodWatch flood,
			CallbackExecutor handOver) {
		this.settings = settings;
		this.filter = filter;
		this.lookup = lookup;
		this.sources = sources;
		this.confirmation = confirmation;
		this.listeners = listeners;
		this.findings = findings;
		this.handOver = handOver;
		double rate = (settings.verification().mode() != Mode.OFF) ? settings.verification().rate() : 0;
		this.keys = new VerifiedKeys(rate, flood, filter.clock());
		this.again = new QuestionRate(rate / 2);
		this.gathered = new GatheredKeys<>(rate / 2, filter.clock(), handOver.always(), this::begin);
		this.lookUps = new SourceLookUps(settings.name(), handOver.always(), LONGEST_CALL);
		this.afterLoads = new AbsenceQuestions(sources,
				new SourceLookUps(settings.name(), handOver.always(), FilterSettings.Adding.LONGEST_LOAD),
				filter.clock(), handOver.always());
	}

	/**
	 * Draw whether an absent answer is verified. The rate needs no exact time: that of
	 * the snapshot costs nothing, and moves on twice a second.
	 * @return {@code null} if it is not
	 */
	public @Nullable Turn draw(FilterSnapshot snapshot, Object key) {
		if (snapshot.standing().verification() == Mode.OFF) {
			return null;
		}
		long hash = this.lookup.hash(key);
		Chance chance = this.keys.chance(hash, snapshot.readAt());
		if (chance == Chance.AGAIN && !mayLookUpAgain(snapshot) && !this.keys.mayKnow(hash)) {
			return null;
		}
		return (chance == Chance.NONE || !this.lookup.isCertain(key)) ? null
				: this.keys.draw(this.lookup.form(key), hash, chance, snapshot.readAt());
	}

	/**
	 * Return whether a key that comes again in a flood may be looked up now.
	 */
	private boolean mayLookUpAgain(FilterSnapshot snapshot) {
		return this.sources.canTell() ? !this.gathered.isFull() : !this.again.isSpent(snapshot.readAt());
	}

	/**
	 * Verify the answer for a key.
	 * @param call finds out if no source can tell; {@code null} if there is none
	 * @param answered whether a call for it would still be answered with nothing
	 * @return {@code MAYBE} if there is such a row, {@code UNKNOWN} if the call is to go
	 * through because that is not known
	 */
	public Answer<Membership> verify(FilterSnapshot snapshot, Object key, Turn turn,
			@Nullable Loader<? extends CompletionStage<Boolean>, ?> call,
			Function<Object, CompletableFuture<Boolean>> answered) {
		boolean before = snapshot.standing().verification() == Mode.BEFORE;
		KeyLookUp lookUp = turn.lookUp();
		if (turn.again()) {
			return again(new Question(key, before, call, answered), turn);
		}
		if (before && call != null) {
			if (!turn.begun()) {
				return besideCall(lookUp, key);
			}
			leaveToCall(lookUp);
			return letThrough(key, Membership.UNKNOWN);
		}
		Question question = new Question(key, before, call, answered);
		if (!turn.begun()) {
			if (call == null && !before && !this.sources.canTell()) {
				return ABSENT;
			}
			return share(question, turn);
		}
		boolean wait = before || this.failing;
		if (!begin(lookUp, question)) {
			return letThrough(key, Membership.UNKNOWN);
		}
		return wait ? conclude(question, turn) : ABSENT;
	}

	/**
	 * Verify the answer for a key that comes again in a flood. A few callers wait for
	 * what is found, as the first answer was given without; the others are answered, so
	 * that an attacker who repeats keys does not hold threads.
	 */
	private Answer<Membership> again(Question question, Turn turn) {
		KeyLookUp lookUp = turn.lookUp();
		if (!turn.begun()) {
			return waitInFlood(question, turn);
		}
		if (this.sources.canTell()) {
			if (this.gathered.offer(new Gathered(lookUp, question))) {
				return waitInFlood(question, turn);
			}
		}
		else if (question.call() != null && this.again.take(this.filter.clock().nanoTime())) {
			lookUp.charge(this.again);
			if (question.before()) {
				leaveToCall(lookUp);
				return letThrough(question.key(), Membership.UNKNOWN);
			}
			return begin(lookUp, question) ? waitInFlood(question, turn) : ABSENT;
		}
		this.keys.abandon(lookUp);
		return ABSENT;
	}

	private Answer<Membership> waitInFlood(Question question, Turn turn) {
		if (this.waiting.incrementAndGet() > MAX_WAITING) {
			this.waiting.decrementAndGet();
			return ABSENT;
		}
		return handedOver(concluded(question, turn, this.lookup.deadline())
			.whenComplete((told, failure) -> this.waiting.decrementAndGet()));
	}

	/**
	 * Verify the answers for keys of one call, as one question.
	 * @param calls make a call with the keys at some positions
	 * @return the same candidates, with the keys that the call is to be made with because
	 * they were found, or because it is to find out
	 */
	public Answer<Candidates> verify(FilterSnapshot snapshot, List<? extends @Nullable Object> keys,
			Candidates candidates, Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls,
			Function<Object, CompletableFuture<Boolean>> answered) {
		Map<String, BitSet> positions = new HashMap<>();
		Map<String, Turn> turns = draw(snapshot, keys, candidates.verified(), positions);
		boolean before = snapshot.standing().verification() == Mode.BEFORE;
		List<Gathered> begun = turns.values()
			.stream()
			.filter((turn) -> turn.begun() && !turn.again())
			.map((turn) -> new Gathered(turn.lookUp(),
					new Question(key(keys, positions, turn.lookUp()), before, null, answered)))
			.toList();
		BitSet verified = new BitSet();
		turns.values().forEach((turn) -> verified.or(places(positions, turn.lookUp())));
		BitSet through = new BitSet();
		boolean wait = this.failing;
		if (before || begin(begun, callsFor(begun, positions, calls)) == null) {
			begun.forEach((each) -> through.or(places(positions, each.lookUp())));
		}
		if (before) {
			begun.forEach((each) -> leaveToCall(each.lookUp()));
		}
		Answer<Candidates> verifying = letThrough(begun.stream().map((each) -> each.question().key()).toList(),
				candidates.verified(verified).with(through), !through.isEmpty());
		for (Turn turn : turns.values()) {
			KeyLookUp lookUp = turn.lookUp();
			BitSet places = places(positions, lookUp);
			if (!places.intersects(through) && (wait || !turn.begun() || turn.again())) {
				Answer<Membership> told = beside(new Question(key(keys, positions, lookUp), before, null, answered),
						turn);
				verifying = verifying
					.then((former) -> told.map((found) -> (found == Membership.ABSENT) ? former : former.with(places)));
			}
		}
		return verifying;
	}

	private Answer<Membership> beside(Question question, Turn turn) {
		if (turn.again()) {
			return again(question, turn);
		}
		if (turn.begun()) {
			return conclude(question, turn);
		}
		if (question.before()) {
			return besideCall(turn.lookUp(), question.key());
		}
		return share(question, turn);
	}

	private Answer<Membership> share(Question question, Turn turn) {
		return turn.lookUp().found().isDone() ? conclude(question, turn) : join(question, turn);
	}

	private Map<String, Turn> draw(FilterSnapshot snapshot, List<? extends @Nullable Object> keys, BitSet wanted,
			Map<String, BitSet> positions) {
		if (snapshot.standing().verification() == Mode.OFF) {
			return Map.of();
		}
		Map<String, Turn> turns = new LinkedHashMap<>();
		Map<String, Long> first = new LinkedHashMap<>();
		wanted.stream().forEach((position) -> {
			Object key = keys.get(position);
			long hash = (key != null) ? this.lookup.hash(key) : 0;
			Chance chance = (key != null) ? this.keys.chance(hash, snapshot.readAt()) : Chance.NONE;
			if (key != null && chance != Chance.NONE && this.lookup.isCertain(key)) {
				String form = this.lookup.form(key);
				if (positions.computeIfAbsent(form, (text) -> new BitSet()).isEmpty()) {
					if (chance == Chance.AGAIN) {
						Turn turn = this.keys.draw(form, hash, chance, snapshot.readAt());
						if (turn != null) {
							turns.put(form, turn);
						}
					}
					else {
						first.put(form, hash);
					}
				}
				positions.getOrDefault(form, new BitSet()).set(position);
			}
		});
		turns.putAll(this.keys.draw(first, snapshot.readAt()));
		return turns;
	}

	private static Object key(List<? extends @Nullable Object> keys, Map<String, BitSet> positions, KeyLookUp lookUp) {
		return Objects.requireNonNull(keys.get(places(positions, lookUp).nextSetBit(0)));
	}

	private static BitSet places(Map<String, BitSet> positions, KeyLookUp lookUp) {
		return positions.getOrDefault(lookUp.form(), new BitSet());
	}

	private static Function<BitSet, Loader<CompletionStage<Boolean>, ?>> callsFor(List<Gathered> begun,
			Map<String, BitSet> positions, Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		return (indexes) -> {
			BitSet places = new BitSet();
			indexes.stream().forEach((index) -> places.or(places(positions, begun.get(index).lookUp())));
			return calls.apply(places);
		};
	}

	private CompletionStage<?> begin(List<Gathered> gathered) {
		CompletionStage<?> begun = begin(gathered, null);
		return (begun != null) ? begun : DONE;
	}

	/**
	 * Look keys up in the background, as one question.
	 * @param calls make a call with the keys at some indexes, for those of which no
	 * source can tell
	 * @return completes when the question has ended, {@code null} if it can't be asked
	 * now
	 */
	private @Nullable CompletableFuture<?> begin(List<Gathered> gathered,
			@Nullable Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		if (gathered.isEmpty()) {
			return DONE;
		}
		List<Object> keys = gathered.stream().map((each) -> each.question().key()).toList();
		long begun = this.filter.clock().nanoTime();
		Call<List<Optional<Boolean>>> made = this.lookUps.call(() -> {
			List<Optional<Boolean>> told = this.sources.containsEach(keys);
			BitSet untold = new BitSet();
			IntStream.range(0, told.size()).filter((index) -> told.get(index).isEmpty()).forEach(untold::set);
			if (untold.isEmpty() || calls == null) {
				return CompletableFuture.completedFuture(told);
			}
			this.listeners.tell(untold.stream().<Object>mapToObj(keys::get).toList());
			return byCalls(told, untold, calls);
		});
		if (made == null) {
			gathered.forEach((each) -> this.keys.abandon(each.lookUp()));
			return null;
		}
		made.outcome().whenComplete((told, failure) -> {
			this.failing = failure != null;
			this.took = this.filter.clock().nanoTime() - begun;
			for (int i = 0; i < keys.size(); i++) {
				gathered.get(i).lookUp().found().complete((failure == null) ? told.get(i) : Optional.empty());
			}
		});
		return made.ended().handle((nothing, failure) -> {
			for (int i = 0; i < keys.size(); i++) {
				KeyLookUp lookUp = gathered.get(i).lookUp();
				CompletableFuture<Void> followed = (failure == null)
						? follow(keys.get(i), made.outcome().join().get(i), gathered.get(i).question().answered())
						: DONE;
				followed.whenComplete((done, lost) -> this.keys.end(lookUp));
			}
			return failure == null;
		});
	}

	/**
	 * Have one call tell that there is none of some keys, and else one call for each
	 * which it is.
	 */
	private static CompletionStage<List<Optional<Boolean>>> byCalls(List<Optional<Boolean>> told, BitSet untold,
			Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls) {
		return call(calls, untold).thenCompose((found) -> {
			if (!found || untold.cardinality() == 1) {
				List<Optional<Boolean>> all = new ArrayList<>(told);
				untold.stream().forEach((index) -> all.set(index, Optional.of(found)));
				return CompletableFuture.completedFuture(all);
			}
			CompletionStage<List<Optional<Boolean>>> one = CompletableFuture.completedFuture(new ArrayList<>(told));
			for (int index : untold.stream().toArray()) {
				BitSet single = new BitSet();
				single.set(index);
				one = one.thenCompose((all) -> call(calls, single).thenApply((there) -> {
					all.set(index, Optional.of(there));
					return all;
				}));
			}
			return one;
		});
	}

	private static CompletionStage<Boolean> call(Function<BitSet, Loader<CompletionStage<Boolean>, ?>> calls,
			BitSet indexes) {
		try {
			return calls.apply(indexes).load();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Let a call find out. Others go through, too, until it has ended.
	 */
	private void leaveToCall(KeyLookUp lookUp) {
		lookUp.leaveToCall();
		lookUp.found()
			.completeOnTimeout(Optional.empty(), LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
			.thenRun(() -> this.keys.end(lookUp));
	}

	/**
	 * Decide about a call while, or soon after, another one for the same key finds out.
	 */
	private Answer<Membership> besideCall(KeyLookUp lookUp, Object key) {
		if (lookUp.found().getNow(Optional.empty()).orElse(false)) {
			return letThrough(key, Membership.MAYBE);
		}
		if (this.keys.maySpareOne()) {
			return letThrough(key, Membership.UNKNOWN);
		}
		return this.sources.dependOnCaller() ? ABSENT
				: handedOver(lookUp.found()
					.copy()
					.completeOnTimeout(Optional.empty(), remaining(this.lookup.deadline()), TimeUnit.NANOSECONDS)
					.thenApply((told) -> told.orElse(false) ? Membership.MAYBE : Membership.ABSENT));
	}

	/**
	 * Note what a call has found that went through although its key is called absent.
	 * @param found empty if that can't be told of this key
	 */
	public void called(Object key, Optional<Boolean> found) {
		KeyLookUp lookUp = this.keys.underWay(this.lookup.form(key));
		if (lookUp != null && (found.orElse(false) || lookUp.isLeftToCall())) {
			lookUp.found().complete(found);
		}
	}

	/**
	 * Wait for a look-up that was under way. If it finds nothing, the row may have come
	 * since that was begun, so the key is looked up once more if the rate allows.
	 */
	private Answer<Membership> join(Question question, Turn turn) {
		KeyLookUp lookUp = turn.lookUp();
		if (!question.before()) {
			lookUp.found().thenAcceptBoth(lookUp.ended(), (told, nothing) -> {
				Turn next = told.orElse(true) ? null : drawAnew(lookUp);
				if (next != null && next.begun()) {
					begin(next.lookUp(), question);
				}
			});
			return conclude(question, turn);
		}
		long deadline = deadline(question);
		return handedOver(lookUp.found().thenCombine(lookUp.ended(), (told, nothing) -> {
			Turn next = told.orElse(true) ? null : drawAnew(lookUp);
			if (next != null && next.begun()) {
				begin(next.lookUp(), question);
			}
			return (next != null) ? next : turn;
		})
			.completeOnTimeout(turn, remaining(deadline), TimeUnit.NANOSECONDS)
			.thenCompose((last) -> concluded(question, last, deadline)));
	}

	private @Nullable Turn drawAnew(KeyLookUp lookUp) {
		return this.keys.draw(lookUp.form(), lookUp.hash(), Chance.FIRST, this.filter.snapshot().readAt());
	}

	private Answer<Membership> conclude(Question question, Turn turn) {
		return handedOver(concluded(question, turn, deadline(question)));
	}

	private CompletableFuture<Membership> concluded(Question question, Turn turn, long deadline) {
		Object key = question.key();
		return turn.lookUp()
			.found()
			.copy()
			.completeOnTimeout(Optional.empty(), remaining(deadline), TimeUnit.NANOSECONDS)
			.thenCompose((told) -> {
				if (told.orElse(false)) {
					return this.lookup.bounded(forgetAbsence(List.of(key)).thenApply((nothing) -> Membership.MAYBE),
							Membership.MAYBE, deadline);
				}
				if (told.isEmpty() && ((turn.begun() && !turn.again()) || this.keys.maySpareOne())) {
					return this.lookup.bounded(forgetAbsence(List.of(key)).thenApply((nothing) -> Membership.UNKNOWN),
							Membership.UNKNOWN, deadline);
				}
				return CompletableFuture.completedFuture(Membership.ABSENT);
			});
	}

	/**
	 * A question without a call has nothing else that finds out.
	 */
	private long deadline(Question question) {
		return (question.before() && question.call() == null) ? System.nanoTime() + LONGEST_WAIT.toNanos()
				: this.lookup.deadline();
	}

	private static long remaining(long deadline) {
		return deadline - System.nanoTime();
	}

	private Answer<Membership> handedOver(CompletableFuture<Membership> answer) {
		return Answer.from(answer).via((told) -> {
			long deadline = this.lookup.deadline();
			return this.handOver.handOver(told, () -> deadline);
		});
	}

	private Answer<Membership> letThrough(Object key, Membership membership) {
		return letThrough(List.of(key), membership, true);
	}

	private <T> Answer<T> letThrough(List<Object> keys, T told, boolean through) {
		if (!through || this.listeners.areNone()) {
			return Answer.of(told);
		}
		return this.lookup.bounded(forgetAbsence(keys).thenApply((nothing) -> told), told).via((answer) -> {
			long deadline = this.lookup.deadline();
			return this.handOver.handOver(answer, () -> deadline);
		});
	}

	/**
	 * Have caches forget that keys were absent, before the call for them goes through
	 * that is to find out whether that is true.
	 */
	private CompletableFuture<Void> forgetAbsence(List<Object> keys) {
		return this.listeners.areNone() ? DONE
				: DONE.thenRunAsync(() -> this.listeners.tell(keys), this.handOver.always());
	}

	/**
	 * Look a key up in the background.
	 * @return {@code false} if that can't be done now
	 */
	private boolean begin(KeyLookUp lookUp, Question question) {
		Loader<? extends CompletionStage<Boolean>, ?> call = question.call();
		return begin(List.of(new Gathered(lookUp, question)), (call != null) ? (indexes) -> call::load : null) != null;
	}

	/**
	 * A key that is missing in the source is no evidence for a filter that was loaded
	 * from it.
	 */
	private CompletableFuture<Void> follow(Object key, Optional<Boolean> told,
			Function<Object, CompletableFuture<Boolean>> answered) {
		if (told.orElse(false)) {
			return this.findings.found(key, false, answered);
		}
		if (told.isPresent() && this.filter.standing().proven()) {
			this.findings.notFound(Stream.of(key));
		}
		return DONE;
	}

	/**
	 * Find out which keys were there of a call that was to find out and has found some.
	 */
	public void lookUpBehind(Candidates candidates, List<? extends @Nullable Object> keys,
			Function<Object, CompletableFuture<Boolean>> answered) {
		BitSet wanted = (BitSet) candidates.absent().clone();
		wanted.and(candidates.verified());
		lookUpBehind(wanted.stream().<@Nullable Object>mapToObj(keys::get).filter(Objects::nonNull).toList(), answered);
	}

	private void lookUpBehind(List<?> keys, Function<Object, CompletableFuture<Boolean>> answered) {
		if (keys.isEmpty() || !this.sources.canTell()) {
			return;
		}
		Call<List<Optional<Boolean>>> made = this.lookUps
			.call(() -> CompletableFuture.completedFuture(this.sources.containsEach(keys)));
		if (made != null) {
			made.ended().thenRun(() -> {
				List<Optional<Boolean>> told = made.outcome().join();
				for (int i = 0; i < keys.size(); i++) {
					follow(keys.get(i), told.get(i), answered);
				}
			});
		}
	}

	/**
	 * Return how many questions a second are asked at most.
	 */
	public QuestionRates rates() {
		double again = this.sources.canTell() ? this.gathered.perSecond()
				: QuestionRate.slowed(this.settings.verification().rate() / 2, this.took);
		return this.keys.rates(again, this.took);
	}

	/**
	 * Look up a key at the source, whatever the filter says of it, and wait for it.
	 */
	public Membership lookUp(Object key) {
		Call<Optional<Boolean>> call = this.lookUps
			.call(() -> CompletableFuture.completedFuture(this.sources.contains(key)));
		return ((call != null) ? call.outcome() : CompletableFuture.completedFuture(Optional.<Boolean>empty())).copy()
			.completeOnTimeout(Optional.empty(), LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> Optional.empty())
			.join()
			.map((found) -> found ? Membership.MAYBE : Membership.ABSENT)
			.orElse(Membership.UNKNOWN);
	}

	/**
	 * Remember that a call has found nothing if the source, asked now, says that it has
	 * no such row: then it does not matter what the call has read. Where no source can
	 * tell, the call must have read what everybody reads.
	 * @param inTransaction whether the call may have read something else
	 */
	public void remember(Object key, boolean inTransaction, Runnable sentinel) {
		if (this.sources.dependOnCaller()) {
			return;
		}
		if (!this.sources.canTell()) {
			if (!inTransaction) {
				sentinel.run();
			}
			return;
		}
		Asked asked = askAfterLoad(key);
		if (asked.claim()) {
			asked.found().thenAccept((told) -> {
				if (!told.orElse(inTransaction) && !this.sources.dependOnCaller()) {
					sentinel.run();
				}
			});
		}
	}

	/**
	 * Run an action if no row has a key for which a call has found nothing.
	 * @param calledAbsent counts where no source can tell
	 */
	public void ifAbsent(Object key, boolean calledAbsent, Runnable action) {
		if (this.sources.canTell()) {
			askAfterLoad(key).found().thenAccept((told) -> {
				if (!told.orElse(true)) {
					action.run();
				}
			});
		}
		else if (calledAbsent) {
			action.run();
		}
	}

	/**
	 * Return whether a cache may remember that a call has found nothing.
	 */
	public Answer<Boolean> confirmsAbsence(Object key) {
		if (this.sources.dependOnCaller()) {
			return REFUSED;
		}
		if (!this.sources.canTell()) {
			return CONFIRMED;
		}
		return Answer.from(askAfterLoad(key).found()
			.thenApply((told) -> !told.orElse(false) && !this.sources.dependOnCaller())
			.completeOnTimeout(false, remaining(this.lookup.deadline()), TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> false));
	}

	private Asked askAfterLoad(Object key) {
		return this.afterLoads.ask(this.lookup.form(key), key);
	}

	/**
	 * One of keys that were all called absent was found: an unproven filter is wrong.
	 * @param letThrough whether that was to be found out, so that they are few
	 */
	public void anyFound(List<?> keys, boolean letThrough, Function<Object, CompletableFuture<Boolean>> answered) {
		Standing standing = this.filter.standing();
		if (!standing.settled()) {
			return;
		}
		if (!standing.proven()) {
			this.findings.examine(keys);
		}
		else if (this.sources.dependOnCaller()) {
			this.findings.add(keys);
		}
		else if (letThrough) {
			this.confirmation.pass().thenRunAsync(() -> {
				if (keys.stream().allMatch(this.sources::seeNone)) {
					this.findings.believeCallers();
					this.findings.add(keys);
				}
				else {
					lookUpBehind(keys, answered);
				}
			}, this.handOver.always());
		}
		else {
			lookUpBehind(keys, answered);
		}
	}

	/**
	 * A key whose answer is verified.
	 *
	 * @param call finds out if no source can tell; {@code null} if there is none
	 * @param answered whether a call for it would still be answered with nothing
	 */
	private record Question(Object key, boolean before, @Nullable Loader<? extends CompletionStage<Boolean>, ?> call,
			Function<Object, CompletableFuture<Boolean>> answered) {

	}

	/**
	 * A key that is looked up together with others.
	 */
	private record Gathered(KeyLookUp lookUp, Question question) {

	}

}
