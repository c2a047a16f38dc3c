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
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

/**
 * The table whose rows have the keys of a filter, as a statement of the application finds
 * it: the columns of its primary key, or those that are named.
 */
public final class KeyTable {

	private final FilterChecks checks;

	private final SqlName name;

	private final List<String> keyColumns;

	private final Function<KeyTable, Found> catalogue;

	private volatile @Nullable Found found;

	/**
	 * @param name as it is written in SQL
	 * @param keyColumns in the order of the key; empty for the primary key
	 * @throws InvalidGuardException if that is no name, or a column is there twice
	 */
	public KeyTable(String filter, String name, List<String> keyColumns, DataSource application) {
		this(filter, name, keyColumns,
				(table) -> DatabaseQuestion.ask(application, (connection) -> table.read(connection)));
	}

	/**
	 * @param catalogue asks the database for what {@link #found} is made of
	 */
	public KeyTable(String filter, String name, List<String> keyColumns, Function<KeyTable, Found> catalogue) {
		this.checks = new FilterChecks(filter);
		this.name = SqlName.of(name)
			.orElseThrow(() -> this.checks.invalid("table", "'" + name + "', which is no name of a table",
					"Write its name as in SQL, such as product or shop.product, or use warm-up.query for a query"));
		this.keyColumns = List.copyOf(keyColumns);
		this.catalogue = catalogue;
		if (keyColumns.stream().map((column) -> column.toLowerCase(Locale.ROOT)).distinct().count() < keyColumns
			.size()) {
			throw this.checks.invalid("key-columns", keyColumns + ", which has a column twice",
					"Write the columns of the key in the order of its parts");
		}
	}

	public String filter() {
		return this.checks.filter();
	}

	/**
	 * Return what is configured.
	 */
	@Override
	public String toString() {
		return "table " + this.name + (this.keyColumns.isEmpty() ? "" : " " + this.keyColumns);
	}

	public String name() {
		return this.name.toString();
	}

	/**
	 * Return what the database has told, empty if it was not asked yet.
	 */
	public Optional<Found> known() {
		return Optional.ofNullable(this.found);
	}

	/**
	 * Return what the database has told last, which is asked if it was not yet.
	 * @throws InvalidGuardException if there is no such table, or it has no such key
	 */
	public Found find() {
		Found found = this.found;
		return (found != null) ? found : findAgain();
	}

	public Found findAgain() {
		Found found = this.catalogue.apply(this);
		this.found = found;
		return found;
	}

	private Found read(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		DatabaseTable table = table(connection);
		String quote = database.getIdentifierQuoteString().strip();
		return found(table.fullName(quote), table.primaryKey(database), table.columns(database), quote);
	}

	/**
	 * Find the columns of the key among those that the table has.
	 * @param types those of all columns
	 */
	public Found found(String fullName, List<String> primaryKey, Map<String, Class<?>> types, String quote) {
		List<String> columns = List.copyOf(types.keySet());
		if (primaryKey.isEmpty() && this.keyColumns.isEmpty()) {
			throw this.checks.invalid("table",
					"'" + this.name + "', which has no primary key, and key-columns is not set",
					"Set " + this.checks.property("key-columns")
							+ " to the columns of the key in the order of its parts, some of " + columns);
		}
		List<String> keys = this.keyColumns.isEmpty() ? primaryKey
				: this.keyColumns.stream().map((column) -> column(column, columns)).toList();
		return new Found(fullName, keys, keys.stream().<Class<?>>map(types::get).toList(), quote, primaryKey);
	}

	private DatabaseTable table(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		SqlName.Part qualifier = this.name.qualifier();
		List<@Nullable String> path = DatabaseTable.path(connection);
		DatabaseTable first = null;
		for (DatabaseTable table : DatabaseTable.named(this.name, connection)) {
			boolean named = this.name.last().isNameOf(table.name(), database) && ((qualifier != null)
					? qualifier.isNameOf(table.schema(), database) : path.contains(table.schema()));
			if (named && (first == null || path.indexOf(table.schema()) < path.indexOf(first.schema()))) {
				first = table;
			}
		}
		if (first == null) {
			throw missing(connection, path);
		}
		return first;
	}

	private InvalidGuardException missing(Connection connection, List<@Nullable String> path) throws SQLException {
		List<String> like = new ArrayList<>();
		for (DatabaseTable table : DatabaseTable.like(this.name, connection)) {
			like.add(table.written(connection.getMetaData()));
		}
		return missing((this.name.qualifier() == null) ? " in " + path : "", like);
	}

	/**
	 * Return what is thrown where there is no such table.
	 * @param where it was looked for
	 * @param like how tables with a name like this are written
	 */
	public InvalidGuardException missing(String where, List<String> like) {
		return this.checks.invalid("table", "'" + this.name + "', and there is no table of that name" + where,
				like.isEmpty()
						? "Write the name of a table, with its schema if a statement needs it, such as shop.product"
						: "Write it as a statement does, with schema and quotes, such as " + String.join(" or ", like));
	}

	/**
	 * Databases ignore the case of some names; those of columns seldom differ by that.
	 */
	private String column(String written, List<String> columns) {
		SqlName.Part name = SqlName.of(written).map(SqlName::last).orElse(null);
		List<String> named = columns.stream()
			.filter((column) -> name != null && column.equalsIgnoreCase(name.text()))
			.toList();
		if (name != null && named.contains(name.text())) {
			return name.text();
		}
		if (named.size() != 1) {
			throw new InvalidGuardException(this.checks.property("key-columns") + " has '" + written
					+ "', which the table " + this.name + " does not have", "Write some of its columns " + columns);
		}
		return named.get(0);
	}

	/**
	 * What a database tells about the table.
	 *
	 * @param name its full name, with quotes
	 * @param keyColumns without quotes, in the order of the key
	 * @param types those of their values in Java, {@code Object} where that is not told
	 */
	public record Found(String name, List<String> keyColumns, List<Class<?>> types, String quote,
			List<String> primaryKey) {

		/**
		 * Return whether rows are found by the first column alone.
		 */
		boolean isIndexed() {
			return this.primaryKey.indexOf(this.keyColumns.get(0)) == 0;
		}

		public String query() {
			return "select " + this.keyColumns.stream().map(this::quoted).collect(Collectors.joining(", ")) + " from "
					+ this.name;
		}

		String quoted(String column) {
			return SqlName.Part.quoted(column, this.quote);
		}

	}

}
