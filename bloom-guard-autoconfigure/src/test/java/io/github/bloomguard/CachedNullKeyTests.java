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

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.cache.interceptor.NamedCacheResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the keys under which null values are cached while a filter lets calls pass:
 * only those that an add clears.
 */
class CachedNullKeyTests {

	private static final AtomicInteger ids = new AtomicInteger(1_000_000);

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static Rows rows;

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis,
				List.of(new Keys("products", 100), new Keys("shops", 100), Caching.class, Rows.class),
				"bloom-guard.filters.products.mode=shadow", "bloom-guard.filters.shops.expected-insertions=1000",
				"bloom-guard.filters.shops.mode=shadow", "spring.cache.type=redis",
				"bloom-guard.filters.products.caches=given,named,resolved,default,two");
		Awaitility.await().untilAsserted(() -> {
			assertThat(application.products().filter().active()).isNotNull();
			int id = ids.incrementAndGet();
			rows = application.bean(Rows.class);
			rows.named(id);
			int before = rows.calls();
			assertThat(rows.named(id)).isNull();
			assertThat(rows.calls()).as("null values are cached").isEqualTo(before);
		});
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@ParameterizedTest
	@EnumSource
	void rowIsFoundOnceItsKeyWasAddedWhateverMadeTheKeyOfTheCache(Read read) {
		int id = ids.incrementAndGet();
		assertThat(read.of(rows, id)).isNull();
		rows.add(id);
		application.guard().add("products", (read == Read.DAY) ? day(id) : id);
		assertThat(read.of(rows, id)).isEqualTo("row");
	}

	@Test
	void keyThatDependsOnTheLocaleIsNotRememberedAsAbsent() {
		int id = ids.incrementAndGet();
		in(Locale.GERMANY, () -> assertThat(rows.day(day(id))).isNull());
		rows.add(id);
		in(Locale.US, () -> application.guard().add("products", day(id)));
		in(Locale.GERMANY, () -> assertThat(rows.day(day(id))).isEqualTo("row"));
	}

	@Test
	void absenceIsNotRememberedWhereASecondFilterMayHideTheRow() {
		int known = 50;
		assertThat(rows.inShop(known, 7)).isNull();
		rows.add(known);
		application.guard().add("shops", 7);
		assertThat(rows.inShop(known, 7)).isEqualTo("row");
	}

	private static void in(Locale locale, Runnable call) {
		LocaleContextHolder.setLocale(locale);
		try {
			call.run();
		}
		finally {
			LocaleContextHolder.resetLocaleContext();
		}
	}

	private static LocalDate day(int id) {
		return LocalDate.ofEpochDay(id);
	}

	enum Read {

		DEFAULT((rows) -> rows::byDefault),

		GIVEN((rows) -> rows::given),

		NAMED((rows) -> rows::named),

		RESOLVED((rows) -> rows::resolved),

		DAY((rows) -> (id) -> rows.day(CachedNullKeyTests.day(id))),

		UNGUARDED((rows) -> rows::unguarded);

		private final Function<Rows, Function<Integer, @Nullable String>> read;

		Read(Function<Rows, Function<Integer, @Nullable String>> read) {
			this.read = read;
		}

		@Nullable String of(Rows rows, int id) {
			return this.read.apply(rows).apply(id);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching implements CachingConfigurer {

		@Override
		public KeyGenerator keyGenerator() {
			return (target, method, arguments) -> Stream.concat(Stream.of(method.getName()), Arrays.stream(arguments))
				.map(String::valueOf)
				.collect(Collectors.joining("-"));
		}

		@Bean
		KeyGenerator withMethod() {
			return keyGenerator();
		}

		@Bean
		CacheResolver resolver(CacheManager manager) {
			return new NamedCacheResolver(manager, "resolved");
		}

	}

	static class Rows {

		private final Map<Integer, String> added = new ConcurrentHashMap<>();

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		public void add(int id) {
			this.added.put(id, "row");
		}

		private @Nullable String read(int id) {
			this.calls.incrementAndGet();
			return this.added.get(id);
		}

		@BloomGuarded("products")
		@Cacheable("default")
		public @Nullable String byDefault(int id) {
			return read(id);
		}

		@BloomGuarded("products")
		@Cacheable(cacheNames = "given", keyGenerator = "withMethod")
		public @Nullable String given(int id) {
			return read(id);
		}

		@BloomGuarded("products")
		@Cacheable(cacheNames = "named", key = "#id")
		public @Nullable String named(int id) {
			return read(id);
		}

		@BloomGuarded("products")
		@Cacheable(cacheResolver = "resolver", key = "'p-' + #id")
		public @Nullable String resolved(int id) {
			return read(id);
		}

		@BloomGuarded("products")
		@Cacheable(cacheNames = "named", key = "#day")
		public @Nullable String day(LocalDate day) {
			return read((int) day.toEpochDay());
		}

		@BloomGuarded(filter = "products", key = "#id")
		@BloomGuarded(filter = "shops", key = "#shop")
		@Cacheable(cacheNames = "two", key = "#id")
		public @Nullable String inShop(int id, int shop) {
			return read(id);
		}

		@Cacheable(cacheNames = "named", keyGenerator = "withMethod")
		public @Nullable String unguarded(int id) {
			return read(id);
		}

	}

}
