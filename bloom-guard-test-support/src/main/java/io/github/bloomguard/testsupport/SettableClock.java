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

package io.github.bloomguard.testsupport;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * A clock that a test moves on. No thread waits for it.
 */
public final class SettableClock implements MonotonicClock {

	private volatile long now;

	private volatile Duration behind = Duration.ZERO;

	public void pass(Duration time) {
		this.now += time.toNanos();
	}

	public void fallBehindTimeOfDay(Duration behind) {
		this.behind = behind;
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public Duration behindTimeOfDay() {
		return this.behind;
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		return CompletableFuture.completedFuture(null);
	}

}
