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

package io.github.bloomguard.backend.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

import io.github.bloomguard.generation.MonotonicClock;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one filter beside its bits.
 * <p>
 * Concurrency: each step is made under the monitor. Only the epoch of the record and the
 * sentinels may be read without it.
 */
final class FilterMemory {

	private final MonotonicClock clock;

	private final long startedAt = System.currentTimeMillis();

	private final long startedAtNanos;

	private final MemoryRecord record = new MemoryRecord();

	private final Journal journal = new Journal();

	private final Sentinels sentinels = new Sentinels();

	private final Lease builder = new Lease();

	private final Map<String, Lease> turns = new HashMap<>();

	FilterMemory(MonotonicClock clock) {
		this.clock = clock;
		this.startedAtNanos = clock.nanoTime();
	}

	synchronized <T extends @Nullable Object> CompletableFuture<T> step(LongFunction<T> step) {
		return CompletableFuture.completedFuture(step.apply(now()));
	}

	/**
	 * Return the time in milliseconds, which never goes back.
	 */
	long now() {
		return this.startedAt + (this.clock.nanoTime() - this.startedAtNanos) / 1_000_000;
	}

	MemoryRecord record() {
		return this.record;
	}

	Journal journal() {
		return this.journal;
	}

	Sentinels sentinels() {
		return this.sentinels;
	}

	Lease builder() {
		return this.builder;
	}

	Lease turn(String origin) {
		return this.turns.computeIfAbsent(origin, (name) -> new Lease());
	}

}
