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
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link DatabaseIdentity} with a real PostgreSQL and H2.
 */
class DatabaseIdentityTests {

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

	@Test
	void databaseIsTheSameForWhoeverReadsIt() {
		TestPostgres postgres = TestPostgres.create(FLYWAY, MIGRATION.formatted(1), "create role reader login");
		DataSource reader = new DriverManagerDataSource(postgres.url() + "&ApplicationName=x", "reader", "");
		assertThat(identity(reader)).isEqualTo(identity(postgres.dataSource())).doesNotContain("reader");
	}

	@Test
	void databasesAndSchemasAreToldApart() {
		TestPostgres one = TestPostgres.create("create schema other");
		TestPostgres two = TestPostgres.create();
		assertThat(List.of(identity(one.dataSource()), identity(two.dataSource()),
				identity(new DriverManagerDataSource(one.url() + "&currentSchema=other"))))
			.doesNotHaveDuplicates();
	}

	@Test
	void databaseThatIsCreatedAnewIsAnotherOne() {
		TestPostgres server = TestPostgres.create();
		TestPostgres postgres = TestPostgres.create();
		String former = identity(postgres.dataSource());
		String name = postgres.template().queryForObject("select current_database()", String.class);
		server.execute("drop database " + name, "create database " + name);
		assertThat(identity(postgres.dataSource())).isNotEqualTo(former);
	}

	/**
	 * As Druid's {@code WallFilter} refuses {@code pg_database}: without an SQL state.
	 */
	@Test
	void whatAPoolRefusesToAskIsLeftOut() throws SQLException {
		try (Connection connection = spy(TestPostgres.create().connect())) {
			willAnswer((call) -> {
				Statement statement = spy((Statement) call.callRealMethod());
				willThrow(new SQLException("sql injection violation, deny table : pg_database")).given(statement)
					.executeQuery(DatabaseIdentity.POSTGRESQL);
				return statement;
			}).given(connection).createStatement();
			DatabaseIdentity identity = new DatabaseIdentity();
			assertThat(identity.read(connection)).contains("jdbc:postgresql://");
			willReturn(false).given(connection).isValid(anyInt());
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> identity.read(connection));
		}
	}

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
		DatabaseIdentity identity = new DatabaseIdentity();
		try (Connection connection = spy(postgres.connect())) {
			String former = identity.schemaVersion(connection);
			clearInvocations(connection);
			assertThat(identity.schemaVersionAgain(connection)).isEqualTo(former);
			postgres.execute(MIGRATION.formatted(2));
			assertThat(identity.schemaVersionAgain(connection)).isNotEqualTo(former)
				.isEqualTo(identity.schemaVersionAgain(connection));
			verify(connection, never()).getMetaData();
			assertThat(identity.schemaVersionAgain(connection)).isEqualTo(identity.schemaVersion(connection));
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
				LogLines lines = LogLines.of(DatabaseIdentity.class, Level.WARN)) {
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
	void databaseInTheMemoryOfAnApplicationBelongsToIt() {
		DataSource h2 = h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		DatabaseIdentity identity = new DatabaseIdentity();
		assertThat(identity.read(h2)).isEqualTo(identity.read(h2)).isNotEqualTo(identity(h2));
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:h2:mem:shop, true", "jdbc:hsqldb:mem:shop, true", "jdbc:derby:memory:shop, true",
			"jdbc:sqlite::memory:, true", "jdbc:h2:tcp://localhost/mem:shop, false", "jdbc:h2:file:/data/shop, false",
			"jdbc:postgresql://db/shop, false" })
	void databaseInTheMemoryOfAServerIsWrittenByOthers(String url, boolean own) {
		assertThat(DatabaseIdentity.isOwn(url)).isEqualTo(own);
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:postgresql://db:5432/shop?user=me&password=x, jdbc:postgresql://db:5432/shop",
			"jdbc:mysql://me:x@db:3306/shop?useSSL=false, jdbc:mysql://db:3306/shop",
			"jdbc:sqlserver://db:1433;databaseName=shop;user=me;password=x, jdbc:sqlserver://db:1433",
			"jdbc:oracle:thin:me/x@//db:1521/shop, jdbc:oracle:thin://db:1521/shop",
			"jdbc:oracle:thin:@db:1521:shop, jdbc:oracle:thin:db:1521:shop",
			"jdbc:h2:file:/data/shop;PASSWORD=x, jdbc:h2:file:/data/shop", "jdbc:sqlite:shop.db, jdbc:sqlite:shop.db" })
	void urlIsUsedWithoutCredentialsAndParameters(String url, String place) {
		assertThat(DatabaseIdentity.place(url)).isEqualTo(place);
	}

	private static void assertEachChanges(DataSource dataSource, JdbcTemplate template, String... statements) {
		DatabaseIdentity identity = new DatabaseIdentity();
		String place = identity.read(dataSource);
		String former = schemaVersion(identity, dataSource);
		for (String statement : statements) {
			template.execute(statement);
			String present = schemaVersion(identity, dataSource);
			assertThat(present).as(statement).isNotEqualTo(former).isEqualTo(schemaVersion(identity, dataSource));
			former = present;
		}
		assertThat(identity.read(dataSource)).isEqualTo(place);
	}

	private static String identity(DataSource dataSource) {
		return new DatabaseIdentity().read(dataSource);
	}

	private static String version(DataSource dataSource) {
		return schemaVersion(new DatabaseIdentity(), dataSource);
	}

	private static DataSource h2(String url) {
		return new DriverManagerDataSource(url, "sa", "");
	}

	private static String schemaVersion(DatabaseIdentity identity, DataSource dataSource) {
		return DatabaseQuestion.ask(dataSource, identity::schemaVersion);
	}

}
