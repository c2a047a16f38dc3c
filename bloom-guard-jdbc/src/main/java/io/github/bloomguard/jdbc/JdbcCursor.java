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
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Reads rows in a transaction that is not read-only: a replica may lag behind.
 */
final class JdbcCursor {

	private final String filter;

	private final DataSource dataSource;

	private final int fetchSize;

	private final RowSecurity security;

	private final Set<RunningQuery> running = ConcurrentHashMap.newKeySet();

	JdbcCursor(String filter, DataSource dataSource, int fetchSize, RowSecurity security) {
		this.filter = filter;
		this.dataSource = dataSource;
		this.fetchSize = fetchSize;
		this.security = security;
	}

	<T extends @Nullable Object> Stream<T> stream(Function<JdbcTemplate, Stream<T>> query) {
		Connection connection = connect();
		RunningQuery running = null;
		try {
			RowStreaming streaming = RowStreaming.of(connection);
			Connection reader = streaming.begin(connection);
			JdbcTemplate template = new JdbcTemplate(new SingleConnectionDataSource(reader, true));
			this.security.begin(connection);
			template.setFetchSize(streaming.fetchSize(this.fetchSize));
			RunningQuery started = RunningQuery.of(connection);
			running = started;
			this.running.add(started);
			return query.apply(template).onClose(() -> close(connection, started));
		}
		catch (RuntimeException | SQLException ex) {
			close(connection, running);
			throw (ex instanceof RuntimeException unchecked) ? this.security.explained(this.filter, unchecked)
					: new IllegalStateException(ex);
		}
	}

	private Connection connect() {
		Connection connection = null;
		try {
			connection = this.dataSource.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}
		catch (SQLException ex) {
			JdbcUtils.closeConnection(connection);
			throw new CannotGetJdbcConnectionException("No connection to read the keys of '" + this.filter + "'", ex);
		}
	}

	void cancel() {
		if (this.running.isEmpty()) {
			return;
		}
		try (Connection connection = this.dataSource.getConnection()) {
			for (RunningQuery query : this.running) {
				query.stop(connection);
			}
		}
		catch (SQLException ex) {
			// they end with their connections
		}
	}

	private void close(Connection connection, @Nullable RunningQuery query) {
		if (query != null) {
			query.end();
			this.running.remove(query);
		}
		try {
			connection.rollback();
			RowStreaming.of(connection).end(connection);
			connection.setAutoCommit(true);
		}
		catch (SQLException ex) {
			// the pool finds out that the connection is broken
		}
		finally {
			JdbcUtils.closeConnection(connection);
		}
	}

}
