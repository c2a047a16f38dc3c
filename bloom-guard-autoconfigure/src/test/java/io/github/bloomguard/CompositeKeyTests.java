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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for keys of several parts, with real Redis caches.
 */
class CompositeKeyTests {

	private static final AtomicLong ids = new AtomicLong(1_000_000);

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static BloomGuard guard;

	private static Offers offers;

	@BeforeAll
	static void start() {
		application = GuardApplication
			.start(redis, List.of(new Keys("products", 100), Caching.class, Offers.class),
					"bloom-guard.filters.products.caches=offers", "spring.cache.type=redis")
			.awaitReady();
		guard = application.guard();
		offers = application.bean(Offers.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void nullEntryOfTwoParametersDoesNotHideTheRow() {
		long id = absent();
		assertThat(offers.findUnguarded(id, "shop")).isNull();
		offers.insert(id, "shop");
		assertThat(offers.find(id, "shop")).isEqualTo("offer");
		assertThat(offers.findUnguarded(id, "shop")).isEqualTo("offer");
	}

	@Test
	void keyOfMoreThanEightPartsIsAddedAndFound() {
		long id = absent();
		assertThat(offers.findWide(id, 2)).isNull();
		offers.insertWide(id, 2);
		assertThat(offers.findWide(id, 2)).isEqualTo("offer");
		assertThat(guard.membership("products", id)).isEqualTo(Membership.ABSENT);
	}

	private static long absent() {
		long id;
		do {
			id = ids.incrementAndGet();
		}
		while (Stream.of(id, List.of(id, "shop"), Offers.wide(id, 2))
			.anyMatch((key) -> guard.membership("products", key) != Membership.ABSENT));
		return id;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

	static class Offers {

		private final Map<Object, String> rows = new ConcurrentHashMap<>();

		@BloomGuarded(filter = "products", key = "{#id, #shop}")
		@Cacheable("offers")
		public @Nullable String find(long id, String shop) {
			return this.rows.get(List.of(id, shop));
		}

		@Cacheable("offers")
		public @Nullable String findUnguarded(long id, String shop) {
			return find(id, shop);
		}

		@BloomAdd(filter = "products", key = "{#id, #shop}")
		public void insert(long id, String shop) {
			this.rows.put(List.of(id, shop), "offer");
		}

		@BloomGuarded(filter = "products", key = "{#id, 1, 2, 3, 4, 5, 6, 7, #part}")
		public @Nullable String findWide(long id, int part) {
			return this.rows.get(wide(id, part));
		}

		@BloomAdd(filter = "products", key = "{#id, 1, 2, 3, 4, 5, 6, 7, #part}")
		public void insertWide(long id, int part) {
			this.rows.put(wide(id, part), "offer");
		}

		static Object wide(long id, int part) {
			return List.of(id, 1, 2, 3, 4, 5, 6, 7, part);
		}

	}

}
