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

package io.github.bloomguard.warmup;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for applications that are closed in the middle of a warm-up.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class InterruptedWarmUpTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	/**
	 * Newer servers would build a table of all rows first, with a hash join.
	 */
	private static final String ROW_BY_ROW = "set global optimizer_switch = 'block_nested_loop=off'";

	@TempDir
	private static Path directory;

	static Stream<Arguments> queries() {
		String many = "select a.n * 1000000000 + b.n * 1000000 + c.n * 1000 + d.n from n a, n b, n c, n d";
		String numbers = "create table n (n bigint primary key)";
		String insert = "insert into n with recursive x(n) as (select 1 union all select n + 1 from x where n < 999)"
				+ " select n from x";
		Supplier<TestMySql> mysql = SingletonSupplier.of(() -> TestMySql.create(ROW_BY_ROW, numbers, insert));
		Supplier<TestMariaDb> mariaDb = SingletonSupplier.of(() -> TestMariaDb.create(numbers, insert));
		Supplier<TestPostgres> postgres = SingletonSupplier.of(TestPostgres::create);
		return Stream.of(
				query("PostgreSQL", () -> postgres.get().url(), "select generate_series(1, 9000000000000000000)"),
				query("MySQL with Connector/J", () -> mysql.get().connectorJUrl(), many),
				query("MySQL with MariaDB's driver", () -> mysql.get().mariaDbDriverUrl(), many),
				query("MariaDB with its driver", () -> mariaDb.get().mariaDbDriverUrl(), many),
				query("MariaDB with Connector/J", () -> mariaDb.get().connectorJUrl(), many),
				query("H2", () -> "jdbc:h2:file:" + directory.resolve("h2"),
						"select x from system_range(1, 9000000000000000000)"),
				query("PostgreSQL, first row", () -> postgres.get().url(), "select 7 from pg_sleep(600)"),
				query("MySQL, first row", () -> mysql.get().connectorJUrl(), "select sleep(600) from n"),
				query("MySQL with MariaDB's driver, first row", () -> mysql.get().mariaDbDriverUrl(),
						"select sleep(600) from n"),
				query("MariaDB, first row", () -> mariaDb.get().mariaDbDriverUrl(), "select sleep(600) from n"));
	}

	private static Arguments query(String name, Supplier<String> url, String query) {
		return arguments(name, url, query);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("queries")
	void queryIsStoppedAndNoStackTraceIsLogged(String name, Supplier<String> url, String query, CapturedOutput output) {
		assertEnds(name, url.get(), output, "bloom-guard.filters.products.warm-up.query=" + query);
	}

	static Stream<Arguments> entities() {
		String[] statements = { "create table n (n bigint primary key)",
				"insert into n with recursive x(n) as (select 1 union all select n + 1 from x where n < 999) select n from x",
				"create view endless as select a.n * 1000000000 + b.n * 1000000 + c.n * 1000 + d.n as id"
						+ " from n a, n b, n c, n d" };
		return Stream.of(
				entity("MySQL",
						() -> TestMySql.create(StringUtils.addStringToArray(statements, ROW_BY_ROW)).connectorJUrl()),
				entity("MariaDB, first row", () -> TestMariaDb.create(statements).mariaDbDriverUrl()));
	}

	private static Arguments entity(String name, Supplier<String> url) {
		return arguments(name, url);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("entities")
	void queryOfAnEntityIsStopped(String name, Supplier<String> url, CapturedOutput output) {
		assertEnds(name, url.get(), output, GuardApplication.HIBERNATE,
				"bloom-guard.filters.products.entity=" + Endless.class.getName());
	}

	@Test
	void databaseInAFileIsNotBrokenByTheEnd(CapturedOutput output) {
		String url = "jdbc:h2:file:" + directory.resolve("read") + ";CACHE_SIZE=100";
		try (HikariDataSource other = new HikariDataSource()) {
			other.setJdbcUrl(url);
			JdbcTemplate template = new JdbcTemplate(other);
			template.execute("create table n (n bigint primary key, text varchar(200))");
			template.execute("insert into n select x, repeat('a', 150) from system_range(1, 100000)");
			template.execute("checkpoint sync");
			assertEnds("H2, first row", url, output,
					"bloom-guard.filters.products.warm-up.query=select sum(x + length(n.text))"
							+ " from system_range(1, 1000000) r cross join n");
			template.execute("insert into n values (0, 'a')");
			assertThat(template.queryForObject("select count(*) from n where text like 'a%'", Long.class))
				.isEqualTo(100_001);
		}
	}

	private static void assertEnds(String name, String url, CapturedOutput output, String... properties) {
		redis.reset();
		try (GuardApplication application = GuardApplication.start(redis, List.of(Entities.class),
				Stream
					.concat(Stream.of("spring.datasource.url=" + url,
							"bloom-guard.filters.products.expected-insertions=10000000"), Stream.of(properties))
					.toArray(String[]::new))) {
			WarmUp warmUp = application.bean(ManagedFilters.class).find("products").warmUp();
			Awaitility.await()
				.until(() -> name.endsWith("first row") ? warmUp.progress().status() == Status.RUNNING
						: warmUp.progress().loaded() > 20_000);
			warmUp.close();
			// while there still are connections: without them it would end in any case
			Awaitility.await().until(() -> warmUp.lastRun().isDone());
		}
		assertThat(output).doesNotContain("\tat ", "Exception");
	}

	@Entity
	@Table(name = "endless")
	static class Endless {

		@Id
		long id;

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Endless.class)
	static class Entities {

	}

}
