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

package io.github.bloomguard.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatistics;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Holds the value that was put last, whatever its key.
 */
final class ConstantCacheWriter implements RedisCacheWriter {

	private byte[] value = new byte[0];

	@Override
	public byte @Nullable [] get(String name, byte[] key) {
		return this.value;
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		return CompletableFuture.completedFuture(this.value);
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		this.value = value;
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		put(name, key, value, ttl);
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public byte @Nullable [] putIfAbsent(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		return this.value;
	}

	@Override
	public void evict(String name, byte[] key) {
	}

	@Override
	public void clear(String name, byte[] pattern) {
	}

	@Override
	public void clearStatistics(String name) {
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return this;
	}

	@Override
	public CacheStatistics getCacheStatistics(String cacheName) {
		return CacheStatisticsCollector.none().getCacheStatistics(cacheName);
	}

}
