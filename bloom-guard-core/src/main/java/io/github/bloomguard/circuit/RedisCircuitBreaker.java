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

package io.github.bloomguard.circuit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker for one Redis: bounds how long a caller waits, and refuses commands
 * while Redis does not reply. A background refresh keeps trying and closes the circuit
 * again. Commands that cannot be done without, such as adding a key, are sent even while
 * the circuit is open, until one of them has timed out as well.
 * <p>
 * Parking and waking a thread costs more than everything else a call does here. When many
 * callers wait for lookups, which travel together, most replies arrive before a caller is
 * scheduled again, so a caller in a crowd yields a few times before it parks.
 */
public final class RedisCircuitBreaker {

	private static final Exception NOT_ASKED = new NotAskedException();

	private static final int CROWD = 16;

	private static final int TIMES = 4;

	private final Duration timeout;

	private final Duration longest;

	private final CircuitState circuit;

	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Return the one that the filters of a server share.
	 * @param longest of what can't be done without, such as adding a key
	 */
	public static RedisCircuitBreaker ofFilters(Duration timeout, Duration longest) {
		return new RedisCircuitBreaker("filters are UNREACHABLE and calls go through", timeout, longest,
				RedisRefusedException.class::isInstance);
	}

	/**
	 * Create a closed circuit breaker.
	 * @param reply tells whether a failure is an error that Redis has replied
	 */
	public RedisCircuitBreaker(String consequence, Duration timeout, Predicate<Throwable> reply) {
		this(consequence, timeout, timeout, reply);
	}

	private RedisCircuitBreaker(String consequence, Duration timeout, Duration longest, Predicate<Throwable> reply) {
		this.timeout = timeout;
		this.longest = longest;
		this.circuit = new CircuitState(consequence, timeout, reply);
	}

	/**
	 * Add what takes the cause when the circuit opens, on the thread that finds out, so
	 * it must be quick.
	 */
	public void addListener(Consumer<Throwable> listener) {
		this.circuit.addListener(listener);
	}

	/**
	 * Log no outage any more, because the client is closed next.
	 */
	public void silence() {
		this.circuit.silence();
	}

	public Duration timeout() {
		return this.timeout;
	}

	public boolean permits() {
		return !this.circuit.isOpen();
	}

	/**
	 * Return whether Redis may be asked for something that the caller can do without. It
	 * may not if it has just failed to answer, so that one call does not wait twice.
	 */
	public boolean permitsOptional() {
		return !this.circuit.isSuspect();
	}

	public long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	public <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
		return permits() ? attempt(question) : CompletableFuture.failedFuture(NOT_ASKED);
	}

	/**
	 * Ask for what can't be done without, such as adding a key. It is asked while others
	 * are not, and fails at once only when such a question has waited for the longest
	 * time, and no answer has come since it was late.
	 */
	public <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> question) {
		if (this.circuit.isOpenForAll()) {
			return CompletableFuture.failedFuture(NOT_ASKED);
		}
		CompletableFuture<T> answer = attempt(question);
		if (answer.isDone()) {
			return answer;
		}
		Duration late = (this.timeout.compareTo(this.longest) < 0) ? this.timeout : this.longest;
		return within(late, answer).exceptionallyCompose((failure) -> {
			if (answer.isDone()) {
				return answer;
			}
			failed(failure);
			noteLateAnswer(answer);
			return within(this.longest.minus(late), answer).whenComplete((value, end) -> {
				if (end instanceof TimeoutException) {
					this.circuit.openForAll(end);
				}
			});
		});
	}

	/**
	 * Ask for what can't be done without and Redis may hold back, so that its being late
	 * does not count as a failure.
	 */
	public <T> CompletableFuture<T> insistQuietly(Supplier<CompletableFuture<T>> question) {
		return within(this.longest, attempt(question));
	}

	/**
	 * Return a copy, because a late answer must not meet a completed future.
	 */
	private static <T> CompletableFuture<T> within(Duration time, CompletableFuture<T> answer) {
		return answer.copy().orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Ask in any case. An exception of the question itself completes the future.
	 */
	public static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> question) {
		try {
			return question.get();
		}
		catch (RuntimeException | LinkageError | OutOfMemoryError ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Wait for an answer.
	 * @param otherwise taken for the answer if there is none in time
	 * @param deadline in the terms of {@link System#nanoTime()}
	 */
	public <T> T await(CompletableFuture<T> answer, T otherwise, long deadline) {
		if (answer.isDone() && !answer.isCompletedExceptionally()) {
			answered();
			return answer.join();
		}
		boolean crowded = this.waiting.getAndIncrement() >= CROWD;
		try {
			for (int i = 0; crowded && i < TIMES && !answer.isDone(); i++) {
				Thread.yield();
			}
			return get(answer, deadline);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			// counted
		}
		finally {
			this.waiting.decrementAndGet();
		}
		return otherwise;
	}

	/**
	 * Wait for an answer, or fail.
	 * @param deadline in the terms of {@link System#nanoTime()}
	 * @throws ExecutionException if Redis has not answered, or with an error
	 * @throws TimeoutException if it has not answered in time
	 */
	public <T extends @Nullable Object, F extends Future<T> & CompletionStage<T>> T get(F answer, long deadline)
			throws InterruptedException, ExecutionException, TimeoutException {
		try {
			T value = answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
			answered();
			return value;
		}
		catch (TimeoutException ex) {
			failed(ex);
			noteLateAnswer(answer);
			throw ex;
		}
		catch (ExecutionException ex) {
			failed(cause(ex));
			throw ex;
		}
	}

	/**
	 * Complete as {@link #get} returns or fails.
	 */
	public <T extends @Nullable Object> CompletableFuture<T> bounded(CompletableFuture<T> answer, long deadline) {
		long nanos = Math.max(deadline - System.nanoTime(), 0);
		return answer.copy().orTimeout(nanos, TimeUnit.NANOSECONDS).whenComplete((value, failure) -> {
			if (failure == null) {
				answered();
				return;
			}
			failed(cause(failure));
			noteLateAnswer(answer);
		});
	}

	private void noteLateAnswer(CompletionStage<?> answer) {
		answer.whenComplete((value, failure) -> {
			if (failure == null) {
				answered();
			}
		});
	}

	public void answered() {
		this.circuit.answered();
	}

	/**
	 * Note that a question in the background got no answer, which is certain by itself.
	 */
	public void unanswered(Throwable cause) {
		this.circuit.failedForSure(cause);
	}

	public void failed(Throwable cause) {
		if (cause != NOT_ASKED) {
			this.circuit.failed(cause);
		}
	}

	private static Throwable cause(Throwable failure) {
		return (failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Is thrown again and again, so it has no stack trace: that would be the one of the
	 * first call, and would keep its classes.
	 */
	private static final class NotAskedException extends TimeoutException {

		private static final long serialVersionUID = 1L;

		NotAskedException() {
			super("Redis is not asked, it does not answer");
		}

		@Override
		public synchronized Throwable fillInStackTrace() {
			return this;
		}

	}

}
