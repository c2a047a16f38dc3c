package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommands;

/**
 * Keeps each filter where a {@code RBloomFilter} with the string codec finds it, whatever
 * codec the client has. One that is not sealed expires unless it is kept alive.
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

	private final String keyPrefix;

	private final Duration readTimeout;

	private final Duration writeTimeout;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	/**
	 * Create a store.
	 * @param redis the way to Redis
	 * @param keyPrefix what the name of each Redis key begins with
	 * @param readTimeout the longest wait for a lookup
	 * @param writeTimeout the longest wait for each attempt to write
	 */
	public RedisFilterStore(RedisAccess redis, String keyPrefix, Duration readTimeout, Duration writeTimeout) {
		this.redis = redis;
		this.keyPrefix = keyPrefix;
		this.readTimeout = readTimeout;
		this.writeTimeout = writeTimeout;
		this.reads = redis.commands(readTimeout, 0);
		this.writes = redis.commands(writeTimeout, WRITE_RETRIES);
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		RedisStoredFilter filter = open(id, specification);
		return configure(filter, specification).thenCompose((nothing) -> filter.create());
	}

	@Override
	public CompletableFuture<FilterLoad> load(GenerationId id, FilterSpecification specification, String prefix,
			long maxMemory) {
		// each write is sent once: one that was taken for lost and comes after it was
		// sent again would undo what has been added meanwhile
		PrimaryCommands commands = this.redis.commands(LOAD_TIMEOUT, 0);
		RedisStoredFilter filter = open(id, specification);
		return configure(filter, specification)
			.thenApply((nothing) -> new RedisFilterLoad(filter, specification, prefix, commands, maxMemory));
	}

	@Override
	public RedisStoredFilter open(GenerationId id, FilterSpecification specification) {
		return new RedisStoredFilter(this.reads, this.writes, this.readTimeout, id, name(id), specification);
	}

	/**
	 * Write what a {@code RBloomFilter} needs to read the filter, and no bits. Nothing
	 * can be added before the string is there with its word.
	 */
	private CompletableFuture<Void> configure(RedisStoredFilter filter, FilterSpecification specification) {
		PlainOptions options = PlainOptions.name(filter.name()).codec(StringCodec.INSTANCE).timeout(this.writeTimeout);
		return this.redis
			.send(() -> this.redis.client()
				.<String>getBloomFilter(options)
				.tryInitAsync(specification.expectedInsertions(), specification.falsePositiveProbability()))
			.thenCompose((configured) -> configured ? filter.keepAlive() : RedisStoredFilter.nameInUse(filter.id()));
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id) {
		String name = name(id);
		String key = this.writes.map(name);
		return this.writes.send(key, RedisCommands.UNLINK, key, this.writes.map(configName(name)))
			.thenApply((count) -> null);
	}

	private String name(GenerationId id) {
		return new RedisKeys(this.keyPrefix, id.filter()).bits(id.id());
	}

	static String configName(String name) {
		return name + ":config";
	}

}
