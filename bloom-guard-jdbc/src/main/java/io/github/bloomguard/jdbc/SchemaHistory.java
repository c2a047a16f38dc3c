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
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The tables of Flyway and Liquibase: those of the schema, else of all others.
 *
 * @param columns with {@code %1$s} for quotes where they were created so
 */
public record SchemaHistory(String table, String columns) {

	private static final List<SchemaHistory> ALL = List.of(
			new SchemaHistory("flyway_schema_history",
					"count(*), max(%1$sinstalled_rank%1$s), max(%1$sinstalled_on%1$s)"),
			new SchemaHistory("databasechangelog", "count(*), max(orderexecuted), max(dateexecuted)"));

	static List<String> queries(Connection connection, @Nullable String schema) throws SQLException {
		List<Table> tables = new ArrayList<>();
		DatabaseMetaData metaData = connection.getMetaData();
		for (String name : names()) {
			try (ResultSet rows = metaData.getTables(connection.getCatalog(), null, name, null)) {
				while (rows.next()) {
					tables.add(new Table(rows.getString("TABLE_SCHEM"), rows.getString("TABLE_NAME")));
				}
			}
		}
		return queries(tables, schema, metaData.getIdentifierQuoteString().strip());
	}

	/**
	 * Return the names that the tables may have.
	 */
	public static List<String> names() {
		return ALL.stream()
			.map(SchemaHistory::table)
			.flatMap((name) -> Stream.of(name, name.toUpperCase(Locale.ROOT)))
			.toList();
	}

	/**
	 * @param tables of any of these names
	 */
	public static List<String> queries(List<Table> tables, @Nullable String schema, String quote) {
		return ALL.stream().flatMap((history) -> history.query(tables, schema, quote)).toList();
	}

	private Stream<String> query(List<Table> tables, @Nullable String schema, String quote) {
		List<Table> named = tables.stream()
			.distinct()
			.filter((table) -> table.name().equals(this.table)
					|| table.name().equals(this.table.toUpperCase(Locale.ROOT)))
			.toList();
		List<Table> own = named.stream().filter((table) -> Objects.equals(table.schema(), schema)).toList();
		return (own.isEmpty() ? named : own).stream().map((table) -> query(table, quote)).sorted();
	}

	private String query(Table table, String quote) {
		String qualifier = (table.schema() != null) ? quote + table.schema() + quote + "." : "";
		return "select " + this.columns.formatted(quote) + " from " + qualifier + quote + table.name() + quote;
	}

	/**
	 * One that a database has.
	 */
	public record Table(@Nullable String schema, String name) {

	}

}
