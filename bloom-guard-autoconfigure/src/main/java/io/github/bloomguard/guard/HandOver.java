package io.github.bloomguard.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Brings answers from the threads of Redis' client to threads that users may block: those
 * of the application, unless they are all busy when it is time to go on.
 */
final class HandOver {

	private final Executor preferred;

	private final Executor always;

	/**
	 * Create a hand-over.
	 * @param preferred the application's threads, which may be busy or rejected
	 * @param always has a thread at any time
	 */
	HandOver(Executor preferred, Executor always) {
		this.preferred = preferred;
		this.always = always;
	}

	/**
	 * Return the executor that has a thread at any time.
	 */
	Executor always() {
		return this.always;
	}

	/**
	 * Hand an answer over.
	 * @param answer the answer
	 * @param deadline when it is given to another thread if no preferred one has taken
	 * it, in the terms of {@link System#nanoTime()}
	 * @return the answer, completed on a thread that may be blocked; at once if it is
	 * known
	 */
	<T> CompletableFuture<T> handOver(CompletableFuture<T> answer, long deadline) {
		if (answer.isDone()) {
			return answer;
		}
		CompletableFuture<T> handed = new CompletableFuture<>();
		answer.whenComplete((value, failure) -> {
			Delivery<T> delivery = new Delivery<>(handed, value, failure);
			try {
				this.preferred.execute(delivery);
				if (this.preferred != this.always) {
					long nanos = Math.max(deadline - System.nanoTime(), 0);
					delivery.waiting.completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS)
						.thenAccept((delivered) -> insist(delivery));
				}
			}
			catch (RejectedExecutionException ex) {
				insist(delivery);
			}
		});
		return handed;
	}

	private void insist(Delivery<?> delivery) {
		if (delivery.isDone()) {
			return;
		}
		try {
			this.always.execute(delivery);
		}
		catch (RejectedExecutionException ex) {
			// the application is closing
			ForkJoinPool.commonPool().execute(delivery);
		}
	}

	/**
	 * Completes a future once, on whichever thread comes first.
	 */
	private static final class Delivery<T> implements Runnable {

		private final CompletableFuture<T> target;

		private final T value;

		private final @Nullable Throwable failure;

		private final AtomicBoolean done = new AtomicBoolean();

		private final CompletableFuture<Boolean> waiting = new CompletableFuture<>();

		Delivery(CompletableFuture<T> target, T value, @Nullable Throwable failure) {
			this.target = target;
			this.value = value;
			this.failure = failure;
		}

		boolean isDone() {
			return this.done.get();
		}

		@Override
		public void run() {
			if (this.done.compareAndSet(false, true)) {
				this.waiting.complete(true);
				if (this.failure != null) {
					this.target.completeExceptionally(this.failure);
				}
				else {
					this.target.complete(this.value);
				}
			}
		}

	}

}
