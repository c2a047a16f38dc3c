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
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Divides a query into ranges of its first column, which must have whole numbers only.
 */
final class JdbcKeyRanges {

	private static final Pattern FROM = placeholder("from");

	private static final Pattern TO = placeholder("to");

	private final String filter;

	private final String query;

	/**
	 * Gives all keys without placeholders, {@code null} if there is no such query.
	 */
	private final @Nullable String all;

	private final @Nullable Integer count;

	JdbcKeyRanges(String filter, String query, @Nullable Integer count) {
		this.filter = filter;
		this.query = query;
		this.all = null;
		this.count = count;
		FilterChecks checks = new FilterChecks(filter);
		checks.that(count == null || count >= 1, "warm-up.partitions", count,
				"Set it to the number of key ranges to read at the same time, or to 1 to read all keys with one"
						+ " query");
		checks.that(
				FROM.matcher(query).find() == TO.matcher(query).find() && (count == null || count == 1 || arePlaced()),
				"warm-up.partitions",
				count + ", and " + property() + " is '" + query + "', which has not both :from and :to",
				"Let the query select a range of keys, such as"
						+ " 'select id from product where id between :from and :to', or set partitions to 1 and"
						+ " use neither");
	}

	private JdbcKeyRanges(String filter, String all, String column, @Nullable Integer count) {
		this.filter = filter;
		this.query = all + " where " + column + " between :from and :to";
		this.all = all;
		this.count = count;
	}

	/**
	 * Divide a query by one of its columns, if that has whole numbers only.
	 */
	static JdbcKeyRanges by(String column, String filter, String query, @Nullable Integer count) {
		return new JdbcKeyRanges(filter, query, column, count);
	}

	private static Pattern placeholder(String name) {
		return Pattern.compile("(?<![:\\w]):" + name + "\\b");
	}

	boolean arePlaced() {
		return FROM.matcher(this.query).find() && TO.matcher(this.query).find();
	}

	String query() {
		return this.query;
	}

	String withoutPlaceholders() {
		return (this.all != null) ? this.all : around(0);
	}

	/**
	 * Return whether a query gives all keys without placeholders.
	 */
	boolean areOptional() {
		return this.all != null || !arePlaced();
	}

	/**
	 * Return the query for the range that has one value.
	 */
	String around(long value) {
		String literal = String.valueOf(value);
		return arePlaced() ? TO.matcher(FROM.matcher(this.query).replaceAll(literal)).replaceAll(literal) : this.query;
	}

	List<KeyRange> read(DataSource dataSource) {
		int count = arePlaced() ? count(dataSource) : 1;
		if (count == 1) {
			return List.of(KeyRange.ALL);
		}
		NamedParameterJdbcTemplate template = new NamedParameterJdbcTemplate(dataSource);
		Optional<String> column = query(template,
				"select * from " + QueryColumns.nested(withoutPlaceholders()) + " where 1 = 0", this::firstColumn);
		List<KeyRange> ranges = column.map((name) -> read(template, name, count)).orElse(List.of(KeyRange.ALL));
		// between has both ends, a configured query may leave one out
		return (this.all != null) ? ranges : ranges.stream().map(KeyRange::meetingTheNext).toList();
	}

	private List<KeyRange> read(NamedParameterJdbcTemplate template, String column, int count) {
		return query(template,
				"select min(" + column + "), max(" + column + ") from " + QueryColumns.nested(this.query),
				(rows) -> ranges(rows, count));
	}

	private int count(DataSource dataSource) {
		return (this.count != null) ? this.count : DatabaseQuestion.ask(dataSource, RowStreaming::of).partitions();
	}

	private static <T> T query(NamedParameterJdbcTemplate template, String query, ResultSetExtractor<T> extractor) {
		T result = template.query(query, Map.of("from", KeyRange.ALL.from(), "to", KeyRange.ALL.to()), extractor);
		if (result == null) {
			throw new IllegalStateException("No result of '" + query + "'");
		}
		return result;
	}

	/**
	 * Return the column, empty if it can't be divided and need not be.
	 */
	private Optional<String> firstColumn(ResultSet rows) throws SQLException {
		ResultSetMetaData columns = rows.getMetaData();
		if (!isWholeNumber(columns) || (areOptional() && isOfAnyType(rows))) {
			if (areOptional()) {
				return Optional.empty();
			}
			throw new InvalidGuardException(
					"The first column of " + property() + " is of the type " + columns.getColumnTypeName(1)
							+ ", which can't be divided into ranges",
					"Let the first column be the one that is compared with :from and :to, of a signed integer type of"
							+ " at most 64 bits; or use neither, and set partitions to 1");
		}
		String quote = rows.getStatement().getConnection().getMetaData().getIdentifierQuoteString().strip();
		return Optional.of(quote + columns.getColumnLabel(1) + quote);
	}

	/**
	 * Return whether a column of whole numbers may have others, which would be between
	 * two ranges.
	 */
	private static boolean isOfAnyType(ResultSet rows) throws SQLException {
		return RowStreaming.of(rows.getStatement().getConnection()) == RowStreaming.SQLITE;
	}

	private static boolean isWholeNumber(ResultSetMetaData columns) throws SQLException {
		return switch (columns.getColumnType(1)) {
			case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT -> columns.isSigned(1);
			case Types.NUMERIC, Types.DECIMAL ->
				columns.getScale(1) == 0 && columns.getPrecision(1) > 0 && columns.getPrecision(1) <= 18;
			default -> false;
		};
	}

	private static List<KeyRange> ranges(ResultSet rows, int count) throws SQLException {
		rows.next();
		Number min = number(rows, 1);
		Number max = number(rows, 2);
		return (min != null && max != null) ? KeyRange.split(min.longValue(), max.longValue(), count)
				: List.of(KeyRange.ALL);
	}

	private static @Nullable Number number(ResultSet rows, int column) throws SQLException {
		return (Number) rows.getObject(column);
	}

	private String property() {
		return new FilterChecks(this.filter).property("warm-up.query");
	}

}
