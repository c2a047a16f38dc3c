package io.github.bloomguard.cache;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Reads and writes entries through the asynchronous side of another writer, so that a
 * Redis that does not answer holds a caller no longer than the {@link Deadline}. What
 * removes entries is left as it is: a caller must know if that failed.
 */
final class BoundedRedisCacheWriter extends RedisCacheWriterDecorator {

	private final Deadline deadline;

	private BoundedRedisCacheWriter(RedisCacheWriter delegate, Deadline deadline) {
		super(delegate);
		this.deadline = deadline;
	}

	/**
	 * Bound a writer, if it has an asynchronous side.
	 */
	static RedisCacheWriter of(RedisCacheWriter writer, Deadline deadline) {
		return writer.supportsAsyncRetrieve() ? new BoundedRedisCacheWriter(writer, deadline) : writer;
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		return this.deadline.<byte @Nullable []>await(() -> retrieve(name, key, ttl));
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		this.deadline.await(() -> store(name, key, value, ttl));
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new BoundedRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector), this.deadline);
	}

}
