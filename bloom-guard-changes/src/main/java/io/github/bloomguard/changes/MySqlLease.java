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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.jspecify.annotations.Nullable;

/**
 * The lease of a feed: a lock of the server's, which a connection holds until it is
 * closed, or silent for {@value #SILENCE} seconds.
 * <p>
 * It saves work and is no fence. An instance that lost it unknowingly does no harm: keys
 * may be added twice, a claim is true in any instance, and a removal knows when its row
 * was deleted, so what was added since then stays.
 */
final class MySqlLease implements AutoCloseable {

	private static final int SILENCE = 5;

	private final Connection connection;

	private final BinlogEnd end;

	private final String name;

	private final String identity;

	private MySqlLease(Connection connection, BinlogEnd end, String name, String identity) {
		this.connection = connection;
		this.end = end;
		this.name = name;
		this.identity = identity;
	}

	static @Nullable MySqlLease take(Connection connection, BinlogEnd end, String name) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("set session wait_timeout = " + SILENCE);
		}
		try (PreparedStatement query = connection.prepareStatement("select get_lock(?, 0), connection_id()")) {
			query.setString(1, name);
			try (ResultSet row = query.executeQuery()) {
				row.next();
				return (row.getInt(1) == 1) ? new MySqlLease(connection, end, name, row.getString(2)) : null;
			}
		}
	}

	static @Nullable String holder(Connection connection, String name) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement("select is_used_lock(?)")) {
			query.setString(1, name);
			try (ResultSet row = query.executeQuery()) {
				row.next();
				return row.getString(1);
			}
		}
	}

	String identity() {
		return this.identity;
	}

	/**
	 * Keep the lease and return the end of the log, or fail if the lease is lost.
	 */
	BinlogPlace renew() {
		try {
			if (!this.identity.equals(holder(this.connection, this.name))) {
				throw new SQLException("Another instance follows");
			}
			return this.end.read(this.connection);
		}
		catch (SQLException ex) {
			throw new LogAccessException(ex);
		}
	}

	@Override
	public void close() {
		LogSession.close(this.connection);
	}

}
