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

package io.github.bloomguard.changes;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads the end of the log: all that is visible is before it.
 */
final class BinlogEnd {

	private static final String STATEMENT = "show binary log status";

	/**
	 * Before MySQL 8.2, and with MariaDB.
	 */
	private static final String FORMER_STATEMENT = "show master status";

	private static final int SYNTAX_ERROR = 1064;

	private volatile String statement = FORMER_STATEMENT;

	/**
	 * Return the end of the log, whichever it is.
	 */
	BinlogPlace read(Connection connection) throws SQLException {
		return query(connection, (row) -> new BinlogPlace(BinlogPlace.number(row.getString(1)), row.getLong(2)));
	}

	Filter filter(Connection connection) throws SQLException {
		return query(connection, (row) -> new Filter(schemas(row.getString(3)), schemas(row.getString(4))));
	}

	private static List<String> schemas(@Nullable String list) {
		return (list == null || list.isBlank()) ? List.of() : List.of(list.trim().split("\\s*,\\s*"));
	}

	private <T> T query(Connection connection, RowMapper<T> mapper) throws SQLException {
		try {
			return query(connection, this.statement, mapper);
		}
		catch (SQLException ex) {
			if (ex.getErrorCode() != SYNTAX_ERROR) {
				throw ex;
			}
			this.statement = STATEMENT;
			return query(connection, STATEMENT, mapper);
		}
	}

	private static <T> T query(Connection connection, String sql, RowMapper<T> mapper) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
			if (!row.next()) {
				throw new SQLException("The server writes no binary log");
			}
			return mapper.map(row);
		}
	}

	/**
	 * Changes of {@code only} these schemas, all if there are none, but {@code not} of
	 * those.
	 */
	record Filter(List<String> only, List<String> not) {

		boolean accepts(String schema) {
			return (this.only.isEmpty() || this.only.contains(schema)) && !this.not.contains(schema);
		}

	}

	@FunctionalInterface
	private interface RowMapper<T> {

		T map(ResultSet row) throws SQLException;

	}

}
