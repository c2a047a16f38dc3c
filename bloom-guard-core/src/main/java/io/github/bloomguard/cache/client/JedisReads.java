package io.github.bloomguard.cache.client;

import io.github.bloomguard.gate.RedisGate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Reads with the client in which Jedis keeps its pool. A connection of Spring Data Redis
 * would be made around that for each read, and throws an exception to itself when it is
 * closed.
 */
final class JedisReads {

	private JedisReads() {
	}

	/**
	 * Return what reads, or {@code null} if the factory has no such client, as before
	 * Spring Data Redis 4.1.
	 * @param factory the factory, whose client stays the same
	 * @param gate learns how reads went
	 */
	static @Nullable EntryReads of(JedisConnectionFactory factory, RedisGate gate) {
		try (RedisConnection connection = factory.getConnection()) {
			return (connection.getNativeConnection() instanceof UnifiedJedis client)
					? new BlockingReads(client::get, gate) : null;
		}
	}

}
