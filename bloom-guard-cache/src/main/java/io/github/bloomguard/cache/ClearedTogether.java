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

import java.util.List;
import java.util.Map;
import java.util.Objects;
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

	private final Map<String, List<RedisCacheConfiguration>> configurations = new ConcurrentHashMap<>();

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
		String prefix = prefixes(cache).get(0);
		return prefix.equals(simplePrefix(cache)) ? cache : prefix;
	}

	/**
	 * Return one of all that have something in common, the cache itself first. Caches
	 * that no manager in this JVM has yet are not among them.
	 */
	Stream<String> by(String cache) {
		List<String> prefixes = prefixes(cache);
		Stream<String> within = this.managers.get()
			.flatMap((manager) -> manager.getCacheNames().stream())
			.distinct()
			.filter((other) -> !as(other).equals(as(cache)))
			.filter((other) -> prefixes(other).stream()
				.anyMatch((prefix) -> prefixes.stream().anyMatch(prefix::startsWith)));
		return Stream.concat(Stream.of(cache), within);
	}

	/**
	 * Return one for each manager that has the cache. What an application has decorated
	 * does not tell.
	 */
	private List<String> prefixes(String cache) {
		List<RedisCacheConfiguration> found = this.configurations.computeIfAbsent(cache,
				(name) -> this.managers.get()
					.map((manager) -> manager.getCache(name))
					.filter(Objects::nonNull)
					.map(NullEntries::target)
					.filter(RedisCache.class::isInstance)
					.map((known) -> ((RedisCache) known).getCacheConfiguration())
					.toList());
		return found.isEmpty() ? List.of(simplePrefix(cache))
				: found.stream()
					.map((configuration) -> configuration.usePrefix() ? configuration.getKeyPrefixFor(cache) : "")
					.toList();
	}

	private static String simplePrefix(String cache) {
		return CacheKeyPrefix.simple().compute(cache);
	}

}
