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

package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * A filter asked by hand in front of {@link PlainCacheable}, as one finds it in many
 * applications.
 */
abstract class FilteredCacheable implements Contender {

	private final PlainCacheable cacheable;

	private final String name;

	FilteredCacheable(PlainCacheable cacheable, String filter, double falsePositiveProbability) {
		this.cacheable = cacheable;
		this.name = "%s (p = %s) + @Cacheable".formatted(filter, falsePositiveProbability);
	}

	abstract boolean mightContain(long id);

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final @Nullable Product find(long id) {
		return mightContain(id) ? this.cacheable.find(id) : null;
	}

	@Override
	public final @Nullable Product findShared(long id) {
		return mightContain(id) ? this.cacheable.findShared(id) : null;
	}

	@Override
	public final long queries() {
		return this.cacheable.queries();
	}

	@Override
	public final LocalRedis redis() {
		return this.cacheable.redis();
	}

	@Override
	public final void close() {
		this.cacheable.close();
	}

}
