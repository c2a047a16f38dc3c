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

package io.github.bloomguard.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for guarded methods that are {@code @Cacheable}, too.
 */
class BloomGuardedCacheableTests {

	private final GuardContext context = GuardContext.of(CachingConfiguration.class, Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	private Cache cache() {
		return this.context.bean(CacheManager.class).getCache("products");
	}

	@Test
	void absentKeyIsAnsweredWithoutTheCache() {
		this.filter.absent(7L);
		cache().put(7L, "cached");
		assertThat(this.products.find(7)).isNull();
		assertThat(this.filter.checked()).containsExactly(7L);
	}

	@Test
	void absenceIsNotCached() {
		this.filter.absent(7L);
		this.products.find(7);
		assertThat(cache().get(7L)).isNull();
	}

	@Test
	void rowThatIsFoundBehindAnAnswerComesIntoTheCache() {
		this.filter.absent(7L);
		this.filter.verifyAll();
		assertThat(this.products.find(7)).isNull();
		assertThat(this.filter.verified()).containsExactly("7 true");
		assertThat(cache().get(7L, String.class)).isEqualTo("product 7");
		assertThat(this.products.find(7)).isNull();
		assertThat(this.products.calls()).containsExactly(7L);
	}

	@Test
	void possibleKeyIsAskedOfTheFilterFirstAndThenOfTheCache() {
		this.products.find(7);
		this.products.find(7);
		assertThat(this.filter.checked()).containsExactly(7L, 7L);
		assertThat(this.products.calls()).containsExactly(7L);
	}

	@Test
	void cacheableMethodHasNoSentinels() {
		this.products.find(7);
		this.products.findCachedByInterface(7);
		this.products.update(7);
		assertThat(this.filter.ttls()).containsExactly(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(5));
	}

	@Test
	void methodIsNotTakenForCacheableWithoutCaching() {
		try (GuardContext context = GuardContext.of(Products.class)) {
			context.bean(Products.class).find(7);
			assertThat(context.products().ttls()).containsExactly(Duration.ofSeconds(5));
		}
	}

	@Test
	void addedKeyIsThereBeforeTheCacheEntry() {
		List<Object> entries = new ArrayList<>();
		this.filter.onAdd(() -> entries.add(String.valueOf(cache().get(9L))));
		this.products.create(9);
		assertThat(entries).containsExactly("null");
		assertThat(cache().get(9L)).isNotNull();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(proxyTargetClass = true)
	static class CachingConfiguration {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	interface CachedByInterface {

		@Cacheable("products")
		String findCachedByInterface(long id);

	}

	static class Products implements CachedByInterface {

		private final List<Object> calls = new ArrayList<>();

		public List<Object> calls() {
			return this.calls;
		}

		@BloomGuarded(filter = "products", emptyTtl = "5s")
		@Cacheable("products")
		public @Nullable String find(long id) {
			this.calls.add(id);
			return "product " + id;
		}

		@Override
		@BloomGuarded("products")
		public String findCachedByInterface(long id) {
			return "product";
		}

		@BloomGuarded(filter = "products", emptyTtl = "5s")
		@CachePut("products")
		public String update(long id) {
			return "product";
		}

		@BloomAdd("products")
		@CachePut("products")
		public String create(long id) {
			return "product";
		}

	}

}
