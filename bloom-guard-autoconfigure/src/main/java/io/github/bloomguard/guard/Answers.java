package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks Redis what a call would like to know, waits no longer than the call may, and takes
 * something else for the answer if there is none.
 * <p>
 * To park a thread and to wake it again takes longer than all else that a call does here.
 * Where many wait, processors are short, and most answers come before it is a caller's
 * turn again: so in a crowd a caller gives way a few times before it is parked.
 */
final class Answers {

	private static final Exception NOT_ASKED = new TimeoutException("Redis is not asked, it does not answer");

	/**
	 * How many callers wait before those who come give way.
	 */
	private static final int CROWD = 16;

	/**
	 * How often a caller gives way. Takes about a microsecond if nobody else has anything
	 * to do.
	 */
	private static final int TIMES = 4;

	/**
	 * How many callers wait. Each counts itself, before it waits and when it is done.
	 */
	private final AtomicInteger waiting = new AtomicInteger();

	private final Circuit circuit;

	private final Duration timeout;

	private final Consumer<Throwable> onUnreachable;

	/**
	 * Create answers.
	 * @param circuit tells whether Redis may be asked
	 * @param timeout the longest wait for all answers to one call
	 * @param onUnreachable is told when Redis does not answer any more
	 */
	Answers(Circuit circuit, Duration timeout, Consumer<Throwable> onUnreachable) {
		this.circuit = circuit;
		this.timeout = timeout;
		this.onUnreachable = onUnreachable;
	}

	/**
	 * Return when a call that begins now must go on.
	 * @return the time, in the terms of {@link System#nanoTime()}
	 */
	long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	<T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
		return this.circuit.permits() ? attempt(question) : CompletableFuture.failedFuture(NOT_ASKED);
	}

	static <T> CompletableFuture<T> attempt(Supplier<CompletableFuture<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Wait for an answer.
	 */
	<T> T await(CompletableFuture<T> answer, T otherwise, long deadline) {
		try {
			T value = get(answer, deadline);
			this.circuit.answered();
			return value;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			failed(cause(ex));
		}
		return otherwise;
	}

	private <T> T get(CompletableFuture<T> answer, long deadline)
			throws InterruptedException, ExecutionException, TimeoutException {
		boolean crowded = this.waiting.getAndIncrement() >= CROWD;
		try {
			for (int i = 0; crowded && i < TIMES && !answer.isDone(); i++) {
				Thread.yield();
			}
			return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	/**
	 * Complete with an answer, or with something else when it is late.
	 */
	<T> CompletableFuture<T> bounded(CompletableFuture<T> answer, T otherwise) {
		return answer.copy().orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS).handle((value, failure) -> {
			if (failure == null) {
				this.circuit.answered();
				return value;
			}
			failed(cause(failure));
			return otherwise;
		});
	}

	private void failed(Throwable failure) {
		if (failure == NOT_ASKED) {
			return;
		}
		this.circuit.failed(failure);
		if (this.circuit.isOpen()) {
			this.onUnreachable.accept(failure);
		}
	}

	static Throwable cause(Throwable failure) {
		return (failure.getCause() != null) ? failure.getCause() : failure;
	}

}
