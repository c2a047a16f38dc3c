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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The time that leases and waiting are measured by: it never goes back, and has nothing
 * to do with the clock of another machine.
 */
public interface MonotonicClock {

	MonotonicClock SYSTEM = new MonotonicClock() {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public Duration behindTimeOfDay() {
			return Duration.ofMillis(System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(nanoTime()));
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			// not a delayed executor: that one may have to wait for a thread of the
			// common pool
			return delay.isZero() ? CompletableFuture.completedFuture(null)
					: new CompletableFuture<Void>().completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS);
		}

	};

	long nanoTime();

	/**
	 * Return by how much this clock is behind the time of day, which changes when the
	 * machine has slept.
	 */
	default Duration behindTimeOfDay() {
		return Duration.ZERO;
	}

	/**
	 * Wait without a thread.
	 */
	CompletableFuture<Void> after(Duration delay);

}
