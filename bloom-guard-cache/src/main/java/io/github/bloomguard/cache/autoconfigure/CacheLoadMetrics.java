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

package io.github.bloomguard.cache.autoconfigure;

import java.time.Duration;

import io.github.bloomguard.cache.CacheLoadListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Meters around the loads of guarded caches, tagged with {@code cache}.
 */
final class CacheLoadMetrics implements CacheLoadListener {

	private static final String PREFIX = "bloom.guard.cache.";

	private final MeterRegistry registry;

	CacheLoadMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onLoad(String cache, Duration duration, boolean failed) {
		record("loads", "Loads of values that were not cached", cache, failed ? "failure" : "success", duration);
	}

	@Override
	public void onWait(String cache, Duration duration, boolean shared) {
		record("waits", "Callers that waited for the load of another one", cache, shared ? "shared" : "timeout",
				duration);
	}

	@Override
	public void onEarlyRefresh(String cache) {
		count("early.refreshes", "Values that were loaded again before they expired", cache);
	}

	@Override
	public void onStale(String cache, Throwable cause) {
		count("stale", "Expired values that were served because a load failed", cache);
	}

	@Override
	public void onNullHit(String cache) {
		count("null.hits", "Callers that were answered with a null value", cache);
	}

	@Override
	public void onLatePut(String cache, boolean stored) {
		count("late.puts", "Values that Redis did not take in time", cache, "outcome", stored ? "stored" : "dropped");
	}

	private void record(String name, String description, String cache, String outcome, Duration duration) {
		Timer.builder(PREFIX + name)
			.description(description)
			.tag("cache", cache)
			.tag("outcome", outcome)
			.register(this.registry)
			.record(duration);
	}

	private void count(String name, String description, String cache, String... tags) {
		Counter.builder(PREFIX + name)
			.description(description)
			.tag("cache", cache)
			.tags(tags)
			.register(this.registry)
			.increment();
	}

}
