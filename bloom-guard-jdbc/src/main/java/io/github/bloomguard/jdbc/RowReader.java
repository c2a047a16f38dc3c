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
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.filter.KeyType.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Reads the values of rows as the types that methods use for them: dates and times of
 * {@code java.time}, text of a fixed length without the blanks that fill it up, numbers
 * as numbers.
 */
final class RowReader {

	private final Column[] columns;

	private RowReader(Column[] columns) {
		this.columns = columns;
	}

	static RowReader of(ResultSet row) throws SQLException {
		List<KeyColumn> described = KeyColumn.of(row.getMetaData(), JdbcKeySource.product(row));
		Column[] columns = new Column[described.size()];
		for (int i = 0; i < columns.length; i++) {
			columns[i] = column(described.get(i), i + 1);
		}
		return new RowReader(columns);
	}

	@Nullable Object key(ResultSet row) throws SQLException {
		return (this.columns.length == 1) ? this.columns[0].read(row) : values(row);
	}

	static @Nullable Object key(List<? extends @Nullable Object> values) {
		return (values.size() == 1) ? values.get(0) : values;
	}

	List<@Nullable Object> values(ResultSet row) throws SQLException {
		List<@Nullable Object> values = new ArrayList<>(this.columns.length);
		for (Column column : this.columns) {
			values.add(column.read(row));
		}
		return values;
	}

	private static Column column(KeyColumn column, int index) {
		String typeName = column.typeName();
		if (column.isYear()) {
			return (row) -> number(row, row.getInt(index));
		}
		if (column.isDisguisedNumber()) {
			return (row) -> row.getBigDecimal(index);
		}
		if (column.isTextOfAnotherType()) {
			return (row) -> row.getString(index);
		}
		if (column.keyType().kind() == Kind.BYTES) {
			return (row) -> row.getBytes(index);
		}
		return switch (column.type()) {
			case Types.CHAR, Types.NCHAR -> (row) -> text(row.getString(index));
			case Types.CLOB, Types.NCLOB -> (row) -> row.getString(index);
			case Types.DATE -> typed(index, LocalDate.class);
			case Types.TIME ->
				"timetz".equals(typeName) ? typed(index, OffsetTime.class) : typed(index, LocalTime.class);
			case Types.TIME_WITH_TIMEZONE -> typed(index, OffsetTime.class);
			case Types.TIMESTAMP_WITH_TIMEZONE -> typed(index, OffsetDateTime.class);
			case Types.TIMESTAMP ->
				"timestamptz".equals(typeName) ? typed(index, OffsetDateTime.class) : typed(index, LocalDateTime.class);
			default -> (row) -> row.getObject(index);
		};
	}

	private static @Nullable Integer number(ResultSet row, int number) throws SQLException {
		return row.wasNull() ? null : number;
	}

	private static <T> Column typed(int index, Class<T> type) {
		return (row) -> row.getObject(index, type);
	}

	private static @Nullable String text(@Nullable String text) {
		return (text != null) ? StringUtils.trimTrailingCharacter(text, ' ') : null;
	}

	@FunctionalInterface
	private interface Column {

		@Nullable Object read(ResultSet row) throws SQLException;

	}

}
