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

package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * The clock of an instance whose time of day is set now and then.
 */
final class SettableClock implements MonotonicClock {

	private final AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);

	void setForward(Duration by) {
		this.set.updateAndGet((before) -> before.plus(by));
	}

	@Override
	public long nanoTime() {
		return SYSTEM.nanoTime();
	}

	@Override
	public Duration behindTimeOfDay() {
		return SYSTEM.behindTimeOfDay().plus(this.set.get());
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		return SYSTEM.after(delay);
	}

}
