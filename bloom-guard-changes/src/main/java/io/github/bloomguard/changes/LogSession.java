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
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * One connection that is kept until it fails. Used by one thread at a time; others wait.
 */
final class LogSession implements AutoCloseable {

	private final Connector connector;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Connection connection;

	LogSession(Connector connector) {
		this.connector = connector;
	}

	<T> T execute(Work<T> work) {
		this.lock.lock();
		try {
			return work.apply(connection());
		}
		catch (SQLException ex) {
			disconnect();
			throw new LogAccessException(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Connection connection() throws SQLException {
		Connection connection = this.connection;
		if (connection == null) {
			connection = this.connector.connect();
			this.connection = connection;
		}
		return connection;
	}

	private void disconnect() {
		Connection connection = this.connection;
		this.connection = null;
		close(connection);
	}

	/**
	 * Close a connection, also one that another thread waits for.
	 */
	static void close(@Nullable Connection connection) {
		try {
			if (connection != null) {
				connection.abort(Runnable::run);
			}
		}
		catch (SQLException ex) {
			// it is of no use any more
		}
	}

	@Override
	public void close() {
		disconnect();
	}

	@FunctionalInterface
	interface Connector {

		Connection connect() throws SQLException;

	}

	@FunctionalInterface
	interface Work<T> {

		T apply(Connection connection) throws SQLException;

	}

}
