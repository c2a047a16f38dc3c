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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.feed.AbsenceBarrier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls share barriers, as group commit lets transactions share a flush (DeWitt et
 * al., 1984): at most one is under way, and later callers wait for the next, because what
 * was committed before they came may be behind the one under way. After a barrier that
 * was not passed in time, callers go through at once until a later one is passed.
 * <p>
 * Concurrency: {@code next}, {@code running}, {@code failed} and {@code failedAt} are
 * guarded by this object's monitor, under which nothing waits. A barrier takes its
 * callers from {@code next} before it begins, so it begins after each of them came.
 */
final class SharedBarrier implements AbsenceBarrier {

	/**
	 * The least time between the beginnings of two barriers.
	 */
	private static final Duration SPACING = Duration.ofMillis(5);

	private static final Duration RETRY = Duration.ofMillis(250);

	private final Round round;

	private final Duration wait;

	private final Executor executor;

	private @Nullable CompletableFuture<Boolean> next;

	private boolean running;

	private long failedAt;

	private boolean failed;

	SharedBarrier(Round round, Duration wait, Executor executor) {
		this.round = round;
		this.wait = wait;
		this.executor = executor;
	}

	@Override
	public CompletableFuture<Boolean> pass() {
		CompletableFuture<Boolean> joined = join();
		return (joined != null) ? joined.copy().completeOnTimeout(false, this.wait.toMillis(), TimeUnit.MILLISECONDS)
				: CompletableFuture.completedFuture(false);
	}

	private synchronized @Nullable CompletableFuture<Boolean> join() {
		if (this.failed && (this.running || System.nanoTime() - this.failedAt < RETRY.toNanos())) {
			return null;
		}
		CompletableFuture<Boolean> joined = this.next;
		if (joined == null) {
			joined = new CompletableFuture<>();
			this.next = joined;
		}
		if (!this.running) {
			this.running = true;
			try {
				this.executor.execute(this::run);
			}
			catch (RejectedExecutionException ex) {
				this.running = false;
				this.next = null;
				return null;
			}
		}
		return joined;
	}

	private void run() {
		for (CompletableFuture<Boolean> callers = take(); callers != null; callers = take()) {
			long begun = System.nanoTime();
			boolean passed = passed();
			ended(passed);
			callers.complete(passed);
			pause(SPACING.toNanos() - (System.nanoTime() - begun));
		}
	}

	private boolean passed() {
		try {
			return this.round.pass(System.nanoTime() + this.wait.toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (Throwable ex) {
			// also an error: callers wait for the next one
			return false;
		}
	}

	private synchronized @Nullable CompletableFuture<Boolean> take() {
		CompletableFuture<Boolean> callers = this.next;
		this.next = null;
		this.running = callers != null;
		return callers;
	}

	private synchronized void ended(boolean passed) {
		this.failed = !passed;
		this.failedAt = System.nanoTime();
	}

	private static void pause(long nanos) {
		try {
			TimeUnit.NANOSECONDS.sleep(nanos);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@FunctionalInterface
	interface Round {

		/**
		 * @param deadline as of {@link System#nanoTime()}
		 */
		boolean pass(long deadline) throws InterruptedException;

	}

}
