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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the example of the documentation caches item by item what a method finds for
 * many keys.
 */
class CachedItemByItemTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@Test
	void absentKeysAreNotAskedForAndOthersOnceEach() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(new Keys("products", 100), CachingConfiguration.class, Repository.class, Products.class),
				"spring.cache.type=redis")) {
			application.awaitReady();
			Products products = application.bean(Products.class);
			assertThat(products.findAllById(List.of(1L, 2L, 1_000_000L))).containsExactly("product 1", "product 2");
			assertThat(products.findAllById(List.of(1_000_001L, 2L, 3L))).containsExactly("product 2", "product 3");
			assertThat(application.bean(Repository.class).asked()).containsExactly(1L, 2L, 3L);
			assertThat(redis.keys("products::*")).containsExactlyInAnyOrder("products::1", "products::2",
					"products::3");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CachingConfiguration {

	}

	static class Repository {

		private final List<Long> asked = new ArrayList<>();

		@Cacheable("products")
		public Optional<String> findById(long id) {
			this.asked.add(id);
			return Optional.of("product " + id);
		}

		public List<Long> asked() {
			return this.asked;
		}

	}

	static class Products {

		private final Repository repository;

		Products(Repository repository) {
			this.repository = repository;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<String> findAllById(Collection<Long> ids) {
			return ids.stream().map(this.repository::findById).flatMap(Optional::stream).toList();
		}

	}

}
