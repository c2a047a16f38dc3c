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

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.KeyConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a change of any form comes with another {@link KeyFormat#VERSION}: instances
 * with different forms must not share a generation.
 */
class KeyFormatVersionTests {

	private static final String FILE = "key-forms.txt";

	@Test
	void eachFormIsThatOfItsVersion() throws IOException {
		KeyFormat format = new KeyFormat(List.of());
		String forms = keys().map((key) -> "\"" + format.format(key) + "\"\n")
			.collect(Collectors.joining("", header(), ""));
		String stored = new ClassPathResource(FILE, getClass()).getContentAsString(StandardCharsets.UTF_8);
		if (stored.startsWith(header())) {
			assertThat(forms)
				.as("A line for a new type is added to %s, and nothing else. If one that was there has"
						+ " changed, raise VERSION of KeyFormat, too", FILE)
				.isEqualTo(stored);
		}
		assertThat(stored).as("Store the forms of this version in %s:%n%s", FILE, forms).startsWith(header());
	}

	@Test
	void eachTypeOfWhichKeysHaveAFormIsStored() {
		KeyFormat format = new KeyFormat(List.of());
		assertThat(KeyFormat.FORMED).as("A type of KeyFormat needs a key here, and its form in %s", FILE)
			.allMatch((type) -> keys().anyMatch(type::isInstance));
		assertThat(keys()).as("A type that is stored belongs in FORMED of KeyFormat")
			.allMatch((key) -> format.supports(key.getClass()));
	}

	@Test
	void converterDecidesAboutAllButTheBasicTypes() {
		KeyFormat format = new KeyFormat(List.of());
		KeyFormat converting = new KeyFormat(List.of(new ToOneForm()));
		assertThat(keys()).as("A type that is new to KeyFormat gets its form after the converters")
			.allSatisfy((key) -> assertThat(converting.format(key))
				.isEqualTo(isBasic(key) ? format.format(key) : ToOneForm.FORM));
	}

	/**
	 * These have always had a form of their own, so no converter was ever asked.
	 */
	private static boolean isBasic(Object key) {
		return Stream
			.of(Number.class, CharSequence.class, Character.class, Boolean.class, UUID.class, Enum.class, Date.class,
					Temporal.class)
			.anyMatch((type) -> type.isInstance(key));
	}

	private static String header() {
		return "version " + KeyFormat.VERSION + "\n";
	}

	private static Stream<Object> keys() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		byte[] bytes = ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array();
		return Stream
			.of(numbers(), text(),
					Stream.of(true, false, 'a', '7', DayOfWeek.MONDAY, uuid, bytes, new byte[] { 1, -2 }), times(),
					composites(uuid))
			.flatMap((some) -> some);
	}

	private static Stream<Object> numbers() {
		return Stream.of(0, 7, -7, Long.MIN_VALUE, Long.MAX_VALUE, (short) 7, (byte) -7, 7.0, -0.0, 0.1f, -7.50, 1e21,
				1e-9, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN, Float.POSITIVE_INFINITY, BigInteger.TWO.pow(70),
				new BigDecimal("7.00"), new BigDecimal("1E+3"), new BigDecimal("0E+10"), new BigDecimal("1e400"),
				new BigDecimal("1e401"), new BigDecimal("-12e-500"));
	}

	private static Stream<Object> text() {
		return Stream.of("", " ", "abc", "ABC", " abc ", "ä€😀", "(", "((", "(2|1:a|1:b", "half \ud801 pair", "7",
				"007", "+7", " 7", "7 ", "-7", "-007.50", "7.0", "7.", ".7", "7e3", "7E-3", "1e401", "0x7", "7a",
				"\uff17", "NaN", "true", "2026-11-21", "8A6E0804-2BD0-4672-B79D-D97027F9071A",
				"8a6e0804-2bd0-4672-b79d-d97027f9071a", "{8A6E0804-2BD0-4672-B79D-D97027F9071A}",
				"8A6E08042BD04672B79DD97027F9071A", new StringBuilder("07"));
	}

	private static Stream<Object> times() {
		Instant noon = Instant.parse("2026-11-21T12:00:00Z");
		return Stream.of(noon, noon.plusMillis(250), OffsetDateTime.parse("2026-11-21T13:00:00+01:00"),
				ZonedDateTime.parse("2026-11-21T07:00:00-05:00[America/New_York]"), Date.from(noon),
				java.sql.Timestamp.from(noon), java.sql.Date.valueOf("2026-11-21"), java.sql.Time.valueOf("12:30:15"),
				LocalDate.of(2026, 11, 21), LocalTime.of(12, 30), LocalDateTime.of(2026, 11, 21, 12, 0),
				OffsetTime.parse("12:30:15+01:00"), YearMonth.of(2026, 11), Year.of(2026));
	}

	private static Stream<Object> composites(UUID uuid) {
		return Stream.of(List.of(), List.of("a"), List.of(7, "a"), Arrays.asList("007", null), new Object[] { 7, "a" },
				new int[] { 1, 2 }, new LinkedHashSet<>(Arrays.asList("b", 10, "9", null)), new Pair(7L, uuid),
				List.of(List.of("a", "("), new Pair("+1", null)));
	}

	/**
	 * Converts whatever it is asked about.
	 */
	private static final class ToOneForm implements KeyConverter<Object> {

		static final String FORM = "converted";

		@Override
		public Class<Object> type() {
			return Object.class;
		}

		@Override
		public Object convert(Object key) {
			return FORM;
		}

	}

	/**
	 * A composite key.
	 *
	 * @param first its first part
	 * @param second its second part
	 */
	record Pair(Object first, @Nullable Object second) {

	}

}
