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

package io.github.bloomguard.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link RowStreaming} with each database and driver.
 */
@Tag("slow")
class RowStreamingTests {

	private static final int ROWS = 200_000;

	@TempDir
	private static Path directory;

	static Stream<Arguments> databases() {
		return Stream.of(database("PostgreSQL", () -> TestPostgres.create().url(), RowStreaming.BY_FETCH_SIZE),
				database("MySQL, Connector/J", () -> TestMySql.create().connectorJUrl(), RowStreaming.CONNECTOR_J),
				database("MySQL, driver of MariaDB", () -> TestMySql.create().mariaDbDriverUrl(),
						RowStreaming.BY_FETCH_SIZE),
				database("MariaDB", () -> TestMariaDb.create().mariaDbDriverUrl(), RowStreaming.BY_FETCH_SIZE),
				database("MariaDB, Connector/J", () -> TestMariaDb.create().connectorJUrl(), RowStreaming.CONNECTOR_J),
				database("H2, file", () -> "jdbc:h2:file:" + directory.resolve("h2"), RowStreaming.H2),
				database("H2, memory", () -> "jdbc:h2:mem:streaming", RowStreaming.H2),
				database("HSQLDB, file",
						() -> "jdbc:hsqldb:file:" + directory.resolve("hsqldb") + ";hsqldb.log_data=false",
						RowStreaming.HSQLDB),
				database("HSQLDB, memory", () -> "jdbc:hsqldb:mem:streaming", RowStreaming.HSQLDB),
				database("SQLite", () -> "jdbc:sqlite:" + directory.resolve("sqlite"), RowStreaming.SQLITE));
	}

	private static Arguments database(String name, Supplier<String> url, RowStreaming streaming) {
		return arguments(name, url, streaming);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void allRowsAreReadAndTheConnectionIsUsedForOtherThingsAgain(String name, Supplier<String> url,
			RowStreaming streaming) throws SQLException {
		try (HikariDataSource pool = pool(url.get())) {
			fill(pool, 5000);
			JdbcKeySource source = new JdbcKeySource("products", pool, "select id from product", null, 100);
			for (int i = 0; i < 2; i++) {
				try (Stream<?> keys = source.keys()) {
					assertThat(keys.mapToLong((key) -> ((Number) key).longValue()).sum())
						.isEqualTo(LongStream.rangeClosed(1, 5000).sum());
				}
				try (Stream<?> keys = source.keys()) {
					assertThat(keys.iterator().next()).isNotNull();
				}
				try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
					assertThat(RowStreaming.of(connection)).isSameAs(streaming);
					assertThat(connection.getAutoCommit()).isTrue();
					assertThat(statement.executeUpdate("insert into product values (" + (7000 + i) + ")")).isOne();
					assertThat(statement.executeUpdate("delete from product where id = " + (7000 + i))).isOne();
				}
			}
		}
	}

	/**
	 * Without the one that keeps its rows in memory as they are.
	 */
	static Stream<Arguments> databasesThatStream() {
		return databases().filter((arguments) -> !"HSQLDB, memory".equals(arguments.get()[0]));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databasesThatStream")
	void rowsAreNotAllInMemoryWhenTheFirstIsThere(String name, Supplier<String> url, RowStreaming streaming) {
		try (HikariDataSource pool = pool(url.get())) {
			fill(pool, ROWS);
			JdbcKeySource source = new JdbcKeySource("products", pool, "select id from product", null, 1000);
			long before = used();
			try (Stream<?> keys = source.keys()) {
				Iterator<?> iterator = keys.iterator();
				iterator.next();
				// a row takes 40 bytes and more with each driver
				assertThat(used() - before).isLessThan(ROWS * 30L);
				iterator.forEachRemaining((key) -> {
				});
			}
		}
	}

	private static long used() {
		Runtime runtime = Runtime.getRuntime();
		System.gc();
		return runtime.totalMemory() - runtime.freeMemory();
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(1);
		return pool;
	}

	private static void fill(HikariDataSource pool, int rows) {
		JdbcTemplate template = new JdbcTemplate(pool);
		template.execute("drop table if exists product");
		String cached = pool.getJdbcUrl().startsWith("jdbc:hsqldb:file:") ? "cached " : "";
		template.execute("create " + cached + "table product (id bigint primary key)");
		List<String> values = LongStream.rangeClosed(1, 5000).mapToObj((id) -> "(" + id + ")").toList();
		template.execute("insert into product values " + String.join(", ", values));
		for (int filled = 5000; filled < rows; filled += 5000) {
			template.execute("insert into product select id + " + filled + " from product where id <= 5000");
		}
	}

}
