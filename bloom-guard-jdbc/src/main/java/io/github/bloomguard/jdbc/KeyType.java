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

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Tells for which keys a database finds a row only if the form of its key is theirs, by
 * the type of what they are compared with. Databases compare with more: MySQL finds the
 * number 7 for the text {@code 7abc}, and the year 2026 for 26. All other keys may be of
 * a row that has another form.
 */
public record KeyType(Kind kind, Coercion coercion) {

	/**
	 * Below these, whole numbers have exactly one floating-point number and its text.
	 */
	private static final BigDecimal EXACT_DOUBLES = new BigDecimal(1L << 53);

	private static final BigDecimal EXACT_FLOATS = new BigDecimal(1 << 24);

	private static final BigDecimal LARGEST_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

	private static final int UUID_BYTES = 16;

	private static final int EXACT_DIGITS = 15;

	private static final BigDecimal FULL_YEARS = new BigDecimal(1000);

	private static final Pattern INTEGER = Pattern.compile("0|-?[1-9]\\d*");

	private static final Pattern UUID_TEXT = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	/**
	 * Of the years that databases and Java write in the same way.
	 */
	private static final Pattern DAY = Pattern.compile("(?!0000)\\d{4}-\\d{2}-\\d{2}");

	private static final Map<Class<?>, Kind> KINDS = Map.ofEntries(Map.entry(Long.class, Kind.INTEGER),
			Map.entry(Integer.class, Kind.INTEGER), Map.entry(Short.class, Kind.INTEGER),
			Map.entry(Byte.class, Kind.INTEGER), Map.entry(BigInteger.class, Kind.LARGE_INTEGER),
			Map.entry(BigDecimal.class, Kind.DECIMAL), Map.entry(String.class, Kind.TEXT),
			Map.entry(Character.class, Kind.TEXT), Map.entry(UUID.class, Kind.IDENTIFIER),
			Map.entry(LocalDate.class, Kind.DAY), Map.entry(Boolean.class, Kind.FLAG),
			Map.entry(byte[].class, Kind.BYTES));

	static KeyType of(Class<?> type) {
		return new KeyType(kind(ClassUtils.resolvePrimitiveIfNecessary(type)), Coercion.NUMBERS);
	}

	private static Kind kind(Class<?> type) {
		boolean uncertain = Number.class.isAssignableFrom(type) || TemporalAccessor.class.isAssignableFrom(type)
				|| Date.class.isAssignableFrom(type);
		return KINDS.getOrDefault(type, (uncertain && !type.isEnum()) ? Kind.OTHER : Kind.ANY);
	}

	public static List<KeyType> parts(Class<?> type) {
		return type.isRecord()
				? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).map(KeyType::of).toList()
				: List.of(of(type));
	}

	/**
	 * Return what keys are compared with: text as its column is, which may be a number.
	 */
	static List<KeyType> inColumns(List<KeyType> attributes, List<KeyType> columns) {
		if (attributes.size() != columns.size()) {
			return attributes;
		}
		return IntStream.range(0, columns.size())
			.mapToObj((i) -> (attributes.get(i).kind() == Kind.TEXT) ? columns.get(i) : attributes.get(i))
			.toList();
	}

	/**
	 * Return {@code false} for numbers here and text there, or other parts.
	 */
	public static boolean mayBeSame(List<KeyType> attributes, List<KeyType> columns) {
		if (attributes.size() != columns.size()) {
			return attributes.size() == 1 && attributes.get(0).look() == Look.ANY;
		}
		for (int i = 0; i < columns.size(); i++) {
			Look one = attributes.get(i).look();
			Look other = columns.get(i).look();
			if (one != other && one != Look.ANY && other != Look.ANY) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Return whether values of the type have one form, whatever converters there are.
	 */
	boolean isBasic() {
		return this.kind != Kind.ANY && this.kind != Kind.BYTES;
	}

	/**
	 * Return whether a value may be one of a column.
	 * @param digits whether a text may be that of a number or a day
	 */
	boolean mayBe(KeyType column, boolean digits) {
		return mayBeSame(List.of(this), List.of(column))
				|| (digits && (this.kind == Kind.TEXT || column.kind == Kind.TEXT));
	}

	private Look look() {
		return switch (this.kind) {
			case INTEGER, LARGE_INTEGER, YEAR, DECIMAL -> Look.NUMBER;
			case TEXT, IDENTIFIER, BYTES -> Look.TEXT;
			case DAY -> Look.DAY;
			case FLAG, ANY, OTHER -> Look.ANY;
		};
	}

	/**
	 * Return whether each part is compared as its form is. If not, a row may be found
	 * whose key has another form. A key with another number of parts is that of no row.
	 */
	public static boolean tellApart(List<KeyType> types, List<? extends @Nullable Object> values) {
		if (types.size() != values.size()) {
			return true;
		}
		for (int i = 0; i < types.size(); i++) {
			Object value = values.get(i);
			if (value != null && !types.get(i).tellsApart(value)) {
				return false;
			}
		}
		return true;
	}

	private boolean tellsApart(Object value) {
		return switch (this.kind) {
			case INTEGER -> isInteger(value) && fitsLong(value);
			case LARGE_INTEGER -> isInteger(value);
			case YEAR -> isInteger(value) && new BigDecimal(value.toString()).compareTo(FULL_YEARS) >= 0;
			case DECIMAL -> isDecimal(value);
			case TEXT -> isText(value);
			case IDENTIFIER -> isUuid(value) || (value instanceof byte[] bytes && bytes.length == UUID_BYTES);
			case BYTES -> value instanceof byte[] || isUuid(value);
			case DAY -> (value instanceof LocalDate || value instanceof CharSequence)
					&& DAY.matcher(value.toString()).matches();
			case FLAG -> value instanceof Boolean;
			case ANY -> true;
			case OTHER -> false;
		};
	}

	private boolean isInteger(Object value) {
		if (value instanceof CharSequence) {
			String text = value.toString();
			return INTEGER.matcher(text).matches() ? this.coercion == Coercion.NONE || text.length() <= EXACT_DIGITS
					: this.coercion == Coercion.NONE && this.kind == Kind.INTEGER
							&& text.chars().noneMatch(Character::isDigit);
		}
		if (value instanceof Double || value instanceof Float) {
			double number = ((Number) value).doubleValue();
			return isWhole(number) && BigDecimal.valueOf(number)
				.abs()
				.compareTo((value instanceof Float) ? EXACT_FLOATS : EXACT_DOUBLES) < 0;
		}
		return value instanceof BigDecimal decimal ? decimal.stripTrailingZeros().scale() <= 0 : isExact(value);
	}

	private static boolean isWhole(double number) {
		return number == Math.rint(number) && !Double.isInfinite(number);
	}

	private static boolean fitsLong(Object value) {
		return !(value instanceof BigInteger || value instanceof BigDecimal)
				|| new BigDecimal(value.toString()).abs().compareTo(LARGEST_LONG) <= 0;
	}

	private static boolean isExact(Object value) {
		return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte
				|| value instanceof BigInteger;
	}

	/**
	 * Fractions may be rounded to those that the column has.
	 */
	private boolean isDecimal(Object value) {
		if (value instanceof BigDecimal decimal) {
			return this.coercion == Coercion.NONE || decimal.stripTrailingZeros().scale() <= 0;
		}
		return isExact(value) || (this.coercion == Coercion.NONE && value instanceof CharSequence && isInteger(value));
	}

	/**
	 * Blanks at the end are not compared by some databases, and by others for some types.
	 */
	private boolean isText(Object value) {
		if (value instanceof CharSequence text) {
			return text.isEmpty() || text.charAt(text.length() - 1) != ' ';
		}
		if (value instanceof Number) {
			return this.coercion == Coercion.NONE;
		}
		if (value instanceof UUID) {
			return this.coercion != Coercion.VALUES;
		}
		return value instanceof Enum || (value instanceof Character character && character != ' ');
	}

	private static boolean isUuid(Object value) {
		return value instanceof UUID || (value instanceof CharSequence text && UUID_TEXT.matcher(text).matches());
	}

	private enum Look {

		NUMBER, TEXT, DAY, ANY

	}

	/**
	 * The types of columns.
	 */
	public enum Kind {

		/** Whole numbers of 64 bits. */
		INTEGER,

		LARGE_INTEGER,

		/** Years of four digits, which are found by the last two of them. */
		YEAR,

		DECIMAL,

		TEXT,

		IDENTIFIER,

		BYTES,

		DAY,

		FLAG,

		/** What is compared with values of its own only. */
		ANY,

		/**
		 * Values that may be equal in many forms, such as points in time, which depend on
		 * zones and are rounded, or numbers with a floating point.
		 */
		OTHER

	}

	public enum Coercion {

		NONE,

		/** They compare text with numbers, as numbers with a floating point. */
		NUMBERS,

		/** They give text any other type. */
		VALUES

	}

}
