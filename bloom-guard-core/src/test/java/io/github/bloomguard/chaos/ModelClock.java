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

package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * The clock of an actor. To read it is a step, because time may pass before.
 */
final class ModelClock implements MonotonicClock {

	/**
	 * A clock that stands still.
	 */
	static final MonotonicClock STILL = new MonotonicClock() {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			if (!delay.isZero()) {
				throw new IllegalStateException("No time passes here");
			}
			return CompletableFuture.completedFuture(null);
		}

	};

	private final Turn turn;

	ModelClock(Turn turn) {
		this.turn = turn;
	}

	@Override
	public long nanoTime() {
		this.turn.awaitAll();
		return Duration.ofMillis(this.turn.make("read clock", World::clock)).toNanos();
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		if (delay.isZero()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.turn.start("set timer", World::clock).thenCompose((now) -> {
			long end = now + delay.toMillis();
			return this.turn.start("wait until " + end, (world) -> world.reached(end));
		}).thenApply((rung) -> null);
	}

}
