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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.cache.client.CacheClient;
import io.github.bloomguard.cache.client.LuaScript;
import io.github.bloomguard.cache.client.RedisReplies;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
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

	private final ConcurrentMap<String, Selected> rules = new ConcurrentHashMap<>();

	private final Function<String, @Nullable CacheRules> rulesByName;

	private final CacheEvents events;

	private final Executor loadExecutor;

	private final ExecutorService commandExecutor;

	private final BiPredicate<String, byte[]> nullMayBeStored;

	private final CompanionKeys companions;

	private final RedisCircuitBreaker breaker;

	private final CacheClient client;

	private volatile boolean closed;

	private final EntryScripts scripts;

	private final EntryScripts patientScripts;

	private final SingleFlight flights;

	private final EarlyRefresh earlyRefresh;

	/**
	 * @param rules gives the rules of a cache by its name; {@code null} for one that is
	 * left as it is. It is asked once for each name
	 * @param timeout the longest wait for Redis before a call goes on without the cache
	 * @param nullMayBeStored tells for which entries null values may be stored, by the
	 * name of the cache and the key in Redis
	 */
	public CacheGuard(RedisConnectionFactory connectionFactory, String keyPrefix,
			Function<String, @Nullable CacheRules> rules, List<? extends CacheLoadListener> listeners,
			Executor loadExecutor, Duration timeout, BiPredicate<String, byte[]> nullMayBeStored) {
		this.rulesByName = rules;
		this.events = new CacheEvents(listeners);
		this.loadExecutor = loadExecutor;
		this.nullMayBeStored = nullMayBeStored;
		this.companions = new CompanionKeys(keyPrefix);
		this.commandExecutor = commandExecutor();
		this.breaker = new RedisCircuitBreaker("cached calls go on without their caches", timeout,
				RedisReplies::isReply);
		this.breaker.addListener((cause) -> run(this::awaitRedis));
		this.client = CacheClient.of(connectionFactory, this.breaker, this.commandExecutor);
		this.scripts = new EntryScripts(this::eval, this.companions);
		this.patientScripts = new EntryScripts(new Patient(connectionFactory)::eval, this.companions);
		this.flights = new SingleFlight(this.scripts, this.events);
		this.earlyRefresh = new EarlyRefresh(this.scripts, this.events);
	}

	/**
	 * Return a writer that applies the rules and writes immediately. A connection is
	 * opened in the background: the first one takes longer than a call waits.
	 */
	public RedisCacheWriter writer() {
		this.client.connect();
		return guard(RedisCacheWriter.create(this.client.factory(), (configurer) -> configurer.immediateWrites()),
				this.client);
	}

	/**
	 * Return a writer that applies the rules to what another one writes. Without an
	 * asynchronous side, that one decides how long a caller waits. It stores values
	 * itself, so one that was loaded before an eviction can be stored after it.
	 */
	public RedisCacheWriter guard(RedisCacheWriter writer) {
		return guard(writer, null);
	}

	private RedisCacheWriter guard(RedisCacheWriter writer, @Nullable CacheClient client) {
		RedisCacheWriter bounded = new BoundedRedisCacheWriter(writer, this.breaker, client,
				CacheStatisticsCollector.none());
		return new SelectiveRedisCacheWriter(new GuardedRedisCacheWriter(bounded, client != null, this));
	}

	@Override
	public void close() {
		this.closed = true;
		this.commandExecutor.shutdownNow();
		this.client.close();
	}

	private void awaitRedis() {
		while (!this.closed && !this.breaker.permits()) {
			try {
				this.client.ping();
				this.breaker.answered();
			}
			catch (RuntimeException ex) {
				LockSupport.parkNanos(PROBE_PAUSE.toNanos());
			}
		}
	}

	@Nullable CacheRules rules(String cache) {
		return this.rules.computeIfAbsent(cache, (name) -> new Selected(this.rulesByName.apply(name))).rules();
	}

	/**
	 * Return whether what was not found may be stored: others see it, too, and it is
	 * removed when the row is added.
	 */
	boolean mayStoreNull(String cache, byte[] key) {
		return ThreadTransaction.readsRecent() && this.nullMayBeStored.test(cache, key);
	}

	CacheEvents events() {
		return this.events;
	}

	Executor loadExecutor() {
		return this.loadExecutor;
	}

	RedisCircuitBreaker breaker() {
		return this.breaker;
	}

	CompanionKeys companions() {
		return this.companions;
	}

	EntryScripts scripts() {
		return this.scripts;
	}

	/**
	 * Scripts for which callers wait as long as the application's driver does.
	 */
	EntryScripts patientScripts() {
		return this.patientScripts;
	}

	SingleFlight flights() {
		return this.flights;
	}

	EarlyRefresh earlyRefresh() {
		return this.earlyRefresh;
	}

	/**
	 * Send commands from a thread that waits for Redis only, so a few are enough and
	 * can't block each other. Completes exceptionally if there are too many commands.
	 */
	<T extends @Nullable Object> CompletableFuture<T> ask(Supplier<T> commands) {
		try {
			return CompletableFuture.supplyAsync(commands, this.commandExecutor);
		}
		catch (RejectedExecutionException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	CompletableFuture<@Nullable Void> run(Runnable commands) {
		return ask(() -> {
			commands.run();
			return null;
		});
	}

	/**
	 * Return the same result, from where the application runs its tasks.
	 */
	<T extends @Nullable Object> CompletableFuture<T> goOn(CompletableFuture<T> result) {
		return result.whenCompleteAsync((value, failure) -> {
		}, (next) -> {
			try {
				this.loadExecutor.execute(next);
			}
			catch (RejectedExecutionException ex) {
				next.run();
			}
		});
	}

	private <T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
		return BoundedRedisCacheWriter.await(this.breaker,
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

	private record Selected(@Nullable CacheRules rules) {

	}

	private record Patient(RedisConnectionFactory factory) {

		<T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
			try (RedisConnection connection = this.factory.getConnection()) {
				return script.run(connection.scriptingCommands(), type, keys, keysAndArguments);
			}
		}

	}

}
