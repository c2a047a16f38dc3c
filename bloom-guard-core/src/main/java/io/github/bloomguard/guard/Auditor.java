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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Loader;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Makes calls in the background that a filter has answered, a few at the same time, and
 * drops further ones. A call that takes too long is interrupted and given up; if it does
 * not return all the same, it remains one of the few.
 */
final class Auditor {

	static final int MAX_CALLS = 4;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final ThrottledLog failures = new ThrottledLog(Auditor.class);

	private final String filter;

	private final double sampleRate;

	private final Executor executor;

	private final Duration limit;

	private final Semaphore permits = new Semaphore(MAX_CALLS);

	Auditor(String filter, double sampleRate, Executor executor, Duration limit) {
		this.filter = filter;
		this.sampleRate = sampleRate;
		this.executor = executor;
		this.limit = limit;
	}

	static @Nullable Auditor of(FilterSettings settings, Executor executor) {
		double sampleRate = settings.verification().auditSampleRate();
		return (settings.mode() == FilterMode.ENFORCE && sampleRate > 0)
				? new Auditor(settings.name(), sampleRate, executor, LIMIT) : null;
	}

	boolean draws() {
		return ThreadLocalRandom.current().nextDouble() < this.sampleRate;
	}

	void audit(Loader<? extends CompletionStage<Boolean>, ?> call, Runnable onFound) {
		if (!this.permits.tryAcquire()) {
			return;
		}
		CompletableFuture<CompletionStage<Boolean>> called = new CompletableFuture<>();
		FutureTask<Void> task = new FutureTask<>(() -> call(call, called), null);
		try {
			CompletableFuture<Void> returned = CompletableFuture.runAsync(task, this.executor);
			CompletableFuture<Boolean> outcome = called.thenCompose(Function.identity())
				.orTimeout(this.limit.toNanos(), TimeUnit.NANOSECONDS)
				.whenComplete((found, failure) -> {
					if (failure != null) {
						task.cancel(true);
						LogFields.withFilter(this.filter, () -> this.failures
							.warn(LogMessage.format("An audit of the filter '%s' failed", this.filter), failure));
					}
					else if (found) {
						onFound.run();
					}
				});
			CompletableFuture.allOf(returned, outcome).whenComplete((nothing, failure) -> this.permits.release());
		}
		catch (RejectedExecutionException ex) {
			this.permits.release();
		}
	}

	private static void call(Loader<? extends CompletionStage<Boolean>, ?> call,
			CompletableFuture<CompletionStage<Boolean>> called) {
		try {
			called.complete(call.load());
		}
		catch (Throwable ex) {
			called.completeExceptionally(ex);
		}
	}

}
