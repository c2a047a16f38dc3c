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
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The columns of a query, as the database describes them.
 */
public final class QueryColumns {

	private static final Log logger = LogFactory.getLog(QueryColumns.class);

	private static final int VALID_WITHIN = 5;

	private final String query;

	private final boolean nestable;

	private final List<KeyColumn> columns;

	private final List<KeyType> types;

	/**
	 * @param query can be a subquery
	 */
	public QueryColumns(String query, List<KeyColumn> columns) {
		this(query, true, columns);
	}

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
	public static String nested(String query) {
		return "(" + query + "\n) q";
	}

	/**
	 * Return a query without what ends a statement.
	 */
	public static String nestable(String query) {
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

	public Stream<KeyColumn> stream() {
		return this.columns.stream();
	}

	public List<KeyType> types() {
		return this.types;
	}

	/**
	 * Compare the columns with those that methods ask for.
	 * @param property says which keys are read
	 * @throws InvalidGuardException if they can't be the same, or have no form
	 */
	public void check(String property, KeyFormat format, Collection<AskedKey> asked) {
		stream().filter((column) -> !column.hasForm(format)).findFirst().ifPresent((column) -> {
			throw new InvalidGuardException(
					property + " gives the column " + column + ", whose values have no canonical form",
					"Write cast(" + column.name() + " as varchar) in warm-up.query, and ask with the same text, or"
							+ " select another column");
		});
		asked.forEach(new AskedColumns(property, this.columns, format)::check);
	}

	/**
	 * Warn if rows are found by several forms of a key.
	 */
	public void warnIfUncertain(String filter, String property) {
		List<KeyColumn> uncertain = stream().filter(KeyColumn::isUncertain).toList();
		if (!uncertain.isEmpty()) {
			logger.warn(LogMessage.format(
					"The filter '%s' never calls a key absent, because the database finds rows by several forms of %s;"
							+ " let %s give another column, or cast it to a type that keys have exactly",
					filter, uncertain, property));
		}
	}

	@Override
	public String toString() {
		return this.columns.toString();
	}

}
