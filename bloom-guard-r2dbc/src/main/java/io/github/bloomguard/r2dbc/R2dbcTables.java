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

package io.github.bloomguard.r2dbc;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

import io.github.bloomguard.jdbc.KeyTable;
import io.r2dbc.spi.Row;

/**
 * Finds tables as a statement does, by the catalogue of PostgreSQL.
 */
record R2dbcTables(R2dbcDatabase database) {

	private static final String NAME = "quote_ident(n.nspname) || '.' || quote_ident(c.relname)";

	private static final String TABLES = " from pg_class c join pg_namespace n on n.oid = c.relnamespace";

	/**
	 * The columns in their order, each with its place in the primary key.
	 */
	private static final String COLUMNS = "select " + NAME
			+ ", a.attname::text, array_position(i.indkey::int2[], a.attnum)" + TABLES
			+ " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
			+ " left join pg_index i on i.indrelid = c.oid and i.indisprimary"
			+ " where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.oid = to_regclass($1) order by a.attnum";

	private static final String LIKE = "select " + NAME + TABLES
			+ " where c.relkind in ('r', 'p', 'v', 'm', 'f') and lower(c.relname) = lower($1)";

	KeyTable.Found find(KeyTable table) {
		try {
			List<Column> columns = this.database.rows(COLUMNS, List.of(table.name()), Column::of);
			if (columns.isEmpty()) {
				String last = table.name()
					.substring(table.name().lastIndexOf('.') + 1)
					.replace(R2dbcDatabase.QUOTE, "");
				throw table.missing("", this.database.rows(LIKE, List.of(last), (row) -> Column.text(row, 0)));
			}
			Map<String, Class<?>> types = new LinkedHashMap<>();
			columns.forEach((column) -> types.put(column.name(), Object.class));
			List<String> primaryKey = columns.stream()
				.filter((column) -> column.place().isPresent())
				.sorted(Comparator.comparingInt((column) -> column.place().getAsInt()))
				.map(Column::name)
				.toList();
			return table.found(columns.get(0).table(), primaryKey, types, R2dbcDatabase.QUOTE);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private record Column(String table, String name, OptionalInt place) {

		static Column of(Row row) {
			Integer place = row.get(2, Integer.class);
			return new Column(text(row, 0), text(row, 1),
					(place != null) ? OptionalInt.of(place) : OptionalInt.empty());
		}

		static String text(Row row, int index) {
			return Objects.requireNonNull(row.get(index, String.class));
		}

	}

}
