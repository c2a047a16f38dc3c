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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.bloomguard.cache.client.CacheClient;
import io.github.bloomguard.cache.client.RedisReplies;
import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Reads and writes entries so that a Redis that does not answer holds a caller no longer
 * than the breaker allows. What removes entries is left as it is: a caller must know if
 * that failed. A writer of the application is asked itself, because it may do anything,
 * through its asynchronous side if it has one, otherwise for as long as it takes.
 */
final class BoundedRedisCacheWriter extends RedisCacheWriterDecorator {

	private final RedisCacheWriter uncounted;

	private final CircuitBreaker breaker;

	private final @Nullable CacheClient client;

	private final CacheStatisticsCollector statistics;

	BoundedRedisCacheWriter(RedisCacheWriter delegate, CircuitBreaker breaker, @Nullable CacheClient client,
			CacheStatisticsCollector statistics) {
		super(delegate);
		this.uncounted = delegate.withStatisticsCollector(CacheStatisticsCollector.none());
		this.breaker = breaker;
		this.client = client;
		this.statistics = statistics;
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		CacheClient client = this.client;
		if (client != null) {
			return counted(name, await(this.breaker, () -> client.read(key)));
		}
		return delegate().supportsAsyncRetrieve() ? bounded(() -> delegate().retrieve(name, key, ttl))
				: unbounded(() -> delegate().get(name, key, ttl));
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		return Attempt.of(() -> {
			checkPermitted(this.breaker.permits());
			CacheClient client = this.client;
			long deadline = this.breaker.deadline();
			return (client == null)
					? this.breaker.bounded(Attempt.of(() -> delegate().retrieve(name, key, ttl)), deadline)
					: this.breaker
						.bounded(client.retrieve(key, () -> this.uncounted.retrieve(name, key, ttl)), deadline)
						.thenApply((value) -> counted(name, value));
		});
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		if (delegate().supportsAsyncRetrieve()) {
			bounded(() -> delegate().store(name, key, value, ttl));
		}
		else {
			unbounded(() -> {
				delegate().put(name, key, value, ttl);
				return null;
			});
		}
	}

	private byte @Nullable [] counted(String name, byte @Nullable [] value) {
		this.statistics.incGets(name);
		if (value != null) {
			this.statistics.incHits(name);
		}
		else {
			this.statistics.incMisses(name);
		}
		return value;
	}

	private <T> @Nullable T bounded(Supplier<CompletableFuture<T>> question) {
		return await(this.breaker, () -> this.breaker.await(Attempt.of(question), this.breaker.deadline()));
	}

	/**
	 * Ask Redis and wait for the answer for as long as the breaker allows.
	 * @throws RedisConnectionFailureException if it is not asked
	 * @throws QueryTimeoutException if it did not answer in time
	 */
	static <T> @Nullable T await(CircuitBreaker breaker, Question<T> question) {
		checkPermitted(isPermitted(breaker));
		return ask(breaker, question);
	}

	/**
	 * The same for what a load can't be stored without: it is asked for unless the
	 * circuit is open.
	 */
	static <T> @Nullable T insist(CircuitBreaker breaker, Question<T> question) {
		checkPermitted(breaker.permits());
		return ask(breaker, question);
	}

	private static <T> @Nullable T ask(CircuitBreaker breaker, Question<T> question) {
		try {
			return question.ask();
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw translate(breaker, ex);
		}
	}

	private <T extends @Nullable Object> T unbounded(Supplier<T> question) {
		checkPermitted(isPermitted(this.breaker));
		try {
			T answer = question.get();
			this.breaker.answered();
			return answer;
		}
		catch (RuntimeException ex) {
			this.breaker.failed(ex);
			noteFailure(ex);
			throw ex;
		}
	}

	/**
	 * Return whether a question may still be answered. Redis was not known to be silent.
	 */
	static boolean isLate(RuntimeException failure) {
		return failure instanceof QueryTimeoutException && failure.getCause() instanceof TimeoutException;
	}

	private static boolean isPermitted(CircuitBreaker breaker) {
		CachedCall call = CachedCall.current();
		return (call != null) ? breaker.permits() && !call.hasWaitedInVain() : breaker.permitsOptional();
	}

	private static void checkPermitted(boolean permitted) {
		if (!permitted) {
			throw new RedisConnectionFailureException("Redis is not asked, it does not answer");
		}
	}

	private static void noteFailure(Exception failure) {
		CachedCall call = CachedCall.current();
		if (call != null && !RedisReplies.isReply(failure)) {
			call.waitedInVain();
		}
	}

	private static QueryTimeoutException translate(CircuitBreaker breaker, Exception failure) {
		noteFailure(failure);
		if (failure instanceof InterruptedException) {
			Thread.currentThread().interrupt();
			return new QueryTimeoutException("Interrupted while waiting for Redis", failure);
		}
		return new QueryTimeoutException("Redis did not answer within " + breaker.timeout().toMillis() + " ms",
				failure);
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new BoundedRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector), this.breaker,
				this.client, cacheStatisticsCollector);
	}

	@FunctionalInterface
	interface Question<T> {

		@Nullable T ask() throws InterruptedException, ExecutionException, TimeoutException;

	}

}
