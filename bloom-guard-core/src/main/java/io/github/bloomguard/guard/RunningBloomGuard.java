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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

import io.github.bloomguard.BloomGuard;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * A guard that was made by hand, with the threads that it needs.
 *
 * @since 1.0.0
 */
public final class RunningBloomGuard implements AutoCloseable {

	private final ManagedFilters filters;

	private final BloomGuard guard;

	private final FilterSupervisor supervisor;

	private final ScheduledExecutorService scheduler;

	private final SimpleAsyncTaskExecutor executor;

	/**
	 * Start to load the filters.
	 */
	RunningBloomGuard(ManagedFilters filters, ScheduledExecutorService scheduler, SimpleAsyncTaskExecutor executor) {
		this.filters = filters;
		this.guard = new DefaultBloomGuard(filters);
		this.supervisor = new FilterSupervisor(filters, scheduler);
		this.scheduler = scheduler;
		this.executor = executor;
		this.supervisor.start();
	}

	/**
	 * Return the guard, which answers until this is closed.
	 */
	public BloomGuard guard() {
		return this.guard;
	}

	/**
	 * Return the filters, for those who look after them.
	 */
	public ManagedFilters filters() {
		return this.filters;
	}

	/**
	 * Wait for all keys.
	 * @return completes when each filter has been loaded, by this instance or another
	 */
	public CompletableFuture<Void> loaded() {
		return CompletableFuture.allOf(this.filters.stream()
			.map((filter) -> filter.warmUp().loadIfMissing())
			.toArray(CompletableFuture<?>[]::new));
	}

	/**
	 * Stop what is under way. The server in which the filters are kept is not closed.
	 */
	@Override
	public void close() {
		this.supervisor.stop();
		this.scheduler.shutdownNow();
		this.executor.close();
	}

}
