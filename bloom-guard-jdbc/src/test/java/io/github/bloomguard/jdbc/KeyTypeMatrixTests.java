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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.testsupport.MySqlDatabase;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no row is called absent that a database finds, for each type of a column and
 * each type of a key. Texts in another case are not among them, as they depend on the
 * collation.
 */
@Tag("slow")
class KeyTypeMatrixTests {

	private static final String[][] COMMON = { { "smallint", "7", "0", "-7" },
			{ "integer", "7", "0", "10", "2026", "20261121" },
			{ "bigint", "7", "9007199254740993", "9223372036854775807" },
			{ "numeric(30,4)", "7", "7.5", "0.1", "9007199254740993" }, { "decimal(20)", "7", "9223372036854775813" },
			{ "double precision", "7", "0.1", "9007199254740992" }, { "real", "7", "0.1", "16777217" },
			{ "varchar(50)", "'7'", "'07'", "'7abc'", "'7_0'", "'0x7'", "'7.0'", "'7e0'", "'0.1'", "'ab'", "''",
					"'true'", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'", "'8A6E0804-2BD0-4672-B79D-D97027F9071A'",
					"'8a6e08042bd04672b79dd97027f9071a'", "'{8a6e0804-2bd0-4672-b79d-d97027f9071a}'", "'2026-11-21'",
					"'2026-11-21 12:00:00'" },
			{ "char(8)", "'7'", "'07'", "'ab'", "'ab  '", "''" },
			{ "char(36)", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'", "'8A6E0804-2BD0-4672-B79D-D97027F9071A'" },
			{ "date", "'2026-11-21'" }, { "time", "'12:00:00'" }, { "timestamp", "'2026-11-21 12:00:00'" } };

	private static final String[][] H2 = { { "tinyint", "7", "1" }, { "decfloat(20)", "7", "0.1" },
			{ "boolean", "true", "false" }, { "uuid", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'" },
			{ "binary(16)", "X'8a6e08042bd04672b79dd97027f9071a'" },
			{ "varbinary(16)", "X'8a6e08042bd04672b79dd97027f9071a'", "X'07'", "X'0102'" }, { "binary(4)", "X'0102'" },
			{ "timestamp with time zone", "'2026-11-21 12:00:00Z'" },
			{ "timestamp(9)", "'2026-11-21 12:00:00.123456789'" }, { "timestamp(0)", "'2026-11-21 12:00:00'" },
			{ "time(6)", "'12:00:00.123456'" }, { "time with time zone", "'12:00:00+00'" },
			{ "enum('small','large')", "'small'" }, { "interval day", "interval '1' day" },
			{ "json", "JSON '{\"a\":1}'", "JSON '7'" }, { "integer array", "ARRAY[1,2]" },
			{ "geometry", "'POINT (1 2)'" }, { "clob", "'ab'", "'7'" }, { "blob", "X'0102'" },
			{ "row(a int)", "row(7)" } };

	private static final String[][] HSQLDB = { { "tinyint", "7" }, { "boolean", "true" }, { "bit", "B'1'" },
			{ "bit(8)", "B'00000111'" }, { "uuid", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'" },
			{ "binary(16)", "X'8a6e08042bd04672b79dd97027f9071a'" }, { "binary(4)", "X'0102'" },
			{ "varbinary(16)", "X'07'", "X'0102'" },
			{ "timestamp with time zone", "timestamp '2026-11-21 12:00:00+0:00'" },
			{ "interval day", "interval '1' day" }, { "integer array", "ARRAY[1,2]" }, { "clob", "'ab'" },
			{ "time with time zone", "time '12:00:00+0:00'" } };

	private static final String[][] SQLITE = {
			{ "", "7", "'7'", "'07'", "7.0", "7.5", "0.1", "X'07'", "'ab'", "X'6162'", "9007199254740993",
					"'8a6e0804-2bd0-4672-b79d-d97027f9071a'", "X'8a6e08042bd04672b79dd97027f9071a'" },
			{ "integer", "'7'", "'abc'", "7.5", "'07'", "9223372036854775813" },
			{ "text", "7", "'07'", "7.0", "X'37'" }, { "numeric", "'7'", "'7.0'", "'7abc'", "9223372036854775813" },
			{ "blob", "7", "'7'", "X'07'", "X'0102'" }, { "boolean", "true", "1", "'true'" },
			{ "datetime", "'2026-11-21 12:00:00'", "1795262400000" }, { "date", "1795219200000", "20261121" },
			{ "uuid", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'" }, { "json", "'{\"a\": 1}'" } };

	private static final String[][] MYSQL = { { "tinyint(1)", "7", "1", "0" }, { "tinyint", "7" },
			{ "tinyint unsigned", "7", "200" }, { "boolean", "true" }, { "bit(1)", "1", "0" }, { "bit(8)", "b'111'" },
			{ "bit(64)", "b'111'" }, { "year", "2026", "2000" }, { "mediumint", "7" },
			{ "int unsigned", "7", "4294967295" }, { "bigint unsigned", "7", "9223372036854775813" },
			{ "int(5) zerofill", "7" }, { "float", "7", "0.1", "7.5", "1234567" },
			{ "enum('small','large','7')", "'small'", "'7'" }, { "set('a','b')", "'a'", "'a,b'" },
			{ "binary(16)", "X'8a6e08042bd04672b79dd97027f9071a'" },
			{ "varbinary(16)", "X'07'", "X'0102'", "'7'", "'ab'" }, { "binary(4)", "'ab'" }, { "json", "'{\"a\": 1}'" },
			{ "datetime", "'2026-11-21 12:00:00'" }, { "datetime(6)", "'2026-11-21 12:00:00.123456'" },
			{ "timestamp(6)", "'2026-11-21 12:00:00.123456'" }, { "time(6)", "'12:00:00.123456'" },
			{ "text", "'ab'", "'7'" }, { "blob", "'ab'" } };

	private static final String[][] MARIADB = { { "uuid", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'" },
			{ "inet6", "'::1'" }, { "inet4", "'10.0.0.1'" } };

	private static final String[][] POSTGRESQL = { { "numeric", "7", "7.50", "'NaN'" }, { "float8", "'NaN'", "'-0'" },
			{ "oid", "7" }, { "money", "7" }, { "boolean", "true" }, { "bit(1)", "b'1'" }, { "bit(8)", "b'00000111'" },
			{ "varbit", "b'111'" }, { "uuid", "'8a6e0804-2bd0-4672-b79d-d97027f9071a'" },
			{ "bytea", "'\\x0102'", "'\\x8a6e08042bd04672b79dd97027f9071a'", "'\\x07'" }, { "text", "'7'", "'ab'" },
			{ "name", "'ab'" }, { "\"char\"", "'a'" }, { "bpchar", "'ab '" }, { "size", "'small'" },
			{ "positive", "7" }, { "code", "'ab'" }, { "chars", "'ab'" }, { "price", "7.5" },
			{ "timestamptz", "'2026-11-21 12:00:00Z'", "'2026-11-21 12:00:00.123456Z'" },
			{ "timestamp(0)", "'2026-11-21 12:00:00'" }, { "timetz", "'12:00:00+00'" }, { "interval", "'1 day'" },
			{ "json", "'{\"a\": 1}'" }, { "jsonb", "'{\"a\": 1}'", "'7'" }, { "int[]", "'{1,2}'" },
			{ "text[]", "'{a,b}'" }, { "inet", "'10.0.0.1'" }, { "cidr", "'10.0.0.1'" },
			{ "macaddr", "'08:00:2b:01:02:03'" }, { "xml", "'<a/>'" }, { "pair", "'(1,2)'" },
			{ "int4range", "'[1,3)'" }, { "point", "'(1,2)'" }, { "tsvector", "'a b'" }, { "hstore", "'a=>1'" },
			{ "ltree", "'a.b'" }, { "pg_lsn", "'0/7'" }, { "regclass", "'pg_class'" } };

	private static final String UUID = "'" + AbsentKeys.PRESENT + "'";

	private static final String[][] POSTGRESQL_KEYS = { { "varchar(60)", "'4711'", "'sku-7'", UUID },
			{ "text", "'4711'", "'sku-7'", UUID }, { "char(60)", "'4711'", "'sku-7'", UUID }, { "bigint", "4711" },
			{ "integer", "4711" }, { "numeric(20)", "4711" }, { "numeric(20,2)", "4711" }, { "uuid", UUID } };

	private static final String[][] MYSQL_KEYS = { { "varchar(60)", "'4711'", "'sku-7'", UUID },
			{ "varchar(60) collate utf8mb4_bin", "'4711'", "'sku-7'", UUID },
			{ "varchar(60) character set latin1", "'4711'", "'sku-7'", UUID }, { "bigint", "4711" },
			{ "int unsigned", "4711" }, { "decimal(20)", "4711" }, { "decimal(20,2)", "4711" }, { "char(36)", UUID },
			{ "binary(16)", "X'" + AbsentKeys.PRESENT.replace("-", "") + "'" } };

	private static final String MYSQL_TEXT = "case of an existing UUID, case of an existing text, random number";

	/**
	 * What passes on MySQL and MariaDB, but for the collations that are their default.
	 */
	private static final List<String> MYSQL_PASSES = List.of(
			"bigint: random UUID, random UUID as text, random UUID without dashes, sign, blanks "
					+ "and exponent of an existing number, text after an existing number, too many digits, "
					+ "zeros after an existing number, zeros before an existing number",
			"binary(16): accents, blank at the beginning, blank at the end, blanks after an "
					+ "existing text, case of an existing UUID, case of an existing text, control "
					+ "characters, half a surrogate pair, other scripts, random UUID without dashes, random "
					+ "digits, random digits and a point, random number, random text, sign, blanks and "
					+ "exponent of an existing number, text after an existing number, too long, too many "
					+ "digits, zeros after an existing number, zeros before an existing number, zeros "
					+ "before random digits",
			"char(36): case of an existing UUID, random number",
			"decimal(20): random UUID, random UUID as text, random UUID without dashes, sign, "
					+ "blanks and exponent of an existing number, text after an existing number, too many "
					+ "digits, zeros after an existing number, zeros before an existing number",
			"decimal(20,2): accents, blank at the beginning, blank at the end, blanks after an "
					+ "existing text, case of an existing UUID, case of an existing text, control "
					+ "characters, half a surrogate pair, other scripts, random UUID, random UUID as text, "
					+ "random UUID without dashes, random digits, random digits and a point, random text, "
					+ "sign, blanks and exponent of an existing number, text after an existing number, too "
					+ "long, too many digits, zeros after an existing number, zeros before an existing "
					+ "number, zeros before random digits",
			"int unsigned: random UUID, random UUID as text, random UUID without dashes, sign, "
					+ "blanks and exponent of an existing number, text after an existing number, too many "
					+ "digits, zeros after an existing number, zeros before an existing number",
			"varchar(60) collate utf8mb4_bin: blanks after an existing text, random number",
			"varchar(60) character set latin1: accents, blanks after an existing text, case of an existing UUID, case "
					+ "of an existing text, control characters, other scripts, random number, sign, blanks "
					+ "and exponent of an existing number");

	private static final String[][] H2_KEYS = { { "varchar(60)", "'4711'", "'sku-7'", UUID }, { "bigint", "4711" },
			{ "uuid", UUID } };

	@ParameterizedTest
	@ValueSource(strings = { "stringtype=varchar", "stringtype=unspecified" })
	void postgresqlFindsNoRowThatIsCalledAbsent(String parameter) {
		TestPostgres postgres = TestPostgres.create("create type size as enum ('small','large')",
				"create domain positive as bigint", "create domain code as varchar(10)",
				"create domain chars as char(8)", "create domain price as numeric",
				"create type pair as (a int, b int)", "create extension hstore", "create extension ltree");
		assertThat(misses(postgres.url() + "&" + parameter, COMMON, POSTGRESQL)).isEmpty();
	}

	@Test
	void h2FindsNoRowThatIsCalledAbsent() {
		assertThat(misses("jdbc:h2:mem:", COMMON, H2)).isEmpty();
	}

	@Test
	void hsqldbFindsNoRowThatIsCalledAbsent() {
		assertThat(misses("jdbc:hsqldb:mem:matrix", COMMON, HSQLDB)).isEmpty();
	}

	@Test
	void sqliteFindsNoRowThatIsCalledAbsent(@TempDir Path directory) {
		assertThat(misses("jdbc:sqlite:" + directory.resolve("matrix.db"), COMMON, SQLITE)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&useServerPrepStmts=true", "&tinyInt1isBit=false&yearIsDateType=false",
			"&connectionTimeZone=America/New_York" })
	void mysqlFindsNoRowThatIsCalledAbsent(String parameters) {
		assertThat(misses(exact(TestMySql.create()).connectorJUrl() + parameters, COMMON, MYSQL)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&useServerPrepStmts=true" })
	void mariaDbFindsNoRowThatIsCalledAbsent(String parameters) {
		assertThat(misses(exact(TestMariaDb.create()).url() + parameters, COMMON, MYSQL, MARIADB)).isEmpty();
	}

	@Test
	void mariaDbWithTheDriverOfMySqlFindsNoRowThatIsCalledAbsent() {
		assertThat(misses(exact(TestMariaDb.create()).connectorJUrl(), COMMON, MYSQL, MARIADB)).isEmpty();
	}

	/**
	 * The table of docs/reference/keys.md: what is not listed here passes no filter.
	 */
	@Test
	void keyThatPassesOnPostgresqlIsListed() {
		assertThat(passes(TestPostgres.create().url(), POSTGRESQL_KEYS))
			.containsExactlyInAnyOrder(
					"bigint: random UUID, sign, blanks and exponent of an existing number, zeros after an "
							+ "existing number, zeros before an existing number",
					"char(60): blanks after an existing text",
					"integer: random UUID, sign, blanks and exponent of an existing number, zeros after "
							+ "an existing number, zeros before an existing number",
					"numeric(20): random UUID, sign, blanks and exponent of an existing number, zeros "
							+ "after an existing number, zeros before an existing number",
					"numeric(20,2): random UUID, sign, blanks and exponent of an existing number, zeros "
							+ "after an existing number, zeros before an existing number",
					"uuid: case of an existing UUID, random number");
	}

	@Test
	void keyThatPassesOnMySqlIsListed() {
		assertThat(passes(TestMySql.create().connectorJUrl(), MYSQL_KEYS)).containsAll(MYSQL_PASSES)
			.contains("varchar(60): " + MYSQL_TEXT)
			.hasSize(MYSQL_PASSES.size() + 1);
	}

	@Test
	void keyThatPassesOnMariaDbIsListed() {
		assertThat(passes(TestMariaDb.create("alter database character set utf8mb4").url(), MYSQL_KEYS))
			.containsAll(MYSQL_PASSES)
			.contains("varchar(60): blanks after an existing text, " + MYSQL_TEXT)
			.hasSize(MYSQL_PASSES.size() + 1);
	}

	@Test
	void keyThatPassesOnH2IsListed() {
		assertThat(passes("jdbc:h2:mem:", H2_KEYS)).containsExactlyInAnyOrder(
				"bigint: case of an existing UUID, random UUID, random UUID as text, random UUID "
						+ "without dashes, random digits and a point, sign, blanks and exponent of an existing "
						+ "number, text after an existing number, too many digits, zeros after an existing "
						+ "number, zeros before an existing number, zeros before random digits",
				"uuid: accents, blank at the beginning, blank at the end, blanks after an existing "
						+ "text, case of an existing UUID, case of an existing text, control characters, half a "
						+ "surrogate pair, other scripts, random UUID without dashes, random digits, random "
						+ "digits and a point, random number, random text, sign, blanks and exponent of an "
						+ "existing number, text after an existing number, too long, too many digits, zeros "
						+ "after an existing number, zeros before an existing number, zeros before random digits",
				"varchar(60): random UUID, random number");
	}

	private static MySqlDatabase exact(MySqlDatabase database) {
		database.execute("alter database character set utf8mb4 collate utf8mb4_bin");
		return database;
	}

	private static List<String> passes(String url, String[]... columns) {
		return with(url, (matrix) -> {
			List<String> passes = new ArrayList<>();
			for (String[] column : columns) {
				Set<String> kinds = matrix.passes(column[0], Arrays.copyOfRange(column, 1, column.length));
				if (!kinds.isEmpty()) {
					passes.add(column[0] + ": " + String.join(", ", kinds));
				}
			}
			return passes;
		});
	}

	private static List<String> misses(String url, String[][]... columns) {
		return with(url,
				(matrix) -> Arrays.stream(columns)
					.flatMap(Arrays::stream)
					.flatMap(
							(column) -> matrix.misses(column[0], Arrays.copyOfRange(column, 1, column.length)).stream())
					.toList());
	}

	private static List<String> with(String url, Function<KeyTypeMatrix, List<String>> question) {
		HikariConfig pool = new HikariConfig();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(1);
		try (HikariDataSource dataSource = new HikariDataSource(pool)) {
			return question.apply(new KeyTypeMatrix(dataSource));
		}
	}

}
