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
import java.util.Locale;

/**
 * A running query, which the server can be told to stop. The statement can't be asked:
 * Connector/J does nothing once the first row is there, and reads all others when it is
 * closed.
 */
public final class RunningQuery {

	private final String stop;

	private boolean ended;

	private RunningQuery(String stop) {
		this.stop = stop;
	}

	/**
	 * Note the number of a connection on the server, before its query.
	 */
	public static RunningQuery of(Connection connection) throws SQLException {
		return switch (connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT)) {
			case "mysql", "mariadb" -> of(connection, "select connection_id()", "kill query %s");
			case "postgresql" -> of(connection, "select pg_backend_pid()", "select pg_cancel_backend(%s)");
			case "h2" -> of(connection, "select session_id()", "call cancel_session(%s)");
			default -> new RunningQuery("");
		};
	}

	private static RunningQuery of(Connection connection, String query, String stop) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(query)) {
			row.next();
			return new RunningQuery(stop.formatted(row.getLong(1)));
		}
	}

	public synchronized void stop(Connection other) throws SQLException {
		if (!this.ended && !this.stop.isEmpty()) {
			try (Statement statement = other.createStatement()) {
				statement.execute(this.stop);
			}
		}
	}

	public synchronized void end() {
		this.ended = true;
	}

}
