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

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Tells whether a pool has a connection that no caller waits for.
 */
@FunctionalInterface
public interface SpareConnections {

	/**
	 * For pools that do not tell.
	 */
	SpareConnections ASSUMED = (dataSource) -> true;

	boolean in(DataSource dataSource);

	/**
	 * @throws CannotGetJdbcConnectionException if there is none
	 */
	default void require(@Nullable DataSource dataSource) {
		if (dataSource != null && !in(dataSource)) {
			throw new CannotGetJdbcConnectionException("The pool has no connection to spare");
		}
	}

}
