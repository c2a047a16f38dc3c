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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Leaves caches without {@link CacheRules rules} to the writer that the guarded one
 * decorates.
 */
final class SelectiveRedisCacheWriter extends RedisCacheWriterDecorator {

	private final GuardedRedisCacheWriter guarded;

	SelectiveRedisCacheWriter(RedisCacheWriter unguarded, GuardedRedisCacheWriter guarded) {
		super(unguarded);
		this.guarded = guarded;
	}

	/**
	 * Return whether a clear leaves the guard's own keys alone, which a writer of the
	 * application does not know.
	 */
	boolean sparesGuard() {
		return this.guarded.storesItself();
	}

	@Override
	RedisCacheWriter writer(String cache) {
		return (this.guarded.parts().rules(cache) != null) ? this.guarded : delegate();
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		return writer(name).get(name, key, ttl);
	}

	@Override
	public byte[] get(String name, byte[] key, Supplier<byte[]> valueLoader, @Nullable Duration ttl,
			boolean timeToIdleEnabled) {
		return writer(name).get(name, key, valueLoader, ttl, timeToIdleEnabled);
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		writer(name).put(name, key, value, ttl);
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new SelectiveRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector),
				this.guarded.withStatisticsCollector(cacheStatisticsCollector));
	}

}
