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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Keeps filters in the memory of this process, which alone knows of them: for an
 * application of one instance, for development and for tests. They are gone when it ends,
 * so each start loads them.
 *
 * @since 1.0.0
 */
public final class MemoryBackend implements FilterBackend {

	public static final String TYPE = "memory";

	private static final long MEGABYTE = 1 << 20;

	private final long maxMemory;

	private final MonotonicClock clock;

	private final MemoryFilterStore filters = new MemoryFilterStore();

	private final Map<String, FilterMemory> memories = new ConcurrentHashMap<>();

	public MemoryBackend() {
		this(Runtime.getRuntime().maxMemory(), MonotonicClock.SYSTEM);
	}

	MemoryBackend(long maxMemory, MonotonicClock clock) {
		this.maxMemory = maxMemory;
		this.clock = clock;
	}

	@Override
	public String type() {
		return TYPE;
	}

	@Override
	public void check(FilterSpecification specification) {
		long needed = 2 * specification.bits() / Byte.SIZE;
		new FilterChecks(specification.filter()).that(needed <= this.maxMemory, "expected-insertions",
				"%d, which needs %d MB of memory while the filter is rebuilt; the JVM has at most %d MB"
					.formatted(specification.expectedInsertions(), needed / MEGABYTE, this.maxMemory / MEGABYTE),
				"Give the JVM more memory (-Xmx), set it to less, or keep the filter in Redis");
	}

	@Override
	public FilterStore filters() {
		return this.filters;
	}

	@Override
	public ControlStore control(FilterSettings settings, Origin origin) {
		new FilterChecks(settings.name()).that(settings.adding().replicas() == 0, "add-replicas",
				settings.adding().replicas() + ", but a filter in memory has no replicas",
				"Remove it, or keep the filter in Redis");
		return new MemoryControlStore(memory(settings), settings.adding(), origin);
	}

	@Override
	public EmptySentinels sentinels(FilterSettings settings, Origin origin) {
		return new MemoryEmptySentinels(memory(settings), settings, origin);
	}

	@Override
	public CheckpointStore checkpoints(FilterSettings settings, Origin origin) {
		return new MemoryCheckpointStore(memory(settings), origin);
	}

	private FilterMemory memory(FilterSettings settings) {
		return this.memories.computeIfAbsent(settings.name(), (filter) -> new FilterMemory(this.clock));
	}

}
