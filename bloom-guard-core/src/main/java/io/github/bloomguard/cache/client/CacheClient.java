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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.gate.RedisGate;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The guarded caches' way to Redis: the application's connection factory, or with Jedis
 * one like it that waits less. The first connection is made in the background, because a
 * driver makes whoever needs it wait for as long as that takes.
 * <p>
 * Concurrency: {@code contact} holds the attempt to connect that is under way or was the
 * last one; who finds that it has failed replaces it by compare-and-set and begins the
 * next. {@code reads} is written once, by the attempt that has succeeded.
 *
 * @since 1.0.0
 */
public final class CacheClient implements AutoCloseable {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private static final boolean REDISSON = isPresent("org.redisson.spring.data.connection.RedissonConnectionFactory");

	private final RedisConnectionFactory factory;

	private final RedisGate gate;

	private final Executor executor;

	private final AutoCloseable closing;

	private final AtomicReference<@Nullable CompletableFuture<EntryReads>> contact = new AtomicReference<>();

	private volatile @Nullable EntryReads reads;

	private CacheClient(RedisConnectionFactory factory, RedisGate gate, Executor executor, AutoCloseable closing) {
		this.factory = factory;
		this.gate = gate;
		this.executor = executor;
		this.closing = closing;
	}

	/**
	 * Create a client that is not connected yet.
	 * @param factory the application's connection factory
	 * @param gate how long a caller may wait, and whether Redis is asked
	 * @param executor where one may wait for the first connection
	 * @return the client
	 */
	public static CacheClient of(RedisConnectionFactory factory, RedisGate gate, Executor executor) {
		if (JEDIS && factory instanceof JedisConnectionFactory jedis) {
			JedisConnectionFactory bounded = BoundedJedis.of(jedis, gate.timeout());
			return new CacheClient(bounded, gate, executor, bounded::destroy);
		}
		return new CacheClient(factory, gate, executor, () -> {
		});
	}

	/**
	 * Return the connection factory that the caches are to use.
	 * @return the factory
	 */
	public RedisConnectionFactory factory() {
		return this.factory;
	}

	/**
	 * Read an entry.
	 * @param key its key in Redis
	 * @return its value, {@code null} if it is not there
	 * @throws InterruptedException if the thread is interrupted
	 * @throws ExecutionException if Redis has not answered, or with an error
	 * @throws TimeoutException if it has not answered in time
	 */
	public byte @Nullable [] read(byte[] key) throws InterruptedException, ExecutionException, TimeoutException {
		EntryReads reads = this.reads;
		return ((reads != null) ? reads : this.gate.get(contact(), this.gate.deadline())).read(key);
	}

	/**
	 * Begin to connect, so that the first caller need not wait for it. If it fails, the
	 * next caller begins again.
	 */
	public void connect() {
		contact();
	}

	/**
	 * Ask Redis whether it is there. Waits for as long as the driver does.
	 */
	public void ping() {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.ping();
		}
	}

	private CompletableFuture<EntryReads> contact() {
		CompletableFuture<EntryReads> former = this.contact.get();
		if (former != null && !former.isCompletedExceptionally()) {
			return former;
		}
		CompletableFuture<EntryReads> next = new CompletableFuture<>();
		if (!this.contact.compareAndSet(former, next)) {
			return contact();
		}
		try {
			this.executor.execute(() -> connect(next));
		}
		catch (RejectedExecutionException ex) {
			next.completeExceptionally(ex);
		}
		return next;
	}

	private void connect(CompletableFuture<EntryReads> contact) {
		try {
			ping();
			EntryReads made = newReads();
			this.reads = made;
			contact.complete(made);
		}
		catch (Throwable ex) {
			contact.completeExceptionally(ex);
		}
	}

	private EntryReads newReads() {
		EntryReads made = null;
		if (LETTUCE && this.factory instanceof LettuceConnectionFactory lettuce) {
			made = new LettuceReads(lettuce, this.gate);
		}
		else if (JEDIS && this.factory instanceof JedisConnectionFactory jedis) {
			made = JedisReads.of(jedis, this.gate);
		}
		else if (REDISSON) {
			made = RedissonReads.of(this.factory, this.gate);
		}
		return (made != null) ? made : BlockingReads.of(this.factory, this.gate);
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
