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

import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.bloomguard.jdbc.KeyColumn;
import io.github.bloomguard.filter.KeyType.Kind;
import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Describes columns as the driver of JDBC would, and reads their values. Of types that
 * are not here it is not certain by which keys a row is found.
 */
final class PostgresColumns {

	private static final Map<String, Integer> TYPES = Map.ofEntries(Map.entry("int2", Types.SMALLINT),
			Map.entry("int4", Types.INTEGER), Map.entry("int8", Types.BIGINT), Map.entry("numeric", Types.NUMERIC),
			Map.entry("varchar", Types.VARCHAR), Map.entry("text", Types.VARCHAR), Map.entry("bpchar", Types.CHAR),
			Map.entry("uuid", Types.OTHER), Map.entry("date", Types.DATE), Map.entry("bool", Types.BOOLEAN),
			Map.entry("bytea", Types.BINARY));

	private PostgresColumns() {
	}

	static List<KeyColumn> of(RowMetadata metadata) {
		return metadata.getColumnMetadatas().stream().<KeyColumn>map(PostgresColumns::column).toList();
	}

	private static KeyColumn column(ColumnMetadata column) {
		String type = column.getType().getName().toLowerCase(Locale.ROOT);
		Class<?> javaType = Objects.requireNonNullElse(column.getJavaType(), Object.class);
		return new KeyColumn(column.getName(), TYPES.getOrDefault(type, Types.JAVA_OBJECT), type, javaType.getName(),
				Objects.requireNonNullElse(column.getPrecision(), 0), Objects.requireNonNullElse(column.getScale(), 0),
				R2dbcDatabase.POSTGRESQL.toLowerCase(Locale.ROOT));
	}

	static @Nullable Object value(Row row, int index, KeyColumn column) {
		if (column.keyType().kind() == Kind.BYTES) {
			return row.get(index, byte[].class);
		}
		Object value = row.get(index);
		return (column.isPadded() && value instanceof String text) ? StringUtils.trimTrailingCharacter(text, ' ')
				: value;
	}

}
