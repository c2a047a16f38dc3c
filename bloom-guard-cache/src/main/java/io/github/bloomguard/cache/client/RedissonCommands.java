/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.cache.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.circuit.CircuitBreaker;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Reads as Redisson's connection does, from where it does.
 */
record RedissonCommands(CommandAsyncExecutor commands, EntryCommands scripts,
		CircuitBreaker breaker) implements EntryCommands {

	static @Nullable EntryCommands of(RedisConnectionFactory factory, EntryCommands scripts, CircuitBreaker breaker) {
		try (RedisConnection connection = factory.getConnection()) {
			return (connection.getNativeConnection() instanceof Redisson redisson)
					? new RedissonCommands(redisson.getCommandExecutor(), scripts, breaker) : null;
		}
	}

	@Override
	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = this.breaker.deadline();
		RFuture<byte @Nullable []> reply = this.commands.readAsync(key, ByteArrayCodec.INSTANCE, RedisCommands.GET,
				key);
		return this.breaker.await(reply, deadline);
	}

	@Override
	public <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments)
			throws InterruptedException, ExecutionException, TimeoutException {
		return this.scripts.eval(script, type, keys, keysAndArguments);
	}

}
