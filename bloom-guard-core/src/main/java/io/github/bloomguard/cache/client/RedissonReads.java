package io.github.bloomguard.cache.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.gate.RedisGate;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Reads as Redisson's connection does, from where it does.
 *
 * @param commands sends commands
 * @param gate how long a caller may wait
 */
record RedissonReads(CommandAsyncExecutor commands, RedisGate gate) implements EntryReads {

	static @Nullable EntryReads of(RedisConnectionFactory factory, RedisGate gate) {
		try (RedisConnection connection = factory.getConnection()) {
			return (connection.getNativeConnection() instanceof Redisson redisson)
					? new RedissonReads(redisson.getCommandExecutor(), gate) : null;
		}
	}

	@Override
	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = this.gate.deadline();
		RFuture<byte @Nullable []> reply = this.commands.readAsync(key, ByteArrayCodec.INSTANCE, RedisCommands.GET,
				key);
		return this.gate.get(reply, deadline);
	}

}
