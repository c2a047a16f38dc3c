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

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * What a server must log to be followed. Each refusal has the statement to run.
 */
record MySqlRequirements(FeedSpecification specification, String version, String user) {

	private static final List<Integer> DENIED = List.of(1045, 1227);

	static MySqlRequirements read(Connection connection, FeedSpecification specification) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select version(), current_user()")) {
			row.next();
			return new MySqlRequirements(specification, row.getString(1),
					"'" + row.getString(2).replace("@", "'@'") + "'");
		}
	}

	void check(Connection connection) throws SQLException {
		if (!"ON".equals(MySqlServer.variable(connection, "log_bin"))) {
			throw refusal("the server writes no binary log",
					"Write log_bin = binlog into the configuration of the server, and restart it");
		}
		if (MySqlServer.variable(connection, "binlog_row_metadata") == null) {
			throw refusal("the server is of version " + this.version,
					"Use MySQL 8.0.1, MariaDB 10.5 or later, or set catch-up.query instead");
		}
		require(connection, "binlog_format", "ROW");
		require(connection, "binlog_row_image", "FULL");
		require(connection, "binlog_row_metadata", "FULL");
		require(connection, "binlog_row_value_options", "");
		require(connection, "log_bin_compress", "OFF");
		checkReplicated(connection);
	}

	/**
	 * Check that the log has what other servers send. MySQL has it by default.
	 */
	private void checkReplicated(Connection connection) throws SQLException {
		boolean replicated = !isMariaDb() || "ON".equals(MySqlServer.variable(connection, "wsrep_on"))
				|| !"0".equals(MySqlServer.status(connection, "slaves_running"));
		for (String variable : List.of("log_replica_updates", "log_slave_updates")) {
			if (replicated && "OFF".equals(MySqlServer.variable(connection, variable))) {
				throw refusal(variable + " of the server is 'OFF', and rows of other servers are not in its log",
						"Write " + variable + " = ON into the configuration of the server, and restart it");
			}
		}
	}

	private void require(Connection connection, String variable, String value) throws SQLException {
		String found = MySqlServer.variable(connection, variable);
		if (found != null && !found.equalsIgnoreCase(value)) {
			String quoted = "'" + value + "'";
			throw refusal(variable + " of the server is '" + found + "'", isMariaDb()
					? "Run: set global " + variable + " = " + quoted
							+ "; write it into the configuration of the server, too, and let all who write"
							+ " connect again"
					: "Run: set persist " + variable + " = " + quoted + "; and let all who write connect again");
		}
	}

	private boolean isMariaDb() {
		return this.version.contains("MariaDB");
	}

	void checkLogged(Connection connection, String schema, BinlogEnd end) throws SQLException {
		BinlogEnd.Filter filter = end.filter(connection);
		if (!filter.accepts(schema)) {
			throw refusal("the binary log leaves out changes of the schema " + schema,
					"Remove binlog-do-db and binlog-ignore-db from the configuration of the server, and restart it");
		}
	}

	/**
	 * Return which right is missing, {@code null} if the failure has another reason.
	 */
	@Nullable InvalidGuardException denied(int error, boolean reading) {
		if (!DENIED.contains(error)) {
			return null;
		}
		String right = reading ? "replication slave" : isMariaDb() ? "binlog monitor" : "replication client";
		return refusal("the user " + this.user + " may not follow the log",
				"Run: grant " + right + " on *.* to " + this.user + ";");
	}

	private InvalidGuardException refusal(String problem, String remedy) {
		return new InvalidGuardException(this.specification.property("enabled") + " is true, but " + problem, remedy);
	}

}
