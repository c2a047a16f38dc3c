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
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * Gathers keys, to look them up by one question after the other: those that come again in
 * a flood, and those for which calls have found nothing. The pause between two questions
 * adapts: a source that answers fast is asked more often than the rate allows, for at
 * most one twentieth of the time; one that is slow is asked as often as the rate allows,
 * and by one thread.
 * <p>
 * Concurrency: any caller offers. The one that finds no question announced announces one;
 * the thread that asks it announces the next when it has ended.
 *
 * @param <T> what is gathered of a key
 */
final class GatheredKeys<T> {

	/**
	 * The part of a connection's time that fast questions may take.
	 */
	private static final int SHARE = 20;

	private static final Duration SHORTEST = Duration.ofMillis(20);

	private final BlockingQueue<T> gathered = new ArrayBlockingQueue<>(VerifiedKeys.TOGETHER);

	private final AtomicBoolean announced = new AtomicBoolean();

	private final long longest;

	private final MonotonicClock clock;

	private final Executor executor;

	private final Function<List<T>, CompletionStage<?>> question;

	/**
	 * Written by each that offers in vain, and by the one that asks.
	 */
	private volatile boolean full;

	/**
	 * How long after a question began the next one begins at the earliest; written by the
	 * one that has asked the last.
	 */
	private volatile long pause;

	/**
	 * When the next question may be asked; written by the one that has asked the last.
	 */
	private volatile long next;

	/**
	 * @param rate how many questions a second may be asked, however slow they are
	 * @param question asks for keys, and completes when that has ended
	 */
	GatheredKeys(double rate, MonotonicClock clock, Executor executor, Function<List<T>, CompletionStage<?>> question) {
		this.longest = (rate > 0) ? (long) (Duration.ofSeconds(1).toNanos() / rate) : Long.MAX_VALUE;
		this.clock = clock;
		this.executor = executor;
		this.question = question;
		this.pause = this.longest;
		this.next = clock.nanoTime();
	}

	/**
	 * Return whether there were too many keys, and none has been looked up since. Costs a
	 * call less than an offer in vain.
	 */
	boolean isFull() {
		return this.full;
	}

	/**
	 * Return how many questions a second are asked at most, as fast as the source has
	 * answered the last one.
	 */
	double perSecond() {
		return (double) Duration.ofSeconds(1).toNanos() / this.pause;
	}

	/**
	 * Have a key looked up soon.
	 * @return {@code false} if there are too many
	 */
	boolean offer(T key) {
		if (!this.gathered.offer(key)) {
			this.full = true;
			return false;
		}
		announce();
		return true;
	}

	private void announce() {
		if (!this.gathered.isEmpty() && this.announced.compareAndSet(false, true)) {
			Duration pause = Duration.ofNanos(Math.max(this.next - this.clock.nanoTime(), 0));
			this.clock.after(pause).thenRunAsync(this::ask, this.executor).exceptionally((failure) -> {
				ended(this.clock.nanoTime());
				return null;
			});
		}
	}

	private void ask() {
		List<T> keys = new ArrayList<>();
		this.gathered.drainTo(keys);
		this.full = false;
		long begun = this.clock.nanoTime();
		this.question.apply(keys).whenComplete((nothing, failure) -> ended(begun));
	}

	private void ended(long begun) {
		long took = this.clock.nanoTime() - begun;
		this.pause = Math.max(took, Math.min(Math.max(took * SHARE, SHORTEST.toNanos()), this.longest));
		this.next = begun + this.pause;
		this.announced.set(false);
		announce();
	}

}
