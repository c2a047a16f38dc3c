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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link SchemaVersions} with a real PostgreSQL and H2.
 */
class SchemaVersionsTests {

	/**
	 * As Flyway creates it.
	 */
	private static final String FLYWAY = "create table \"flyway_schema_history\" (\"installed_rank\" int primary key,"
			+ " \"version\" varchar(50), \"description\" varchar(200) not null,"
			+ " \"installed_on\" timestamp default now() not null, \"success\" boolean not null)";

	private static final String MIGRATION = "insert into \"flyway_schema_history\""
			+ " (\"installed_rank\", \"version\", \"description\", \"success\") values (%1$d, '%1$d', 'x', true)";

	/**
	 * As Liquibase creates it.
	 */
	private static final String LIQUIBASE = "create table databasechangelog (id varchar(255) not null,"
			+ " dateexecuted timestamp not null, orderexecuted int not null)";

	private static final String CHANGE_SET = "insert into databasechangelog values ('%1$d', now(), %1$d)";

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void migrationMakesItAnotherVersion(boolean autoCommit) throws SQLException {
		TestPostgres postgres = TestPostgres.create();
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(postgres.url());
			pool.setMaximumPoolSize(1);
			pool.setAutoCommit(autoCommit);
			assertEachChanges(pool, postgres.template(), FLYWAY, MIGRATION.formatted(1), MIGRATION.formatted(2),
					LIQUIBASE, CHANGE_SET.formatted(1), CHANGE_SET.formatted(2));
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
			}
		}
	}

	@Test
	void migrationIsNoticedWithoutASearchForItsTable() throws SQLException {
		TestPostgres postgres = TestPostgres.create(FLYWAY, MIGRATION.formatted(1));
		SchemaVersions versions = new SchemaVersions();
		try (Connection connection = spy(postgres.connect())) {
			String former = versions.search(connection);
			clearInvocations(connection);
			assertThat(versions.again(connection)).isEqualTo(former);
			postgres.execute(MIGRATION.formatted(2));
			assertThat(versions.again(connection)).isNotEqualTo(former).isEqualTo(versions.again(connection));
			verify(connection, never()).getMetaData();
			assertThat(versions.again(connection)).isEqualTo(versions.search(connection));
		}
	}

	@Test
	void migrationMakesItAnotherVersionWhereNamesAreUpperCase() {
		DataSource h2 = h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		assertEachChanges(h2, new JdbcTemplate(h2), FLYWAY, MIGRATION.formatted(1), MIGRATION.formatted(2), LIQUIBASE,
				CHANGE_SET.formatted(1), CHANGE_SET.formatted(2));
	}

	@Test
	void historyInAnotherSchemaCountsUnlessTheSchemaHasItsOwn() {
		TestPostgres postgres = TestPostgres.create("create schema meta", "set search_path = meta; " + FLYWAY);
		String former = version(postgres.dataSource());
		postgres.execute("set search_path = meta; " + MIGRATION.formatted(1));
		String latest = version(postgres.dataSource());
		assertThat(latest).isNotEqualTo(former);
		postgres.execute(FLYWAY, MIGRATION.formatted(1));
		String own = version(postgres.dataSource());
		assertThat(own).isNotEqualTo(latest);
		postgres.execute("set search_path = meta; " + MIGRATION.formatted(2));
		assertThat(version(postgres.dataSource())).isEqualTo(own);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void historyThatMayNotBeReadIsLeftOutWithAWarning(boolean autoCommit) {
		TestPostgres postgres = TestPostgres.create(FLYWAY, "create role stranger" + autoCommit + " login");
		try (HikariDataSource pool = new HikariDataSource();
				LogLines lines = LogLines.of(SchemaVersions.class, Level.WARN)) {
			pool.setJdbcUrl(postgres.url().replace("user=postgres", "user=stranger" + autoCommit));
			pool.setAutoCommit(autoCommit);
			String version = version(pool);
			postgres.execute(MIGRATION.formatted(1));
			assertThat(version(pool)).isEqualTo(version);
			assertThat(lines.lines()).isNotEmpty()
				.allSatisfy((line) -> assertThat(line).contains("Rows that migrations insert may be missing",
						"flyway_schema_history"));
		}
	}

	@Test
	void sourcesOfADataSourceShareItsVersions() {
		DataSource shared = h2("jdbc:h2:mem:shared");
		assertThat(SchemaVersions.of(shared)).isSameAs(SchemaVersions.of(shared))
			.isNotSameAs(SchemaVersions.of(h2("jdbc:h2:mem:shared")));
		assertThat(SchemaVersions.of(null)).isNotSameAs(SchemaVersions.of(null));
	}

	@Test
	void filtersThatLookAtTheSameTimeAskTheDatabaseOnce() {
		SchemaVersions versions = new SchemaVersions();
		AtomicInteger asked = new AtomicInteger();
		for (int i = 0; i < 200; i++) {
			assertThat(versions.latest(() -> "version " + asked.incrementAndGet())).isEqualTo("version 1");
		}
		assertThat(asked).hasValue(1);
		Awaitility.await().until(() -> versions.latest(() -> "a later one").equals("a later one"));
	}

	@Test
	void failureOfTheOneThatAsksIsThatOfAllThatWaitForIt() {
		SchemaVersions versions = new SchemaVersions();
		for (int i = 0; i < 2; i++) {
			assertThatException().isThrownBy(() -> versions.latest(() -> {
				throw new IllegalStateException("down");
			})).withMessageContaining("down");
		}
	}

	@Test
	void whatASearchHasFoundIsNewerThanWhatWasAskedBefore() throws SQLException {
		TestPostgres postgres = TestPostgres.create(FLYWAY, MIGRATION.formatted(1));
		SchemaVersions versions = new SchemaVersions();
		assertThat(versions.latest(() -> "older")).isEqualTo("older");
		try (Connection connection = postgres.connect()) {
			String found = versions.search(connection);
			assertThat(versions.latest(() -> found)).isEqualTo(found);
		}
	}

	private static void assertEachChanges(DataSource dataSource, JdbcTemplate template, String... statements) {
		String former = version(dataSource);
		for (String statement : statements) {
			template.execute(statement);
			String present = version(dataSource);
			assertThat(present).as(statement).isNotEqualTo(former).isEqualTo(version(dataSource));
			former = present;
		}
	}

	private static String version(DataSource dataSource) {
		return DatabaseQuestion.ask(dataSource, new SchemaVersions()::search);
	}

	private static DataSource h2(String url) {
		return new DriverManagerDataSource(url, "sa", "");
	}

}
