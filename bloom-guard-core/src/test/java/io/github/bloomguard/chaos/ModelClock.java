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
	 * A clock that stands still, and at which nothing waits.
	 */
	static final MonotonicClock STILL = new MonotonicClock() {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			return CompletableFuture.completedFuture(null);
		}

	};

	/**
	 * Return a clock by which whatever is done takes a minute.
	 * @return the clock
	 */
	static MonotonicClock leaping() {
		return new Other(STILL) {

			private Duration now = Duration.ZERO;

			@Override
			public long nanoTime() {
				this.now = this.now.plusMinutes(1);
				return this.now.toNanos();
			}

		};
	}

	private final Turn turn;

	private long lastRead;

	private Duration ahead = Duration.ZERO;

	ModelClock(Turn turn) {
		this.turn = turn;
	}

	/**
	 * Read the clock. What an add that is over need not wait for may still come.
	 */
	@Override
	public long nanoTime() {
		this.turn.awaitAllBut("hear", "set timer", "wait until");
		this.lastRead = this.turn.make("read clock", World::clock);
		Duration read = this.ahead.plusMillis(this.lastRead);
		this.ahead = Duration.ZERO;
		return read.toNanos();
	}

	/**
	 * Return when the clock was read last.
	 * @return the milliseconds of the world
	 */
	long lastRead() {
		return this.lastRead;
	}

	/**
	 * Be ahead when it is read next, as if that were later.
	 * @param ahead how far
	 */
	void beAheadOnce(Duration ahead) {
		this.ahead = ahead;
	}

	/**
	 * Return a clock by which no time passes. What reads it does so when it would read
	 * this one.
	 * @return the clock
	 */
	MonotonicClock stopped() {
		return new Other(this) {

			@Override
			public long nanoTime() {
				super.nanoTime();
				return 0;
			}

		};
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

	/**
	 * Return a clock for an actor that waits for each of its steps.
	 * @return the clock
	 */
	MonotonicClock waiting() {
		return new Other(this) {

			@Override
			public CompletableFuture<Void> after(Duration delay) {
				ModelClock clock = ModelClock.this;
				long end = clock.turn.make("set timer", World::clock) + delay.toMillis();
				clock.turn.make("wait until " + end, (world) -> world.reached(end));
				return CompletableFuture.completedFuture(null);
			}

		};
	}

	/**
	 * A clock that is another one in part.
	 */
	private static class Other implements MonotonicClock {

		private final MonotonicClock clock;

		Other(MonotonicClock clock) {
			this.clock = clock;
		}

		@Override
		public long nanoTime() {
			return this.clock.nanoTime();
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			return this.clock.after(delay);
		}

	}

}
