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

package io.github.bloomguard.mybatis;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.jdbc.KeyTable;
import org.jspecify.annotations.Nullable;

/**
 * The key of a filter in the rows of a table.
 */
final class FollowedKey {

	private final String filter;

	private final String table;

	private final Supplier<List<FollowedColumn>> columns;

	private final BooleanSupplier unique;

	private FollowedKey(String filter, String table, Supplier<List<FollowedColumn>> columns, BooleanSupplier unique) {
		this.filter = filter;
		this.table = table;
		this.columns = columns;
		this.unique = unique;
	}

	/**
	 * Create the key of an entity. No statement tells one of several parts: they may have
	 * another order than its columns.
	 */
	static FollowedKey of(EntityRows rows) {
		boolean id = rows.keys().attribute() == null;
		boolean single = !rows.composite() && rows.columns().size() == 1;
		List<FollowedColumn> columns = rows.columns()
			.stream()
			.map((column) -> new FollowedColumn(column.name(), single ? EntityColumn.type(column) : Object.class, id))
			.toList();
		return new FollowedKey(rows.keys().filter(), rows.table(), () -> columns, () -> id);
	}

	/**
	 * Create the key of a filter that names a table. Until the database was asked what
	 * its columns are, no statement tells a key.
	 */
	static FollowedKey of(KeyTable table) {
		return new FollowedKey(table.filter(), table.name(),
				() -> table.known().map(FollowedKey::columns).orElse(List.of()),
				() -> table.known().filter(FollowedKey::isUnique).isPresent());
	}

	private static boolean isUnique(KeyTable.Found found) {
		return !found.primaryKey().isEmpty() && found.keyColumns().containsAll(found.primaryKey());
	}

	private static List<FollowedColumn> columns(KeyTable.Found found) {
		List<String> names = found.keyColumns();
		return IntStream.range(0, names.size())
			.mapToObj((i) -> new FollowedColumn(names.get(i), found.types().get(i),
					names.size() > 1 || found.primaryKey().equals(names)))
			.toList();
	}

	String filter() {
		return this.filter;
	}

	/**
	 * Return the table as it is written in statements.
	 */
	String table() {
		return this.table;
	}

	String tableName() {
		return FollowedColumn.lastPart(this.table);
	}

	/**
	 * Return whether no two rows can have the same.
	 */
	boolean isUnique() {
		return this.unique.getAsBoolean();
	}

	/**
	 * Return whether the database may generate a value for this one: MySQL and MariaDB do
	 * that for 0, too.
	 */
	static boolean isLeftOut(@Nullable Object value) {
		return value == null || (value instanceof Number number && number.doubleValue() == 0);
	}

	/**
	 * Return the columns of its parts, none if they are not known yet.
	 */
	List<FollowedColumn> columns() {
		return this.columns.get();
	}

	/**
	 * Return whether a statement names this table, in whatever schema: databases ignore
	 * the case of names that are not quoted.
	 */
	boolean isTable(String name) {
		return name.equals(tableName());
	}

	@Override
	public String toString() {
		List<String> names = columns().stream().map(FollowedColumn::column).toList();
		return this.table + ((names.size() == 1) ? "." + names.get(0) : names);
	}

}
