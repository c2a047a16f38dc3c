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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Asks a database whether a query gives a key. The database compares it with the columns,
 * so that its own equality decides.
 */
public final class RowLookup {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	/**
	 * Each database takes so many, in a list and in a statement.
	 */
	private static final int MAX_PARAMETERS = 500;

	private RowLookup() {
	}

	/**
	 * Ask for keys, several at a time.
	 * @param query the query whose columns these are
	 * @return for each key, empty if it can't be asked for
	 * @throws SQLException if the database does not answer
	 */
	public static List<Optional<Boolean>> findEach(Connection connection, String query, QueryColumns columns,
			List<? extends List<? extends @Nullable Object>> keys) throws SQLException {
		List<Optional<Boolean>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
		List<Integer> positions = IntStream.range(0, keys.size())
			.filter((i) -> canBeAsked(columns, keys.get(i)))
			.boxed()
			.toList();
		List<List<? extends @Nullable Object>> asked = positions.stream()
			.<List<? extends @Nullable Object>>map(keys::get)
			.toList();
		try {
			List<Boolean> there = KeySearch.each(asked, Math.max(MAX_PARAMETERS / columns.types().size(), 1),
					(some) -> isThereAnyOf(connection, query, columns, some));
			for (int i = 0; i < there.size(); i++) {
				found.set(positions.get(i), Optional.of(there.get(i)));
			}
		}
		catch (SQLException ex) {
			QueryColumns.throwIfDown(connection, ex);
		}
		return found;
	}

	private static boolean canBeAsked(QueryColumns columns, List<? extends @Nullable Object> key) {
		List<KeyColumn> compared = columns.stream().toList();
		if (!columns.isNestable() || key.size() != compared.size()) {
			return false;
		}
		try {
			for (int i = 0; i < compared.size(); i++) {
				Object part = key.get(i);
				if (part == null) {
					return false;
				}
				compared.get(i).value(part);
			}
			return true;
		}
		catch (IllegalArgumentException | ArithmeticException | DateTimeException ex) {
			return false;
		}
	}

	private static boolean isThereAnyOf(Connection connection, String query, QueryColumns columns,
			List<? extends List<? extends @Nullable Object>> keys) throws SQLException {
		String quote = connection.getMetaData().getIdentifierQuoteString().strip();
		List<KeyColumn> compared = columns.stream().toList();
		String condition = condition(compared.stream().map((column) -> "q." + quote + column.name() + quote).toList(),
				keys.size());
		try (PreparedStatement statement = connection
			.prepareStatement("select 1 from " + QueryColumns.nested(query) + " where " + condition)) {
			statement.setQueryTimeout((int) LONGEST.toSeconds());
			statement.setMaxRows(1);
			int index = 1;
			for (List<? extends @Nullable Object> key : keys) {
				for (int i = 0; i < compared.size(); i++) {
					compared.get(i).bind(statement, index++, Objects.requireNonNull(key.get(i)));
				}
			}
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next();
			}
		}
	}

	private static String condition(List<String> columns, int keys) {
		if (columns.size() == 1 && keys > 1) {
			return columns.get(0) + " in (" + String.join(", ", Collections.nCopies(keys, "?")) + ")";
		}
		String one = columns.stream().map((column) -> column + " = ?").collect(Collectors.joining(" and "));
		return (keys == 1) ? one : "(" + String.join(") or (", Collections.nCopies(keys, one)) + ")";
	}

}
