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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.cache.support.AbstractValueAdaptingCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.data.repository.Repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FilterUseCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class FilterUseCheckTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@Test
	void nameOfNoCacheOfAGuardedMethodIsWarnedOf(CapturedOutput output) {
		start("prodcts,products", Products.class);
		assertThat(output).containsOnlyOnce("bloom-guard.filters.products.caches names '")
			.contains("names 'prodcts', but the methods that the filter guards are cached in [products]");
	}

	@Test
	void namesOfTheCachesOfGuardedMethodsAreRight(CapturedOutput output) {
		start("products", Products.class);
		assertThat(output).doesNotContain("caches names");
	}

	@Test
	void cacheWhoseNullValuesNoAddClearsIsWarnedOf(CapturedOutput output) {
		start("products", Products.class);
		start("", WithoutNulls.class);
		assertThat(output).doesNotContain("a null value there hides a row");
		start("", Products.class);
		assertThat(output).containsOnlyOnce("The filter 'products' guards a method that is cached in [products], which"
				+ " bloom-guard.filters.products.caches does not name");
	}

	@Test
	void cachesOfWhatGuardedMethodsCallAreNotKnown(CapturedOutput output) {
		start("rows", Uncached.class);
		assertThat(output).doesNotContain("caches names");
	}

	@Test
	void filterThatGuardsNoMethodIsWarnedOf(CapturedOutput output) {
		GuardApplication.start(redis, new Keys("products", 1)).close();
		assertThat(output).containsOnlyOnce("No method is guarded by the filter 'products'")
			.doesNotContain("caching is not enabled");
		start("products", Products.class);
		assertThat(output).containsOnlyOnce("No method is guarded by the filter 'products'");
	}

	@Test
	void filterThatABeanMayAskTheGuardForIsNotWarnedOf(CapturedOutput output) {
		GuardApplication.start(redis, List.of(new Keys("products", 1), Registration.class)).close();
		assertThat(output).doesNotContain("No method is guarded");
	}

	@Test
	void filterWhoseBeansAreMadeLaterIsNotWarnedOf(CapturedOutput output) {
		GuardApplication
			.start(redis, List.of(new Keys("products", 1), Products.class), "spring.main.lazy-initialization=true")
			.close();
		assertThat(output).doesNotContain("No method is guarded");
	}

	@Test
	void filterThatNobodyAddsToIsWarnedOf(CapturedOutput output) {
		startOfRows(Products.class);
		assertThat(output).containsOnlyOnce(
				"The guard sees nothing that adds keys to the filter 'products', so a new row is missing");
	}

	@Test
	void filterThatIsAddedToOrLoadedAgainOrVerifiedBeforeIsRight(CapturedOutput output) {
		startOfRows(Adding.class);
		startOfRows(Asking.class);
		startOfRows(Products.class, "bloom-guard.filters.products.rebuild.interval=1h");
		startOfRows(Products.class, "bloom-guard.filters.products.mode=shadow");
		startOfRows(Products.class, "bloom-guard.filters.products.verification.mode=before");
		assertThat(output).doesNotContain("nothing that adds keys");
	}

	private static void startOfRows(Class<?> guarded, String... properties) {
		GuardApplication
			.start(redis, List.of(guarded),
					Stream.concat(
							Stream.of("spring.datasource.url=jdbc:h2:mem:use",
									"bloom-guard.filters.products.warm-up.query=select x from system_range(1, 3)"),
							Stream.of(properties))
						.toArray(String[]::new))
			.close();
	}

	@Test
	void cachesWithoutCachingAreWarnedOf(CapturedOutput output) {
		GuardApplication
			.start(redis, List.of(new Keys("products", 1), Products.class),
					"bloom-guard.filters.products.caches=products")
			.close();
		assertThat(output).containsOnlyOnce("bloom-guard.filters.products.caches names [products], but caching is not");
	}

	@ParameterizedTest
	@ValueSource(classes = { ByName.class, ByAll.class })
	void cacheWhoseKeyIsNotTheFiltersKeyIsRefused(Class<?> guarded) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> start("products", guarded))
			.withMessageContaining("is not the key of [products]")
			.withMessageContaining("find(");
	}

	@Test
	void cacheWhoseKeyIsWrittenOtherwiseOrThatHasNoNullIsRight() {
		start("products", SameKeys.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "caffeine" })
	void cacheInMemoryThatMayKeepNullsIsRefused(String type) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> startWith(type, "redis"))
			.withMessageContaining("bloom-guard.filters.products.caches names [products]")
			.withMessageContaining("not known to be in Redis");
	}

	/**
	 * Such as one of JCache, or one of two levels.
	 */
	@Test
	void cacheOfAnUnknownKindThatMayKeepNullsIsRefused() {
		SimpleCacheManager manager = new SimpleCacheManager();
		manager.setCaches(List.of(new OwnCache(true)));
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> startWith("redis", "redis", manager))
			.withMessageContaining("not known to be in Redis");
		SimpleCacheManager withoutNulls = new SimpleCacheManager();
		withoutNulls.setCaches(List.of(new OwnCache(false)));
		startWith("redis", "redis", withoutNulls);
	}

	@Test
	void cacheInMemoryIsRightIfItKeepsNoNullOrThereIsOneInstance() {
		startWith("none", "redis");
		startWith("simple", "memory");
		startWith("caffeine", "redis", cachesWithoutNulls());
	}

	private static CaffeineCacheManager cachesWithoutNulls() {
		CaffeineCacheManager manager = new CaffeineCacheManager();
		manager.setAllowNullValues(false);
		return manager;
	}

	@Test
	void methodThatFindsAnotherEntityByItsIdIsWarnedOf(CapturedOutput output) {
		String entity = "bloom-guard.filters.products.entity=";
		GuardApplication.start(redis, List.of(Orders.class), entity + Order.class.getName()).close();
		GuardApplication.start(redis, List.of(Orders.class), entity + LargeOrder.class.getName()).close();
		assertThat(output).doesNotContain("by its id");
		GuardApplication.start(redis, List.of(Orders.class), entity + String.class.getName()).close();
		assertThat(output)
			.containsOnlyOnce("The filter 'products' has the keys of java.lang.String, but guards a method"
					+ " that finds " + Order.class.getName() + " by its id");
	}

	private static void startWith(String caches, String filter, Object... beans) {
		GuardApplication
			.start(redis,
					Stream.concat(Stream.of(new Keys("products", 1), Caching.class, Products.class), Stream.of(beans))
						.toList(),
					"spring.cache.type=" + caches, "bloom-guard.filters.products.type=" + filter,
					"bloom-guard.filters.products.caches=products")
			.close();
	}

	private static void start(String caches, Class<?> guarded) {
		GuardApplication
			.start(redis, List.of(new Keys("products", 1), Caching.class, guarded), "spring.cache.type=redis",
					"bloom-guard.filters.products.caches=" + caches)
			.close();
	}

	@EnableCaching
	static class Caching {

	}

	static class Products {

		@BloomGuarded("products")
		@Cacheable("products")
		@Nullable String find(long id) {
			return null;
		}

		@Cacheable("others")
		@Nullable String findOther(long id) {
			return null;
		}

	}

	static class Adding extends Products {

		@BloomAdd("products")
		void insert(long id) {
		}

	}

	static class Asking extends Products {

		Asking(BloomGuard guard) {
		}

	}

	static class Registration {

		Registration(BloomGuard guard) {
		}

	}

	static class WithoutNulls {

		@BloomGuarded("products")
		@Cacheable(cacheNames = "products", unless = "#result == null")
		@Nullable String find(long id) {
			return null;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		@Cacheable("lists")
		List<String> findAll(List<Long> ids) {
			return List.of();
		}

	}

	static class ByName {

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable(cacheNames = "products", key = "#name")
		@Nullable String find(long id, String name) {
			return null;
		}

	}

	static class ByAll {

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable("products")
		@Nullable String find(long id, String name) {
			return null;
		}

	}

	static class SameKeys {

		@BloomGuarded(filter = "products", key = "#p0")
		@Cacheable(cacheNames = "products", key = "#id")
		@Nullable String find(long id, String name) {
			return null;
		}

		@BloomGuarded(filter = "products", key = "{#id, #name}")
		@Cacheable("products")
		@Nullable String findBoth(long id, String name) {
			return null;
		}

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable(cacheNames = "products", unless = "#result == null")
		@Nullable String findWithoutNull(long id, String name) {
			return null;
		}

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable("others")
		@Nullable String findElsewhere(long id, String name) {
			return null;
		}

	}

	static class OwnCache extends AbstractValueAdaptingCache {

		OwnCache(boolean allowNullValues) {
			super(allowNullValues);
		}

		@Override
		public String getName() {
			return "products";
		}

		@Override
		public Object getNativeCache() {
			return this;
		}

		@Override
		protected @Nullable Object lookup(Object key) {
			return null;
		}

		@Override
		public <T> @Nullable T get(Object key, Callable<T> loader) {
			return null;
		}

		@Override
		public void put(Object key, @Nullable Object value) {
		}

		@Override
		public void evict(Object key) {
		}

		@Override
		public void clear() {
		}

	}

	static class Uncached {

		@BloomGuarded("products")
		@Nullable String find(long id) {
			return null;
		}

	}

	static class Order {

	}

	static class LargeOrder extends Order {

	}

	static class Orders implements Repository<Order, Long> {

		@BloomGuarded("products")
		public @Nullable Order findById(long id) {
			return null;
		}

		@BloomGuarded("products")
		public List<Order> findByCustomer(long id) {
			return List.of();
		}

	}

}
