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

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for expired values that are served if a load fails.
 */
class StaleOnErrorTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static LettuceConnectionFactory connectionFactory;

	private GuardedInstance instance;

	private Cache products;

	@BeforeAll
	static void start() {
		connectionFactory = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
	}

	@AfterAll
	static void stop() {
		connectionFactory.destroy();
	}

	@BeforeEach
	void createInstance() {
		redis.command("FLUSHALL");
		this.instance = instance(Duration.ofMinutes(5));
		this.products = this.instance.cache("products");
	}

	@Test
	void expiredValueIsServedAndCountedIfTheLoadFails() {
		this.products.get(7, () -> "seven");
		expire(7);
		assertThat(load(7)).isEqualTo("seven");
		assertThat(this.instance.listener.stale).hasValue(1);
		assertThat(redis.keys("products*")).isEmpty();
	}

	@Test
	void valuesOfEachPathAreKept() {
		this.products.put(1, "one");
		this.products.retrieve(2, () -> java.util.concurrent.CompletableFuture.completedFuture("two")).join();
		expire(1);
		expire(2);
		assertThat(load(1)).isEqualTo("one");
		assertThat(load(2)).isEqualTo("two");
	}

	@Test
	void keptValueOutlivesItsEntryByTheConfiguredTime() {
		this.products.put(7, "seven");
		long copy = Long.parseLong(redis.command("PTTL", "bloom-guard:cache:stale:{products::7}"));
		long entry = Long.parseLong(redis.command("PTTL", "products::7"));
		assertThat(copy - entry).isBetween(290_000L, 310_000L);
	}

	@Test
	void evictedOrClearedValueIsNotServed() {
		this.products.put(1, "one");
		this.products.put(2, "two");
		this.products.put(3, "three");
		this.products.evict(1);
		this.products.evictIfPresent(2);
		assertLoadFails(1);
		assertLoadFails(2);
		this.products.clear();
		assertLoadFails(3);
		assertThat(redis.keys("bloom-guard:cache:stale:*")).isEmpty();
		assertThat(this.instance.listener.stale).hasValue(0);
	}

	@Test
	void valueThatANullHasReplacedIsNotServed() {
		this.products.put(1, "one");
		this.products.put(1, null);
		assertLoadFails(1);
	}

	@Test
	void keyThatWasNeverLoadedFails() {
		assertLoadFails(7);
	}

	@Test
	void nothingIsKeptByDefault() {
		Cache plain = instance(Duration.ZERO).cache("products");
		plain.put(7, "seven");
		assertThat(redis.keys("*products*")).containsExactly("products::7");
		expire(7);
		assertThatExceptionOfType(ValueRetrievalException.class).isThrownBy(() -> plain.get(7, () -> {
			throw new IllegalStateException("no database");
		}));
	}

	private void assertLoadFails(int key) {
		assertThatExceptionOfType(ValueRetrievalException.class).isThrownBy(() -> load(key))
			.withCauseInstanceOf(IllegalStateException.class);
	}

	private Object load(int key) {
		return this.products.get(key, () -> {
			throw new IllegalStateException("no database");
		});
	}

	private static void expire(int key) {
		redis.command("PEXPIRE", "products::" + key, "1");
		Awaitility.await().until(() -> redis.keys("products::" + key).isEmpty());
	}

	private static GuardedInstance instance(Duration staleOnError) {
		return GuardedInstance.of(connectionFactory, new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30),
				SharedLoads.DEFAULT, 0, staleOnError, true));
	}

}
