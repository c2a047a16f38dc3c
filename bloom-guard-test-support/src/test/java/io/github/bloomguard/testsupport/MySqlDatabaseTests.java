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

package io.github.bloomguard.testsupport;

import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TestMariaDb} and {@link TestMySql}.
 */
class MySqlDatabaseTests {

	static Stream<Function<String, MySqlDatabase>> servers() {
		return Stream.of(TestMariaDb::create, TestMySql::create);
	}

	@ParameterizedTest
	@MethodSource("servers")
	void bothDriversReachTheDatabase(Function<String, MySqlDatabase> server) {
		MySqlDatabase database = server.apply("create table product (id bigint primary key)");
		database.execute("insert into product values (7)");
		for (String url : new String[] { database.connectorJUrl(), database.mariaDbDriverUrl() }) {
			JdbcTemplate template = new JdbcTemplate(MySqlDatabase.dataSource(url));
			assertThat(template.queryForObject("select id from product", Long.class)).isEqualTo(7);
		}
	}

	@ParameterizedTest
	@MethodSource("servers")
	void eachTestHasADatabaseOfItsOwn(Function<String, MySqlDatabase> server) {
		String table = "create table product (id bigint primary key)";
		assertThat(server.apply(table).url()).isNotEqualTo(server.apply(table).url());
	}

	@ParameterizedTest
	@MethodSource("servers")
	void serverIsTheOneThatItsNameSays(Function<String, MySqlDatabase> server) {
		MySqlDatabase database = server.apply("select 1");
		String version = database.template().queryForObject("select version()", String.class);
		assertThat(version.contains("MariaDB")).isEqualTo(database instanceof TestMariaDb);
	}

}
