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

package io.github.bloomguard.endpoint;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.endpoint.KeyReport.Source;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyReport}.
 */
class KeyReportTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static GuardApplication application;

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis, List.of(Caching.class), "spring.cache.type=redis",
				"spring.datasource.url=jdbc:h2:mem:keys",
				"bloom-guard.filters.products.warm-up.query=select x as id from system_range(1, 100)"
						+ " union select id from product",
				"bloom-guard.filters.products.caches=products,others", "bloom-guard.cache.enabled=false",
				"bloom-guard.filters.products.expected-insertions=110",
				"bloom-guard.filters.products.false-positive-probability=0.01",
				"bloom-guard.filters.products.warm-up.on-startup=never");
		application.bean(JdbcTemplate.class).execute("create table product (id bigint primary key)");
		application.guard().rebuild("products").join();
		application.awaitReady();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void rowThatTheFilterDoesNotKnowIsFoundAtItsSourceAndAdded() {
		String key = String.valueOf(first(Membership.ABSENT, application.filter("products")));
		assertThat(report(key, false))
			.isEqualTo(new KeyReport(Membership.ABSENT, false, true, false, List.of(), Source.NOT_FOUND));
		application.bean(JdbcTemplate.class).update("insert into product values (?)", key);
		assertThat(report(key, false))
			.isEqualTo(new KeyReport(Membership.ABSENT, false, true, false, List.of(), Source.FOUND));
		assertThat(report(key, true))
			.isEqualTo(new KeyReport(Membership.MAYBE, false, false, false, List.of(), Source.FOUND));
	}

	@Test
	void keyThatHasNotTheFormOfTheColumnIsToldToPassWhateverTheFilterHolds() {
		assertThat(report("7abc", false))
			.isEqualTo(new KeyReport(Membership.MAYBE, true, false, false, List.of(), Source.UNKNOWN));
		assertThat(report("7", false).uncertain()).isFalse();
	}

	@Test
	void nullEntriesAreFoundInAllFormsOfAKey() {
		cache("products").put(1L, null);
		cache("others").put("2", null);
		cache("others").put(List.of("3", "a"), null);
		cache("products").put(new SimpleKey(4, "a"), null);
		// Spring's own writer does not wait for what it writes
		Awaitility.await()
			.until(() -> Stream
				.of(cache("products").get(1L), cache("others").get("2"), cache("others").get(List.of("3", "a")),
						cache("products").get(new SimpleKey(4, "a")))
				.allMatch(Objects::nonNull));
		assertThat(report("1", false).nullEntries()).containsExactly("products");
		assertThat(report("2", false).nullEntries()).containsExactly("others");
		assertThat(composite("3,a").nullEntries()).containsExactly("others");
		assertThat(composite("4,a").nullEntries()).containsExactly("products");
		cache("products").put(5L, "a product");
		assertThat(report("5", false).nullEntries()).isEmpty();
	}

	private static Cache cache(String name) {
		return application.bean(CacheManager.class).getCache(name);
	}

	@Test
	void sentinelOfAnyMethodIsFoundUntilTheKeyIsAdded() {
		GuardedFilter method = application.filter("products").scopedTo("a method");
		long absent = first(Membership.MAYBE, method);
		assertThat(report(String.valueOf(absent), false).remembered()).isFalse();
		Awaitility.await().until(() -> {
			method.loaded(absent, method.check(absent).await(), true, false);
			return report(String.valueOf(absent), false).remembered();
		});
		assertThat(report(String.valueOf(absent), true).remembered()).isFalse();
	}

	/**
	 * Return a key of no row of which the filter says this: it lets one in a hundred
	 * pass.
	 */
	private static long first(Membership membership, GuardedFilter filter) {
		return LongStream.range(1_000_000, 1_100_000)
			.filter((key) -> filter.preview(key).membership() == membership)
			.findFirst()
			.getAsLong();
	}

	private static KeyReport report(String key, boolean add) {
		return endpoint().preview("products", key, false, add);
	}

	private static KeyReport composite(String key) {
		return endpoint().preview("products", key, true, false);
	}

	private static BloomGuardEndpoint endpoint() {
		return new BloomGuardEndpoint(application.bean(ManagedFilters.class),
				application.bean(NullEntries.class)::holding, (filter) -> List.of(), null);
	}

	@EnableCaching
	static class Caching {

	}

}
