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

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import com.alicp.jetcache.support.JavaValueDecoder;
import com.alicp.jetcache.support.JavaValueEncoder;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an {@link AddedKeysListener} with two levels of caches: JetCache in Redis,
 * which keeps null values, and in front of it Caffeine in the memory of each of two
 * instances, which keeps none.
 */
class TwoLevelCacheTests {

	private static final AtomicLong ids = new AtomicLong();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static TestPostgres postgres;

	@AutoClose
	private static GuardApplication application;

	@AutoClose
	private static GuardApplication other;

	private final long id = ids.incrementAndGet();

	private final Products products = application.bean(Products.class);

	private final Products otherProducts = other.bean(Products.class);

	private final CachedNames names = application.bean(CachedNames.class);

	@BeforeAll
	static void start() {
		postgres = TestPostgres.create("create table product (id bigint primary key, name text)");
		application = startOne();
		other = startOne();
	}

	private static GuardApplication startOne() {
		return GuardApplication.start(redis, List.of(Products.class, CachedNames.class), postgres.and(
				"bloom-guard.filters.products.warm-up.query=select id from product", "test.redis.port=" + redis.port()))
			.awaitReady();
	}

	@BeforeEach
	void rememberAsAbsent() {
		assertThat(this.names.find(this.id)).isNull();
		postgres.execute("insert into product values (" + this.id + ", 'by another program')");
		assertThat(this.names.find(this.id)).as("kept as a null value").isNull();
		postgres.execute("delete from product");
	}

	@Test
	void rowIsFoundInAllInstancesOnceItIsCommitted() {
		this.products.insert(this.id, "umbrella");
		assertThat(this.products.find(this.id)).isEqualTo("umbrella");
		assertThat(this.otherProducts.find(this.id)).isEqualTo("umbrella");
	}

	@Test
	void nullValueThatWasStoredBeforeTheCommitIsForgottenAfterIt() {
		this.products.insertAnd(this.id, "umbrella",
				() -> assertThat(other.bean(CachedNames.class).find(this.id)).isNull());
		assertThat(this.products.find(this.id)).isEqualTo("umbrella");
		assertThat(this.otherProducts.find(this.id)).isEqualTo("umbrella");
	}

	@Test
	void rowIsNotInsertedIfJetCacheMayGoOnCallingItAbsent() {
		GuardApplication failing = startOne();
		failing.bean(CachedNames.class).destroy();
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> failing.bean(Products.class).insert(this.id, "umbrella"))
			.withMessageContaining(CachedNames.class.getName());
		failing.close();
		assertThat(new JdbcTemplate(postgres.dataSource()).queryForList("select id from product")).isEmpty();
	}

	static class Products {

		private final BloomGuard guard;

		private final JdbcTemplate database;

		private final CachedNames names;

		Products(BloomGuard guard, JdbcTemplate database, CachedNames names) {
			this.guard = guard;
			this.database = database;
			this.names = names;
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return this.names.find(id);
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#id")
		public void insert(long id, String name) {
			this.database.update("insert into product values (?, ?)", id, name);
		}

		/**
		 * Do something between the add and the commit.
		 */
		@Transactional
		public void insertAnd(long id, String name, Runnable between) {
			this.database.update("insert into product values (?, ?)", id, name);
			this.guard.add("products", id);
			between.run();
		}

	}

	/**
	 * What an application writes that has such caches.
	 */
	static class CachedNames implements AddedKeysListener, DisposableBean {

		private final Cache<Long, String> memory = Caffeine.newBuilder()
			.maximumSize(1000)
			.expireAfterWrite(10, TimeUnit.SECONDS)
			.build();

		private final RedisClient client;

		private final com.alicp.jetcache.Cache<Object, @Nullable String> shared;

		CachedNames(JdbcTemplate database, Environment environment) {
			this.client = RedisClient
				.create(RedisURI.create("127.0.0.1", environment.getRequiredProperty("test.redis.port", int.class)));
			this.shared = RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
				.redisClient(this.client)
				.keyPrefix("names:")
				.keyConvertor(String::valueOf)
				.valueEncoder(JavaValueEncoder.INSTANCE)
				.valueDecoder(JavaValueDecoder.INSTANCE)
				.expireAfterWrite(1, TimeUnit.HOURS)
				.cacheNullValue(true)
				.loader((id) -> database.queryForList("select name from product where id = ?", String.class, id)
					.stream()
					.findFirst()
					.orElse(null))
				.buildCache();
		}

		@Nullable String find(long id) {
			return this.memory.get(id, this.shared::get);
		}

		@Override
		public void onKeysAdded(String filter, Collection<?> keys) {
			Set<Object> texts = keys.stream().map(String::valueOf).collect(Collectors.toSet());
			// JetCache itself only logs that it has failed
			if (!this.shared.REMOVE_ALL(texts).isSuccess()) {
				throw new IllegalStateException("JetCache can't forget names");
			}
		}

		@Override
		public void destroy() {
			this.client.shutdown();
		}

	}

}
