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

package io.github.bloomguard.gate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Through which all questions to one Redis go: a caller waits no longer than it may, and
 * does not ask a Redis that is silent. Somebody asks it in the background then, until it
 * has answered. What can't be done without, such as adding a key, is tried all the same,
 * until one such question has waited in vain for as long as it may.
 * <p>
 * To park a thread and to wake it again takes longer than all else that a call does here.
 * Where many wait for the answers to lookups, which travel together, processors are
 * short, and most answers come before it is a caller's turn again: so in a crowd a caller
 * gives way a few times before it is parked.
 *
 * @since 1.0.0
 */
public final class RedisGate {

	private static final Exception NOT_ASKED = new NotAskedException();

	/**
	 * How many callers wait before those who come give way.
	 */
	private static final int CROWD = 16;

	/**
	 * How often a caller gives way. Takes about a microsecond if nobody else has anything
	 * to do.
	 */
	private static final int TIMES = 4;

	private final Duration timeout;

	private final Duration longest;

	private final Silence silence;

	/**
	 * How many callers wait. Each counts itself, before it waits and when it is done.
	 */
	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Create a gate that lets questions pass.
	 * @param consequence what the log says about calls while Redis is silent, such as
	 * "calls go through"
	 * @param timeout the longest wait for all answers to one call
	 */
	public RedisGate(String consequence, Duration timeout) {
		this(consequence, timeout, timeout);
	}

	/**
	 * Create a gate that lets questions pass.
	 * @param consequence what the log says about calls while Redis is silent, such as
	 * "calls go through"
	 * @param timeout the longest wait for all answers to one call
	 * @param longest the longest wait for an answer that can't be done without
	 */
	public RedisGate(String consequence, Duration timeout, Duration longest) {
		this(consequence, timeout, longest, RedisRefusedException.class::isInstance);
	}

	/**
	 * Create a gate that lets questions pass.
	 * @param consequence what the log says about calls while Redis is silent, such as
	 * "calls go through"
	 * @param timeout the longest wait for all answers to one call
	 * @param reply tells whether a failure is an error that Redis has replied, so that it
	 * does answer
	 */
	public RedisGate(String consequence, Duration timeout, Predicate<Throwable> reply) {
		this(consequence, timeout, timeout, reply);
	}

	private RedisGate(String consequence, Duration timeout, Duration longest, Predicate<Throwable> reply) {
		this.timeout = timeout;
		this.longest = longest;
		this.silence = new Silence(consequence, timeout, reply);
	}

	/**
	 * Add a listener for when Redis falls silent and when it answers again.
	 * @param listener is called on the thread that finds out, so it must be quick
	 */
	public void addListener(SilenceListener listener) {
		this.silence.addListener(listener);
	}

	/**
	 * Return the longest wait.
	 * @return the longest wait for all answers to one call
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Tell whether Redis may be asked.
	 * @return {@code false} while it is silent
	 */
	public boolean permits() {
		return !this.silence.isOn();
	}

	/**
	 * Tell whether Redis may be asked for something that the caller can do without. It is
	 * not if it has just failed to answer, so that one call does not wait for it again
	 * and again.
	 * @return {@code false} if it is doubtful whether it answers
	 */
	public boolean permitsOptional() {
		return !this.silence.isLikely();
	}

	/**
	 * Return when a call that begins now must go on.
	 * @return the time, in the terms of {@link System#nanoTime()}
	 */
	public long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	/**
	 * Ask, if Redis may be asked.
	 * @param <T> the type of the answer
	 * @param question asks without waiting
	 * @return the answer, exceptionally if Redis is not asked
	 */
	public <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
		return permits() ? attempt(question) : CompletableFuture.failedFuture(NOT_ASKED);
	}

	/**
	 * Ask for what can't be done without, such as adding a key. It is asked while others
	 * are not, and fails at once only when such a question has waited for the longest
	 * time, and nobody has had an answer since it was late.
	 * @param <T> the type of the answer
	 * @param question asks without waiting
	 * @return the answer, exceptionally if Redis is not asked, or has not answered in
	 * time
	 */
	public <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> question) {
		if (this.silence.isLasting()) {
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
					this.silence.lasts(end);
				}
			});
		});
	}

	/**
	 * Ask for what can't be done without and Redis may hold back, so that nothing follows
	 * from its being late.
	 * @param <T> the type of the answer
	 * @param question asks without waiting
	 * @return the answer, exceptionally if Redis has not answered in time
	 */
	public <T> CompletableFuture<T> insistQuietly(Supplier<CompletableFuture<T>> question) {
		return within(this.longest, attempt(question));
	}

	/**
	 * Return a copy, because an answer that comes too late must not meet a completed
	 * future.
	 */
	private static <T> CompletableFuture<T> within(Duration time, CompletableFuture<T> answer) {
		return answer.copy().orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Ask in any case.
	 * @param <T> the type of the answer
	 * @param question asks without waiting
	 * @return the answer, exceptionally if the question itself fails
	 */
	public static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> question) {
		try {
			return question.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Wait for an answer.
	 * @param <T> the type of the answer
	 * @param answer the answer
	 * @param otherwise what is taken for the answer if there is none in time
	 * @param deadline until when to wait, in the terms of {@link System#nanoTime()}
	 * @return the answer, or what is taken for it
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
	 * @param <T> the type of the answer
	 * @param <F> the type of the future
	 * @param answer the answer
	 * @param deadline until when to wait, in the terms of {@link System#nanoTime()}
	 * @return the answer
	 * @throws InterruptedException if the thread is interrupted
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
	 * Complete with an answer, or with something else when it is late.
	 * @param <T> the type of the answer
	 * @param answer the answer
	 * @param otherwise what is taken for the answer if there is none in time
	 * @param deadline until when to wait, in the terms of {@link System#nanoTime()}
	 * @return never completed exceptionally
	 */
	public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, T otherwise, long deadline) {
		long nanos = Math.max(deadline - System.nanoTime(), 0);
		return answer.copy().orTimeout(nanos, TimeUnit.NANOSECONDS).handle((value, failure) -> {
			if (failure == null) {
				answered();
				return value;
			}
			failed(cause(failure));
			noteLateAnswer(answer);
			return otherwise;
		});
	}

	private void noteLateAnswer(CompletionStage<?> answer) {
		answer.whenComplete((value, failure) -> {
			if (failure == null) {
				answered();
			}
		});
	}

	/**
	 * Redis has answered, whomever.
	 */
	public void answered() {
		this.silence.answered();
	}

	/**
	 * Redis has not answered somebody who asks in the background and has waited for long
	 * enough to be sure.
	 * @param cause how it failed
	 */
	public void unanswered(Throwable cause) {
		this.silence.failedForSure(cause);
	}

	/**
	 * Redis has not answered a call in time, or with an error.
	 * @param cause how it failed
	 */
	public void failed(Throwable cause) {
		if (cause != NOT_ASKED) {
			this.silence.failed(cause);
		}
	}

	private static Throwable cause(Throwable failure) {
		return (failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Receives whether Redis answers.
	 */
	public interface SilenceListener {

		/**
		 * Redis does not answer any more.
		 * @param cause how it has failed
		 */
		void onSilence(Throwable cause);

		/**
		 * Redis answers again.
		 */
		default void onAnswer() {
		}

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
