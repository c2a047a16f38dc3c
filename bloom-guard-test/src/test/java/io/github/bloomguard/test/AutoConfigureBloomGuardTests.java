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

package io.github.bloomguard.test;

import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureBloomGuard}.
 */
class AutoConfigureBloomGuardTests {

	/**
	 * The configuration of an application, with a filter for which there is no room, a
	 * database that is not there, and a source that can't be read.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

		@Bean
		Catalogue catalogue() {
			return new Catalogue();
		}

		@Bean
		KeySource priceIds() {
			return new KeySource() {

				@Override
				public String filter() {
					return "prices";
				}

				@Override
				public Stream<?> keys() {
					throw new IllegalStateException("There is no database");
				}

			};
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class)
	@AutoConfigureBloomGuard
	@TestPropertySource("/shop.properties")
	class WholeApplication {

		@Autowired
		private BloomGuard guard;

		@Autowired
		private Catalogue catalogue;

		@Autowired
		private ManagedFilters filters;

		@Test
		void filtersAreInMemoryAndComplete() {
			assertThat(this.filters.names()).containsExactlyInAnyOrder("products", "prices", "Order-Items",
					"orderLines", "gift.cards");
			assertThat(this.filters.stream()).allSatisfy((filter) -> {
				assertThat(filter.settings().type()).isEqualTo("memory");
				assertThat(filter.filter().state()).isEqualTo(FilterState.READY);
				assertThat(filter.settings().specification().expectedInsertions()).isEqualTo(10_000);
				assertThat(filter.changes()).isNull();
			});
		}

		@Test
		void whatIsConfiguredOtherwiseHolds() {
			assertThat(probability("prices")).isEqualTo(0.001);
			assertThat(probability("orderLines")).isEqualTo(0.002);
			assertThat(probability("gift.cards")).isEqualTo(0.003);
		}

		private double probability(String filter) {
			return this.filters.find(filter).settings().specification().falsePositiveProbability();
		}

		@Test
		void keyThatWasNotAddedIsAbsentAtOnce() {
			int calls = this.catalogue.calls();
			assertThat(this.catalogue.findById(1)).isNull();
			assertThat(this.catalogue.calls()).isEqualTo(calls);
			assertThat(this.guard.membership("prices", 1)).isEqualTo(Membership.ABSENT);
		}

		@Test
		void keyThatWasAddedExists() {
			this.guard.add("products", 2);
			assertThat(this.catalogue.findById(2)).isEqualTo("product 2");
			this.catalogue.create(3);
			assertThat(this.catalogue.findById(3)).isEqualTo("product 3");
			assertThat(this.catalogue.findById(4)).isNull();
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class,
			properties = { "bloom-guard.filters.products.verification.required-calls=5",
					"bloom-guard.filters.products.expected-insertions=77" })
	@AutoConfigureBloomGuard
	@TestPropertySource("/shop.properties")
	class PropertiesOfTheTest {

		@Autowired
		private ManagedFilters filters;

		@Test
		void propertiesOfTheTestHold() {
			ManagedFilter products = this.filters.find("products");
			assertThat(products.settings().verification().requiredCalls()).isEqualTo(5);
			assertThat(products.settings().specification().expectedInsertions()).isEqualTo(77);
			assertThat(products.settings().type()).isEqualTo("memory");
		}

	}

	@Nested
	@SpringJUnitConfig(Catalogue.class)
	@AutoConfigureBloomGuard
	@TestPropertySource(
			properties = { "bloom-guard.filters.products.mode=enforce", "bloom-guard.filters.prices.mode=enforce" })
	class Slice {

		@Autowired
		private BloomGuard guard;

		@Autowired
		private Prices prices;

		@Test
		void guardIsThereWithoutTheAutoConfigurationOfTheApplication() {
			assertThat(this.prices.price(1)).isNull();
			this.guard.add("prices", 1);
			assertThat(this.prices.price(1)).isEqualTo("price of 1");
		}

	}

	@Nested
	@SpringJUnitConfig(Catalogue.class)
	@AutoConfigureBloomGuard
	@TestPropertySource(properties = "bloom-guard.filters.prices.mode=enforce")
	class FilterThatIsNotConfigured {

		@Autowired
		private Catalogue catalogue;

		@Test
		void callsForItGoThrough() {
			assertThat(this.catalogue.findById(1)).isEqualTo("product 1");
			this.catalogue.create(1);
			assertThat(this.catalogue.price(1)).isNull();
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class,
			properties = { "spring.cache.type=redis", "spring.data.redis.port=1",
					"bloom-guard.filters.products.caches=products" })
	@AutoConfigureBloomGuard
	@TestPropertySource("/shop.properties")
	class CachesInRedis {

		@Autowired
		private CacheManager caches;

		@Autowired
		private BloomGuard guard;

		@Test
		void keysAreAddedWithoutRedis() {
			assertThat(this.caches).isInstanceOf(RedisCacheManager.class);
			this.guard.add("products", 5);
			assertThat(this.guard.membership("products", 5)).isEqualTo(Membership.MAYBE);
			assertThat(this.guard.membership("products", 6)).isEqualTo(Membership.ABSENT);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Loaded {

		@Bean
		KeySource productIds() {
			return new KeySource() {

				@Override
				public String filter() {
					return "products";
				}

				@Override
				public Stream<?> keys() {
					return Stream.of(1, 2, 3);
				}

			};
		}

	}

	@Nested
	@SpringJUnitConfig(Loaded.class)
	@AutoConfigureBloomGuard(warmUp = true)
	@TestPropertySource(properties = "bloom-guard.filters.products.expected-insertions=1000")
	class WarmUp {

		@Autowired
		private BloomGuard guard;

		@Test
		void filterIsLoadedIfThatIsAskedFor() {
			assertThat(this.guard.membership("products", 3)).isEqualTo(Membership.MAYBE);
			assertThat(this.guard.membership("products", 4)).isEqualTo(Membership.ABSENT);
		}

	}

	@Nested
	@SpringJUnitConfig(Catalogue.class)
	@AutoConfigureBloomGuard
	@TestPropertySource(properties = "bloom-guard.enabled=false")
	class Disabled {

		@Autowired
		private ApplicationContext context;

		@Autowired
		private Catalogue catalogue;

		@Test
		void disabledGuardLetsEverythingPass() {
			assertThat(this.context.getBean(BloomGuard.class).mightContain("products", 1)).isTrue();
			assertThat(this.catalogue.findById(1)).isEqualTo("product 1");
			BloomGuardAssertions.assertThatMethod(this.catalogue, "findById", long.class).isNotGuarded();
		}

	}

}
