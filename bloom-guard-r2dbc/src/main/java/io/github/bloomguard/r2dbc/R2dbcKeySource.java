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

package io.github.bloomguard.r2dbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType;
import io.github.bloomguard.filter.TypedKeys;
import io.github.bloomguard.jdbc.KeyColumn;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.jdbc.RefusedQueryException;
import io.github.bloomguard.jdbc.RowLookup;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.TextComparison;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Row;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Sinks;

/**
 * Reads keys with a SQL query through R2DBC, never all at once, and blocks the thread
 * that reads them. Several columns are a composite key.
 */
public final class R2dbcKeySource implements KeySource, TypedKeys {

	private final String filter;

	private final R2dbcDatabase database;

	private final String property;

	private final String fingerprint;

	/**
	 * Asked each time for the table that is there now.
	 */
	private final Supplier<String> query;

	private final @Nullable String countQuery;

	private final int fetchSize;

	private final RowSecurity security;

	private final TextComparison comparison = new TextComparison();

	private final Sinks.One<Object> end = Sinks.one();

	/**
	 * Compared with keys; {@code null} before {@link #database()} was called.
	 */
	private volatile @Nullable QueryColumns columns;

	private R2dbcKeySource(String filter, ConnectionFactory connections, String property, String fingerprint,
			Supplier<String> query, @Nullable String countQuery, int fetchSize, RowSecurity security) {
		this.filter = filter;
		this.database = new R2dbcDatabase(connections);
		this.property = "bloom-guard.filters." + filter + "." + property;
		this.fingerprint = fingerprint;
		this.query = query;
		this.countQuery = countQuery;
		this.fetchSize = fetchSize;
		this.security = security;
	}

	/**
	 * Create a source of the keys that a query gives.
	 * @param countQuery gives the number of keys, for the progress
	 */
	public static R2dbcKeySource ofQuery(String filter, ConnectionFactory connections, String query,
			@Nullable String countQuery, int fetchSize, RowSecurity security) {
		return new R2dbcKeySource(filter, connections, "warm-up.query", query, () -> query, countQuery, fetchSize,
				security);
	}

	/**
	 * Create a source of the keys of a table.
	 */
	public static R2dbcKeySource ofTable(KeyTable table, ConnectionFactory connections, int fetchSize,
			RowSecurity security) {
		return new R2dbcKeySource(table.filter(), connections, "table", table.toString(),
				() -> table.findAgain().query(), null, fetchSize, security);
	}

	/**
	 * Return a table that is found through R2DBC.
	 * @param keyColumns in the order of the key; empty for the primary key
	 */
	public static KeyTable table(String filter, String name, List<String> keyColumns, ConnectionFactory connections) {
		return new KeyTable(filter, name, keyColumns, new R2dbcTables(new R2dbcDatabase(connections))::find);
	}

	@Override
	public String filter() {
		return this.filter;
	}

	@Override
	public String fingerprint() {
		return this.fingerprint;
	}

	@Override
	public String database() {
		return ask(() -> {
			String database = this.database.identity();
			QueryColumns columns = columns();
			if (this.columns == null) {
				columns.warnIfUncertain(this.filter, this.property);
			}
			this.columns = columns;
			return database + " " + columns.query();
		});
	}

	/**
	 * Return the columns of the keys.
	 */
	public QueryColumns columns() {
		return ask(() -> {
			try {
				return this.database.columns(this.query.get());
			}
			catch (SQLException ex) {
				RefusedQueryException.throwIfRefused(this.property, ex);
				throw ex;
			}
		});
	}

	/**
	 * Compare the columns of the keys with those that methods ask for.
	 * @return the columns
	 */
	public QueryColumns check(KeyFormat format, Collection<AskedKey> asked) {
		QueryColumns columns = columns();
		columns.check(this.property, format, asked);
		return columns;
	}

	@Override
	public String schemaVersion() {
		return ask(this.database::schemaVersion);
	}

	@Override
	public Optional<KeyEquality> equality() {
		return Optional.of(this);
	}

	@Override
	public Set<Difference> ignored() {
		QueryColumns known = this.columns;
		return ask(() -> this.comparison.read(this.database, (known != null) ? known : columns()));
	}

	@Override
	public List<Spelling> spellings() {
		QueryColumns columns = this.columns;
		return (columns != null) ? KeyType.spellings(columns.types()) : List.of();
	}

	@Override
	public Optional<List<KeyType>> keyTypes() {
		QueryColumns columns = this.columns;
		return (columns != null) ? Optional.of(columns.types()) : Optional.empty();
	}

	@Override
	public boolean tellsApart(List<? extends @Nullable Object> key) {
		QueryColumns columns = this.columns;
		return columns != null && KeyType.tellApart(columns.types(), key);
	}

	@Override
	public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return containsEach(List.of(key)).get(0);
	}

	@Override
	public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
		QueryColumns columns = this.columns;
		if (columns == null) {
			return Collections.nCopies(keys.size(), Optional.empty());
		}
		List<List<? extends @Nullable Object>> asked = keys.stream()
			.<List<? extends @Nullable Object>>map((key) -> tellsApart(key) ? key : List.of())
			.toList();
		return ask(() -> RowLookup.findEach(columns.query(), columns, asked, R2dbcDatabase.QUOTE,
				(position) -> "$" + position,
				(question, some) -> this.database.hasRow(question + " limit 1", values(columns, some))));
	}

	private static List<Object> values(QueryColumns columns, List<? extends List<? extends @Nullable Object>> keys) {
		List<KeyColumn> compared = columns.stream().toList();
		List<Object> values = new ArrayList<>();
		for (List<? extends @Nullable Object> key : keys) {
			for (int i = 0; i < compared.size(); i++) {
				values.add(compared.get(i).value(Objects.requireNonNull(key.get(i))));
			}
		}
		return values;
	}

	@Override
	public OptionalLong count() {
		String query = this.countQuery;
		return (query != null) ? ask(() -> this.database.rows(query, List.of(), (row) -> row.get(0))).stream()
			.mapToLong((number) -> ((Number) number).longValue())
			.findFirst() : OptionalLong.empty();
	}

	@Override
	public Stream<?> keys() {
		QueryColumns columns = columns();
		List<KeyColumn> read = columns.stream().toList();
		return this.database
			.stream(columns.query(), this.fetchSize, this.security, (row) -> Optional.ofNullable(key(row, read)))
			.onErrorMap(SQLException.class,
					(failure) -> this.security.explained(this.filter, new IllegalStateException(failure)))
			.takeUntilOther(this.end.asMono())
			.toStream(this.fetchSize)
			.flatMap(Optional::stream);
	}

	private static @Nullable Object key(Row row, List<KeyColumn> columns) {
		if (columns.size() == 1) {
			return PostgresColumns.value(row, 0, columns.get(0));
		}
		List<@Nullable Object> parts = new ArrayList<>(columns.size());
		for (int i = 0; i < columns.size(); i++) {
			parts.add(PostgresColumns.value(row, i, columns.get(i)));
		}
		return parts;
	}

	@Override
	public void cancel() {
		this.end.tryEmitError(new CancellationException("The application closes"));
	}

	private static <T> T ask(Question<T> question) {
		try {
			return question.ask();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@FunctionalInterface
	private interface Question<T> {

		T ask() throws SQLException;

	}

}
