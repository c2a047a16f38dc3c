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
import java.sql.Statement;
import java.util.Optional;

/**
 * What a load does about the row level security of PostgreSQL, which leaves out rows that
 * callers with another role or setting see.
 */
public enum RowSecurity {

	/**
	 * The rows that the reader sees are all that any caller does.
	 */
	ALLOWED,

	REFUSED;

	private static final String OFF = "select set_config(name, 'off', true) from pg_settings where name = 'row_security'";

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	/**
	 * Let the queries of the transaction fail from which a policy would keep rows, even
	 * those of views.
	 */
	public void begin(Connection connection) throws SQLException {
		Optional<String> off = statement(connection.getMetaData().getDatabaseProductName());
		if (off.isPresent()) {
			try (Statement statement = connection.createStatement()) {
				statement.execute(off.get());
			}
		}
	}

	/**
	 * Return what a transaction begins with.
	 */
	public Optional<String> statement(String product) {
		return (this == REFUSED && "PostgreSQL".equals(product)) ? Optional.of(OFF) : Optional.empty();
	}

	/**
	 * Return a failure, with what to do if rows would have been kept back.
	 */
	public RuntimeException explained(String filter, RuntimeException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())) {
				return new IllegalStateException("The user that reads the keys may not see all rows, so nothing is"
						+ " called absent: read as one with BYPASSRLS (@BloomGuardDataSource), or set"
						+ " bloom-guard.filters." + filter + ".warm-up.allow-row-security if no caller sees more",
						failure);
			}
		}
		return failure;
	}

}
