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

/**
 * Thrown if the database refuses a configured query. Unlike other failures, it says what
 * the driver says: the query is the application's own, and has no keys in it.
 */
public class RefusedQueryException extends IllegalStateException {

	/**
	 * The class of SQL states for syntax errors and access rule violations (SQL:2016,
	 * part 2, 24.1).
	 */
	private static final String REFUSED = "42";

	private RefusedQueryException(String property, SQLException cause) {
		super(property + " is refused by the database: " + cause.getMessage() + " (SQL state " + cause.getSQLState()
				+ ")", cause);
	}

	/**
	 * Throw an exception that explains a failure, if the database has refused the query.
	 */
	public static void throwIfRefused(String property, SQLException failure) {
		if (failure.getSQLState() != null && failure.getSQLState().startsWith(REFUSED)) {
			throw new RefusedQueryException(property, failure);
		}
	}

}
