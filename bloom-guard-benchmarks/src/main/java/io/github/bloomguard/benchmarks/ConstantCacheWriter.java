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
