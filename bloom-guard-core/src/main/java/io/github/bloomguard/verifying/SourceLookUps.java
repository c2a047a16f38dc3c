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

package io.github.bloomguard.verifying;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.bloomguard.Loader;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Asks sources in the background, a few questions at the same time; what is more is not
 * asked. A question that takes too long is interrupted and given up; if it does not
 * return all the same, it remains one of the few.
 */
final class SourceLookUps {

	static final int MAX_CALLS = 4;

	static final RejectedExecutionException NOT_CALLED = new RejectedExecutionException("Too many keys are looked up");

	private final ThrottledLog failures = new ThrottledLog(SourceLookUps.class);

	private final String filter;

	private final Executor executor;

	private final Duration limit;

	private final Semaphore permits = new Semaphore(MAX_CALLS);

	SourceLookUps(String filter, Executor executor, Duration limit) {
		this.filter = filter;
		this.executor = executor;
		this.limit = limit;
	}

	/**
	 * Ask the source something in the background.
	 * @return {@code null} if it is asked too much already, or no thread can be started
	 */
	<T> @Nullable Call<T> call(Loader<CompletionStage<T>, ?> question) {
		if (!this.permits.tryAcquire()) {
			return null;
		}
		CompletableFuture<CompletionStage<T>> called = new CompletableFuture<>();
		CompletableFuture<T> outcome = called.thenCompose(Function.identity());
		FutureTask<Void> task = new FutureTask<>(() -> ask(question, called), null);
		CompletableFuture<Void> returned;
		try {
			returned = CompletableFuture.runAsync(task, this.executor);
		}
		catch (RejectedExecutionException ex) {
			this.permits.release();
			return null;
		}
		outcome.orTimeout(this.limit.toNanos(), TimeUnit.NANOSECONDS).whenComplete((found, failure) -> {
			if (failure != null) {
				task.cancel(true);
				LogFields.withFilter(this.filter, () -> this.failures
					.warn(LogMessage.format("A key of the filter '%s' could not be looked up", this.filter), failure));
			}
		});
		CompletableFuture<Void> ended = CompletableFuture.allOf(returned, outcome)
			.whenComplete((nothing, failure) -> this.permits.release());
		return new Call<>(outcome, ended);
	}

	private static <T> void ask(Loader<CompletionStage<T>, ?> question, CompletableFuture<CompletionStage<T>> called) {
		try {
			called.complete(question.load());
		}
		catch (Throwable ex) {
			called.completeExceptionally(ex);
		}
	}

	/**
	 * A question that was asked.
	 *
	 * @param outcome completes exceptionally if it has failed, or was given up
	 * @param ended completes when its thread has returned, too, and exceptionally if it
	 * has failed
	 */
	record Call<T>(CompletableFuture<T> outcome, CompletableFuture<Void> ended) {

	}

}
