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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The columns of a query, as the database describes them.
 */
public final class QueryColumns {

	private static final int VALID_WITHIN = 5;

	private final String query;

	private final boolean nestable;

	private final List<KeyColumn> columns;

	private final List<KeyType> types;

	private QueryColumns(String query, boolean nestable, List<KeyColumn> columns) {
		this.query = query;
		this.nestable = nestable;
		this.columns = columns;
		this.types = columns.stream().map(KeyColumn::keyType).toList();
	}

	/**
	 * Ask the database, without reading rows.
	 */
	public static QueryColumns read(Connection connection, String query) throws SQLException {
		String rows = nestable(query);
		try {
			return new QueryColumns(rows, true,
					columns(connection, "select * from " + nested(rows) + " where 1 = 0", 0));
		}
		catch (SQLException ex) {
			throwIfDown(connection, ex);
			// run it for the first of its rows
			return new QueryColumns(rows, false, columns(connection, rows, 1));
		}
	}

	/**
	 * Return a query as a table called {@code q}. It may end with a comment.
	 */
	static String nested(String query) {
		return "(" + query + "\n) q";
	}

	static String nestable(String query) {
		return query.strip().replaceFirst("(;\\s*(--[^\n'\"]*)?)+$", "");
	}

	/**
	 * Ask as {@link #read} does, but return {@code null} for an unknown query.
	 */
	public static @Nullable QueryColumns find(Connection connection, String query) throws SQLException {
		try {
			return read(connection, query);
		}
		catch (SQLException ex) {
			throwIfDown(connection, ex);
			return null;
		}
	}

	private static List<KeyColumn> columns(Connection connection, String query, int maxRows) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.setMaxRows(maxRows);
			try (ResultSet rows = statement.executeQuery(query)) {
				return KeyColumn.of(rows.getMetaData(), connection.getMetaData().getDatabaseProductName());
			}
		}
	}

	/**
	 * Throw a failure of a database that is down, and not one of a query that it refuses.
	 */
	static void throwIfDown(Connection connection, SQLException ex) throws SQLException {
		if (DatabaseIdentity.hasFailed(ex) && (ex.getSQLState() != null || !connection.isValid(VALID_WITHIN))) {
			throw ex;
		}
		DatabaseQuestion.end(connection);
	}

	public String query() {
		return this.query;
	}

	/**
	 * Return whether the query can be a subquery, so that its columns have known names.
	 */
	boolean isNestable() {
		return this.nestable;
	}

	Stream<KeyColumn> stream() {
		return this.columns.stream();
	}

	public List<KeyType> types() {
		return this.types;
	}

	@Override
	public String toString() {
		return this.columns.toString();
	}

}
