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

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for texts that are written in another way than those in the database, which calls
 * them equal.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class EqualTextTests {

	private static final String FOLD = "bloom-guard.filters.products.text=fold";

	private static final String MIRROR = "bloom-guard.filters.products.mirror.enabled=true";

	private static final KeySource names = new Names();

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@TempDir
	private static Path directory;

	@ParameterizedTest
	@MethodSource("databases")
	void rowThatTheDatabaseFindsIsNotAbsent(Supplier<String> url) {
		try (GuardApplication application = start(url.get(), MIRROR)) {
			awaitAbsent(application, true);
			check(application);
		}
	}

	@Test
	void rowThatTheDatabaseFindsIsNotAbsentInMemory() {
		try (GuardApplication application = start(TestMariaDb.create(tables("varchar(50)")).url(),
				"bloom-guard.filters.products.type=memory")) {
			awaitAbsent(application, false);
			check(application);
		}
	}

	private static void check(GuardApplication application) {
		JdbcTemplate database = application.bean(JdbcTemplate.class);
		application.guard().add("products", "Zoe");
		database.update("insert into customer values ('Zoe')");
		for (String name : List.of("Bob", "bob", "BOB", "B\u00f6b", "Bob ", "Zoe", "zoe", "ZOE", "Zo\u00eb", "zoe  ")) {
			if (!database.queryForList("select name from customer where name = ?", name).isEmpty()) {
				assertThat(application.guard().membership("products", name)).as(name).isEqualTo(Membership.MAYBE);
				assertThat(application.lookUpInStore(name)).as(name).isEqualTo(Membership.MAYBE);
			}
		}
		assertThat(application.guard().membership("products", "no one")).isEqualTo(Membership.ABSENT);
		assertThat(application.lookUpInStore("no one")).isEqualTo(Membership.ABSENT);
	}

	private GuardApplication start(String url, String... more) {
		return GuardApplication.start(this.redis, List.of(),
				Stream
					.concat(Stream.of("spring.datasource.url=" + url,
							"bloom-guard.filters.products.warm-up.query=select name from customer"), Stream.of(more))
					.toArray(String[]::new));
	}

	static Stream<Named<Supplier<String>>> databases() {
		return Stream.of(Named.of("PostgreSQL, text", () -> TestPostgres.create(tables("text")).url()),
				Named.of("PostgreSQL, nondeterministic", () -> postgres(
						"create collation ci (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
						tables("text collate ci"))),
				Named.of("MariaDB", () -> TestMariaDb.create(tables("varchar(50)")).url()),
				Named.of("MariaDB, general",
						() -> TestMariaDb.create(tables("varchar(50) collate utf8mb4_general_ci")).url()),
				Named.of("MariaDB, binary", () -> TestMariaDb.create(tables("varchar(50) collate utf8mb4_bin")).url()),
				Named.of("MySQL", () -> TestMySql.create(tables("varchar(50)")).url()),
				Named.of("MySQL, binary", () -> TestMySql.create(tables("varchar(50) collate utf8mb4_bin")).url()),
				Named.of("PostgreSQL, citext", () -> untyped(postgres("create extension citext", tables("citext")))),
				Named.of("H2, IGNORECASE", () -> inMemory("jdbc:h2:mem:equal;IGNORECASE=TRUE;DB_CLOSE_DELAY=-1")),
				Named.of("H2", () -> inMemory("jdbc:h2:mem:equal_exact;DB_CLOSE_DELAY=-1")),
				Named.of("SQLite, nocase", () -> file("jdbc:sqlite:", "text collate nocase")),
				Named.of("HSQLDB", () -> file("jdbc:hsqldb:file:", "varchar(50)")));
	}

	/**
	 * Let PostgreSQL choose the type of parameters: it compares text with their type.
	 */
	private static String untyped(String url) {
		return url + "&stringtype=unspecified";
	}

	private static String inMemory(String url) {
		return create(url, tables("varchar(50)"));
	}

	private static String file(String driver, String type) {
		return create(driver + directory.resolve("equal"), tables(type));
	}

	private static String create(String url, String... statements) {
		JdbcTemplate template = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
		Stream.of(statements).forEach(template::execute);
		return url;
	}

	private static String postgres(String first, String... others) {
		return TestPostgres.create(Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new)).url();
	}

	private static String[] tables(String type) {
		return new String[] { "create table customer (name " + type + ")",
				"insert into customer values ('Bob'), ('Carl')" };
	}

	@Test
	void sourceThatCannotBeAskedComparesTextAsConfigured() {
		try (GuardApplication application = GuardApplication.start(this.redis, names, FOLD, MIRROR)) {
			awaitAbsent(application, true);
			for (String name : List.of("Bob", "bob", "BOB ", "B\u00f6b")) {
				assertThat(application.guard().membership("products", name)).as(name).isEqualTo(Membership.MAYBE);
			}
		}
		try (GuardApplication application = GuardApplication.start(this.redis, names, MIRROR)) {
			awaitAbsent(application, true);
			assertThat(application.guard().membership("products", "Bob")).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", "bob")).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void keyThatMayBeEqualToOthersIsNotRemovedAndRememberedByItsOwnTextUntilAKeyIsAdded() {
		try (GuardApplication application = GuardApplication.start(this.redis, names, FOLD, MIRROR,
				"bloom-guard.filters.products.rebuild.longest-transaction=0s")) {
			awaitAbsent(application, true);
			application.guard().remove("products", "bob");
			Awaitility.await()
				.until(() -> application.guard().<Object, RuntimeException>get("products", "BOB", () -> null) == null
						&& !this.redis.keys("*:empty:*").isEmpty());
			assertThat(application.guard().get("products", "BOB", () -> "row")).isNull();
			assertThat(application.guard().get("products", "bob", () -> "row")).isEqualTo("row");
			application.guard().add("products", "another");
			assertThat(application.guard().get("products", "BOB", () -> "row")).isEqualTo("row");
			assertThat(application.guard().membership("products", "Bob")).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void keyThatCannotBeFoldedLetsNothingBeAbsent() {
		try (GuardApplication application = GuardApplication.start(this.redis, names, FOLD, MIRROR)) {
			awaitAbsent(application, true);
			application.guard().add("products", "Jos\u00e9");
			assertThat(application.guard().membership("products", "jose")).isEqualTo(Membership.MAYBE);
		}
	}

	private static void awaitAbsent(GuardApplication application, boolean mirror) {
		Awaitility.await()
			.until(() -> (mirror
					? application.products()
						.filter()
						.lookupInMemory(application.products().filter().snapshot(), "nobody")
					: application.guard().membership("products", "nobody")) == Membership.ABSENT);
	}

	/**
	 * Names from nowhere.
	 */
	private static final class Names implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.of("Bob", "Carl");
		}

	}

}
