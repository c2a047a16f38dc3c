package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;

/**
 * Keeps each filter where a {@code RBloomFilter} with the string codec finds it, whatever
 * codec the client has.
 *
 * @since 0.1.0
 */
public final class RedisFilterStore implements FilterStore {

	/**
	 * A string of many megabytes may take long to send.
	 */
	private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

	private static final int WRITE_RETRIES = 2;

	private final RedisAccess redis;

	private final Duration readTimeout;

	private final Duration writeTimeout;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	/**
	 * Create a store.
	 * @param redis the way to Redis
	 * @param readTimeout the longest wait for a lookup
	 * @param writeTimeout the longest wait for each attempt to write
	 */
	public RedisFilterStore(RedisAccess redis, Duration readTimeout, Duration writeTimeout) {
		this.redis = redis;
		this.readTimeout = readTimeout;
		this.writeTimeout = writeTimeout;
		this.reads = redis.commands(readTimeout, 0);
		this.writes = redis.commands(writeTimeout, WRITE_RETRIES);
	}

	@Override
	public CompletableFuture<StoredFilter> create(String name, FilterSpecification specification) {
		return configure(name, specification).thenCompose((nothing) -> filter(name, specification).create());
	}

	@Override
	public CompletableFuture<FilterLoad> load(String name, FilterSpecification specification, String prefix,
			long maxMemory) {
		// each write is sent once: one that was taken for lost and comes after it was
		// sent again would undo what has been added meanwhile
		PrimaryCommands commands = this.redis.commands(LOAD_TIMEOUT, 0);
		return configure(name, specification).thenApply((nothing) -> new RedisFilterLoad(filter(name, specification),
				name, specification, prefix, commands, maxMemory));
	}

	@Override
	public StoredFilter open(String name, FilterSpecification specification) {
		return filter(name, specification);
	}

	private RedisStoredFilter filter(String name, FilterSpecification specification) {
		return new RedisStoredFilter(this.reads, this.writes, this.readTimeout, name, specification);
	}

	/**
	 * Write what a {@code RBloomFilter} needs to read the filter, and no bits. Nothing
	 * can be added before the string is there with its word.
	 */
	private CompletableFuture<Void> configure(String name, FilterSpecification specification) {
		PlainOptions options = PlainOptions.name(name).codec(StringCodec.INSTANCE).timeout(this.writeTimeout);
		return this.redis
			.send(() -> this.redis.client()
				.<String>getBloomFilter(options)
				.tryInitAsync(specification.expectedInsertions(), specification.falsePositiveProbability()))
			.thenCompose((configured) -> configured ? CompletableFuture.completedFuture(null)
					: RedisStoredFilter.nameInUse(name));
	}

	@Override
	public CompletableFuture<Void> delete(String name) {
		String key = this.writes.map(name);
		return this.writes.send(key, RedisCommands.UNLINK, key, this.writes.map(configName(name)))
			.thenApply((count) -> null);
	}

	static String configName(String name) {
		return name + ":config";
	}

}
