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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Reads keys with a SQL query, never all at once. A query with several columns gives
 * composite keys. A query for the keys {@code between :from and :to} may be run for
 * several ranges of keys at the same time.
 *
 * @since 1.0.0
 */
public final class JdbcKeySource implements KeySource {

	private final String filter;

	private final DataSource dataSource;

	private final JdbcCursor cursor;

	private final JdbcKeyRanges ranges;

	private final String query;

	private final @Nullable String countQuery;

	private final DatabaseIdentity identity = new DatabaseIdentity();

	/**
	 * Create a source that reads all keys with one query.
	 * @param filter the name of the filter
	 * @param dataSource the database
	 * @param query gives the keys
	 * @param countQuery gives the number of keys, for the progress; {@code null} for
	 * unknown
	 * @param fetchSize how many rows are fetched at a time
	 */
	public JdbcKeySource(String filter, DataSource dataSource, String query, @Nullable String countQuery,
			int fetchSize) {
		this(filter, dataSource, query, countQuery, fetchSize, 1);
	}

	/**
	 * Create a source.
	 * @param filter the name of the filter
	 * @param dataSource the database
	 * @param query gives the keys, those {@code between :from and :to} if it has these
	 * placeholders
	 * @param countQuery gives the number of keys, for the progress; {@code null} for
	 * unknown
	 * @param fetchSize how many rows are fetched at a time
	 * @param partitions how many ranges of keys are read at the same time, each by a
	 * connection of its own; {@code null} for as many as suit the database
	 * @throws io.github.bloomguard.InvalidGuardException if the query can't be
	 * partitioned like this
	 */
	public JdbcKeySource(String filter, DataSource dataSource, String query, @Nullable String countQuery, int fetchSize,
			@Nullable Integer partitions) {
		this.filter = filter;
		this.dataSource = dataSource;
		this.ranges = new JdbcKeyRanges(filter, query, partitions);
		this.query = query;
		this.countQuery = countQuery;
		this.cursor = new JdbcCursor(filter, dataSource, fetchSize);
	}

	@Override
	public String filter() {
		return this.filter;
	}

	@Override
	public String fingerprint() {
		return this.query;
	}

	@Override
	public String database() {
		return this.identity.read(this.dataSource);
	}

	@Override
	public String schemaVersion() {
		return this.identity.schemaVersion(this.dataSource);
	}

	/**
	 * Return the types of the columns that the query gives, without reading a row.
	 * @return the types, as the driver names them
	 */
	public List<String> columnTypes() {
		ResultSetExtractor<List<String>> extractor = JdbcKeySource::columnTypes;
		List<String> types = new NamedParameterJdbcTemplate(this.dataSource).query(
				"select * from (" + this.query + ") q where 1 = 0",
				Map.of("from", KeyRange.ALL.from(), "to", KeyRange.ALL.to()), extractor);
		return (types != null) ? types : List.of();
	}

	private static List<String> columnTypes(ResultSet rows) throws SQLException {
		List<String> types = new ArrayList<>();
		for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
			types.add(rows.getMetaData().getColumnClassName(column));
		}
		return types;
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
		return this.ranges.read(this.dataSource)
			.stream()
			.<Supplier<Stream<?>>>map((range) -> () -> keys(range))
			.toList();
	}

	@Override
	public void cancel() {
		this.cursor.cancel();
	}

	private Stream<?> keys(KeyRange range) {
		return this.cursor.stream((template) -> this.ranges.arePlaced()
				? new NamedParameterJdbcTemplate(template).queryForStream(this.query,
						Map.of("from", range.from(), "to", range.to()), newKeyMapper())
				: template.queryForStream(this.query, newKeyMapper()));
	}

	/**
	 * Return a mapper for the rows of one query.
	 */
	@SuppressWarnings("NullAway") // rows may be null, which RowMapper says by its type
									// parameter only
	private static RowMapper<@Nullable Object> newKeyMapper() {
		return new RowMapper<>() {

			private @Nullable RowReader reader;

			@Override
			public @Nullable Object mapRow(ResultSet row, int number) throws SQLException {
				RowReader reader = this.reader;
				if (reader == null) {
					reader = RowReader.of(row);
					this.reader = reader;
				}
				return reader.key(row);
			}

		};
	}

}
