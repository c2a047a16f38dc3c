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

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.core.log.LogMessage;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;

/**
 * Warns at the start of Redis caches that take the guard's keys along when they are
 * cleared: their keys begin with nothing that would tell them from others, and they are
 * not cleared by the guard's own writer, which spares them.
 */
public final class CachesWithoutPrefix implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(CachesWithoutPrefix.class);

	private final String ownPrefix;

	private final Supplier<Stream<CacheManager>> managers;

	private final Supplier<FilterCaches> filters;

	/**
	 * Create a check that asks for caches and filters when all beans are there.
	 * @param keyPrefix that of the guard's keys
	 */
	public CachesWithoutPrefix(String keyPrefix, Supplier<Stream<CacheManager>> managers,
			Supplier<FilterCaches> filters) {
		this.ownPrefix = keyPrefix + ":";
		this.managers = managers;
		this.filters = filters;
	}

	@Override
	public void afterSingletonsInstantiated() {
		FilterCaches filters = this.filters.get();
		if (!filters.names().isEmpty()) {
			this.managers.get()
				.forEach((manager) -> names(manager, filters).filter((name) -> isEndangering(manager.getCache(name)))
					.forEach(this::warn));
		}
	}

	private static Stream<String> names(CacheManager manager, FilterCaches filters) {
		Set<String> names = new TreeSet<>(manager.getCacheNames());
		filters.names().values().forEach(names::addAll);
		return names.stream();
	}

	private boolean isEndangering(@Nullable Cache cache) {
		return cache != null && NullEntries.target(cache) instanceof RedisCache redisCache
				&& !(redisCache.getNativeCache() instanceof SelectiveRedisCacheWriter writer && writer.sparesGuard())
				&& isOwn(redisCache.getCacheConfiguration(), redisCache.getName());
	}

	/**
	 * Return whether the keys of the guard begin as those of a cache do.
	 */
	private boolean isOwn(RedisCacheConfiguration configuration, String name) {
		try {
			return !configuration.usePrefix() || this.ownPrefix.startsWith(configuration.getKeyPrefixFor(name));
		}
		catch (RuntimeException ex) {
			// a prefix of the tenant of a call
			return false;
		}
	}

	private void warn(String cache) {
		logger.warn(LogMessage
			.format("The keys of the cache '%s' have no prefix of their own, so whatever clears it (allEntries = true,"
					+ " clear()) deletes the filters and all other keys '%s*' of the guard, if they are in the same"
					+ " Redis: adds fail, and the guard calls nothing absent until it has loaded the filters again. Write"
					+ " spring.cache.redis.use-key-prefix=true, or prefixCacheNameWith(\"cache:\") in the"
					+ " RedisCacheConfiguration of this cache, or build its RedisCacheManager with"
					+ " cacheGuard.writer() of the bean CacheGuard, which leaves these keys alone", cache,
					this.ownPrefix));
	}

}
