package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import org.redisson.api.RedissonClient;

/**
 * Keeps each filter in a {@code RBloomFilter}, with the string codec whatever codec the
 * client has.
 *
 * @since 0.1.0
 */
public final class RedissonFilterStore implements FilterStore {

	private final RedissonClient redisson;

	private final Duration readTimeout;

	private final Duration writeTimeout;

	/**
	 * Create a store.
	 * @param redisson the client
	 * @param readTimeout the longest wait for a lookup
	 * @param writeTimeout the longest wait for each attempt to write
	 */
	public RedissonFilterStore(RedissonClient redisson, Duration readTimeout, Duration writeTimeout) {
		this.redisson = redisson;
		this.readTimeout = readTimeout;
		this.writeTimeout = writeTimeout;
	}

	@Override
	public CompletableFuture<StoredFilter> create(String name, FilterSpecification specification) {
		return newFilter(name, specification).create();
	}

	@Override
	public StoredFilter open(String name, FilterSpecification specification) {
		return newFilter(name, specification);
	}

	@Override
	public CompletableFuture<Void> delete(String name) {
		return this.redisson.getKeys()
			.unlinkAsync(name, RedissonStoredFilter.configName(name))
			.toCompletableFuture()
			.thenApply((count) -> null);
	}

	private RedissonStoredFilter newFilter(String name, FilterSpecification specification) {
		return new RedissonStoredFilter(this.redisson, name, specification, this.readTimeout, this.writeTimeout);
	}

}
