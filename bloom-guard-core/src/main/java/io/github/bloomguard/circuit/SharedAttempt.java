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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * An attempt that all who need its result share. It begins when the first of them needs
 * it, and again when it has failed and the next one does.
 * <p>
 * Concurrency: the thread that replaces a failed attempt in {@code last}, by
 * compare-and-set, begins the next.
 */
public final class SharedAttempt<T extends @Nullable Object> {

	private final Supplier<? extends CompletionStage<T>> attempt;

	private final AtomicReference<@Nullable CompletableFuture<T>> last = new AtomicReference<>();

	public SharedAttempt(Supplier<? extends CompletionStage<T>> attempt) {
		this.attempt = attempt;
	}

	public CompletableFuture<T> get() {
		CompletableFuture<T> former = this.last.get();
		if (former != null && !former.isCompletedExceptionally()) {
			return former;
		}
		CompletableFuture<T> next = new CompletableFuture<>();
		if (!this.last.compareAndSet(former, next)) {
			return get();
		}
		try {
			this.attempt.get().whenComplete((result, failure) -> complete(next, result, failure));
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			next.completeExceptionally(ex);
		}
		return next;
	}

	private static <T extends @Nullable Object> void complete(CompletableFuture<T> next, T result,
			@Nullable Throwable failure) {
		if (failure == null) {
			next.complete(result);
		}
		else {
			Throwable cause = failure.getCause();
			next.completeExceptionally((failure instanceof CompletionException && cause != null) ? cause : failure);
		}
	}

	/**
	 * Begin anew when the result is needed next.
	 * @return whether there was a result, or an attempt under way
	 */
	public boolean reset() {
		CompletableFuture<T> former = this.last.getAndSet(null);
		return former != null && !former.isCompletedExceptionally();
	}

}
