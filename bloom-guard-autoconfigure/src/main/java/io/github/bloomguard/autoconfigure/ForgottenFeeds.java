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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.context.SmartLifecycle;

/**
 * Releases the change logs of forgotten feeds; retries while one is still followed.
 */
class ForgottenFeeds implements SmartLifecycle {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final ThrottledLog failures = new ThrottledLog(ForgottenFeeds.class);

	private final BloomGuardProperties properties;

	private final ChangeFeeds feeds;

	private final ScheduledExecutorService scheduler;

	private final Executor executor;

	private volatile boolean running;

	ForgottenFeeds(BloomGuardProperties properties, ChangeFeeds feeds, ScheduledExecutorService scheduler,
			Executor executor) {
		this.properties = properties;
		this.feeds = feeds;
		this.scheduler = scheduler;
		this.executor = executor;
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.properties.filters().isEmpty() && this.feeds.logs().stream().findAny().isPresent()) {
			this.executor.execute(this::drop);
		}
	}

	private void drop() {
		boolean done = false;
		try {
			done = this.feeds.dropForgotten(this.properties);
		}
		catch (RuntimeException ex) {
			this.failures.warn("The change logs that no filter follows any more are not released yet", ex);
		}
		if (!done && this.running) {
			this.scheduler.schedule(() -> this.executor.execute(this::drop), INTERVAL.toMillis(),
					TimeUnit.MILLISECONDS);
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

}
