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

package io.github.bloomguard.feed;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Position up to which a filter has caught up with a table: the value of a column that
 * grows with each change. Its text form keeps its SQL type. All of them are of one log,
 * in which only the database knows the order of texts, of UUIDs, and of values of
 * different types.
 *
 * @param value a {@code Long}, {@code BigDecimal}, {@code LocalDate},
 * {@code LocalDateTime}, {@code OffsetDateTime}, {@code UUID} or {@code String}; other
 * numbers become one of these
 */
public record Checkpoint(Object value) implements LogPosition {

	private static final String SEPARATOR = "|";

	public Checkpoint {
		value = canonical(value);
		Type.of(value);
	}

	/**
	 * Return the checkpoint with a text form, empty if only another version knows that.
	 */
	public static Optional<Checkpoint> parse(String text) {
		int end = text.indexOf(SEPARATOR);
		return Type.named(text.substring(0, Math.max(end, 0))).flatMap((type) -> {
			try {
				return Optional.of(new Checkpoint(type.parser.apply(text.substring(end + SEPARATOR.length()))));
			}
			catch (RuntimeException ex) {
				return Optional.empty();
			}
		});
	}

	public String format() {
		return Type.of(this.value).name().toLowerCase(Locale.ROOT) + SEPARATOR + this.value;
	}

	@Override
	public boolean isOfLogOf(LogPosition other) {
		return other instanceof Checkpoint;
	}

	@Override
	public boolean reaches(LogPosition other) {
		if (!(other instanceof Checkpoint checkpoint)) {
			throw new LostLogException(ANOTHER_LOG);
		}
		return equals(checkpoint) || (Type.of(this.value).ordered
				&& this.value.getClass() == checkpoint.value.getClass() && compare(this.value, checkpoint.value) > 0);
	}

	@Override
	public Checkpoint checkpoint() {
		return this;
	}

	@SuppressWarnings("unchecked")
	private static int compare(Object value, Object other) {
		return ((Comparable<Object>) value).compareTo(other);
	}

	private static Object canonical(Object value) {
		if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
			return ((Number) value).longValue();
		}
		if (value instanceof Double || value instanceof Float) {
			return new BigDecimal(((Number) value).doubleValue()).stripTrailingZeros();
		}
		if (value instanceof BigInteger integer) {
			return new BigDecimal(integer).stripTrailingZeros();
		}
		if (value instanceof BigDecimal decimal) {
			return decimal.stripTrailingZeros();
		}
		if (value instanceof OffsetDateTime dateTime) {
			return dateTime.withOffsetSameInstant(ZoneOffset.UTC);
		}
		return value;
	}

	private enum Type {

		BIGINT(Long.class, true, Long::valueOf),

		NUMERIC(BigDecimal.class, true, BigDecimal::new),

		DATE(LocalDate.class, true, LocalDate::parse),

		TIMESTAMP(LocalDateTime.class, true, LocalDateTime::parse),

		TIMESTAMPTZ(OffsetDateTime.class, true, OffsetDateTime::parse),

		UUID(UUID.class, false, java.util.UUID::fromString),

		TEXT(String.class, false, (text) -> text);

		private final Class<?> type;

		private final boolean ordered;

		private final Function<String, Object> parser;

		Type(Class<?> type, boolean ordered, Function<String, Object> parser) {
			this.type = type;
			this.ordered = ordered;
			this.parser = parser;
		}

		static Optional<Type> named(String name) {
			return Arrays.stream(values())
				.filter((type) -> type.name().toLowerCase(Locale.ROOT).equals(name))
				.findFirst();
		}

		static Type of(Object value) {
			return Arrays.stream(values())
				.filter((candidate) -> candidate.type.isInstance(value))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("A " + value.getClass().getName()
						+ " can't be a checkpoint; use a column of numbers, dates, timestamps, UUIDs or texts"));
		}

	}

}
