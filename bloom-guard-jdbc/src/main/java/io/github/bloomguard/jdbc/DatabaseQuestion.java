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
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Something that a database is asked by any of the application's connections. It leaves
 * no transaction open, which a pool would hand on.
 *
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface DatabaseQuestion<T> {

	T ask(Connection connection) throws SQLException;

	default T askAndEnd(Connection connection) throws SQLException {
		try {
			return ask(connection);
		}
		finally {
			end(connection);
		}
	}

	static <T> T ask(DataSource dataSource, DatabaseQuestion<T> question) {
		ConnectionCallback<T> asked = question::askAndEnd;
		return Objects.requireNonNull(new JdbcTemplate(dataSource).execute(asked));
	}

	static void end(Connection connection) throws SQLException {
		if (!connection.getAutoCommit()) {
			connection.rollback();
		}
	}

}
