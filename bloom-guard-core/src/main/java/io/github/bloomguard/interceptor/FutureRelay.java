package io.github.bloomguard.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Connects the future that a method has returned with the one that its caller has got.
 */
final class FutureRelay {

	private FutureRelay() {
	}

	/**
	 * Hand on what a future ends with. Other than by the methods of
	 * {@code CompletableFuture}, a failure is handed on as it is, and a cancellation goes
	 * the other way too.
	 * @param from the method's future
	 * @param to the caller's future
	 * @param onSuccess gets the value and completes the caller's future
	 */
	static <T> void relay(CompletionStage<T> from, CompletableFuture<@Nullable Object> to,
			Consumer<? super @Nullable T> onSuccess) {
		relay(from, to, (failure) -> {
		}, onSuccess);
	}

	/**
	 * Hand on what a future ends with, and do something before, however it ends.
	 * @param from the method's future
	 * @param to the caller's future
	 * @param onEnd called first, with what the future has failed with
	 * @param onSuccess gets the value and completes the caller's future
	 */
	static <T> void relay(CompletionStage<T> from, CompletableFuture<@Nullable Object> to,
			Consumer<@Nullable Throwable> onEnd, Consumer<? super @Nullable T> onSuccess) {
		from.whenComplete((value, failure) -> {
			onEnd.accept(failure);
			if (failure != null) {
				to.completeExceptionally(failure);
				return;
			}
			try {
				onSuccess.accept(value);
			}
			catch (Throwable ex) {
				to.completeExceptionally(ex);
			}
		});
		to.whenComplete((value, failure) -> {
			if (to.isCancelled() && from instanceof Future<?> future) {
				future.cancel(true);
			}
		});
	}

}
