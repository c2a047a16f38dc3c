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
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The tables of Flyway and Liquibase: those of the schema, else of all others.
 *
 * @param columns with {@code %1$s} for quotes where they were created so
 */
record SchemaHistory(String table, String columns) {

	private static final List<SchemaHistory> ALL = List.of(
			new SchemaHistory("flyway_schema_history",
					"count(*), max(%1$sinstalled_rank%1$s), max(%1$sinstalled_on%1$s)"),
			new SchemaHistory("databasechangelog", "count(*), max(orderexecuted), max(dateexecuted)"));

	static List<String> queries(Connection connection, @Nullable String schema) throws SQLException {
		List<String> queries = new ArrayList<>();
		for (SchemaHistory history : ALL) {
			queries.addAll(history.find(connection, schema));
		}
		return queries;
	}

	private List<String> find(Connection connection, @Nullable String schema) throws SQLException {
		List<String> own = new ArrayList<>();
		List<String> others = new ArrayList<>();
		DatabaseMetaData metaData = connection.getMetaData();
		String quote = metaData.getIdentifierQuoteString().strip();
		for (String name : Set.of(this.table, this.table.toUpperCase(Locale.ROOT))) {
			try (ResultSet tables = metaData.getTables(connection.getCatalog(), null, name, null)) {
				while (tables.next()) {
					String owner = tables.getString("TABLE_SCHEM");
					if (name.equals(tables.getString("TABLE_NAME"))) {
						(Objects.equals(owner, schema) ? own : others).add(query(owner, name, quote));
					}
				}
			}
		}
		return (own.isEmpty() ? others : own).stream().sorted().toList();
	}

	private String query(@Nullable String owner, String name, String quote) {
		String qualifier = (owner != null) ? quote + owner + quote + "." : "";
		return "select " + this.columns.formatted(quote) + " from " + qualifier + quote + name + quote;
	}

}
