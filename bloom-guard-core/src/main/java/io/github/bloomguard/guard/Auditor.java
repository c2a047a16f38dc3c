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
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Loader;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Makes calls in the background that a filter has answered, one after the other. A few
 * may wait; what comes while they do is dropped. A call that takes too long is
 * interrupted and given up, and the next one made. Those that don't return all the same
 * keep their threads, so there are never more than a few.
 * <p>
 * Concurrency: {@code waiting}, {@code busy} and {@code calls} are guarded by the monitor
 * of {@code waiting}. {@code busy} is set by the one that starts a call, and cleared when
 * there is nothing more to be started.
 */
final class Auditor {

	/**
	 * How many calls there are at the same time, if all but one of them are given up.
	 */
	static final int MAX_CALLS = 4;

	private static final int MAX_WAITING = 16;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final ThrottledLog failures = new ThrottledLog(Auditor.class);

	private final String filter;

	private final double sampleRate;

	private final Executor executor;

	private final Duration limit;

	private final Queue<Audit> waiting = new ArrayDeque<>(MAX_WAITING);

	private boolean busy;

	private boolean stalled;

	private int calls;

	Auditor(String filter, double sampleRate, Executor executor, Duration limit) {
		this.filter = filter;
		this.sampleRate = sampleRate;
		this.executor = executor;
		this.limit = limit;
	}

	/**
	 * Return the auditor of a filter, {@code null} if nothing is audited.
	 */
	static @Nullable Auditor of(FilterSettings settings, Executor executor) {
		double sampleRate = settings.verification().auditSampleRate();
		return (settings.mode() == FilterMode.ENFORCE && sampleRate > 0)
				? new Auditor(settings.name(), sampleRate, executor, LIMIT) : null;
	}

	boolean draws() {
		return ThreadLocalRandom.current().nextDouble() < this.sampleRate;
	}

	/**
	 * Make a call soon, or never if too many wait.
	 * @param call makes the call and tells whether it has found something
	 * @param onFound called if it has
	 */
	void audit(Loader<? extends CompletionStage<Boolean>, ?> call, Runnable onFound) {
		Audit audit = new Audit(call, onFound);
		synchronized (this.waiting) {
			if (this.busy) {
				if (this.waiting.size() < MAX_WAITING) {
					this.waiting.add(audit);
				}
				return;
			}
			this.busy = true;
		}
		start(audit);
	}

	private void start(Audit audit) {
		try {
			this.executor.execute(() -> run(audit));
		}
		catch (RejectedExecutionException ex) {
			startNext();
		}
	}

	private void startNext() {
		Audit next;
		synchronized (this.waiting) {
			this.stalled = this.calls >= MAX_CALLS;
			if (this.stalled) {
				return;
			}
			next = this.waiting.poll();
			this.busy = next != null;
		}
		if (next != null) {
			start(next);
		}
	}

	private void run(Audit audit) {
		CompletableFuture<CompletionStage<Boolean>> called = new CompletableFuture<>();
		FutureTask<Void> task = new FutureTask<>(() -> call(audit, called), null);
		called.thenCompose(Function.identity())
			.orTimeout(this.limit.toNanos(), TimeUnit.NANOSECONDS)
			.whenComplete((found, failure) -> {
				if (failure != null) {
					task.cancel(true);
					this.failures.warn(LogMessage.format("An audit of the filter '%s' failed", this.filter), failure);
				}
				else if (found) {
					audit.onFound().run();
				}
			})
			.whenComplete((found, failure) -> startNext());
		task.run();
	}

	private void call(Audit audit, CompletableFuture<CompletionStage<Boolean>> called) {
		begin();
		try {
			called.complete(audit.call().load());
		}
		catch (Throwable ex) {
			called.completeExceptionally(ex);
		}
		finally {
			end();
		}
	}

	private void begin() {
		synchronized (this.waiting) {
			this.calls++;
		}
	}

	private void end() {
		boolean goesOn;
		synchronized (this.waiting) {
			this.calls--;
			goesOn = this.stalled;
			this.stalled = false;
		}
		if (goesOn) {
			startNext();
		}
	}

	private record Audit(Loader<? extends CompletionStage<Boolean>, ?> call, Runnable onFound) {
	}

}
