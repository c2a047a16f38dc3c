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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for many keys that are looked up by one question, on each database.
 */
class KeysLookedUpTogetherTests {

	private static final Optional<Boolean> THERE = Optional.of(true);

	private static final Optional<Boolean> NONE = Optional.of(false);

	private static final Optional<Boolean> UNTOLD = Optional.empty();

	private static final UUID PRESENT = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");

	private static final UUID MISSING = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071b");

	static Stream<Arguments> databases() {
		return Stream.of(database("PostgreSQL", "uuid", () -> TestPostgres.create().url()),
				database("H2", "uuid", () -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"),
				database("MySQL", "char(36)", () -> TestMySql.create().connectorJUrl()),
				database("MySQL, driver of MariaDB", "char(36)", () -> TestMySql.create().mariaDbDriverUrl()),
				database("MariaDB", "uuid", () -> TestMariaDb.create().mariaDbDriverUrl()));
	}

	private static Arguments database(String name, String uuid, Supplier<String> url) {
		return arguments(name, uuid, url);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void eachKeyIsToldWhetherItIsThereInItsPlace(String name, String uuid, Supplier<String> url) {
		DataSource dataSource = new DriverManagerDataSource(url.get());
		JdbcTemplate template = new JdbcTemplate(dataSource);
		template.execute("create table looked_up (n bigint, t varchar(40), u " + uuid + ")");
		template.update("insert into looked_up values (7, 'seven', '" + PRESENT + "')");
		template.update("insert into looked_up values (1, 'one', null)");
		template.update("insert into looked_up values (1200, 'last', null)");

		JdbcKeySource numbers = source(dataSource, "select n from looked_up");
		assertThat(numbers.containsEach(List.of())).as("nothing").isEmpty();
		assertThat(numbers.containsEach(keys(-1L, 7L, -7L, 7L, "7", "no number", 1))).containsExactly(NONE, THERE, NONE,
				THERE, THERE, UNTOLD, THERE);
		List<Optional<Boolean>> many = numbers.containsEach(keys(LongStream.rangeClosed(1, 1200).boxed().toArray()));
		List<Optional<Boolean>> expected = new ArrayList<>(Collections.nCopies(1200, NONE));
		List.of(1, 7, 1200).forEach((n) -> expected.set(n - 1, THERE));
		assertThat(many).as("more than one statement takes").isEqualTo(expected);

		JdbcKeySource texts = source(dataSource, "select t from looked_up");
		assertThat(texts.containsEach(keys("six", "seven", "it's none", "one", "seven"))).containsExactly(NONE, THERE,
				NONE, THERE, THERE);

		JdbcKeySource uuids = source(dataSource, "select u from looked_up");
		assertThat(uuids.containsEach(keys(MISSING, PRESENT, PRESENT.toString(), MISSING.toString())))
			.containsExactly(NONE, THERE, THERE, NONE);

		JdbcKeySource composite = source(dataSource, "select n, t from looked_up");
		assertThat(composite.containsEach(List.of(List.of(7, "one"), List.of(7, "seven"), List.of(1, "seven"),
				List.of(1), List.of(1, "one"), List.of(7, "seven"))))
			.containsExactly(NONE, THERE, NONE, UNTOLD, THERE, THERE);
		List<List<Object>> pairs = new ArrayList<>();
		LongStream.rangeClosed(1, 1200).forEach((n) -> pairs.add(List.of(n, (n == 1200) ? "last" : "none")));
		List<Optional<Boolean>> found = composite.containsEach(pairs);
		assertThat(found.subList(0, 1199)).containsOnly(NONE);
		assertThat(found.get(1199)).isEqualTo(THERE);
	}

	private static List<List<Object>> keys(Object... keys) {
		return Arrays.stream(keys).map(List::of).toList();
	}

	private static JdbcKeySource source(DataSource dataSource, String query) {
		JdbcKeySource source = new JdbcKeySource("products", dataSource, query, null, 1000);
		source.database();
		return source;
	}

}
