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
import java.util.Map;

import io.github.bloomguard.cache.CacheGuard;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * What makes the auto-configured cache manager a guarded one. Each line of Spring Boot
 * has another type that customizes it.
 */
public final class GuardedCacheManager {

	private final CacheGuard guard;

	private final @Nullable RedisCacheWriter writer;

	private final Map<String, Duration> timesToLive;

	GuardedCacheManager(CacheGuard guard, @Nullable RedisCacheWriter writer, Map<String, Duration> timesToLive) {
		this.guard = guard;
		this.writer = writer;
		this.timesToLive = timesToLive;
	}

	/**
	 * Give a cache manager the guarded writer, and caches their times to live.
	 * @param builder what builds the cache manager
	 */
	public void customize(RedisCacheManagerBuilder builder) {
		builder.cacheWriter((this.writer != null) ? this.guard.guard(this.writer) : this.guard.writer());
		this.timesToLive.forEach((name, ttl) -> builder.withCacheConfiguration(name,
				builder.getCacheConfigurationFor(name).orElseGet(builder::cacheDefaults).entryTtl(ttl)));
	}

}
