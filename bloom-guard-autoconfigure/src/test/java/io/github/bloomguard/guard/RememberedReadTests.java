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

package io.github.bloomguard.guard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is remembered of reads in transactions of a real database: never what
 * only the transaction has not found. The filter knows each id; rows are deleted and
 * inserted without it.
 */
@Tag("slow")
class RememberedReadTests {

	private static final AtomicLong ids = new AtomicLong();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
			"insert into product select * from generate_series(1, 100)");

	private static GuardApplication application;

	private static BloomGuard guard;

	private static JdbcTemplate jdbc;

	private static Products products;

	private final long id = ids.incrementAndGet();

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis, List.of(Annotations.class, Products.class), postgres
			.and("bloom-guard.filters.products.warm-up.query=select id from product", "spring.cache.type=redis"));
		guard = application.awaitState(FilterState.READY).guard();
		jdbc = application.bean(JdbcTemplate.class);
		products = application.bean(Products.class);
		forgetWhatWasAdded();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@ParameterizedTest
	@EnumSource(names = "FUTURE", mode = EnumSource.Mode.EXCLUDE)
	void rowWhoseDeletionIsRolledBackIsFound(Read read) {
		transaction(TransactionDefinition.ISOLATION_DEFAULT, false).executeWithoutResult((status) -> {
			delete();
			assertThat(read.apply(this.id)).isNull();
			status.setRollbackOnly();
		});
		assertThat(read.apply(this.id)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource(names = "FUTURE", mode = EnumSource.Mode.EXCLUDE)
	void rowWhoseDeletionIsRolledBackIsFoundAlthoughATransactionOfAnotherDatabaseOnlyReads(Read read) {
		TransactionTemplate other = new TransactionTemplate(
				new JdbcTransactionManager(TestPostgres.create().dataSource()));
		other.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		other.setReadOnly(true);
		transaction(TransactionDefinition.ISOLATION_DEFAULT, false).executeWithoutResult((status) -> {
			delete();
			other.executeWithoutResult((reading) -> assertThat(read.apply(this.id)).isNull());
			status.setRollbackOnly();
		});
		assertThat(read.apply(this.id)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource(names = "FUTURE", mode = EnumSource.Mode.EXCLUDE)
	void rowThatASnapshotOfUnknownAgeDoesNotShowIsFoundByOthers(Read read) {
		TransactionTemplate snapshot = new TransactionTemplate(
				new JdbcTransactionManager(application.bean(DataSource.class)));
		snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		snapshot.setReadOnly(true);
		assertFoundByOthers(snapshot, read);
	}

	@ParameterizedTest
	@EnumSource(names = "FUTURE", mode = EnumSource.Mode.EXCLUDE)
	void rowThatASnapshotOfATransactionThatMayWriteDoesNotShowIsFoundByOthers(Read read) {
		assertFoundByOthers(transaction(TransactionDefinition.ISOLATION_REPEATABLE_READ, false), read);
	}

	private void assertFoundByOthers(TransactionTemplate snapshot, Read read) {
		delete();
		snapshot.executeWithoutResult((status) -> {
			jdbc.queryForList("select id from product");
			insertLongAgo();
			assertThat(read.apply(this.id)).isNull();
		});
		assertThat(read.apply(this.id)).isNotNull();
	}

	@ParameterizedTest
	@EnumSource(names = "FUTURE", mode = EnumSource.Mode.EXCLUDE)
	void whatATransactionDoesNotFindThatOnlyReadsIsRemembered(Read read) {
		delete();
		transaction(TransactionDefinition.ISOLATION_REPEATABLE_READ, true)
			.executeWithoutResult((status) -> assertThat(read.apply(this.id)).isNull());
		assertIsRemembered(read);
	}

	@ParameterizedTest
	@EnumSource
	void whatATransactionDoesNotFindThatReadsTheLatestIsRemembered(Read read) {
		delete();
		TransactionTemplate latest = new TransactionTemplate(
				new JdbcTransactionManager(application.bean(DataSource.class)));
		latest.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		latest.setReadOnly(true);
		latest.executeWithoutResult((status) -> assertThat(read.apply(this.id)).isNull());
		assertIsRemembered(read);
	}

	@ParameterizedTest
	@EnumSource
	void whatIsNotFoundWithoutATransactionIsRemembered(Read read) {
		delete();
		assertThat(read.apply(this.id)).isNull();
		assertIsRemembered(read);
	}

	@Test
	void whatATransactionOfTheMethodItselfDoesNotFindIsRemembered() {
		delete();
		assertThat(products.findInTransaction(this.id)).isNull();
		assertIsRemembered(Read.IN_TRANSACTION);
	}

	@Test
	void loaderInATransactionIsNotRemembered() {
		transaction(TransactionDefinition.ISOLATION_DEFAULT, false).executeWithoutResult((status) -> {
			delete();
			assertThat(guard.get("products", this.id, () -> Products.load(this.id))).isNull();
			status.setRollbackOnly();
		});
		assertThat(guard.get("products", this.id, () -> Products.load(this.id))).isNotNull();
	}

	private void assertIsRemembered(Read read) {
		AtomicInteger calls = products.calls(this.id);
		Awaitility.await().untilAsserted(() -> {
			int before = calls.get();
			assertThat(read.apply(this.id)).isNull();
			assertThat(calls).hasValue(before);
		});
	}

	private void delete() {
		jdbc.update("delete from product where id = ?", this.id);
	}

	/**
	 * Let another connection insert the row, so long ago that nobody remembers that its
	 * key was added.
	 */
	private void insertLongAgo() {
		postgres.execute("insert into product values (" + this.id + ")");
		CompletableFuture.runAsync(() -> guard.add("products", this.id)).join();
		forgetWhatWasAdded();
	}

	/**
	 * Keep the set, whose loss would be noticed.
	 */
	private static void forgetWhatWasAdded() {
		redis.command("ZREMRANGEBYSCORE", "bloom-guard:{products}:added", "-inf", "(+inf");
		redis.keys("bloom-guard:cache:held-off:*").forEach((key) -> redis.command("DEL", key));
	}

	private static TransactionTemplate transaction(int isolation, boolean readOnly) {
		TransactionTemplate template = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		template.setIsolationLevel(isolation);
		template.setReadOnly(readOnly);
		return template;
	}

	/**
	 * The ways in which a row can be read.
	 */
	enum Read {

		/** Remembered by an empty sentinel. */
		GUARDED(Products::find),

		/** Remembered by an empty sentinel, in a transaction of its own. */
		IN_TRANSACTION(Products::findInTransaction),

		/** Remembered by an empty sentinel, and not waited for. */
		FUTURE((products, id) -> products.findAsync(id).join()),

		/** Remembered by a null entry of a Redis cache. */
		CACHED(Products::findCached),

		/** Remembered by a null entry that was loaded once for all. */
		SHARED(Products::findShared);

		private final BiFunction<Products, Long, @Nullable Long> read;

		Read(BiFunction<Products, Long, @Nullable Long> read) {
			this.read = read;
		}

		@Nullable Long apply(long id) {
			return this.read.apply(products, id);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableTransactionManagement
	static class Annotations {

	}

	static class Products {

		private final Map<Long, AtomicInteger> calls = new ConcurrentHashMap<>();

		AtomicInteger calls(long id) {
			return this.calls.computeIfAbsent(id, (key) -> new AtomicInteger());
		}

		@BloomGuarded("products")
		public @Nullable Long find(long id) {
			calls(id).incrementAndGet();
			return load(id);
		}

		@BloomGuarded("products")
		@Transactional
		public @Nullable Long findInTransaction(long id) {
			return find(id);
		}

		@BloomGuarded("products")
		public CompletableFuture<@Nullable Long> findAsync(long id) {
			return CompletableFuture.completedFuture(find(id));
		}

		@Cacheable("cached")
		public @Nullable Long findCached(long id) {
			return find(id);
		}

		@Cacheable(cacheNames = "shared", sync = true)
		public @Nullable Long findShared(long id) {
			return find(id);
		}

		static @Nullable Long load(long id) {
			return jdbc.queryForList("select id from product where id = ?", Long.class, id)
				.stream()
				.findFirst()
				.orElse(null);
		}

	}

}
