package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.bloomguard.filter.FilterSpecification;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.codec.StringCodec;

/**
 * What all {@link RawStoredFilter}s of a client share.
 */
final class RawStore {

	private final RedissonClient redisson;

	private final Duration readTimeout;

	private final Duration writeTimeout;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	private final BitCount bitCount;

	private final Function<String, CompletableFuture<Void>> deletion;

	/**
	 * Create a store.
	 * @param redisson the client
	 * @param readTimeout the longest wait for a lookup
	 * @param writeTimeout the longest wait for each attempt to write
	 * @param deletion deletes all that there is of a filter
	 */
	RawStore(RedissonClient redisson, Duration readTimeout, Duration writeTimeout,
			Function<String, CompletableFuture<Void>> deletion) {
		this.redisson = redisson;
		this.readTimeout = readTimeout;
		this.writeTimeout = writeTimeout;
		this.reads = new PrimaryCommands(redisson, OptionalOptions.defaults().timeout(readTimeout).retryAttempts(0));
		this.writes = new PrimaryCommands(redisson, OptionalOptions.defaults().timeout(writeTimeout));
		this.bitCount = new BitCount(redisson, writeTimeout);
		this.deletion = deletion;
	}

	PrimaryCommands reads() {
		return this.reads;
	}

	PrimaryCommands writes() {
		return this.writes;
	}

	Duration readTimeout() {
		return this.readTimeout;
	}

	/**
	 * Write what a {@code RBloomFilter} needs to read a filter.
	 * @param name the name
	 * @param specification the size
	 * @return whether that was done; {@code false} if the name is in use
	 */
	CompletableFuture<Boolean> configure(String name, FilterSpecification specification) {
		return this.redisson
			.<String>getBloomFilter(PlainOptions.name(name).codec(StringCodec.INSTANCE).timeout(this.writeTimeout))
			.tryInitAsync(specification.expectedInsertions(), specification.falsePositiveProbability())
			.toCompletableFuture();
	}

	BitCount bitCount() {
		return this.bitCount;
	}

	CompletableFuture<Void> delete(String name) {
		return this.deletion.apply(name);
	}

}
