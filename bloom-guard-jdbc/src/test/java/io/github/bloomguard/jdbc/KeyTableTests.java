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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link KeyTable} and {@link TableKeySource} with real databases.
 */
class KeyTableTests {

	private static TestPostgres postgres;

	private static DataSource reader;

	@BeforeAll
	static void start() {
		postgres = TestPostgres.create("create table product (id bigint primary key, sku text)",
				"create table \"Order\" (\"Id\" bigint primary key)", "create table order_line (a int)",
				"create table \"orderXline\" (a int)",
				"create table seat (hall text, number int, note text," + " primary key (number, hall))",
				"create schema shop", "create table shop.product (code uuid primary key)",
				"create table shop.part (label varchar(10) primary key)", "create table shop.keyless (a int, b text)",
				"create view shop.parts as select * from shop.part");
		postgres.execute("insert into product select i, 's' || i from generate_series(1, 100) i",
				"insert into shop.part values ('a'), ('b')", "insert into seat values ('x', 7)");
		reader = postgres.dataSource();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			product | | select "id" from "public"."product"
			PRODUCT | | select "id" from "public"."product"
			shop.Product | | select "code" from "shop"."product"
			"shop"."product" | | select "code" from "shop"."product"
			"Order" | | select "Id" from "public"."Order"
			"Order" | id | select "Id" from "public"."Order"
			product | SKU | select "sku" from "public"."product"
			seat | | select "number", "hall" from "public"."seat"
			seat | hall,"number" | select "hall", "number" from "public"."seat"
			order_line | a | select "a" from "public"."order_line"
			shop.parts | label | select "label" from "shop"."parts"
			""")
	void tableIsTheOneThatStatementsMean(String name, String columns, String query) {
		assertThat(find(reader, name, columns).query()).isEqualTo(query);
	}

	@Test
	void tableIsFoundInTheSchemasOfThePool() {
		DataSource pool = postgres(postgres.url() + "&currentSchema=shop,public");
		assertThat(find(pool, "product", null).query()).isEqualTo("select \"code\" from \"shop\".\"product\"");
		assertThat(find(pool, "seat", null).name()).isEqualTo("\"public\".\"seat\"");
		assertThat(find(pool, "part", null).name()).isEqualTo("\"shop\".\"part\"");
	}

	@Test
	void anotherSchemaOrKeyIsAnotherDatabase() {
		DataSource pool = postgres(postgres.url() + "&currentSchema=shop");
		TableKeySource source = source(reader, reader, "product", 1);
		assertThat(source.database()).isNotEqualTo(source(pool, reader, "product", 1).database());
		assertThat(source.fingerprint()).isEqualTo(source(pool, reader, "product", 1).fingerprint())
			.isNotEqualTo(source(reader, reader, "shop.product", 1).fingerprint());
		String before = source.database();
		postgres.execute("alter table product drop constraint product_pkey, add primary key (sku)");
		try {
			assertThat(source.database()).isNotEqualTo(before);
			assertThat(keys(source)).contains("s7");
		}
		finally {
			postgres.execute("alter table product drop constraint product_pkey, add primary key (id)");
		}
	}

	@Test
	void readerWithAnotherSchemaReadsTheTableOfTheApplication() {
		DataSource application = postgres(postgres.url() + "&currentSchema=shop");
		TableKeySource source = source(application, reader, "part", 1);
		assertThat(keys(source)).containsExactlyInAnyOrder("a", "b");
		source.database();
		assertThat(source.contains(List.of("a"))).contains(true);
		assertThat(source.contains(List.of("c"))).contains(false);
	}

	@Test
	void integersAreDividedAndOtherKeysAreReadWithOneQuery() {
		TableKeySource numbers = source(reader, reader, "product", 3);
		assertThat(numbers.partitions()).hasSize(3);
		assertThat(keys(numbers)).as("none is counted twice").hasSize(100).doesNotHaveDuplicates();
		assertThat(source(reader, reader, "shop.part", 3).partitions()).hasSize(1);
		assertThat(keys(source(reader, reader, "seat", 3))).containsExactly(List.of(7, "x"));
		numbers.database();
		assertThat(numbers.contains(List.of("7"))).contains(true);
		assertThat(numbers.contains(List.of(101L))).contains(false);
	}

	/**
	 * A column of SQLite may have any value.
	 */
	@Test
	void keyBetweenTwoWholeNumbersIsRead(@TempDir Path directory) {
		DataSource dataSource = new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("shop"));
		JdbcTemplate template = new JdbcTemplate(dataSource);
		template.execute("create table product (id integer)");
		for (String id : List.of("1", "4.5", "5.5", "10")) {
			template.execute("insert into product values (" + id + ")");
		}
		TableKeySource source = new TableKeySource(table(dataSource, "product", "id"), dataSource, 1000, 2,
				RowSecurity.REFUSED, SpareConnections.ASSUMED, Optional::empty);
		assertThat(keys(source)).hasSize(4);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					produkt | | table is 'produkt', and there is no table of that name in [public] | such as shop.product
					part | | table is 'part', and there is no table of that name in [public] | such as shop.part
					Order | | table is 'Order', and there is no table of that name | such as public."Order"
					shop.prodcut | | table is 'shop.prodcut', and there is no table of that name | such as shop.product
					shpo.product | | table is 'shpo.product', and there is no table of that name | such as public.product or shop.product
					shop.order | | table is 'shop.order', and there is no table of that name | such as public."Order"
					"Product" | | table is '"Product"', and there is no table of that name | such as public.product or shop.product
					shop.keyless | | which has no primary key, and key-columns is not set | key-columns to the columns of the key in the order of its parts, some of [a, b]
					product | idd | key-columns has 'idd', which the table product does not have | its columns [id, sku]
					product | lower(sku) | key-columns has 'lower(sku)', which the table product does not have | its columns
					product | id,ID | key-columns is [id, ID], which has a column twice | Write the columns
					""")
	void whatCantBeMeantIsRefused(String name, String columns, String problem, String remedy) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> find(reader, name, columns))
			.withMessageStartingWith("bloom-guard.filters.products.")
			.withMessageContaining(problem)
			.satisfies((refusal) -> assertThat(refusal.getRemedy()).contains(remedy));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void tableOfASchemaThatIsMissingIsRefusedOnEachDatabase(String name, Supplier<String> url) {
		DataSource dataSource = new DriverManagerDataSource(url.get());
		for (String table : List.of("shop.prodcut", "prodcut")) {
			assertThatExceptionOfType(InvalidGuardException.class).as(table)
				.isThrownBy(() -> find(dataSource, table, null))
				.withMessageContaining("there is no table of that name");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "select id from product", "(select 1)", "product where active", "a.b.c.d", ".a",
			"a.", "a,b", "\"a", "product;", "product p" })
	void whatIsNoNameIsRefused(String name) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new KeyTable("products", name, List.of(), reader))
			.withMessageContaining("table is '" + name + "', which is no name of a table");
	}

	static Stream<Arguments> databases() {
		return Stream.of(database("H2", () -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"),
				database("HSQLDB", () -> "jdbc:hsqldb:mem:" + UUID.randomUUID()),
				database("MySQL", () -> TestMySql.create().connectorJUrl()),
				database("MySQL, driver of MariaDB", () -> TestMySql.create().mariaDbDriverUrl()),
				database("MariaDB", () -> TestMariaDb.create().mariaDbDriverUrl()));
	}

	private static Arguments database(String name, Supplier<String> url) {
		return arguments(name, url);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void tablesOfOtherDatabasesAreFound(String name, Supplier<String> url) {
		DataSource dataSource = new DriverManagerDataSource(url.get());
		JdbcTemplate template = new JdbcTemplate(dataSource);
		boolean mySql = name.startsWith("M");
		String quote = mySql ? "`" : "\"";
		template.execute("create table users (user_id bigint, tenant int, primary key (tenant, user_id))");
		template.execute(
				"create table " + quote + "Order" + quote + " (" + quote + "Key" + quote + " varchar(10) primary key)");
		template.execute("insert into users values (7, 1)");
		assertThat(keys(source(dataSource, dataSource, "users", null))).hasSize(1)
			.allMatch((key) -> key.toString().equals("[1, 7]"));
		assertThat(find(dataSource, quote + "Order" + quote, null).keyColumns()).containsExactly("Key");
		assertThat(find(dataSource, quote + "Order" + quote, "key").keyColumns()).containsExactly("Key");
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> find(dataSource, "order", null))
			.satisfies((refusal) -> assertThat(refusal.getRemedy()).contains("Order"));
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> find(dataSource, "usres", null))
			.withMessageContaining("there is no table of that name");
	}

	private static KeyTable.Found find(DataSource dataSource, String name, String columns) {
		return table(dataSource, name, columns).find();
	}

	private static KeyTable table(DataSource dataSource, String name, String columns) {
		return new KeyTable("products", name, (columns != null) ? List.of(columns.split(",")) : List.of(), dataSource);
	}

	private static TableKeySource source(DataSource application, DataSource reader, String name, Integer partitions) {
		return new TableKeySource(table(application, name, null), reader, 1000, partitions, RowSecurity.REFUSED,
				SpareConnections.ASSUMED, Optional::empty);
	}

	private static List<Object> keys(TableKeySource source) {
		List<Object> keys = new ArrayList<>();
		source.partitions().forEach((partition) -> {
			try (Stream<?> stream = partition.get()) {
				stream.forEach(keys::add);
			}
		});
		return keys;
	}

	private static DataSource postgres(String url) {
		return new DriverManagerDataSource(url);
	}

}
