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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyType;
import io.github.bloomguard.filter.TypedKeys;
import org.jspecify.annotations.Nullable;

/**
 * A source of keys that are in columns. The database tells how it compares keys with
 * them, and whether there is a row with a key.
 */
public abstract class ColumnKeySource implements KeySource, TypedKeys {

	private final @Nullable DataSource dataSource;

	private final SpareConnections spare;

	private final @Nullable KeyAttribute attribute;

	private final DatabaseIdentity identity = new DatabaseIdentity();

	private final SchemaVersions versions;

	private final TextComparison comparison = new TextComparison();

	/**
	 * Whether {@link #database()} was called since the version was asked for.
	 */
	private final AtomicBoolean looked = new AtomicBoolean();

	/**
	 * {@code null} before {@link #database()} was called, or if the columns can't be
	 * described.
	 */
	private volatile @Nullable QueryColumns columns;

	/**
	 * What keys are compared with; {@code null} if that is not known.
	 */
	private volatile @Nullable List<KeyType> types;

	private volatile Optional<Map<String, String>> letters = Optional.empty();

	/**
	 * @param dataSource where a connection has to be spare before single keys are looked
	 * up, {@code null} if that is not known
	 * @param attribute what has the keys, {@code null} for the columns alone
	 */
	protected ColumnKeySource(@Nullable DataSource dataSource, SpareConnections spare,
			@Nullable KeyAttribute attribute) {
		this.dataSource = dataSource;
		this.versions = SchemaVersions.of(dataSource);
		this.spare = spare;
		this.attribute = attribute;
		this.types = (attribute != null) ? attribute.types() : null;
	}

	/**
	 * Ask the database, and leave no transaction open.
	 */
	protected abstract <T> T ask(DatabaseQuestion<T> question);

	/**
	 * Return a query whose columns are those of the keys.
	 */
	protected abstract String columnsQuery();

	/**
	 * Return the tables in which rows have the keys, as they are written in statements,
	 * none if that is not known.
	 */
	protected List<String> tables() {
		return List.of();
	}

	/**
	 * Describe the columns of the keys.
	 * @return {@code null} if the database refuses the query
	 */
	@Nullable QueryColumns describe(Connection connection) throws SQLException {
		return QueryColumns.find(connection, columnsQuery());
	}

	/**
	 * Return the query whose rows are looked through for a key.
	 * @return empty if there is none for this key
	 */
	protected Optional<String> lookUp(List<? extends @Nullable Object> key, QueryColumns columns) {
		return Optional.of(columns.query());
	}

	/**
	 * Return the columns as they were described last.
	 */
	final @Nullable QueryColumns described() {
		return this.columns;
	}

	@Override
	public final boolean isOwn() {
		return this.identity.isOwn();
	}

	@Override
	public String database() {
		return ask((connection) -> {
			String database = this.identity.read(connection);
			QueryColumns columns = describe(connection);
			if (columns != null) {
				this.types = (this.attribute != null) ? this.attribute.in(columns) : columns.types();
			}
			this.columns = columns;
			this.looked.set(true);
			return database;
		});
	}

	/**
	 * Look for the tables of migrations if this is a new look at the database, and else
	 * only at what they say now, if no caller waits for the connection.
	 */
	@Override
	public final String schemaVersion() {
		if (this.looked.getAndSet(false)) {
			return ask(this.versions::search);
		}
		return this.versions.latest(() -> {
			this.spare.require(this.dataSource);
			return ask(this.versions::again);
		});
	}

	@Override
	public final Optional<String> unseenWriters() {
		QueryColumns columns = this.columns;
		List<String> tables = tables();
		if (tables.isEmpty() || columns == null) {
			return Optional.empty();
		}
		return ask(new UnseenWriters(tables, columns.stream().map(KeyColumn::name).toList())::find);
	}

	@Override
	public final Optional<KeyEquality> equality() {
		return Optional.of(this);
	}

	@Override
	public final Set<Difference> ignored() {
		QueryColumns known = this.columns;
		return ask((connection) -> {
			QueryColumns columns = (known != null) ? known : describe(connection);
			if (columns == null) {
				return KeyEquality.UNKNOWN;
			}
			Set<Difference> ignored = this.comparison.read(connection, columns);
			this.letters = (ignored.contains(Difference.CASE) && !ignored.contains(Difference.ANY))
					? CollationLetters.read(connection, columns) : Optional.empty();
			return ignored;
		});
	}

	@Override
	public final Optional<Map<String, String>> letters() {
		return this.letters;
	}

	/**
	 * What a converter makes of a text is not known.
	 */
	@Override
	public final List<Spelling> spellings() {
		List<KeyType> types = this.types;
		return (types == null || isConverted()) ? List.of() : KeyType.spellings(types);
	}

	/**
	 * Whether a converter takes blanks away is not told by types.
	 */
	@Override
	public final Optional<List<KeyType>> keyTypes() {
		return isConverted() ? Optional.empty() : Optional.ofNullable(this.types);
	}

	private boolean isConverted() {
		return this.attribute != null && this.attribute.converted();
	}

	@Override
	public final boolean tellsApart(List<? extends @Nullable Object> key) {
		List<KeyType> types = this.types;
		return types != null && KeyType.tellApart(types, key)
				&& !(isConverted() && key.stream().anyMatch(ColumnKeySource::mayBeStripped));
	}

	private static boolean mayBeStripped(@Nullable Object part) {
		return part != null && part.toString().endsWith(" ");
	}

	@Override
	public final Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return containsEach(List.of(key)).get(0);
	}

	/**
	 * Ask in SQL, as the columns are. They have to tell the key apart, too, because the
	 * database compares it with them.
	 */
	@Override
	public final List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
		List<Optional<Boolean>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
		QueryColumns columns = this.columns;
		if (columns == null) {
			return found;
		}
		Map<String, List<Integer>> positions = new LinkedHashMap<>();
		for (int i = 0; i < keys.size(); i++) {
			int position = i;
			query(keys.get(i), columns)
				.ifPresent((query) -> positions.computeIfAbsent(query, (text) -> new ArrayList<>()).add(position));
		}
		if (!positions.isEmpty()) {
			this.spare.require(this.dataSource);
			ask((connection) -> {
				for (Map.Entry<String, List<Integer>> each : positions.entrySet()) {
					List<Optional<Boolean>> told = RowLookup.findEach(connection, each.getKey(), columns,
							each.getValue().stream().<List<? extends @Nullable Object>>map(keys::get).toList());
					for (int i = 0; i < told.size(); i++) {
						found.set(each.getValue().get(i), told.get(i));
					}
				}
				return found;
			});
		}
		return found;
	}

	private Optional<String> query(List<? extends @Nullable Object> key, QueryColumns columns) {
		return (tellsApart(key) && KeyType.tellApart(columns.types(), key)
				&& (this.attribute == null || this.attribute.isInColumns(key))) ? lookUp(key, columns)
						: Optional.empty();
	}

}
