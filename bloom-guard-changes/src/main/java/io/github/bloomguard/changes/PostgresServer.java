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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Opens connections to one PostgreSQL database.
 */
record PostgresServer(String url, Properties credentials) {

	/**
	 * Milliseconds after which the server ends a connection whose client is gone or
	 * frozen, so that another instance can follow.
	 */
	private static final int SILENCE = 5000;

	private static final Set<String> PRIMARY = Set.of("primary", "master");

	static PostgresServer of(FeedSpecification specification, String url, Properties credentials) {
		Properties parsed = Driver.parseURL(url, credentials);
		if (parsed != null && PGProperty.PG_HOST.getOrDefault(parsed).contains(",")
				&& !PRIMARY.contains(PGProperty.TARGET_SERVER_TYPE.getOrDefault(parsed))) {
			throw new InvalidGuardException(specification.property("enabled")
					+ " is true, but the URL has several servers, which do not have the same rows at the same time",
					"Add targetServerType=primary to the URL");
		}
		return new PostgresServer(url, credentials);
	}

	/**
	 * Open a connection for statements. Its commits are in the log on the server's disk,
	 * whatever the application has configured, and wait for no other server.
	 */
	Connection connect() throws SQLException {
		Properties properties = properties();
		PGProperty.SOCKET_TIMEOUT.set(properties, 10);
		PGProperty.OPTIONS.set(properties, "-c synchronous_commit=local");
		return DriverManager.getConnection(this.url, properties);
	}

	Connection replicate() throws SQLException {
		Properties properties = properties();
		PGProperty.REPLICATION.set(properties, "database");
		PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
		PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "14");
		PGProperty.OPTIONS.set(properties, "-c wal_sender_timeout=" + SILENCE);
		return DriverManager.getConnection(this.url, properties);
	}

	static void execute(Connection connection, String... statements) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	private Properties properties() {
		Properties properties = new Properties();
		properties.putAll(this.credentials);
		PGProperty.APPLICATION_NAME.set(properties, "bloom-guard");
		PGProperty.CONNECT_TIMEOUT.set(properties, 5);
		PGProperty.TCP_KEEP_ALIVE.set(properties, true);
		return properties;
	}

}
