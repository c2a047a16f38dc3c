package io.github.bloomguard.cache.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.gate.RedisGate;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Reads through the asynchronous commands of the connection that the application's
 * factory gives: the same one that Spring Data Redis would send the command on.
 *
 * @param factory the application's factory
 * @param gate how long a caller may wait
 */
record LettuceReads(LettuceConnectionFactory factory, RedisGate gate) implements EntryReads {

	@Override
	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = this.gate.deadline();
		try (RedisConnection connection = this.factory.getConnection()) {
			RedisFuture<byte @Nullable []> reply = commands(connection).get(key);
			return this.gate.get(reply, deadline);
		}
	}

	@SuppressWarnings("unchecked")
	private static RedisClusterAsyncCommands<byte[], byte @Nullable []> commands(RedisConnection connection) {
		return (RedisClusterAsyncCommands<byte[], byte @Nullable []>) connection.getNativeConnection();
	}

}
