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

import java.sql.SQLException;
import java.util.Set;

import io.github.bloomguard.InvalidGuardException;

/**
 * Thrown if the database refuses a configured query, whatever is tried again: a table, a
 * column or a right is missing, or it is no SQL. Unlike other failures, it says what the
 * driver says: the query is the application's own, and has no keys in it.
 */
public class RefusedQueryException extends InvalidGuardException {

	/**
	 * The classes of SQL states for syntax errors and access rule violations, and for the
	 * names of schemas (SQL:2016, part 2, 24.1), and what they were in ODBC.
	 */
	private static final Set<String> REFUSED = Set.of("42", "37", "3F", "S0");

	/**
	 * A schema that H2 does not have.
	 */
	private static final String SCHEMA_OF_H2 = "90079";

	private RefusedQueryException(String property, SQLException cause) {
		super(property + " is refused by the database: "
				+ String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ")
				+ ((cause.getSQLState() != null) ? " (SQL state " + cause.getSQLState() + ")" : ""),
				"Write it as a statement of the application does. What creates its tables has to run before the"
						+ " application is started, as Flyway, Liquibase, schema.sql and Hibernate do; if a runner"
						+ " creates them later, set warm-up.on-startup to never and rebuild the filter then",
				cause);
	}

	/**
	 * Throw an exception that explains a failure, if the database has refused the query.
	 */
	public static void throwIfRefused(String property, SQLException failure) {
		String state = failure.getSQLState();
		if (state != null
				&& (REFUSED.contains(state.substring(0, Math.min(2, state.length()))) || SCHEMA_OF_H2.equals(state))) {
			throw new RefusedQueryException(property, failure);
		}
	}

	/**
	 * Throw an exception that explains a failure without an SQL state, as those of SQLite
	 * are, of a database that answers.
	 */
	static void throwIfStateless(String property, SQLException failure) {
		if (failure.getSQLState() == null) {
			throw new RefusedQueryException(property, failure);
		}
	}

}
