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

package io.github.bloomguard.mybatis;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.apache.ibatis.executor.Executor;

/**
 * Knows, for one session, what columns have that an insert leaves out, or gives nothing.
 */
final class ColumnDefaults {

	private final Map<List<Object>, Boolean> known = new HashMap<>();

	/**
	 * Return whether a column is empty if it is left out, for certain.
	 */
	boolean areEmpty(FollowedKey key, FollowedColumn column, Executor executor) {
		return ask(false, key, column, executor);
	}

	/**
	 * Return whether a column has what an insert gives it, for certain.
	 */
	boolean areGiven(FollowedKey key, FollowedColumn column, Executor executor) {
		return ask(true, key, column, executor);
	}

	private boolean ask(boolean given, FollowedKey key, FollowedColumn column, Executor executor) {
		List<String> name = List.of(key.tableName(), column.columnName());
		return this.known.computeIfAbsent(List.of(given, name), (asked) -> {
			try {
				return all(given, name, executor.getTransaction().getConnection());
			}
			catch (SQLException | RuntimeException ex) {
				return false;
			}
		});
	}

	private static boolean all(boolean given, List<String> name, Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		boolean found = false;
		for (List<String> form : List.of(name, name.stream().map((part) -> part.toUpperCase(Locale.ROOT)).toList())) {
			try (ResultSet columns = database.getColumns(connection.getCatalog(), null, form.get(0), form.get(1))) {
				while (columns.next()) {
					if (given ? !"NO".equals(columns.getString("IS_AUTOINCREMENT")) : !isEmpty(columns)) {
						return false;
					}
					found = true;
				}
			}
		}
		return found;
	}

	private static boolean isEmpty(ResultSet column) throws SQLException {
		int nullable = column.getInt("NULLABLE");
		String value = column.getString("COLUMN_DEF");
		return (value == null || value.equalsIgnoreCase("null")) && nullable == DatabaseMetaData.columnNullable
				&& "NO".equals(column.getString("IS_GENERATEDCOLUMN"));
	}

}
