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
import java.util.function.Supplier;

import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.circuit.SharedAttempt;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The guarded caches' way to Redis: the application's connection factory, or with Jedis
 * one like it that waits less. The first connection is made in the background, because a
 * driver makes its first caller wait for as long as that takes.
 * <p>
 * Concurrency: {@code commands} is written once, by the attempt that has succeeded.
 */
public final class CacheClient implements AutoCloseable {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private static final boolean REDISSON = isPresent("org.redisson.spring.data.connection.RedissonConnectionFactory");

	private final RedisConnectionFactory factory;

	private final CircuitBreaker breaker;

	private final Executor executor;

	private final AutoCloseable closing;

	private final SharedAttempt<EntryCommands> contact = new SharedAttempt<>(this::beginToConnect);

	private volatile @Nullable EntryCommands commands;

	private CacheClient(RedisConnectionFactory factory, CircuitBreaker breaker, Executor executor,
			AutoCloseable closing) {
		this.factory = factory;
		this.breaker = breaker;
		this.executor = executor;
		this.closing = closing;
	}

	/**
	 * Create a client that is not connected yet.
	 * @param executor where one may wait, for the first connection and for drivers
	 * without asynchronous commands
	 */
	public static CacheClient of(RedisConnectionFactory factory, CircuitBreaker breaker, Executor executor) {
		if (JEDIS && factory instanceof JedisConnectionFactory jedis) {
			JedisConnectionFactory bounded = BoundedJedis.of(jedis, breaker.timeout());
			return new CacheClient(bounded, breaker, executor, bounded::destroy);
		}
		if (LETTUCE && factory instanceof LettuceConnectionFactory lettuce) {
			LettuceCommands.warnOfReplicas(lettuce);
		}
		return new CacheClient(factory, breaker, executor, () -> {
		});
	}

	public RedisConnectionFactory factory() {
		return this.factory;
	}

	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		return commands().read(key);
	}

	/**
	 * Read an entry without waiting.
	 * @param reactively does so by the driver's reactive side
	 */
	public CompletableFuture<byte @Nullable []> retrieve(byte[] key,
			Supplier<CompletableFuture<byte @Nullable []>> reactively) {
		EntryCommands commands = this.commands;
		return (commands != null) ? Attempt.of(() -> commands.retrieve(key, reactively))
				: this.contact.get().thenCompose((made) -> made.retrieve(key, reactively));
	}

	public <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments)
			throws InterruptedException, ExecutionException, TimeoutException {
		return commands().eval(script, type, keys, keysAndArguments);
	}

	private EntryCommands commands() throws InterruptedException, ExecutionException, TimeoutException {
		EntryCommands commands = this.commands;
		return (commands != null) ? commands : this.breaker.await(this.contact.get(), this.breaker.deadline());
	}

	/**
	 * Begin to connect. If it fails, the next caller begins again.
	 * @return completes when that has ended
	 */
	public CompletableFuture<?> connect() {
		return this.contact.get();
	}

	/**
	 * Ask Redis whether it is there. Waits for as long as the driver does.
	 */
	public void ping() {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.ping();
		}
	}

	private CompletableFuture<EntryCommands> beginToConnect() {
		return CompletableFuture.supplyAsync(() -> {
			ping();
			EntryCommands made = newCommands();
			this.commands = made;
			return made;
		}, this.executor);
	}

	private EntryCommands newCommands() {
		if (LETTUCE && this.factory instanceof LettuceConnectionFactory lettuce) {
			return new LettuceCommands(lettuce, this.breaker);
		}
		if (JEDIS && this.factory instanceof JedisConnectionFactory jedis) {
			return JedisCommands.of(jedis, this.breaker);
		}
		EntryCommands blocking = BlockingCommands.of(this.factory, this.executor, this.breaker);
		EntryCommands redisson = REDISSON ? RedissonCommands.of(this.factory, blocking, this.breaker) : null;
		return (redisson != null) ? redisson : blocking;
	}

	@Override
	public void close() {
		try {
			this.closing.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException("The connections of the caches can't be closed", ex);
		}
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, CacheClient.class.getClassLoader());
	}

}
