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

package io.github.bloomguard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a guarded call asks of Redis.
 */
@Tag("slow")
class RoundTripTests {

	private static final int CALLS = 500;

	/**
	 * What the refresh in the background may add meanwhile.
	 */
	private static final int BACKGROUND = 100;

	@Test
	void guardAddsOneCommandToTheFirstCallForAKeyAndNoneToTheNext() {
		try (TestRedis redis = TestRedis.start().reset();
				GuardApplication application = GuardApplication.start(redis,
						List.of(new Keys("products", 1000), CachingConfiguration.class, Products.class))) {
			application.awaitReady();
			Products products = application.bean(Products.class);
			redis.command("CONFIG", "RESETSTAT");
			findAll(products);
			assertThat(redis.calls("evalsha")).as("of misses and of values that are stored")
				.isBetween(2L * CALLS, 2L * CALLS + BACKGROUND);
			assertThat(redis.calls("bitfield_ro")).isBetween((long) CALLS, (long) CALLS + BACKGROUND);
			untilTheFilterCouldTell(() -> {
				redis.command("CONFIG", "RESETSTAT");
				findAll(products);
				assertThat(redis.calls("get")).isEqualTo(CALLS);
				// two keys may share a slot
				assertThat(redis.calls("bitfield_ro")).isLessThan(BACKGROUND);
				assertThat(redis.calls("evalsha")).isLessThan(BACKGROUND);
				assertThat(products.calls()).isEqualTo(CALLS);
			});
		}
	}

	/**
	 * Count anew where the process stood still, after which calls go through for a
	 * moment.
	 */
	private static void untilTheFilterCouldTell(ThrowingRunnable round) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(round);
	}

	private static void findAll(Products products) {
		for (int id = 1; id <= CALLS; id++) {
			assertThat(products.find(id)).isEqualTo("product " + id);
		}
	}

	@Test
	void definiteMissAsksTheFilterOnly() {
		try (TestRedis redis = TestRedis.start().reset();
				GuardApplication application = GuardApplication.start(redis,
						List.of(new Keys("products", 1), CachingConfiguration.class, Products.class))) {
			application.awaitReady();
			Products products = application.bean(Products.class);
			untilTheFilterCouldTell(() -> {
				int before = products.calls();
				redis.command("CONFIG", "RESETSTAT");
				for (int i = 0; i < CALLS; i++) {
					assertThat(products.find(1_000_000 + i)).isNull();
				}
				assertThat(redis.calls("get")).isZero();
				assertThat(redis.calls("bitfield_ro")).isBetween((long) CALLS, (long) CALLS + BACKGROUND);
				assertThat(redis.calls("evalsha")).isLessThan(BACKGROUND);
				assertThat(products.calls()).isEqualTo(before);
			});
		}
	}

	/**
	 * It journals the key, forgets its absence, writes it and reads the record.
	 */
	@Test
	void addTakesOneCommand() {
		try (TestRedis redis = TestRedis.start().reset();
				GuardApplication application = GuardApplication.start(redis, new Keys("products", 1))) {
			application.awaitReady();
			redis.command("CONFIG", "RESETSTAT");
			for (int i = 0; i < CALLS; i++) {
				application.guard().add("products", 1_000_000 + i);
			}
			assertThat(redis.calls("evalsha")).isBetween((long) CALLS, (long) CALLS + BACKGROUND);
			assertThat(redis.calls("bitfield_ro")).isLessThan(BACKGROUND);
			assertThat(application.guard().mightContain("products", 1_000_000)).isTrue();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CachingConfiguration {

	}

	static class Products {

		private final AtomicInteger calls = new AtomicInteger();

		@BloomGuarded("products")
		@Cacheable("products")
		public @Nullable String find(long id) {
			this.calls.incrementAndGet();
			return "product " + id;
		}

		public int calls() {
			return this.calls.get();
		}

	}

}
