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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Asks a database whether a query gives one key. The database compares it with the
 * columns, so that its own equality decides.
 */
public final class RowLookup {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private RowLookup() {
	}

	/**
	 * @param query the query whose columns these are
	 * @return empty if it can't be asked for this key
	 * @throws SQLException if the database does not answer
	 */
	public static Optional<Boolean> find(Connection connection, String query, QueryColumns columns,
			List<? extends @Nullable Object> key) throws SQLException {
		if (!columns.isNestable() || key.size() != columns.types().size() || key.stream().anyMatch(Objects::isNull)) {
			return Optional.empty();
		}
		String quote = connection.getMetaData().getIdentifierQuoteString().strip();
		String condition = columns.stream()
			.map((column) -> "q." + quote + column.name() + quote + " = ?")
			.collect(Collectors.joining(" and "));
		try (PreparedStatement statement = connection
			.prepareStatement("select 1 from " + QueryColumns.nested(query) + " where " + condition)) {
			statement.setQueryTimeout((int) LONGEST.toSeconds());
			statement.setMaxRows(1);
			List<KeyColumn> described = columns.stream().toList();
			for (int i = 0; i < described.size(); i++) {
				described.get(i).bind(statement, i + 1, key.get(i));
			}
			try (ResultSet rows = statement.executeQuery()) {
				return Optional.of(rows.next());
			}
		}
		catch (IllegalArgumentException | ArithmeticException | DateTimeException ex) {
			return Optional.empty();
		}
		catch (SQLException ex) {
			QueryColumns.throwIfDown(connection, ex);
			return Optional.empty();
		}
	}

}
