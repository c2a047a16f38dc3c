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
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * A clock that only a test moves. What waits for a time goes on when the clock has
 * reached it and rings, on the thread of the test.
 */
public final class SteppedClock implements MonotonicClock {

	private final NavigableMap<Long, CompletableFuture<Void>> alarms = new ConcurrentSkipListMap<>();

	private volatile long now;

	public void pass(Duration time) {
		this.now += time.toNanos();
	}

	/**
	 * Let go on what has waited for a time that has come.
	 */
	public void ring() {
		Map.Entry<Long, CompletableFuture<Void>> due = this.alarms.firstEntry();
		while (due != null && due.getKey() <= this.now) {
			this.alarms.remove(due.getKey());
			due.getValue().complete(null);
			due = this.alarms.firstEntry();
		}
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		return delay.isZero() ? CompletableFuture.completedFuture(null)
				: this.alarms.computeIfAbsent(this.now + delay.toNanos(), (time) -> new CompletableFuture<>()).copy();
	}

}
