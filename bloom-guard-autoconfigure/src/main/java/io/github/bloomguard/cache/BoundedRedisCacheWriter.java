package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatistics;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Reads and writes entries through the asynchronous side of another writer, so that a
 * Redis that does not answer holds a caller no longer than the {@link Deadline}. What
 * removes entries is left as it is: a caller must know if that failed.
 */
final class BoundedRedisCacheWriter implements RedisCacheWriter {

	private final RedisCacheWriter delegate;

	private final Deadline deadline;

	private BoundedRedisCacheWriter(RedisCacheWriter delegate, Deadline deadline) {
		this.delegate = delegate;
		this.deadline = deadline;
	}

	/**
	 * Bound a writer, if it has an asynchronous side.
	 */
	static RedisCacheWriter of(RedisCacheWriter writer, Deadline deadline) {
		return writer.supportsAsyncRetrieve() ? new BoundedRedisCacheWriter(writer, deadline) : writer;
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key) {
		return get(name, key, null);
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		return this.deadline.<byte @Nullable []>await(() -> retrieve(name, key, ttl));
	}

	@Override
	public boolean supportsAsyncRetrieve() {
		return true;
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		return this.delegate.retrieve(name, key, ttl);
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		this.deadline.await(() -> store(name, key, value, ttl));
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		return this.delegate.store(name, key, value, ttl);
	}

	@Override
	public byte @Nullable [] putIfAbsent(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		return this.delegate.putIfAbsent(name, key, value, ttl);
	}

	@Override
	public void evict(String name, byte[] key) {
		this.delegate.evict(name, key);
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		return this.delegate.evictIfPresent(name, key);
	}

	@Override
	public void clear(String name, byte[] pattern) {
		this.delegate.clear(name, pattern);
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		return this.delegate.invalidate(name, pattern);
	}

	@Override
	public void clearStatistics(String name) {
		this.delegate.clearStatistics(name);
	}

	@Override
	public CacheStatistics getCacheStatistics(String cacheName) {
		return this.delegate.getCacheStatistics(cacheName);
	}

	@Override
	public <T extends @Nullable Object> T execute(Function<RedisConnection, T> callback) {
		return this.delegate.execute(callback);
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new BoundedRedisCacheWriter(this.delegate.withStatisticsCollector(cacheStatisticsCollector),
				this.deadline);
	}

}
