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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatistics;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * A writer that hands on what is not overridden.
 */
abstract class RedisCacheWriterDecorator implements RedisCacheWriter {

	private final RedisCacheWriter delegate;

	RedisCacheWriterDecorator(RedisCacheWriter delegate) {
		this.delegate = delegate;
	}

	final RedisCacheWriter delegate() {
		return this.delegate;
	}

	/**
	 * Return what serves a cache unless a method is overridden.
	 */
	RedisCacheWriter writer(String cache) {
		return this.delegate;
	}

	@Override
	public final byte @Nullable [] get(String name, byte[] key) {
		return get(name, key, null);
	}

	@Override
	public abstract byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl);

	@Override
	public final boolean supportsAsyncRetrieve() {
		return this.delegate.supportsAsyncRetrieve();
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		return writer(name).retrieve(name, key, ttl);
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		return writer(name).store(name, key, value, ttl);
	}

	@Override
	public byte @Nullable [] putIfAbsent(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		return writer(name).putIfAbsent(name, key, value, ttl);
	}

	@Override
	public void evict(String name, byte[] key) {
		SpringDataRedisVersion.CURRENT.evict(writer(name), name, key);
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		return SpringDataRedisVersion.CURRENT.evictIfPresent(writer(name), name, key);
	}

	/**
	 * Evict, as versions before 4.0 call it.
	 */
	@SuppressWarnings("removal")
	public final void remove(String name, byte[] key) {
		evict(name, key);
	}

	/**
	 * Clear, as versions before 4.0 call it.
	 */
	@SuppressWarnings("removal")
	public final void clean(String name, byte[] pattern) {
		clear(name, pattern);
	}

	@Override
	public void clear(String name, byte[] pattern) {
		SpringDataRedisVersion.CURRENT.clear(writer(name), name, pattern);
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		return SpringDataRedisVersion.CURRENT.invalidate(writer(name), name, pattern);
	}

	@Override
	public final void clearStatistics(String name) {
		writer(name).clearStatistics(name);
	}

	@Override
	public final CacheStatistics getCacheStatistics(String cacheName) {
		return writer(cacheName).getCacheStatistics(cacheName);
	}

	@Override
	public final <T extends @Nullable Object> T execute(Function<RedisConnection, T> callback) {
		return this.delegate.execute(callback);
	}

}
