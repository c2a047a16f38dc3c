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

package io.github.bloomguard.test;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.guard.FilterSupervisor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Lets the start of a context wait until its filters are complete.
 */
final class CompleteFilters implements SmartLifecycle {

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private final ObjectProvider<FilterSupervisor> supervisors;

	private volatile boolean running;

	CompleteFilters(ObjectProvider<FilterSupervisor> supervisors) {
		this.supervisors = supervisors;
	}

	@Override
	public void start() {
		this.supervisors.ifAvailable(CompleteFilters::await);
		this.running = true;
	}

	private static void await(FilterSupervisor supervisor) {
		try {
			supervisor.blocking().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The filters of the test are not complete, see the log", ex);
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Return the phase after that in which the filters are loaded.
	 */
	@Override
	public int getPhase() {
		return this.supervisors.stream().mapToInt((supervisor) -> supervisor.getPhase() + 1).findFirst().orElse(0);
	}

}
