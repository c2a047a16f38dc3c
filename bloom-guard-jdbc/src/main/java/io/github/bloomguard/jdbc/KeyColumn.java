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

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType.Coercion;
import io.github.bloomguard.filter.KeyType.Kind;
import io.github.bloomguard.filter.KeyType;

import org.springframework.util.ClassUtils;

/**
 * A column of keys, as drivers describe it. Drivers of MySQL and MariaDB give small
 * numbers, bits and years in another form than calls ask with.
 */
public record KeyColumn(String name, int type, String typeName, String className, int precision, int scale,
		String database) {

	private static final String OPAQUE = "org.postgresql.util.PGobject";

	private static final Set<Integer> TEXT_TYPES = Set.of(Types.CHAR, Types.NCHAR, Types.VARCHAR, Types.NVARCHAR,
			Types.LONGVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB, Types.OTHER, Types.NULL);

	private static final int UUID_LENGTH = 36;

	private static final int UUID_BYTES = 16;

	/**
	 * Of MariaDB's addresses, each of which has many texts.
	 */
	private static final Set<Integer> ADDRESS_LENGTHS = Set.of(15, 39);

	static List<KeyColumn> of(ResultSetMetaData metaData, String database) throws SQLException {
		List<KeyColumn> columns = new ArrayList<>();
		for (int index = 1; index <= metaData.getColumnCount(); index++) {
			columns.add(new KeyColumn(metaData.getColumnLabel(index), metaData.getColumnType(index),
					metaData.getColumnTypeName(index).toLowerCase(Locale.ROOT), metaData.getColumnClassName(index),
					metaData.getPrecision(index), metaData.getScale(index), database.toLowerCase(Locale.ROOT)));
		}
		return columns;
	}

	boolean mayBeText() {
		return TEXT_TYPES.contains(this.type);
	}

	/**
	 * Return whether texts are filled up with blanks.
	 */
	public boolean isPadded() {
		return this.type == Types.CHAR || this.type == Types.NCHAR;
	}

	boolean isDisguisedNumber() {
		return isMySql() && (this.type == Types.BIT || this.type == Types.BOOLEAN || isYear());
	}

	boolean isYear() {
		return isMySql() && this.typeName.equals("year");
	}

	public KeyType keyType() {
		return new KeyType(isSqlite() ? loosely(kind()) : kind(), coercion());
	}

	boolean isUncertain() {
		return keyType().kind() == Kind.OTHER;
	}

	boolean hasForm(KeyFormat format) {
		if (keyType().kind() != Kind.OTHER) {
			return true;
		}
		Class<?> valueClass = valueClass(isOpaque() ? OPAQUE : this.className);
		return !valueClass.isInterface() && format.supports(valueClass);
	}

	private boolean isOpaque() {
		return isPostgres() && (this.typeName.equals("bit") || this.typeName.equals("varbit")
				|| ((this.type == Types.OTHER || this.type == Types.STRUCT)
						&& this.className.equals(String.class.getName())));
	}

	private static Class<?> valueClass(String name) {
		ClassLoader classLoader = KeyColumn.class.getClassLoader();
		return (!name.equals(Object.class.getName()) && ClassUtils.isPresent(name, classLoader))
				? ClassUtils.resolveClassName(name, classLoader) : Number.class;
	}

	/**
	 * SQLite keeps other types than these as one of them, or as a floating-point number.
	 */
	private static Kind loosely(Kind kind) {
		return (kind == Kind.INTEGER || kind == Kind.TEXT) ? kind : Kind.OTHER;
	}

	private Coercion coercion() {
		if (isPostgres()) {
			return Coercion.NONE;
		}
		return (this.database.equals("h2") || this.database.startsWith("hsql")) ? Coercion.VALUES : Coercion.NUMBERS;
	}

	private Kind kind() {
		if (isYear()) {
			return Kind.YEAR;
		}
		if (isIdentifier()) {
			return Kind.IDENTIFIER;
		}
		return switch (this.type) {
			case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> Kind.INTEGER;
			case Types.BIGINT -> this.typeName.contains("unsigned") ? Kind.LARGE_INTEGER : Kind.INTEGER;
			case Types.NUMERIC, Types.DECIMAL ->
				(this.scale == 0 && this.precision > 0) ? Kind.LARGE_INTEGER : Kind.DECIMAL;
			case Types.BIT, Types.BOOLEAN -> isMySql() ? Kind.LARGE_INTEGER : flag();
			case Types.CHAR, Types.NCHAR -> fixedText();
			case Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB ->
				isText() ? Kind.TEXT : Kind.OTHER;
			case Types.BINARY -> bytes();
			case Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Kind.BYTES;
			case Types.DATE -> Kind.DAY;
			default -> isTextOfAnotherType() ? Kind.TEXT : Kind.OTHER;
		};
	}

	private Kind flag() {
		return (this.className.equals(Boolean.class.getName()) && !this.typeName.equals("bit")) ? Kind.FLAG
				: Kind.OTHER;
	}

	private Kind fixedText() {
		if (isMySql() && this.precision == UUID_LENGTH) {
			return Kind.IDENTIFIER;
		}
		boolean address = isMySql() && ADDRESS_LENGTHS.contains(this.precision);
		// "char" of PostgreSQL is one byte
		return (address || (this.typeName.equals("char") && isPostgres())) ? Kind.OTHER : Kind.TEXT;
	}

	/**
	 * Bytes of a fixed length are filled up with zeros where types are given to anything.
	 */
	private Kind bytes() {
		if (coercion() != Coercion.VALUES) {
			return Kind.BYTES;
		}
		return (this.precision == UUID_BYTES) ? Kind.IDENTIFIER : Kind.OTHER;
	}

	private boolean isText() {
		return !this.typeName.startsWith("interval") && !this.typeName.equals("json");
	}

	boolean isTextOfAnotherType() {
		return this.type == Types.OTHER && this.typeName.equals("citext");
	}

	void bind(PreparedStatement statement, int index, Object part) throws SQLException {
		if (isTextOfAnotherType()) {
			statement.setObject(index, value(part), Types.OTHER);
		}
		else {
			statement.setObject(index, value(part));
		}
	}

	/**
	 * Return what this column is compared with to find a part of a key, of a type for
	 * which an index of the column can be used.
	 * @throws IllegalArgumentException if that part can't be one of its values
	 */
	public Object value(Object part) {
		String text = (part instanceof Enum<?> constant) ? constant.name() : part.toString();
		return switch (keyType().kind()) {
			case INTEGER, YEAR -> number(text).longValueExact();
			case LARGE_INTEGER, DECIMAL -> number(text);
			case FLAG -> flag(part);
			case DAY -> LocalDate.parse(text);
			case TEXT -> text;
			case IDENTIFIER, BYTES -> bytes(part, text);
			case ANY, OTHER -> throw new IllegalArgumentException("A column of " + this);
		};
	}

	/**
	 * Digits of other scripts are numbers to Java, and to some databases they are none.
	 */
	private static BigDecimal number(String text) {
		if (text.chars().anyMatch((character) -> character > '\u007f')) {
			throw new IllegalArgumentException("No number");
		}
		return new BigDecimal(text);
	}

	private static boolean flag(Object part) {
		if (part instanceof Boolean flag) {
			return flag;
		}
		throw new IllegalArgumentException("No flag");
	}

	private Object bytes(Object part, String text) {
		if (part instanceof byte[] && !isIdentifier()) {
			return part;
		}
		if (isPadded()) {
			return text;
		}
		if (isIdentifier() && !(part instanceof byte[])) {
			return UUID.fromString(text);
		}
		throw new IllegalArgumentException("Bytes as " + part.getClass().getName());
	}

	private boolean isIdentifier() {
		return this.typeName.equals("uuid") || this.typeName.equals("uniqueidentifier");
	}

	private boolean isMySql() {
		return this.database.equals("mysql") || this.database.equals("mariadb");
	}

	private boolean isPostgres() {
		return this.database.equals("postgresql");
	}

	private boolean isSqlite() {
		return this.database.equals("sqlite");
	}

	@Override
	public String toString() {
		return this.name + " (" + this.typeName + ")";
	}

}
