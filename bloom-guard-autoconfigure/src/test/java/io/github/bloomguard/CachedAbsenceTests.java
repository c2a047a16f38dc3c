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

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for null values of caches that are asked for with another key than the one that
 * is added, for which the database finds the same row.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class CachedAbsenceTests {

	private static final UUID ID = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@ParameterizedTest
	@MethodSource
	void nullValueOfAnEqualKeyDoesNotHideTheRow(Table table) {
		try (GuardApplication application = start(table)) {
			JdbcTemplate database = application.bean(JdbcTemplate.class);
			Rows rows = application.bean(Rows.class);
			database.update("delete from customer");
			assertThat(readAll(rows, table.asked())).allSatisfy((row) -> assertThat(row).isNull());
			application.guard().add("products", table.key());
			database.update("insert into customer values (" + table.literal() + ")");
			for (Object asked : table.asked()) {
				if (rows.read(asked) != null) {
					assertThat(readAll(rows, List.of(asked))).as("%s", asked)
						.allSatisfy((row) -> assertThat(row).isNotNull());
				}
			}
		}
	}

	static Stream<Table> nullValueOfAnEqualKeyDoesNotHideTheRow() {
		List<Object> names = List.of("Bob", "bob", "BOB", "B\u00f6b", "Bob ", "bob  ");
		return Stream.of(
				new Table("MySQL", () -> TestMySql.create(create("varchar(50)", "'Bob'")).url(), "?", "'Bob'", "Bob",
						names),
				new Table("MariaDB", () -> TestMariaDb.create(create("varchar(50)", "'Bob'")).url(), "?", "'Bob'",
						"Bob", names),
				new Table("MariaDB, binary",
						() -> TestMariaDb.create(create("varchar(50) collate utf8mb4_bin", "'Bob '")).url(), "?",
						"'Bob '", "Bob ", names),
				new Table("MySQL, bigint", () -> TestMySql.create(create("bigint", "7")).url(), "?", "7", 7L,
						List.of(7, "7", "07", " 7", "7.0", "7abc")),
				new Table("PostgreSQL, text", () -> TestPostgres.create(create("text", "'Bob'")).url(), "?", "'Bob'",
						"Bob", names),
				new Table("PostgreSQL, bigint", () -> TestPostgres.create(create("bigint", "7")).url(),
						"cast(? as bigint)", "7", 7L, List.of(7, "7", "007", "+7", " 7")),
				new Table("PostgreSQL, numeric", () -> TestPostgres.create(create("numeric(10,2)", "7.5")).url(),
						"cast(? as numeric)", "7.5", new BigDecimal("7.50"),
						List.of(new BigDecimal("7.50"), new BigDecimal("7.5"), 7.5, "7.500", "7.5")),
				new Table("PostgreSQL, uuid", () -> TestPostgres.create(create("uuid", "'" + ID + "'")).url(),
						"cast(? as uuid)", "'" + ID + "'", ID,
						List.of(ID, ID.toString(), ID.toString().toUpperCase())));
	}

	private static String[] create(String type, String literal) {
		return new String[] { "create table customer (name " + type + ")",
				"insert into customer values (" + literal + ")" };
	}

	@ParameterizedTest
	@MethodSource
	void absenceOfAKeyThatNoOtherIsEqualToIsCachedByGuardedMethods(Table table) {
		try (GuardApplication application = start(table)) {
			Rows rows = application.bean(Rows.class);
			application.bean(JdbcTemplate.class).update("delete from customer");
			for (Object asked : table.asked()) {
				Awaitility.await(String.valueOf(asked)).untilAsserted(() -> {
					readAll(rows, List.of(asked));
					int before = rows.calls();
					readAll(rows, List.of(asked));
					assertThat(rows.calls()).as("but the unguarded").isEqualTo(before + 1);
				});
			}
		}
	}

	static Stream<Table> absenceOfAKeyThatNoOtherIsEqualToIsCachedByGuardedMethods() {
		return Stream.of(
				new Table("PostgreSQL, text", () -> TestPostgres.create(create("text", "'Bob'")).url(), "?", "'Bob'",
						"Bob", List.of("Bob")),
				new Table("PostgreSQL, bigint", () -> TestPostgres.create(create("bigint", "7")).url(),
						"cast(? as bigint)", "7", 7L, List.of(7, 7L, "7")),
				new Table("MySQL, bigint", () -> TestMySql.create(create("bigint", "1234567890123456789")).url(), "?",
						"7", 1234567890123456789L, List.of(1234567890123456789L)),
				new Table("MySQL, binary",
						() -> TestMySql.create(create("varchar(50) collate utf8mb4_bin", "'Bob'")).url(), "?", "'Bob'",
						"Bob", List.of("Bob")),
				new Table("PostgreSQL, uuid", () -> TestPostgres.create(create("uuid", "'" + ID + "'")).url(),
						"cast(? as uuid)", "'" + ID + "'", ID, List.of(ID, ID.toString())));
	}

	private static List<@Nullable String> readAll(Rows rows, List<? extends Object> keys) {
		return keys.stream()
			.flatMap((key) -> Arrays.stream(Read.values()).<@Nullable String>map((read) -> read.read.apply(rows, key)))
			.toList();
	}

	private GuardApplication start(Table table) {
		GuardApplication application = GuardApplication.start(this.redis, List.of(Caching.class, Rows.class),
				"spring.datasource.url=" + table.url().get(), "rows.placeholder=" + table.placeholder(),
				"bloom-guard.filters.products.warm-up.query=select name from customer",
				"bloom-guard.filters.products.caches=simple,shared,future,unguarded", "spring.cache.type=redis");
		return application.awaitReady();
	}

	/**
	 * A table of one column and one row.
	 *
	 * @param url makes its database
	 * @param placeholder what the column is compared with
	 * @param literal the value of its row, in SQL
	 * @param key the key of its row
	 * @param asked keys to ask for
	 */
	private record Table(String name, Supplier<String> url, String placeholder, String literal, Object key,
			List<? extends Object> asked) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

	/**
	 * The ways in which a row can be read.
	 */
	enum Read {

		SIMPLE(Rows::find),

		SHARED(Rows::findShared),

		FUTURE((rows, key) -> rows.findAsync(key).join()),

		UNGUARDED(Rows::findUnguarded);

		private final BiFunction<Rows, Object, @Nullable String> read;

		Read(BiFunction<Rows, Object, @Nullable String> read) {
			this.read = read;
		}

	}

	static class Rows {

		private final AtomicInteger calls = new AtomicInteger();

		private final JdbcTemplate database;

		private final String query;

		Rows(JdbcTemplate database, @Value("${rows.placeholder}") String placeholder) {
			this.database = database;
			this.query = "select name from customer where name = " + placeholder;
		}

		public int calls() {
			return this.calls.get();
		}

		public @Nullable String read(Object key) {
			this.calls.incrementAndGet();
			return this.database.queryForList(this.query, String.class, key).stream().findFirst().orElse(null);
		}

		@BloomGuarded("products")
		@Cacheable("simple")
		public @Nullable String find(Object key) {
			return read(key);
		}

		@BloomGuarded("products")
		@Cacheable(cacheNames = "shared", sync = true)
		public @Nullable String findShared(Object key) {
			return read(key);
		}

		@BloomGuarded("products")
		@Cacheable("future")
		public CompletableFuture<@Nullable String> findAsync(Object key) {
			return CompletableFuture.completedFuture(read(key));
		}

		@Cacheable("unguarded")
		public @Nullable String findUnguarded(Object key) {
			return read(key);
		}

	}

}
