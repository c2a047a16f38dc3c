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
 * A circuit breaker for one Redis server, of the filters or of the application's caches.
 * It bounds how long a caller waits for an answer, and refuses questions while the server
 * does not answer. A refresh in the background keeps asking, and closes the circuit again
 * when it is answered.
 * <p>
 * A caller {@link #ask asks} if it can do without the answer, or {@link #insist insists}
 * if it can't, as an add does. It waits ({@link #await await}) or follows
 * ({@link #bounded bounded}), and the breaker counts whether an answer has come. A caller
 * that asks and waits by other means reports that itself ({@link #answered answered},
 * {@link #failed failed}, {@link #open open}).
 * <p>
 * Parking and waking a thread costs more than everything else a call does here. When many
 * callers wait for lookups, which travel together, most replies arrive before a caller is
 * scheduled again, so a caller in a crowd yields a few times before it parks.
 */
public final class CircuitBreaker {

	private static final Exception NOT_ASKED = new NotAskedException();

	private static final int CROWD = 16;

	private static final int TIMES = 4;

	private final Duration timeout;

	private final Duration longest;

	private final CircuitState circuit;

	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Return a closed circuit breaker, which the filters of a server share.
	 * @param longest how long a caller waits that {@link #insist insists}
	 */
	public static CircuitBreaker ofFilters(Duration timeout, Duration longest) {
		return new CircuitBreaker("filters are UNREACHABLE and calls go through", timeout, longest,
				RedisRefusedException.class::isInstance);
	}

	/**
	 * Create a closed circuit breaker.
	 * @param consequence what the log says of an outage
	 * @param reply tells whether a failure is an error that the server has replied, and
	 * so an answer
	 */
	public CircuitBreaker(String consequence, Duration timeout, Predicate<Throwable> reply) {
		this(consequence, timeout, timeout, reply);
	}

	private CircuitBreaker(String consequence, Duration timeout, Duration longest, Predicate<Throwable> reply) {
		this.timeout = timeout;
		this.longest = longest;
		this.circuit = new CircuitState(consequence, timeout, reply);
	}

	/**
	 * Add a listener that is given the cause when the circuit opens. It is called on the
	 * thread that finds out, so it must be quick.
	 */
	public void addListener(Consumer<Throwable> listener) {
		this.circuit.addListener(listener);
	}

	/**
	 * Stop to log outages, because the client is about to be closed.
	 */
	public void silence() {
		this.circuit.silence();
	}

	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return how long a caller waits that {@link #insist insists}.
	 */
	public Duration longest() {
		return this.longest;
	}

	public boolean permits() {
		return !this.circuit.isOpen();
	}

	/**
	 * Return whether a caller may ask for something that it can do without. It may not if
	 * the server has just failed to answer, so that one call does not wait twice.
	 */
	public boolean permitsOptional() {
		return !this.circuit.isSuspect();
	}

	public long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	public <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
		return permits() ? Attempt.of(question) : CompletableFuture.failedFuture(NOT_ASKED);
	}

	/**
	 * Ask for something that the caller can't do without, such as adding a key. The
	 * question is sent while the circuit is open, too. It fails at once only if another
	 * one like it has waited for the longest time, and no answer has come since that one
	 * was late.
	 */
	public <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> question) {
		if (this.circuit.isOpenForAll()) {
			return CompletableFuture.failedFuture(NOT_ASKED);
		}
		CompletableFuture<T> answer = Attempt.of(question);
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
	 * Return a copy, because a late answer must not meet a completed future.
	 */
	private static <T> CompletableFuture<T> within(Duration time, CompletableFuture<T> answer) {
		return answer.copy().orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
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
			return await(answer, deadline);
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
	 * @throws ExecutionException if the server has not answered, or with an error
	 * @throws TimeoutException if it has not answered in time
	 */
	public <T extends @Nullable Object, F extends Future<T> & CompletionStage<T>> T await(F answer, long deadline)
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
	 * Return a future that completes as {@link #await(Future, long)} returns or fails.
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
	 * Open the circuit at once: a question in the background got no answer, and it had
	 * waited for so long that no second one is needed. An error that the server has
	 * replied closes the circuit instead.
	 */
	public void open(Throwable cause) {
		this.circuit.open(cause);
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
