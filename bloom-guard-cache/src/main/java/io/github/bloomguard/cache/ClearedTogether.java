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

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.data.redis.cache.CacheKeyPrefix;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;

/**
 * Which caches lose their entries when one is cleared: those whose keys begin as its keys
 * do. Their prefixes are computed each time, as Spring does, because they may depend on
 * the tenant of a call.
 */
final class ClearedTogether {

	private final Supplier<Stream<RedisCacheManager>> managers;

	private final Map<String, Optional<RedisCacheConfiguration>> configurations = new ConcurrentHashMap<>();

	/**
	 * @param managers those of the caches, asked when a cache is used for the first time
	 */
	ClearedTogether(Supplier<Stream<RedisCacheManager>> managers) {
		this.managers = managers;
	}

	/**
	 * Return what caches have in common that have one prefix: it, or the name of the only
	 * one that can have it.
	 */
	String as(String cache) {
		String prefix = prefix(cache);
		return prefix.equals(simplePrefix(cache)) ? cache : prefix;
	}

	/**
	 * Return one of all that have something in common, the cache itself first. Caches
	 * that no manager in this JVM has yet are not among them.
	 */
	Stream<String> by(String cache) {
		String prefix = prefix(cache);
		Stream<String> within = this.managers.get()
			.flatMap((manager) -> manager.getCacheNames().stream())
			.filter((other) -> {
				String longer = prefix(other);
				return longer.length() > prefix.length() && longer.startsWith(prefix);
			});
		return Stream.concat(Stream.of(cache), within);
	}

	private String prefix(String cache) {
		return this.configurations
			.computeIfAbsent(cache,
					(name) -> this.managers.get()
						.map((manager) -> manager.getCache(name))
						.filter(Objects::nonNull)
						.findFirst()
						.map((found) -> ((RedisCache) NullEntries.target(found)).getCacheConfiguration()))
			.map((configuration) -> configuration.usePrefix() ? configuration.getKeyPrefixFor(cache) : "")
			.orElseGet(() -> simplePrefix(cache));
	}

	private static String simplePrefix(String cache) {
		return CacheKeyPrefix.simple().compute(cache);
	}

}
