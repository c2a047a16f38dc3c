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

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.CircuitBreaker;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/**
 * Commands of Lettuce, whose callers wait for as long as they may.
 */
record LettuceCommands(LettuceConnectionFactory factory, CircuitBreaker breaker) implements EntryCommands {

	private static final Log logger = LogFactory.getLog(LettuceCommands.class);

	/**
	 * Say that an evict need not win where entries are read from servers that may lag.
	 */
	static void warnOfReplicas(LettuceConnectionFactory factory) {
		factory.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from.getClass() != ReadFrom.UPSTREAM.getClass())
			.ifPresent((from) -> logger.warn(LogMessage
				.format("Lettuce reads from replicas (readFrom is %s), so a cached value may be read that was evicted"
						+ " already: let the caches have a connection factory that reads from the primary, if that"
						+ " matters", from)));
	}

	@Override
	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		return await((commands) -> commands.get(key));
	}

	/**
	 * Read on the connection that is there. Another one is opened under a lock that each
	 * command takes, so a Redis that is silent by then would hold them all.
	 */
	@Override
	public CompletableFuture<byte @Nullable []> retrieve(byte[] key,
			Supplier<CompletableFuture<byte @Nullable []>> reactively) {
		if (!this.factory.getShareNativeConnection()) {
			return reactively.get();
		}
		try (RedisConnection connection = this.factory.getConnection()) {
			return commands(connection).get(key).toCompletableFuture();
		}
	}

	@Override
	public <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments)
			throws InterruptedException, ExecutionException, TimeoutException {
		ScriptOutputType output = LettuceConverters.toScriptOutputType(type);
		byte[][] names = Arrays.copyOf(keysAndArguments, keys);
		byte[][] arguments = Arrays.copyOfRange(keysAndArguments, keys, keysAndArguments.length);
		try {
			return await((commands) -> commands.evalsha(script.sha1(), output, names, arguments));
		}
		catch (ExecutionException ex) {
			if (!LuaScript.isUnknown(ex)) {
				throw ex;
			}
			return await((commands) -> commands.eval(script.source(), output, names, arguments));
		}
	}

	private <T extends @Nullable Object> T await(
			Function<RedisClusterAsyncCommands<byte[], byte @Nullable []>, RedisFuture<T>> command)
			throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = this.breaker.deadline();
		try (RedisConnection connection = this.factory.getConnection()) {
			return this.breaker.await(command.apply(commands(connection)), deadline);
		}
	}

	@SuppressWarnings("unchecked")
	private static RedisClusterAsyncCommands<byte[], byte @Nullable []> commands(RedisConnection connection) {
		return (RedisClusterAsyncCommands<byte[], byte @Nullable []>) connection.getNativeConnection();
	}

}
