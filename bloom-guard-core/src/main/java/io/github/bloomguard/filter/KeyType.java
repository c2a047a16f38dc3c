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

package io.github.bloomguard.filter;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.bloomguard.KeyEquality.Spelling;
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

	private static final Pattern BEGINS_AS_NUMBER = Pattern.compile("[\\s\\p{Cntrl}]*[-+.]*\\d.*", Pattern.DOTALL);

	/**
	 * Numbers that databases know and {@link KeyFormat} does not: PostgreSQL 16 reads
	 * {@code 0x1F} and {@code 1_000}.
	 */
	private static final Pattern OTHER_NUMBER = Pattern
		.compile("\\s*[-+]?(0[xX][\\p{XDigit}_]+|0[oO][0-7_]+|0[bB][01_]+|\\d[\\d_.eE+-]*_[\\d_.eE+-]*)\\s*");

	private static final Pattern LEADING_NUMBER = Pattern
		.compile("[\\s\\p{Cntrl}]*[-+]?(?=\\.?\\p{Nd})(\\p{Nd}*)(?:\\.\\p{Nd}*)?([eE][-+]?\\p{Nd}+)?");

	/**
	 * What {@link KeyFormat} reads as a number, and not as the digits of a UUID.
	 */
	private static final Pattern UUID_OR_NUMBER = Pattern.compile("\\d{32}|(?=.{32}$)\\d+[eE]\\d+");

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

	public static KeyType of(Class<?> type) {
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
	public static List<KeyType> inColumns(List<KeyType> attributes, List<KeyType> columns) {
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
	public boolean isBasic() {
		return this.kind != Kind.ANY && this.kind != Kind.BYTES;
	}

	/**
	 * Return whether a value may be one of a column.
	 * @param digits whether a text may be that of a number or a day
	 */
	public boolean mayBe(KeyType column, boolean digits) {
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

	/**
	 * Return the names that stand for this where it is kept, so that they never mean
	 * anything else.
	 */
	String code() {
		return this.kind + "." + this.coercion;
	}

	/**
	 * Return the type with a code, empty if only another version knows it.
	 */
	static Optional<KeyType> ofCode(String code) {
		String[] names = code.split("\\.", -1);
		return (names.length != 2) ? Optional.empty() : named(Kind.values(), names[0])
			.flatMap((kind) -> named(Coercion.values(), names[1]).map((coercion) -> new KeyType(kind, coercion)));
	}

	private static <E extends Enum<E>> Optional<E> named(E[] known, String name) {
		return Arrays.stream(known).filter((one) -> one.name().equals(name)).findFirst();
	}

	/**
	 * Return in which ways keys are written that tell apart what is compared with these.
	 */
	public static List<Spelling> spellings(List<KeyType> types) {
		return types.stream().map(KeyType::spelling).toList();
	}

	private Spelling spelling() {
		return switch (this.kind) {
			case TEXT -> Spelling.TEXT;
			case INTEGER, LARGE_INTEGER, YEAR, DECIMAL ->
				(this.coercion == Coercion.NUMBERS) ? Spelling.NUMBER : Spelling.ANY;
			case IDENTIFIER, BYTES, DAY, FLAG, ANY, OTHER -> Spelling.ANY;
		};
	}

	private boolean tellsApart(Object value) {
		return switch (this.kind) {
			case INTEGER -> isInteger(value) && fitsLong(value);
			case LARGE_INTEGER -> isInteger(value);
			case YEAR -> isFullYear(value);
			case DECIMAL -> isDecimal(value);
			case TEXT -> isText(value);
			case IDENTIFIER -> isIdentifier(value) || (value instanceof byte[] bytes && bytes.length == UUID_BYTES);
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
			return isNumberText(value.toString());
		}
		if (value instanceof Double || value instanceof Float) {
			double number = ((Number) value).doubleValue();
			return isWhole(number) && BigDecimal.valueOf(number)
				.abs()
				.compareTo((value instanceof Float) ? EXACT_FLOATS : EXACT_DOUBLES) < 0;
		}
		return value instanceof BigDecimal decimal ? decimal.stripTrailingZeros().scale() <= 0 : isExact(value);
	}

	private boolean isFullYear(Object value) {
		boolean number = !(value instanceof CharSequence) || INTEGER.matcher(value.toString()).matches();
		return number && isInteger(value) && new BigDecimal(value.toString()).compareTo(FULL_YEARS) >= 0;
	}

	/**
	 * Return whether a text is compared with whole numbers as its form is: one that is no
	 * number is equal to none, or to the number that it begins with, of which a
	 * floating-point number has all digits.
	 */
	private boolean isNumberText(String text) {
		return switch (this.coercion) {
			case NONE -> !OTHER_NUMBER.matcher(text).matches();
			case NUMBERS -> wholeDigits(text) <= EXACT_DIGITS;
			case VALUES -> !BEGINS_AS_NUMBER.matcher(text).matches()
					|| (INTEGER.matcher(text).matches() && text.length() <= EXACT_DIGITS);
		};
	}

	/**
	 * Return how many digits the whole part of the number has that a text begins with.
	 */
	private static int wholeDigits(String text) {
		Matcher number = LEADING_NUMBER.matcher(text);
		if (!number.lookingAt()) {
			return 0;
		}
		return (number.group(2) != null) ? Integer.MAX_VALUE : number.group(1).length();
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
	 * Whether blanks at the end are compared is one of the differences of texts.
	 */
	private boolean isText(Object value) {
		if (value instanceof CharSequence || value instanceof Character) {
			return true;
		}
		if (value instanceof Number) {
			return this.coercion == Coercion.NONE;
		}
		if (value instanceof UUID) {
			return this.coercion != Coercion.VALUES;
		}
		return value instanceof Enum;
	}

	/**
	 * Where types are given to anything, text may be the bytes of an identifier.
	 */
	private boolean isIdentifier(Object value) {
		if (!(value instanceof CharSequence text) || this.coercion == Coercion.VALUES) {
			return isUuid(value);
		}
		return isUuid(value) || !UUID_OR_NUMBER.matcher(text.toString().replaceAll("[-{}\\s]", "")).matches();
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
