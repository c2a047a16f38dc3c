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

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.function.SingletonSupplier;

/**
 * A column of text in a real database.
 *
 * @param database the name of the database
 * @param source the database
 * @param type the type of the column, with its collation
 */
record TextColumn(String database, Supplier<DataSource> source, String type) {

	private static final Supplier<DataSource> postgres = SingletonSupplier.of(
			() -> TestPostgres
				.create("create extension citext", collation("primary", "und-u-ks-level1"),
						collation("secondary", "und-u-ks-level2"), collation("tertiary", "und"),
						collation("shifted", "und-u-ka-shifted"), collation("numeric", "und-u-kn"),
						collation("danish", "da-u-ks-level1"))
				.dataSource());

	private static final Supplier<DataSource> mariaDb = SingletonSupplier.of(() -> TestMariaDb.create().dataSource());

	private static final Supplier<DataSource> mySql = SingletonSupplier.of(() -> TestMySql.create().dataSource());

	private static final Supplier<DataSource> h2 = inMemory("jdbc:h2:mem:text");

	private static final Supplier<DataSource> h2IgnoringCase = inMemory("jdbc:h2:mem:case;IGNORECASE=TRUE");

	private static final Supplier<DataSource> hsqldb = inMemory("jdbc:hsqldb:mem:text");

	private static final Supplier<DataSource> sqlite = inMemory("jdbc:sqlite::memory:");

	private static String collation(String name, String locale) {
		return "create collation \"" + name + "\" (provider = icu, locale = '" + locale + "', deterministic = false)";
	}

	private static Supplier<DataSource> inMemory(String url) {
		return SingletonSupplier.of(() -> new SingleConnectionDataSource(url, true));
	}

	static TextColumn postgres(String type) {
		return new TextColumn("PostgreSQL", postgres, type);
	}

	static TextColumn mariaDb(String collation) {
		return new TextColumn("MariaDB", mariaDb, varchar(collation));
	}

	static TextColumn mySql(String collation) {
		return new TextColumn("MySQL", mySql, varchar(collation));
	}

	private static String varchar(String collation) {
		return "varchar(50) character set " + collation.substring(0, collation.indexOf('_')) + " collate " + collation;
	}

	static TextColumn h2(String type) {
		return new TextColumn("H2", h2, type);
	}

	static TextColumn h2IgnoringCase() {
		return new TextColumn("H2 IGNORECASE", h2IgnoringCase, "varchar(50)");
	}

	static TextColumn hsqldb(String type) {
		return new TextColumn("HSQLDB", hsqldb, type);
	}

	static TextColumn sqlite(String type) {
		return new TextColumn("SQLite", sqlite, type);
	}

	/**
	 * Return those that are usual, and some of each kind that are not.
	 */
	static Stream<TextColumn> all() {
		return Stream
			.of(Stream
				.of("text", "varchar(50)", "char(50)", "citext", "text collate \"C\"", "text collate \"primary\"",
						"text collate \"secondary\"", "text collate \"tertiary\"", "text collate \"shifted\"",
						"text collate \"numeric\"", "text collate \"danish\"")
				.map(TextColumn::postgres), names(MARIADB).map(TextColumn::mariaDb),
					names(MYSQL).map(TextColumn::mySql),
					Stream.of("varchar(50)", "varchar_ignorecase(50)", "char(50)").map(TextColumn::h2),
					Stream.of(h2IgnoringCase()),
					Stream.of("varchar(50)", "varchar_ignorecase(50)", "char(50)").map(TextColumn::hsqldb),
					Stream.of("text", "text collate nocase", "text collate rtrim").map(TextColumn::sqlite))
			.flatMap((columns) -> columns);
	}

	private static final String MARIADB = "utf8mb4_general_ci utf8mb4_bin utf8mb4_nopad_bin utf8mb4_unicode_ci"
			+ " utf8mb4_unicode_520_ci utf8mb4_unicode_nopad_ci utf8mb4_uca1400_ai_ci utf8mb4_uca1400_as_cs"
			+ " utf8mb4_danish_ci utf8mb4_german2_ci utf8mb4_turkish_ci utf8mb4_hungarian_ci";

	private static final String MYSQL = "utf8mb4_0900_ai_ci utf8mb4_bin utf8mb4_0900_as_ci"
			+ " utf8mb4_0900_as_cs utf8mb4_general_ci utf8mb4_hu_0900_ai_ci utf8mb4_da_0900_as_cs utf8mb4_ja_0900_as_cs"
			+ " utf8mb4_unicode_ci utf8mb4_spanish2_ci";

	private static Stream<String> names(String names) {
		return Stream.of(names.split(" "));
	}

	/**
	 * Make a table of the column {@code value} and an {@code id}, which has the position.
	 */
	JdbcTemplate table(List<String> values) {
		JdbcTemplate template = new JdbcTemplate(this.source.get());
		template.execute("drop table if exists texts");
		template.execute("create table texts (id int, content " + this.type + ")");
		for (int from = 0; from < values.size(); from += 500) {
			List<String> rows = values.subList(from, Math.min(from + 500, values.size()));
			StringBuilder insert = new StringBuilder("insert into texts values (" + from + ", ?)");
			for (int i = 1; i < rows.size(); i++) {
				insert.append(", (").append(from + i).append(", ?)");
			}
			template.update(insert.toString(), rows.toArray());
		}
		return template;
	}

	/**
	 * Return the collations of a server that are not for one character set only that
	 * can't have all texts.
	 */
	static List<String> collations(Supplier<DataSource> source) {
		return new JdbcTemplate(source.get()).queryForList("select collation_name from information_schema.collations"
				+ " where collation_name like 'utf8mb4%' order by 1", String.class);
	}

	static Stream<TextColumn> ofAllCollations() {
		return Stream.concat(collations(mariaDb).stream().map(TextColumn::mariaDb),
				collations(mySql).stream().map(TextColumn::mySql));
	}

	boolean hasWindows() {
		return !this.database.equals("HSQLDB");
	}

	@Override
	public String toString() {
		return this.database + " " + this.type;
	}

}
