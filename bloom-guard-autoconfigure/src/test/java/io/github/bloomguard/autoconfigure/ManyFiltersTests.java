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

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with many filters and many guarded methods.
 */
class ManyFiltersTests {

	private static final int FILTERS = 30;

	@Test
	void guardedMethodsDoNotReadTheConfigurationOfFiltersAgain() {
		assertThat(reads(FILTERS, Products.class)).isEqualTo(reads(FILTERS, Product.class));
	}

	@Test
	void configurationOfEachFilterIsReadAsOftenAsThatOfFew() {
		long few = reads(FILTERS, Product.class) - reads(FILTERS / 3, Product.class);
		long many = reads(2 * FILTERS, Product.class) - reads(FILTERS + FILTERS / 3, Product.class);
		assertThat(many).isEqualTo(few);
	}

	/**
	 * Return how many properties a start reads.
	 */
	private static long reads(int filters, Class<?> guarded) {
		CountingSource source = new CountingSource(filters);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(BloomGuardAutoConfiguration.class, AopAutoConfiguration.class))
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(source))
			.withInitializer((context) -> IntStream.range(0, filters)
				.forEach((i) -> context.getBeanFactory().registerSingleton("keys" + i, new NoKeys("f" + i))))
			.withBean(guarded)
			.run((context) -> assertThat(context).hasNotFailed());
		return source.reads.sum();
	}

	private static final class CountingSource extends MapPropertySource {

		private final LongAdder reads = new LongAdder();

		CountingSource(int filters) {
			super("filters", properties(filters));
		}

		private static Map<String, Object> properties(int filters) {
			Map<String, Object> properties = new HashMap<>();
			for (int i = 0; i < filters; i++) {
				properties.put("bloom-guard.filters.f" + i + ".type", "memory");
				properties.put("bloom-guard.filters.f" + i + ".expected-insertions", "100");
			}
			return properties;
		}

		@Override
		public @Nullable Object getProperty(String name) {
			if (containsProperty(name)) {
				this.reads.increment();
			}
			return super.getProperty(name);
		}

	}

	private record NoKeys(String filter) implements KeySource {

		@Override
		public Stream<?> keys() {
			return Stream.of();
		}

	}

	static class Product {

		@BloomGuarded("f0")
		public String find(long id) {
			return "";
		}

	}

	static class Products {

		@BloomGuarded("f0")
		public String find(long id) {
			return "";
		}

		@BloomGuarded("f1")
		public String findByNumber(long number) {
			return "";
		}

		@BloomGuarded("f2")
		public String findByCode(long code) {
			return "";
		}

	}

}
