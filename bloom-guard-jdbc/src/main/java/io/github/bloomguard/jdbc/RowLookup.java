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
import java.util.function.IntFunction;
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
	 * Ask a database for keys, several at a time.
	 * @param query the query whose columns these are
	 * @return for each key, empty if it can't be asked for
	 * @throws SQLException if the database does not answer
	 */
	static List<Optional<Boolean>> findEach(Connection connection, String query, QueryColumns columns,
			List<? extends List<? extends @Nullable Object>> keys) throws SQLException {
		String quote = connection.getMetaData().getIdentifierQuoteString().strip();
		try {
			return findEach(query, columns, keys, quote, (position) -> "?",
					(question, some) -> hasRow(connection, question, columns, some));
		}
		catch (SQLException ex) {
			QueryColumns.throwIfDown(connection, ex);
			return Collections.nCopies(keys.size(), Optional.empty());
		}
	}

	/**
	 * Ask for keys, several at a time.
	 * @param query the query whose columns these are
	 * @param quote stands around the name of a column
	 * @param parameter gives the placeholder of a value by its position, from 1
	 * @param database is asked whether a query has a row, which compares the columns with
	 * the parts of some keys in their order
	 * @return for each key, empty if it can't be asked for
	 * @throws X if the database throws it
	 */
	public static <X extends Exception> List<Optional<Boolean>> findEach(String query, QueryColumns columns,
			List<? extends List<? extends @Nullable Object>> keys, String quote, IntFunction<String> parameter,
			RowQuestion<X> database) throws X {
		List<Optional<Boolean>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
		List<Integer> positions = IntStream.range(0, keys.size())
			.filter((i) -> canBeAsked(columns, keys.get(i)))
			.boxed()
			.toList();
		List<List<? extends @Nullable Object>> asked = positions.stream()
			.<List<? extends @Nullable Object>>map(keys::get)
			.toList();
		List<String> compared = columns.stream().map((column) -> "q." + quoted(column.name(), quote)).toList();
		String rows = "select 1 from " + QueryColumns.nested(query) + " where ";
		List<Boolean> there = KeySearch.<List<? extends @Nullable Object>, X>each(asked,
				Math.max(MAX_PARAMETERS / columns.types().size(), 1),
				(some) -> database.hasRow(rows + condition(compared, some.size(), parameter), some));
		for (int i = 0; i < there.size(); i++) {
			found.set(positions.get(i), Optional.of(there.get(i)));
		}
		return found;
	}

	private static String quoted(String column, String quote) {
		return quote + (quote.isEmpty() ? column : column.replace(quote, quote + quote)) + quote;
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

	private static boolean hasRow(Connection connection, String question, QueryColumns columns,
			List<? extends List<? extends @Nullable Object>> keys) throws SQLException {
		List<KeyColumn> compared = columns.stream().toList();
		try (PreparedStatement statement = connection.prepareStatement(question)) {
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

	private static String condition(List<String> columns, int keys, IntFunction<String> parameter) {
		int count = columns.size();
		if (count == 1 && keys > 1) {
			return columns.get(0) + " in ("
					+ IntStream.rangeClosed(1, keys).mapToObj(parameter).collect(Collectors.joining(", ")) + ")";
		}
		return IntStream.range(0, keys)
			.mapToObj((key) -> IntStream.range(0, count)
				.mapToObj((i) -> columns.get(i) + " = " + parameter.apply(key * count + i + 1))
				.collect(Collectors.joining(" and ", "(", ")")))
			.collect(Collectors.joining(" or "));
	}

	/**
	 * Asks whether a query has a row.
	 *
	 * @param <X> what the question may throw
	 */
	@FunctionalInterface
	public interface RowQuestion<X extends Exception> {

		/**
		 * @param question has a placeholder for each part of each key
		 */
		boolean hasRow(String question, List<? extends List<? extends @Nullable Object>> keys) throws X;

	}

}
