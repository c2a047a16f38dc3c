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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality.Spelling;
import io.github.bloomguard.filter.KeyType.Coercion;
import io.github.bloomguard.filter.KeyType.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link KeyType}: which keys may be called absent. That no others may is shown
 * with real databases.
 */
class KeyTypeTests {

	private static final UUID UUID_KEY = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");

	static Stream<Arguments> ordinary() {
		return Stream.of(
				arguments(Kind.INTEGER,
						List.of(7L, 7, (short) 7, (byte) 7, Long.MAX_VALUE, Long.MIN_VALUE, BigInteger.TEN,
								new BigDecimal("7.0"), 7.0, 7f, "7", "-7", "0", "123456789012345")),
				arguments(Kind.LARGE_INTEGER, List.of(7L, new BigInteger("18446744073709551615"), "7")),
				arguments(Kind.YEAR, List.of(2026, "2026")),
				arguments(Kind.DECIMAL, List.of(7L, 7, new BigDecimal("7.00"))),
				arguments(Kind.TEXT, List.of("ab", "7", "07", "", "a b", 'a', Kind.TEXT)),
				arguments(Kind.IDENTIFIER, List.of(UUID_KEY, UUID_KEY.toString(), UUID_KEY.toString().toUpperCase())),
				arguments(Kind.BYTES, List.of(new byte[] { 7 }, new byte[16], UUID_KEY, UUID_KEY.toString())),
				arguments(Kind.DAY, List.of(LocalDate.EPOCH, "1970-01-01")), arguments(Kind.FLAG, List.of(true, false)),
				arguments(Kind.ANY, List.of(7, "a", List.of())));
	}

	@ParameterizedTest
	@MethodSource("ordinary")
	void keyOfTheTypeOfTheColumnMayBeCalledAbsent(Kind kind, List<Object> keys) {
		for (Coercion coercion : Coercion.values()) {
			for (Object key : keys) {
				if (kind != Kind.IDENTIFIER || coercion != Coercion.VALUES) {
					assertThat(isToldApart(kind, coercion, key)).as("%s %s %s", coercion, key.getClass(), key).isTrue();
				}
			}
		}
	}

	@Test
	void databaseThatComparesNoTextWithNumbersAllowsMoreKeys() {
		for (Object text : List.of("1234567890123456789", "-1234567890123456.5", "7e30", " 9007199254740993abc")) {
			assertThat(isToldApart(Kind.INTEGER, Coercion.NONE, text)).as("%s", text).isTrue();
			assertThat(isToldApart(Kind.INTEGER, Coercion.NUMBERS, text)).as("%s", text).isFalse();
		}
		assertThat(isToldApart(Kind.TEXT, Coercion.NONE, 7)).isTrue();
		assertThat(isToldApart(Kind.TEXT, Coercion.NUMBERS, 7)).isFalse();
		assertThat(isToldApart(Kind.DECIMAL, Coercion.NONE, new BigDecimal("7.5"))).isTrue();
		assertThat(isToldApart(Kind.DECIMAL, Coercion.VALUES, new BigDecimal("7.5"))).isFalse();
	}

	@Test
	void textIsToldApartFromNumbersByTheNumberThatItIsOrBeginsWith() {
		for (String text : List.of("07", " 7", "+7", "7.0", "\uFF17", "7 ", "7abc", "-0", "abc", "", "7e", "e7",
				"x1e5")) {
			assertThat(isToldApart(Kind.INTEGER, Coercion.NONE, text)).as("'%s'", text).isTrue();
			assertThat(isToldApart(Kind.LARGE_INTEGER, Coercion.NUMBERS, text)).as("'%s'", text).isTrue();
		}
		for (String text : List.of("07", " 7", "+7", "7.0", "7abc", "-0")) {
			assertThat(isToldApart(Kind.INTEGER, Coercion.VALUES, text)).as("'%s'", text).isFalse();
		}
		assertThat(isToldApart(Kind.INTEGER, Coercion.VALUES, "abc")).isTrue();
	}

	@Test
	void numberThatOnlyTheDatabaseReadsIsNeverCalledAbsent() {
		for (String text : List.of("1_0", "0x7", " -0B1 ", "0o17", "1_0.5e1")) {
			assertThat(isToldApart(Kind.INTEGER, Coercion.NONE, text)).as("'%s'", text).isFalse();
		}
	}

	@Test
	void textIsToldApartFromIdentifiersUnlessItIsANumber() {
		String digits = UUID_KEY.toString().replace("-", "");
		for (String text : List.of("abc", "7", "", digits, "{" + UUID_KEY + "}", "1".repeat(31), "x".repeat(32))) {
			assertThat(isToldApart(Kind.IDENTIFIER, Coercion.NONE, text)).as("'%s'", text).isTrue();
			assertThat(isToldApart(Kind.IDENTIFIER, Coercion.VALUES, text)).as("'%s'", text).isFalse();
		}
		for (String text : List.of("1".repeat(32), "{" + "1".repeat(32) + "}", "1".repeat(20) + "e" + "1".repeat(11))) {
			assertThat(isToldApart(Kind.IDENTIFIER, Coercion.NONE, text)).as("'%s'", text).isFalse();
		}
	}

	@Test
	void eachTextIsItselfInATextColumnOnly() {
		assertThat(
				KeyType.spellings(Stream.of(Kind.values()).map((kind) -> new KeyType(kind, Coercion.NUMBERS)).toList()))
			.containsExactly(Spelling.NUMBER, Spelling.NUMBER, Spelling.NUMBER, Spelling.NUMBER, Spelling.TEXT,
					Spelling.ANY, Spelling.ANY, Spelling.ANY, Spelling.ANY, Spelling.ANY, Spelling.ANY);
		assertThat(KeyType.spellings(List.of(new KeyType(Kind.INTEGER, Coercion.NONE))))
			.as("PostgreSQL reads nothing as a number that is none")
			.containsExactly(Spelling.ANY);
	}

	@ParameterizedTest
	@EnumSource
	void keyThatMayHaveSeveralFormsIsNeverCalledAbsent(Coercion coercion) {
		assertThat(isToldApart(Kind.YEAR, coercion, 26.0)).isFalse();
		assertThat(isToldApart(Kind.YEAR, coercion, "26")).isFalse();
		assertThat(isToldApart(Kind.INTEGER, coercion, true)).isFalse();
		for (LocalDate day : List.of(LocalDate.of(10_000, 1, 1), LocalDate.of(0, 1, 1), LocalDate.MIN)) {
			assertThat(isToldApart(Kind.DAY, coercion, day)).as("%s", day).isFalse();
		}
		assertThat(isToldApart(Kind.OTHER, coercion, Instant.EPOCH)).isFalse();
	}

	@Test
	void compositeKeyIsAsCertainAsItsLeastCertainPart() {
		List<KeyType> types = KeyType.parts(Position.class);
		assertThat(KeyType.tellApart(types, List.of(7, "a"))).isTrue();
		assertThat(KeyType.tellApart(types, Arrays.asList(null, "a"))).isTrue();
		assertThat(KeyType.tellApart(types, List.of(true, "a"))).isFalse();
		assertThat(KeyType.tellApart(types, List.of(7, 7))).isFalse();
		assertThat(KeyType.tellApart(types, List.of(true))).as("key of no row").isTrue();
	}

	@Test
	void attributeIsComparedAsItsClassIs() {
		assertThat(Stream
			.of(long.class, BigInteger.class, BigDecimal.class, String.class, UUID.class, LocalDate.class,
					boolean.class, byte[].class, double.class, Instant.class, java.util.Date.class, Kind.class)
			.map((type) -> KeyType.parts(type).get(0).kind())).containsExactly(Kind.INTEGER, Kind.LARGE_INTEGER,
					Kind.DECIMAL, Kind.TEXT, Kind.IDENTIFIER, Kind.DAY, Kind.FLAG, Kind.BYTES, Kind.OTHER, Kind.OTHER,
					Kind.OTHER, Kind.ANY);
	}

	private static boolean isToldApart(Kind kind, Coercion coercion, Object key) {
		return KeyType.tellApart(List.of(new KeyType(kind, coercion)), List.of(key));
	}

	private record Position(int order, String product) {
	}

	@Test
	void numbersAreNoTextsAndKeysOfTwoPartsAreNoneOfOne() {
		List<KeyType> number = KeyType.parts(long.class);
		List<KeyType> text = KeyType.parts(String.class);
		List<KeyType> shelf = KeyType.parts(Shelf.class);
		assertThat(KeyType.mayBeSame(number, text)).isFalse();
		assertThat(KeyType.mayBeSame(text, number)).isFalse();
		assertThat(KeyType.mayBeSame(number, shelf)).isFalse();
		assertThat(KeyType.mayBeSame(shelf, number)).isFalse();
		assertThat(KeyType.mayBeSame(number, KeyType.parts(int.class))).isTrue();
		assertThat(KeyType.mayBeSame(shelf, List.of(number.get(0), text.get(0)))).isTrue();
		assertThat(KeyType.mayBeSame(KeyType.parts(Object.class), shelf)).isTrue();
	}

	record Shelf(int warehouse, String name) {

	}

}
