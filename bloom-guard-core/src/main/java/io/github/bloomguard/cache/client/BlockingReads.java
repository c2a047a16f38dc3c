package io.github.bloomguard.cache.client;

import java.util.concurrent.ExecutionException;

import io.github.bloomguard.gate.RedisGate;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Reads with a driver that makes its caller wait, for as long as the driver is configured
 * to.
 *
 * @param factory gives connections
 * @param gate is told how it went
 */
record BlockingReads(RedisConnectionFactory factory, RedisGate gate) implements EntryReads {

	@Override
	public byte @Nullable [] read(byte[] key) throws ExecutionException {
		try (RedisConnection connection = this.factory.getConnection()) {
			byte[] value = connection.stringCommands().get(key);
			this.gate.answered();
			return value;
		}
		catch (RuntimeException ex) {
			this.gate.failed(ex);
			throw new ExecutionException(ex);
		}
	}

}
