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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.cache.client.CacheClient;
import io.github.bloomguard.cache.client.LuaScript;
import io.github.bloomguard.cache.client.RedisReplies;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.call.Answer;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.BatchStrategy;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Guards the Redis caches of an application. The auto-configured cache manager is guarded
 * already; one that an application builds itself is by the writer that it is given:
 *
 * <pre class="code">
 * RedisCacheManager.builder(cacheGuard.writer())
 * </pre>
 */
public final class CacheGuard implements AutoCloseable {

	private static final int COMMAND_THREADS = 8;

	private static final int WAITING_COMMANDS = 10_000;

	private static final Duration PROBE_PAUSE = Duration.ofMillis(250);

	private final Executor later = CompletableFuture.delayedExecutor(PROBE_PAUSE.toMillis(), TimeUnit.MILLISECONDS,
			Runnable::run);

	private final RedisConnectionFactory connectionFactory;

	private final ExecutorService commandExecutor = commandExecutor();

	/**
	 * Where drivers without asynchronous commands wait, for which those above wait.
	 */
	private final ExecutorService driverExecutor = commandExecutor();

	private final CircuitBreaker breaker;

	private final CacheClient client;

	private final BatchStrategy clearing;

	private volatile boolean closed;

	private volatile CompletableFuture<?> ready = CompletableFuture.completedFuture(null);

	private final CacheParts parts;

	/**
	 * @param rules gives the rules of a cache by its name; {@code null} for one that is
	 * left as it is. It is asked once for each name
	 * @param timeout the longest wait for Redis before a call goes on without the cache
	 * @param nullMayBeStored tells for which entries null values may be stored, by the
	 * name of the cache and the key in Redis. It is asked by the caller's thread, and
	 * what it returns by one that may wait, right before the null value is stored
	 * @param managers those of the caches, asked when a cache is used for the first time
	 */
	public CacheGuard(RedisConnectionFactory connectionFactory, String keyPrefix,
			Function<String, @Nullable CacheRules> rules, List<? extends CacheLoadListener> listeners,
			Executor loadExecutor, Duration timeout,
			BiFunction<String, byte[], Supplier<Answer<Boolean>>> nullMayBeStored,
			Supplier<Stream<RedisCacheManager>> managers) {
		this.connectionFactory = connectionFactory;
		this.breaker = new CircuitBreaker("cached calls go on without their caches", timeout, RedisReplies::isReply);
		this.client = CacheClient.of(connectionFactory, this.breaker, this.driverExecutor);
		this.clearing = new GuardSparingStrategy(keyPrefix);
		CacheEvents events = new CacheEvents(listeners);
		ClearedTogether cleared = new ClearedTogether(managers);
		CompanionKeys companions = new CompanionKeys(keyPrefix, cleared::as);
		EntryScripts scripts = new EntryScripts(this::eval, companions);
		EntryScripts missScripts = new EntryScripts(this::insist, companions);
		EntryScripts patientScripts = new EntryScripts(new Patient(connectionFactory)::eval, companions);
		LateCommands late = new LateCommands(patientScripts, this.commandExecutor);
		TokenReturns returns = new TokenReturns(missScripts, this.commandExecutor);
		Epoch epoch = new Epoch(patientScripts, this.commandExecutor, this.breaker::permits);
		ConcurrentMap<String, Optional<CacheRules>> known = new ConcurrentHashMap<>();
		this.parts = new CacheParts(
				(cache) -> known.computeIfAbsent(cache, (name) -> Optional.ofNullable(rules.apply(name))).orElse(null),
				nullMayBeStored, events, companions, cleared, scripts, missScripts, patientScripts, late, returns,
				epoch, new SingleFlight(scripts, missScripts, events, late, returns, epoch),
				new EarlyRefresh(scripts, events), loadExecutor, this.commandExecutor);
		this.breaker.addListener((cause) -> awaitRedis());
	}

	/**
	 * Return a writer that applies the rules and writes immediately. What clears a cache
	 * leaves the guard's own keys alone. A connection is opened in the background: the
	 * first one takes longer than a call waits.
	 */
	public RedisCacheWriter writer() {
		this.ready = this.client.connect().thenRunAsync(this.parts.epoch()::ask, this.commandExecutor);
		return guard(SpringDataRedisVersion.CURRENT.create(this.client.factory(), this.clearing), this.client,
				SpringDataRedisVersion.CURRENT.create(this.connectionFactory, this.clearing));
	}

	/**
	 * Return a writer that applies the rules to what another one writes. Without an
	 * asynchronous side, that one decides how long a caller waits. It stores values
	 * itself, so one that was loaded before an eviction can be stored after it.
	 */
	public RedisCacheWriter guard(RedisCacheWriter writer) {
		return guard(writer, null, writer);
	}

	private RedisCacheWriter guard(RedisCacheWriter writer, @Nullable CacheClient client, RedisCacheWriter unguarded) {
		RedisCacheWriter bounded = new BoundedRedisCacheWriter(writer, this.breaker, client,
				CacheStatisticsCollector.none());
		return new SelectiveRedisCacheWriter(unguarded,
				new GuardedRedisCacheWriter(bounded, client != null, this.parts));
	}

	@Override
	public void close() {
		this.closed = true;
		this.commandExecutor.shutdownNow();
		this.driverExecutor.shutdownNow();
		this.client.close();
	}

	/**
	 * Ask Redis until it answers, also if there is no room for that command now.
	 */
	private void awaitRedis() {
		if (!this.closed && !this.breaker.permits()) {
			this.parts.run(() -> {
				this.client.ping();
				this.breaker.answered();
			}).exceptionallyCompose((failure) -> CompletableFuture.runAsync(this::awaitRedis, this.later));
		}
	}

	CircuitBreaker breaker() {
		return this.breaker;
	}

	/**
	 * Completes when what the caches need was asked for in the background.
	 */
	CompletableFuture<?> ready() {
		return this.ready;
	}

	CacheParts parts() {
		return this.parts;
	}

	private <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
		return BoundedRedisCacheWriter.await(this.breaker,
				() -> this.client.eval(script, type, keys, keysAndArguments));
	}

	private <T> @Nullable T insist(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
		return BoundedRedisCacheWriter.insist(this.breaker,
				() -> this.client.eval(script, type, keys, keysAndArguments));
	}

	private static ExecutorService commandExecutor() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("bloom-guard-cache-");
		threads.setDaemon(true);
		ThreadPoolExecutor executor = new ThreadPoolExecutor(COMMAND_THREADS, COMMAND_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(WAITING_COMMANDS), threads);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private record Patient(RedisConnectionFactory factory) {

		<T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
			try (RedisConnection connection = this.factory.getConnection()) {
				return script.run(connection.scriptingCommands(), type, keys, keysAndArguments);
			}
		}

	}

}
