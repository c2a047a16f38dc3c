package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;

/**
 * Tells how many bits of a filter are set. Elements set bits all over a filter alike, so
 * those of a large one are counted in its first part only: {@code BITCOUNT} stops Redis
 * for 0.3 ms there, and for 124 ms in a filter of 500 MB. With half of the bits set, the
 * standard deviation of the result is 0.04 %.
 */
final class BitCount {

	/**
	 * The number of bytes in which bits are counted.
	 */
	static final int PART = 1 << 20;

	private final RScript script;

	/**
	 * Create an instance.
	 * @param redisson the client
	 * @param timeout the longest wait
	 */
	BitCount(RedissonClient redisson, Duration timeout) {
		this.script = redisson
			.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).timeout(timeout).retryAttempts(0));
	}

	/**
	 * Count.
	 * @param name the name of the filter
	 * @param bits its size
	 */
	CompletableFuture<Long> of(String name, long bits) {
		long bytes = (bits + Byte.SIZE - 1) / Byte.SIZE;
		long counted = Math.min(bytes, PART);
		return this.script
			.<Long>evalAsync(Mode.READ_WRITE, "return redis.call('bitcount', KEYS[1], 0, ARGV[1])", ReturnType.LONG,
					List.of(name), String.valueOf(counted - 1))
			.toCompletableFuture()
			.thenApply((set) -> (counted < bytes) ? Math.round((double) set * bits / (counted * Byte.SIZE)) : set);
	}

}
