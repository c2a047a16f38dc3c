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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is remembered of a row that a method reads from a replica that lags.
 */
class LaggingReplicaTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	@Test
	void nullOfARowThatTheSourceHasIsNotCached() {
		Primary primary = new Primary();
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(primary, Caching.class, Replica.class), "spring.cache.type=redis",
				"bloom-guard.filters.products.caches=products", "bloom-guard.timeout=10s")) {
			application.awaitReady();
			Replica replica = application.bean(Replica.class);
			assertThat(replica.find(5)).isNull();
			assertThat(replica.find(5)).isNull();
			assertThat(replica.calls()).isEqualTo(2);
			Awaitility.await().until(() -> redis.keys("bloom-guard:cache:load:*").isEmpty());
			assertThat(redis.keys("products::5")).isEmpty();
			primary.rows.remove(5L);
			assertThat(replica.find(5)).isNull();
			Awaitility.await().until(() -> redis.keys("products::5").size() == 1);
			assertThat(replica.find(5)).isNull();
			assertThat(replica.calls()).isEqualTo(3);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

	static class Primary implements KeySource {

		private final Set<Long> rows = ConcurrentHashMap.newKeySet();

		Primary() {
			for (long id = 1; id <= 100; id++) {
				this.rows.add(id);
			}
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return this.rows.stream();
		}

		@Override
		public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
			return Optional.of(this.rows.contains(((Number) key.get(0)).longValue()));
		}

	}

	static class Replica {

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		@BloomGuarded("products")
		@Cacheable("products")
		public @Nullable String find(long id) {
			this.calls.incrementAndGet();
			return null;
		}

	}

}
