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

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.MySqlDatabase;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for filters whose keys are loaded from a column, and asked for with another type.
 */
@ExtendWith(OutputCaptureExtension.class)
class ColumnTypeTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private static final String QUERY = PRODUCTS + "warm-up.query=select id from product";

	private static final UUID UUID_KEY = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	static Stream<Arguments> columns() {
		return Stream.of(
				arguments("bigint", "7", List.of("07", " 7", "+7", "7.0", "7e0", "7 ", "7abc", 7L, 7.0),
						List.of(8L, "8", 8.0)),
				arguments("tinyint(1)", "7", List.of(7, 7L, "7", "7abc"), List.of(8, "8")),
				arguments("bit(8)", "b'111'", List.of(7, 7L, "7"), List.of(8, "8")),
				arguments("year", "2026", List.of(2026, "2026", 26, "26"), List.of(2027, "2027")),
				arguments("bigint unsigned", "9223372036854775813",
						List.of(new BigInteger("9223372036854775813"), "9223372036854775813"), List.of(BigInteger.TEN)),
				arguments("binary(16)", "unhex('8a6e08042bd04672b79dd97027f9071a')", List.of(UUID_KEY),
						List.of(new UUID(1, 2))),
				arguments("char(36)", "'" + UUID_KEY + "'",
						List.of(UUID_KEY, UUID_KEY.toString(), "8A6E0804-2BD0-4672-B79D-D97027F9071A"),
						List.of(new UUID(1, 2))),
				arguments("uuid", "'" + UUID_KEY + "'",
						List.of(UUID_KEY.toString(), "8A6E08042BD04672B79DD97027F9071A"), List.of(new UUID(1, 2))),
				arguments("date", "'2026-11-21'",
						List.of(LocalDate.of(2026, 11, 21), "2026-11-21", "20261121", 20261121),
						List.of(LocalDate.of(2026, 11, 22))));
	}

	@ParameterizedTest
	@MethodSource("columns")
	void rowIsFoundHoweverItsKeyIsAsked(String type, String value, List<Object> found, List<Object> absent) {
		MySqlDatabase database = TestMariaDb.create("create table product (id " + type + ")",
				"insert into product values (" + value + ")");
		for (String url : List.of(database.mariaDbDriverUrl(), database.connectorJUrl())) {
			JdbcTemplate template = new JdbcTemplate(MySqlDatabase.dataSource(url));
			try (GuardApplication application = GuardApplication.start(this.redis, List.of(),
					"spring.datasource.url=" + url, QUERY)) {
				BloomGuard guard = application.awaitReady().guard();
				assertThat(found).allSatisfy((key) -> {
					assertThat(guard.get("products", key, () -> count(template, key))).as("%s", url).isNotNull();
					assertThat(guard.membership("products", key)).as("%s", url).isEqualTo(Membership.MAYBE);
				});
				assertThat(absent)
					.allSatisfy((key) -> assertThat(guard.membership("products", key)).isEqualTo(Membership.ABSENT));
			}
		}
	}

	private static Object count(JdbcTemplate template, Object key) {
		return template.queryForObject("select count(*) from product where id = ?", Long.class, key);
	}

	@Test
	void keyThatMayBeThatOfAnotherRowIsNotRemembered() {
		MySqlDatabase database = TestMariaDb.create("create table product (id bigint)",
				"insert into product values (1)");
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(), database.and(QUERY))) {
			BloomGuard guard = application.awaitReady().guard();
			assertThat(guard.<Object, RuntimeException>get("products", "7abc", () -> null)).isNull();
			database.execute("insert into product values (7)");
			guard.add("products", 7);
			assertThat(guard.get("products", "7abc", () -> "row")).isEqualTo("row");
			assertThat(application.filter("products").possible(List.of("7abc", "9abc", 7)).await().positions())
				.as("of many")
				.hasToString("{0, 2}");
		}
	}

	@Test
	void columnWithoutACanonicalFormStopsTheStart(CapturedOutput output) {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint, at jsonb)");
		assertThatException().isThrownBy(() -> GuardApplication
			.start(this.redis, List.of(), postgres.and(PRODUCTS + "warm-up.query=select id, at from product"))
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(PRODUCTS + "warm-up.query gives the column at (jsonb), whose values have no canonical form")
			.contains("Write cast(at as varchar) in warm-up.query");
	}

	@Test
	void columnOfWhichNoKeyIsEverCalledAbsentIsNamed(CapturedOutput output) {
		TestPostgres postgres = TestPostgres.create("create table product (id timestamptz)");
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(), postgres.and(QUERY))) {
			application.awaitReady();
			assertThat(application.guard().membership("products", Instant.EPOCH)).isEqualTo(Membership.MAYBE);
			assertThat(output).contains("The filter 'products' never calls a key absent")
				.contains("[id (timestamptz)]");
		}
	}

}
