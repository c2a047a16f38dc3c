package io.github.bloomguard.chaos;

import java.time.Duration;

import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.testsupport.ShardedBackend;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Divides filters into as many strings as {@code -Dchaos.shards=} says if they are for
 * {@value #KEYS} keys, and larger ones into more.
 */
class ChaosBackend extends ShardedBackend {

	/**
	 * For how many keys the filters of the shop are.
	 */
	static final long KEYS = 10_000;

	/**
	 * Those of the stranger are for so many that they are always divided.
	 */
	static final long MORE_KEYS = 30_000;

	static final String PROPERTY = "chaos.shards";

	static final int SHARDS = Integer.getInteger(PROPERTY, 1);

	/**
	 * At a probability of 0.3.
	 */
	private static final double BYTES_EACH = 2.506 / 8;

	private static final int NO_BITS = 64;

	ChaosBackend(ObjectProvider<RedisAccess> redis) {
		super(redis, Instance.TIMEOUT, NO_BITS + (int) (KEYS * BYTES_EACH / SHARDS));
	}

}
