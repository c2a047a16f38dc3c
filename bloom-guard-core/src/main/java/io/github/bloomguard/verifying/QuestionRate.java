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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many questions a second, as a token bucket of time: each takes its share of a
 * second, and no more than a second is saved.
 * <p>
 * Concurrency: the bucket is one number, so that each thread that takes from it finds it
 * filled. A look into an empty one writes nothing.
 */
final class QuestionRate {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final long cost;

	private final long capacity;

	/**
	 * Until when all time is taken; what is longer ago than the bucket holds counts as
	 * taken, too.
	 */
	private final AtomicLong taken = new AtomicLong(Long.MIN_VALUE);

	/**
	 * @param perSecond 0 for none
	 */
	QuestionRate(double perSecond) {
		this.cost = (perSecond > 0) ? (long) (SECOND / perSecond) : 0;
		this.capacity = Math.max(SECOND, this.cost);
	}

	/**
	 * Take what one question costs.
	 * @param now a time that need not be exact, in nanoseconds
	 * @return {@code false} if too many were taken lately
	 */
	boolean take(long now) {
		return !isSpent(now) && !isSpent(now,
				this.taken.getAndUpdate((taken) -> isSpent(now, taken) ? taken : since(now, taken) + this.cost));
	}

	/**
	 * Return how many questions a second are asked that take a time each and are charged
	 * for it.
	 */
	static double slowed(double perSecond, long took) {
		return (took > 0) ? Math.min(perSecond, (double) SECOND / took) : perSecond;
	}

	/**
	 * Have a question that has taken longer than its share of a second cost that time, so
	 * that slow ones are asked one after the other.
	 */
	void charge(long now, long took) {
		long more = took - this.cost;
		if (more > 0) {
			this.taken.getAndUpdate((taken) -> since(now, taken) + more);
		}
	}

	/**
	 * Return whether {@link #take} gives none.
	 */
	boolean isSpent(long now) {
		return this.cost == 0 || isSpent(now, this.taken.get());
	}

	private boolean isSpent(long now, long taken) {
		return now - since(now, taken) < this.cost;
	}

	private long since(long now, long taken) {
		return Math.max(taken, now - this.capacity);
	}

}
