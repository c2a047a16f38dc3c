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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.KeyFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

/**
 * Reads keys with a SQL query, never all at once. Several columns are a composite key.
 */
public class JdbcKeySource extends ColumnKeySource {

	private final String filter;

	private final DataSource dataSource;

	private final JdbcCursor cursor;

	private final Supplier<JdbcKeyRanges> query;

	private final @Nullable String countQuery;

	/**
	 * Looked up by the start, for the first call of {@link #database()}.
	 */
	private final AtomicReference<@Nullable QueryColumns> checked = new AtomicReference<>();

	public JdbcKeySource(String filter, DataSource dataSource, String query, @Nullable String countQuery,
			int fetchSize) {
		this(filter, dataSource, query, countQuery, fetchSize, 1, RowSecurity.REFUSED, SpareConnections.ASSUMED);
	}

	/**
	 * @param query gives the keys, those {@code between :from and :to} if it has these
	 * placeholders
	 * @param countQuery gives the number of keys, for the progress
	 * @param partitions how many ranges of keys are read at the same time, each by a
	 * connection of its own; {@code null} for as many as suit the database
	 * @param spare asked before single keys are looked up
	 * @throws InvalidGuardException if the query can't be partitioned like this
	 */
	public JdbcKeySource(String filter, DataSource dataSource, String query, @Nullable String countQuery, int fetchSize,
			@Nullable Integer partitions, RowSecurity security, SpareConnections spare) {
		this(filter, dataSource, SingletonSupplier.of(new JdbcKeyRanges(filter, query, partitions)), countQuery,
				fetchSize, security, spare, null);
	}

	/**
	 * @param query gives all keys
	 * @param column the column by whose ranges keys are read at the same time, if it has
	 * whole numbers only
	 * @param attribute what has the keys, {@code null} for the columns alone
	 */
	protected JdbcKeySource(String filter, DataSource dataSource, String query, String column, int fetchSize,
			@Nullable Integer partitions, RowSecurity security, SpareConnections spare,
			@Nullable KeyAttribute attribute) {
		this(filter, dataSource, SingletonSupplier.of(JdbcKeyRanges.by(column, filter, query, partitions)), null,
				fetchSize, security, spare, attribute);
	}

	/**
	 * @param query asked when keys are read, for a query that the database tells
	 */
	JdbcKeySource(String filter, DataSource dataSource, Supplier<JdbcKeyRanges> query, @Nullable String countQuery,
			int fetchSize, RowSecurity security, SpareConnections spare, @Nullable KeyAttribute attribute) {
		super(dataSource, spare, attribute);
		this.filter = filter;
		this.dataSource = dataSource;
		this.query = query;
		this.countQuery = countQuery;
		this.cursor = new JdbcCursor(filter, dataSource, fetchSize, security);
	}

	@Override
	public String filter() {
		return this.filter;
	}

	@Override
	public String fingerprint() {
		return ranges().query();
	}

	@Override
	protected String columnsQuery() {
		return ranges().withoutPlaceholders();
	}

	@Override
	QueryColumns describe(Connection connection) throws SQLException {
		QueryColumns checked = this.checked.getAndSet(null);
		QueryColumns columns = (checked != null) ? checked : columns(connection);
		if (described() == null) {
			columns.warnIfUncertain(this.filter, property());
		}
		return columns;
	}

	/**
	 * Compare the columns of the keys with those that methods ask for.
	 * @return the columns
	 * @throws InvalidGuardException if they can't be the same, or have no form
	 */
	public QueryColumns check(KeyFormat format, Collection<AskedKey> asked) {
		QueryColumns columns = columns();
		columns.check(property(), format, asked);
		this.checked.set(columns);
		return columns;
	}

	/**
	 * Return the property that says which keys are read.
	 */
	protected String property() {
		return "bloom-guard.filters." + this.filter + ".warm-up.query";
	}

	@Override
	protected Optional<String> lookUp(List<? extends @Nullable Object> key, QueryColumns columns) {
		if (ranges().areOptional()) {
			return Optional.of(columns.query());
		}
		return (key.get(0) instanceof Number number)
				? Optional.of(QueryColumns.nestable(ranges().around(number.longValue()))) : Optional.empty();
	}

	@Override
	protected <T> T ask(DatabaseQuestion<T> question) {
		return DatabaseQuestion.ask(this.dataSource, question);
	}

	public QueryColumns columns() {
		return ask(this::columns);
	}

	private QueryColumns columns(Connection connection) throws SQLException {
		try {
			return QueryColumns.read(connection, columnsQuery());
		}
		catch (SQLException ex) {
			RefusedQueryException.throwIfRefused(property(), ex);
			QueryColumns.throwIfDown(connection, ex);
			RefusedQueryException.throwIfStateless(property(), ex);
			throw ex;
		}
	}

	static String product(ResultSet rows) throws SQLException {
		return rows.getStatement().getConnection().getMetaData().getDatabaseProductName();
	}

	@Override
	public OptionalLong count() {
		if (this.countQuery == null) {
			return OptionalLong.empty();
		}
		Long count = new JdbcTemplate(this.dataSource).queryForObject(this.countQuery, Long.class);
		return (count != null) ? OptionalLong.of(count) : OptionalLong.empty();
	}

	@Override
	public Stream<?> keys() {
		return keys(KeyRange.ALL);
	}

	@Override
	public List<Supplier<Stream<?>>> partitions() {
		return ranges().read(this.dataSource).stream().<Supplier<Stream<?>>>map((range) -> () -> keys(range)).toList();
	}

	@Override
	public void cancel() {
		this.cursor.cancel();
	}

	private Stream<?> keys(KeyRange range) {
		JdbcKeyRanges ranges = ranges();
		return this.cursor.stream((template) -> (range == KeyRange.ALL && ranges.areOptional())
				? template.queryForStream(ranges.withoutPlaceholders(), newKeyMapper())
				: new NamedParameterJdbcTemplate(template).queryForStream(ranges.query(),
						Map.of("from", range.from(), "to", range.to()), newKeyMapper()));
	}

	private JdbcKeyRanges ranges() {
		return Objects.requireNonNull(this.query.get());
	}

	/**
	 * Return the key that a row has.
	 */
	protected @Nullable Object converted(@Nullable Object row) {
		return row;
	}

	@SuppressWarnings("NullAway") // rows may be null
	private RowMapper<@Nullable Object> newKeyMapper() {
		return new RowMapper<>() {

			private @Nullable RowReader reader;

			@Override
			public @Nullable Object mapRow(ResultSet row, int number) throws SQLException {
				RowReader reader = this.reader;
				if (reader == null) {
					reader = RowReader.of(row);
					this.reader = reader;
				}
				return converted(reader.key(row));
			}

		};
	}

}
