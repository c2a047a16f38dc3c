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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Commands of a driver that makes its caller wait for as long as it is configured to.
 */
record BlockingCommands(RedisConnectionFactory factory, Get get, Executor executor,
		CircuitBreaker breaker) implements EntryCommands {

	static EntryCommands of(RedisConnectionFactory factory, Executor executor, CircuitBreaker breaker) {
		return new BlockingCommands(factory, (key) -> {
			try (RedisConnection connection = factory.getConnection()) {
				return connection.stringCommands().get(key);
			}
		}, executor, breaker);
	}

	@Override
	public byte @Nullable [] read(byte[] key) throws ExecutionException {
		try {
			byte[] value = this.get.value(key);
			this.breaker.answered();
			return value;
		}
		catch (RuntimeException ex) {
			this.breaker.failed(ex);
			throw new ExecutionException(ex);
		}
	}

	@Override
	public <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments)
			throws InterruptedException, ExecutionException, TimeoutException {
		long deadline = this.breaker.deadline();
		CompletableFuture<@Nullable T> reply = Attempt.of(() -> CompletableFuture.supplyAsync(() -> {
			try (RedisConnection connection = this.factory.getConnection()) {
				return script.<T>run(connection.scriptingCommands(), type, keys, keysAndArguments);
			}
		}, this.executor));
		return this.breaker.await(reply, deadline);
	}

	@FunctionalInterface
	interface Get {

		byte @Nullable [] value(byte[] key);

	}

}
