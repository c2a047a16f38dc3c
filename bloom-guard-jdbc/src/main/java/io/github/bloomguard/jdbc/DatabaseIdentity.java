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
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Tells databases with the same tables apart: by their URL without what is secret or
 * optional, catalog, schema and PostgreSQL's identifiers, and by the application if they
 * are in its memory.
 * <p>
 * A database that is wrongly told from itself costs one more warm-up; databases that are
 * not told apart share a filter.
 */
public final class DatabaseIdentity {

	/**
	 * SQL states: connections, rollbacks, lack of resources, operator intervention.
	 */
	private static final Set<String> FAILURES = Set.of("08", "40", "53", "57");

	private static final Pattern IN_MEMORY = Pattern.compile("[:/]mem:|:memory:|mode=memory", Pattern.CASE_INSENSITIVE);

	private static final String SERVER = "://";

	private static final Pattern PARAMETERS = Pattern.compile("[?;].*");

	private static final Pattern USER = Pattern.compile("(?<=//)[^/]*@");

	private static final Pattern USER_OF_ORACLE = Pattern.compile("(?<=^jdbc:oracle:\\w{1,9}:)[^@]*@");

	/**
	 * Tells databases of PostgreSQL apart.
	 */
	public static final String POSTGRESQL = "select system_identifier,"
			+ " (select oid from pg_database where datname = current_database()) from pg_control_system()";

	private final String application = UUID.randomUUID().toString();

	private volatile boolean own;

	/**
	 * Return whether the database that was read last is in the memory of this process.
	 */
	public boolean isOwn() {
		return this.own;
	}

	public String read(DataSource dataSource) {
		return DatabaseQuestion.ask(dataSource, this::read);
	}

	public String read(Connection connection) throws SQLException {
		DatabaseMetaData metaData = connection.getMetaData();
		String url = String.valueOf(metaData.getURL());
		List<String> parts = new ArrayList<>(
				List.of(place(url), String.valueOf(connection.getCatalog()), String.valueOf(schema(connection))));
		this.own = isOwn(url);
		if (IN_MEMORY.matcher(url).find()) {
			parts.add(this.application);
		}
		if ("PostgreSQL".equals(metaData.getDatabaseProductName())) {
			parts.addAll(row(connection, POSTGRESQL));
		}
		return parts.toString();
	}

	/**
	 * Return whether a database is in the memory of this process, and not in that of a
	 * server.
	 */
	static boolean isOwn(String url) {
		return IN_MEMORY.matcher(url).find() && !url.contains(SERVER);
	}

	static String place(String url) {
		String place = PARAMETERS.matcher(url).replaceFirst("");
		return USER.matcher(USER_OF_ORACLE.matcher(place).replaceFirst("")).replaceFirst("");
	}

	static @Nullable String schema(Connection connection) throws SQLException {
		try {
			return connection.getSchema();
		}
		catch (SQLFeatureNotSupportedException ex) {
			return null;
		}
	}

	static List<String> row(Connection connection, String query) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(query)) {
			row.next();
			ResultSetMetaData columns = row.getMetaData();
			List<String> values = new ArrayList<>();
			for (int column = 1; column <= columns.getColumnCount(); column++) {
				values.add(String.valueOf(row.getString(column)));
			}
			return values;
		}
		catch (SQLException ex) {
			QueryColumns.throwIfDown(connection, ex);
			return List.of();
		}
	}

	/**
	 * Return whether a query may succeed if it is tried again.
	 */
	public static boolean hasFailed(SQLException ex) {
		String state = ex.getSQLState();
		return ex instanceof SQLTransientException || ex instanceof SQLRecoverableException || state == null
				|| FAILURES.contains(state.substring(0, Math.min(2, state.length())));
	}

}
