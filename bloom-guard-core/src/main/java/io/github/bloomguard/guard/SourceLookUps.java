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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.bloomguard.Loader;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Looks keys up in the background: each by one thread at a time, whose outcome is shared,
 * a few at the same time, and so many a second; what is more is not looked up. One that
 * takes too long is interrupted and given up; if it does not return all the same, it
 * remains one of the few.
 * <p>
 * The rate is a token bucket of time: a look-up costs its share of a second, and what it
 * took if that is longer, so that slow ones keep about one connection busy. None costs
 * more than the time that it may take, however long the process was stopped meanwhile,
 * and all together no more than {@link #LONGEST_DEBT}, after which others are made.
 * <p>
 * Concurrency: the bucket is one number, so that whoever takes from it finds it filled.
 * Its time moves on twice a second. A look into an empty one writes nothing.
 */
final class SourceLookUps {

	static final int MAX_CALLS = 4;

	private static final RejectedExecutionException TOO_MANY = new RejectedExecutionException(
			"Too many keys are looked up");

	static final Duration LONGEST_DEBT = Duration.ofSeconds(10);

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final ThrottledLog failures = new ThrottledLog(SourceLookUps.class);

	private final String filter;

	private final long cost;

	private final Executor executor;

	private final Duration limit;

	private final Semaphore permits = new Semaphore(MAX_CALLS);

	private final Map<String, LookUp> underWay = new ConcurrentHashMap<>();

	/**
	 * Until when all time is taken; what is longer ago than the bucket holds counts as
	 * taken, too.
	 */
	private final AtomicLong taken = new AtomicLong(Long.MIN_VALUE);

	private final LongSupplier clock;

	/**
	 * @param rate how many a second, 0 if {@link #take} gives none
	 */
	SourceLookUps(String filter, double rate, Executor executor, Duration limit) {
		this(filter, rate, executor, limit, System::nanoTime);
	}

	SourceLookUps(String filter, double rate, Executor executor, Duration limit, LongSupplier clock) {
		this.filter = filter;
		this.cost = (rate > 0) ? (long) (SECOND / rate) : 0;
		this.executor = executor;
		this.limit = limit;
		this.clock = clock;
	}

	/**
	 * Take what one look-up costs.
	 * @param now a time that need not be exact, in nanoseconds
	 * @return {@code false} if too many were made lately
	 */
	boolean take(long now) {
		return !isSpent(now) && !isSpent(now,
				this.taken.getAndUpdate((taken) -> isSpent(now, taken) ? taken : since(now, taken) + this.cost));
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
		return Math.max(taken, now - Math.max(SECOND, this.cost));
	}

	/**
	 * Look a key up, unless that is under way or too many are.
	 * @param lookUp called in the background; empty if it can't tell
	 * @param consequence follows what was found; until it has ended, the key is not
	 * looked up again
	 */
	LookUp start(String form, Loader<CompletionStage<Optional<Boolean>>, ?> lookUp,
			Function<Optional<Boolean>, CompletionStage<?>> consequence) {
		CompletableFuture<CompletionStage<Optional<Boolean>>> called = new CompletableFuture<>();
		CompletableFuture<Optional<Boolean>> outcome = called.thenCompose(Function.identity());
		LookUp begun = new LookUp(outcome, new CompletableFuture<>(), false);
		LookUp other = this.underWay.putIfAbsent(form, begun);
		if (other != null) {
			return new LookUp(other.found(), other.ended(), true);
		}
		if (!this.permits.tryAcquire()) {
			called.completeExceptionally(TOO_MANY);
			end(form, begun);
			return begun;
		}
		long now = this.clock.getAsLong();
		FutureTask<Void> task = new FutureTask<>(() -> call(lookUp, called), null);
		try {
			CompletableFuture<Void> returned = CompletableFuture.runAsync(task, this.executor);
			outcome.orTimeout(this.limit.toNanos(), TimeUnit.NANOSECONDS).whenComplete((found, failure) -> {
				if (failure != null) {
					task.cancel(true);
					LogFields.withFilter(this.filter,
							() -> this.failures.warn(
									LogMessage.format("A key of the filter '%s' could not be looked up", this.filter),
									failure));
				}
			});
			CompletableFuture<Void> both = CompletableFuture.allOf(returned, outcome);
			both.whenComplete((nothing, failure) -> charge(now));
			both.thenCompose((nothing) -> consequence.apply(outcome.join()))
				.whenComplete((nothing, failure) -> end(form, begun));
		}
		catch (RejectedExecutionException ex) {
			charge(now);
			called.completeExceptionally(ex);
			end(form, begun);
		}
		return begun;
	}

	private void end(String form, LookUp lookUp) {
		this.underWay.remove(form);
		lookUp.ended().complete(null);
	}

	private void charge(long begun) {
		long now = this.clock.getAsLong();
		long more = Math.min(now - begun, this.limit.toNanos()) - this.cost;
		if (this.cost > 0 && more > 0) {
			long most = now + Math.max(LONGEST_DEBT.toNanos(), this.cost);
			this.taken.updateAndGet((taken) -> (taken < most) ? Math.min(taken + more, most) : taken);
		}
		this.permits.release();
	}

	private static void call(Loader<CompletionStage<Optional<Boolean>>, ?> lookUp,
			CompletableFuture<CompletionStage<Optional<Boolean>>> called) {
		try {
			called.complete(lookUp.load());
		}
		catch (Throwable ex) {
			called.completeExceptionally(ex);
		}
	}

	/**
	 * A look-up of a key.
	 *
	 * @param found completes with what it has found; exceptionally if that has failed, or
	 * if the key is not looked up
	 * @param ended completes when the key may be looked up again
	 * @param shared whether it was under way already
	 */
	record LookUp(CompletableFuture<Optional<Boolean>> found, CompletableFuture<@Nullable Void> ended, boolean shared) {

	}

}
