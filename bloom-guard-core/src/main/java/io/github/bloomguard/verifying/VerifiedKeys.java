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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

import io.github.bloomguard.generation.MonotonicClock;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose absent answers are verified now, or were lately.
 * <p>
 * A key is verified, not a call: the first that asks for it takes one question from the
 * rate, and those that ask meanwhile share what is found. A key that is asked for again
 * within {@link #LATELY} takes from a rate of repetitions, which is as large, so that no
 * key keeps others from being verified. If that is spent, calls share what was found for
 * a {@link #MOMENT}.
 * <p>
 * Concurrency: a key is claimed by one atomic step of the map, which takes from the rate
 * only if it claims. The thread that has claimed a key {@linkplain #end ends} or
 * {@linkplain #abandon abandons} it, once. What has ended is forgotten by the next that
 * claims. {@code marks} count the look-ups of keys whose hash ends alike, so that a look
 * at one number tells most keys that are not here.
 */
public final class VerifiedKeys {

	/**
	 * For how long what was found may be told to others while the rates are spent.
	 */
	static final Duration MOMENT = Duration.ofSeconds(1);

	/**
	 * For how long another question for a key that was verified is a repetition.
	 */
	static final Duration LATELY = Duration.ofSeconds(5);

	/**
	 * How many keys may be looked up by one question.
	 */
	static final int TOGETHER = 500;

	/**
	 * How many calls, for each question of the rate, may go through because a look-up
	 * could not be waited for.
	 */
	private static final int THROUGH = 10;

	private static final int MARKS = 4096;

	private static final Optional<Boolean> UNTOLD = Optional.empty();

	private static final Optional<Boolean> ABSENT = Optional.of(false);

	private final double perSecond;

	private final QuestionRate rate;

	private final QuestionRate repetitions;

	/**
	 * Half of the rate, for keys that come for the first time in a flood.
	 */
	private final QuestionRate sample;

	private final QuestionRate through;

	private final FloodWatch flood;

	private final MonotonicClock clock;

	private final Map<String, KeyLookUp> known = new ConcurrentHashMap<>();

	private final Queue<KeyLookUp> past = new ConcurrentLinkedQueue<>();

	private final AtomicIntegerArray marks = new AtomicIntegerArray(MARKS);

	/**
	 * @param rate how many questions a second, 0 for none
	 */
	VerifiedKeys(double rate, FloodWatch flood, MonotonicClock clock) {
		this.flood = flood;
		this.perSecond = rate;
		this.rate = new QuestionRate(rate);
		this.sample = new QuestionRate(rate / 2);
		this.repetitions = new QuestionRate(rate);
		this.through = new QuestionRate(rate * THROUGH);
		this.clock = clock;
	}

	/**
	 * Look whether a key may be verified, for which no form is needed. In a flood, it is
	 * remembered.
	 * @param now a time that need not be exact
	 */
	Chance chance(long hash, long now) {
		FloodMemory memory = this.flood.memory();
		if (memory != null && memory.comesAgain(hash)) {
			return Chance.AGAIN;
		}
		QuestionRate rate = (memory != null) ? this.sample : this.rate;
		return (rate.isSpent(now) && !mayKnow(hash)) ? Chance.NONE : Chance.FIRST;
	}

	/**
	 * Return whether something may be known of a key.
	 */
	boolean mayKnow(long hash) {
		return this.marks.get(mark(hash)) != 0;
	}

	/**
	 * The answer stands: the source has told {@link #LATELY} that there is no such row.
	 */
	private @Nullable Turn absentLately() {
		this.flood.verified(1);
		return null;
	}

	private @Nullable Turn counted(@Nullable Turn turn) {
		if (turn != null) {
			this.flood.verified(1);
		}
		return turn;
	}

	private static int mark(long hash) {
		return (int) (hash & (MARKS - 1));
	}

	/**
	 * Draw whether a key is verified. One that comes again in a flood takes nothing from
	 * the rate, because such keys are looked up together.
	 * @param time what the chance was looked at by: by another time, the rate would seem
	 * to be spent too early
	 * @return {@code null} if it is not
	 */
	@Nullable Turn draw(String form, long hash, Chance chance, long time) {
		long now = this.clock.nanoTime();
		forgetPast(now);
		KeyLookUp former = this.known.get(form);
		if (former != null && !former.isOver()) {
			return counted(new Turn(former, false, chance == Chance.AGAIN));
		}
		if (former != null && (chance == Chance.AGAIN || mayNotRepeat(former, now, time))) {
			return former.isAbsent() ? absentLately()
					: counted(former.isRecent(now) ? new Turn(former, false, true) : null);
		}
		KeyLookUp mine = new KeyLookUp(form, hash, now);
		if (chance == Chance.AGAIN) {
			return counted(turn(this.known.computeIfAbsent(form, (key) -> mine), mine, true, now));
		}
		KeyLookUp drawn = this.known.compute(form,
				(key, present) -> (isFree(present) && takes(present, now, time)) ? mine : present);
		return counted(turn(chargedIfSlow(drawn, mine), mine, false, now));
	}

	/**
	 * In a flood the sample takes the time of one connection at most.
	 */
	private @Nullable KeyLookUp chargedIfSlow(@Nullable KeyLookUp drawn, KeyLookUp mine) {
		if (drawn == mine && this.flood.memory() != null) {
			mine.charge(this.sample);
		}
		return drawn;
	}

	private static boolean isFree(@Nullable KeyLookUp present) {
		return present == null || present.isOver();
	}

	private boolean mayNotRepeat(KeyLookUp former, long now, long time) {
		return this.flood.memory() != null
				|| (this.repetitions.isSpent(time) && (former.isRecent(now) || this.rate.isSpent(time)));
	}

	private boolean takes(@Nullable KeyLookUp former, long now, long time) {
		if (this.flood.memory() != null) {
			return former == null && this.sample.take(time);
		}
		return (former == null) ? this.rate.take(time)
				: this.repetitions.take(now) || (!former.isRecent(now) && this.rate.take(time));
	}

	private @Nullable Turn turn(@Nullable KeyLookUp drawn, KeyLookUp mine, boolean again, long now) {
		if (drawn == mine) {
			this.marks.incrementAndGet(mark(mine.hash));
			return new Turn(mine, true, again);
		}
		return (drawn != null && (!drawn.isOver() || drawn.isRecent(now))) ? new Turn(drawn, false, again) : null;
	}

	/**
	 * Draw whether keys of one call are verified. So many as are {@link #TOGETHER looked
	 * up together} take one question.
	 * @param hashes by the forms of the keys
	 * @return by the forms; those that are not verified are missing
	 */
	Map<String, Turn> draw(Map<String, Long> hashes, long time) {
		long now = this.clock.nanoTime();
		forgetPast(now);
		Map<String, Turn> turns = new LinkedHashMap<>();
		int left = 0;
		boolean spent = false;
		for (Map.Entry<String, Long> each : hashes.entrySet()) {
			KeyLookUp former = this.known.get(each.getKey());
			if (left == 0 && !spent && isFree(former)) {
				spent = !takes(former, now, time);
				left = spent ? 0 : TOGETHER;
			}
			KeyLookUp mine = new KeyLookUp(each.getKey(), each.getValue(), now);
			KeyLookUp drawn = (left > 0)
					? this.known.compute(each.getKey(), (key, present) -> isFree(present) ? mine : present) : former;
			Turn turn = turn((left == TOGETHER) ? chargedIfSlow(drawn, mine) : drawn, mine, false, now);
			if (turn != null) {
				turns.put(each.getKey(), turn);
				left -= turn.begun() ? 1 : 0;
			}
		}
		this.flood.verified(turns.size());
		return turns;
	}

	/**
	 * Return whether a call may go through although its key is looked up for another one,
	 * of which nothing is known yet. None may in a flood.
	 */
	boolean maySpareOne() {
		return this.flood.memory() == null && this.through.take(this.clock.nanoTime());
	}

	/**
	 * Return how many questions a second are asked at most.
	 * @param again for keys that come again in a flood
	 * @param took how long the last one took, in nanoseconds
	 */
	QuestionRates rates(double again, long took) {
		boolean flooded = this.flood.memory() != null;
		return new QuestionRates(flooded ? QuestionRate.slowed(this.perSecond / 2, took) : this.perSecond,
				flooded ? again : this.perSecond, Duration.ofNanos(took));
	}

	/**
	 * Return the look-up of a key that is under way, {@code null} if there is none.
	 */
	@Nullable KeyLookUp underWay(String form) {
		KeyLookUp present = this.known.get(form);
		return (present != null && !present.isOver()) ? present : null;
	}

	/**
	 * End a look-up, so that the key may be looked up again.
	 */
	void end(KeyLookUp lookUp) {
		lookUp.endedAt = this.clock.nanoTime();
		if (lookUp.over.compareAndSet(false, true)) {
			lookUp.chargeTime();
			this.past.add(lookUp);
			lookUp.release();
		}
	}

	/**
	 * End a look-up that could not be made, and forget it at once: in a flood there may
	 * be any number of these.
	 */
	void abandon(KeyLookUp lookUp) {
		if (lookUp.over.compareAndSet(false, true)) {
			forget(lookUp);
			lookUp.release();
		}
	}

	private void forget(KeyLookUp lookUp) {
		this.known.remove(lookUp.form, lookUp);
		this.marks.decrementAndGet(mark(lookUp.hash));
	}

	private void forgetPast(long now) {
		KeyLookUp oldest = this.past.peek();
		while (oldest != null && now - oldest.endedAt > LATELY.toNanos()) {
			if (this.past.remove(oldest)) {
				forget(oldest);
			}
			oldest = this.past.peek();
		}
	}

	enum Chance {

		NONE,

		FIRST,

		/**
		 * The key has come before in this flood.
		 */
		AGAIN

	}

	/**
	 * The look-up of one key, for all that ask for it.
	 */
	static final class KeyLookUp {

		private final String form;

		private final long hash;

		private final CompletableFuture<Optional<Boolean>> found = new CompletableFuture<>();

		private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

		private final AtomicBoolean over = new AtomicBoolean();

		private final long begunAt;

		private volatile long endedAt;

		private volatile boolean leftToCall;

		/**
		 * What the time of the look-up is taken from, written before it begins.
		 */
		private volatile @Nullable QuestionRate charged;

		private KeyLookUp(String form, long hash, long now) {
			this.form = form;
			this.hash = hash;
			this.begunAt = now;
		}

		String form() {
			return this.form;
		}

		long hash() {
			return this.hash;
		}

		/**
		 * Return what is found: empty if that can't be told, or could not be found out.
		 * Does not fail.
		 */
		CompletableFuture<Optional<Boolean>> found() {
			return this.found;
		}

		/**
		 * Completes when the key may be looked up again.
		 */
		CompletableFuture<@Nullable Void> ended() {
			return this.ended;
		}

		/**
		 * Have a call complete what is found.
		 */
		void leaveToCall() {
			this.leftToCall = true;
		}

		boolean isLeftToCall() {
			return this.leftToCall;
		}

		/**
		 * Take the time of this look-up from a rate when it has ended.
		 */
		void charge(QuestionRate rate) {
			this.charged = rate;
		}

		private void chargeTime() {
			QuestionRate rate = this.charged;
			if (rate != null) {
				rate.charge(this.endedAt, this.endedAt - this.begunAt);
			}
		}

		private void release() {
			this.found.complete(Optional.empty());
			this.ended.complete(null);
		}

		private boolean isOver() {
			return this.over.get();
		}

		private boolean isAbsent() {
			return this.found.getNow(UNTOLD).equals(ABSENT);
		}

		private boolean isRecent(long now) {
			return now - this.endedAt < MOMENT.toNanos();
		}

	}

	/**
	 * What a caller has drawn.
	 *
	 * @param begun whether it has to look the key up; otherwise another one does, or has
	 * @param again whether the key comes again in a flood
	 */
	public record Turn(KeyLookUp lookUp, boolean begun, boolean again) {

	}

}
