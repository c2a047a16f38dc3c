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

package io.github.bloomguard.entity;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.jdbc.DatabaseTable;
import org.jspecify.annotations.Nullable;

/**
 * The table and the columns that have the keys of an entity, for those who read them
 * without its mapping.
 *
 * @param table a table, or a query in parentheses
 * @param composite whether a key has parts, if only one
 */
public record EntityRows(EntityKeys keys, String table, boolean composite, List<Column> columns) {

	/**
	 * Return the table whose change log has the rows.
	 * @param configured the one to use instead of that of the mapping
	 */
	public String table(@Nullable String configured) {
		if (configured != null) {
			return configured;
		}
		if (this.table.startsWith("(")) {
			throw invalid("whose rows are in several tables, of which changes.enabled follows one",
					"Set changes.enabled to false, or have a filter for each entity that has a table of its own");
		}
		return this.table;
	}

	/**
	 * Return the columns whose values are the keys, in the order of their parts.
	 * @param configured those to use instead of the columns of the mapping
	 */
	public List<String> columns(List<String> configured) {
		List<Column> used = configured.isEmpty() ? this.columns
				: this.columns.stream().filter((column) -> column.isIn(configured)).toList();
		for (Column column : used) {
			if (!column.plain()) {
				throw invalid(
						"but the change log may have the column " + column.name() + " in another form than "
								+ column.type().getName() + " has as a key",
						"Set changes.enabled to false, or remove the entity, set warm-up.query, changes.table and"
								+ " changes.key-columns, and ask with the value of the column");
			}
		}
		checkParts(used, configured);
		return configured.isEmpty() ? used.stream().map(Column::name).toList() : configured;
	}

	private void checkParts(List<Column> used, List<String> configured) {
		List<String> names = this.columns.stream().map(Column::name).toList();
		if (this.composite && names.size() == 1 && !used.isEmpty()) {
			throw invalid("whose keys are composite, though of one part, so they differ from the values of " + names,
					"Set changes.enabled to false, or let the id be that part alone");
		}
		if (this.composite && configured.isEmpty()) {
			throw invalid("whose keys have several parts, and changes.key-columns is not set",
					"Set it to the columns " + names + " in the order of the parts");
		}
		if (!used.isEmpty() && !configured.isEmpty() && configured.size() != names.size()) {
			throw invalid("whose keys are in " + names + ", but changes.key-columns is " + configured,
					"Remove changes.key-columns, or set it to these columns in the order of the parts");
		}
	}

	/**
	 * Return whether another mapping that names this table writes rows of this one.
	 */
	public boolean areIn(String table) {
		return DatabaseTable.plainName(this.table).equals(DatabaseTable.plainName(table));
	}

	/**
	 * Return whether these columns of such rows have the keys.
	 */
	public boolean areIn(List<String> columns) {
		return this.columns.size() == columns.size() && IntStream.range(0, columns.size())
			.allMatch((i) -> this.columns.get(i).isIn(columns.subList(i, i + 1)));
	}

	/**
	 * Return whether the keys have one form in both, that of the column. Several parts
	 * may have another order than their columns.
	 */
	public boolean haveFormOf(EntityRows other) {
		return Stream.of(this, other)
			.allMatch((rows) -> !rows.composite && rows.columns.size() == 1 && rows.columns.get(0).plain());
	}

	private InvalidGuardException invalid(String problem, String remedy) {
		return this.keys.invalid(problem, remedy);
	}

	/**
	 * A column of keys.
	 *
	 * @param plain whether its value has the same form as the attribute, however it is
	 * read
	 */
	public record Column(String name, Class<?> type, boolean plain) {

		private static final String QUOTES = "\"`[";

		/**
		 * Create a column without its quotes: databases ignore the case of names that
		 * have none.
		 */
		public static Column of(String expression, Class<?> type, boolean plain) {
			return new Column(name(expression), type, plain);
		}

		private static String name(String expression) {
			return (QUOTES.indexOf(expression.charAt(0)) < 0) ? expression.toLowerCase(Locale.ROOT)
					: expression.substring(1, expression.length() - 1);
		}

		private boolean isIn(List<String> names) {
			return names.stream().anyMatch((name) -> name(name).equalsIgnoreCase(this.name));
		}

	}

}
