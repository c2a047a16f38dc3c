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

import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link DatabaseIdentity} with a real PostgreSQL and H2.
 */
class DatabaseIdentityTests {

	@Test
	void databaseIsTheSameForWhoeverReadsIt() {
		TestPostgres postgres = TestPostgres.create("create role reader login");
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

	private static String identity(DataSource dataSource) {
		return new DatabaseIdentity().read(dataSource);
	}

	private static DataSource h2(String url) {
		return new DriverManagerDataSource(url, "sa", "");
	}

}
