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
import java.net.URI;
import java.nio.ByteBuffer;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAmount;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.UnsupportedKeyException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link KeyFormat}.
 */
class KeyFormatTests {

	private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

	private final KeyFormat format = new KeyFormat(List.of());

	static Stream<Object> sevens() {
		return Stream.of(7, 7L, "7", 7.0, 7f, new BigDecimal("7.00"), new BigDecimal("0.7e1"), BigInteger.valueOf(7),
				(short) 7, (byte) 7, new AtomicLong(7), new AtomicInteger(7), '7', new StringBuilder("7"), "007", "+7",
				" 7", "7\n", "7.0", "7.", "07.00", "7e0", "0.7E+1", "\uff17", "\t+0007.0e-0 ",
				"0".repeat(100_000) + "7");
	}

	@ParameterizedTest
	@MethodSource("sevens")
	void eachSevenIsOneKey(Object seven) {
		assertThat(KeySpellings.joined(this.format.format(seven))).isEqualTo("7");
	}

	static Stream<Arguments> forms() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		return Stream.of(arguments(-0.0, "0"), arguments(new BigDecimal("0E+10"), "0"),
				arguments(new BigDecimal("1E+3"), "1000"), arguments(1000.0, "1000"), arguments(0.1f, "0.1"),
				arguments(new BigDecimal("0.10"), "0.1"), arguments(-7.50, "-7.5"), arguments(Double.NaN, "NaN"),
				arguments(Double.NEGATIVE_INFINITY, "-Infinity"), arguments(Long.MIN_VALUE, "-9223372036854775808"),
				arguments(BigInteger.TWO.pow(70), "1180591620717411303424"), arguments(true, "true"),
				arguments(uuid, uuid.toString()), arguments("", ""), arguments("00", "0"), arguments("-0", "0"),
				arguments("-007.50", "-7.5"), arguments(".5", "0.5"), arguments("1e3", "1000"), arguments("7a", "7a"),
				arguments("0x7", "0x7"), arguments("+", "+"), arguments("-", "-"), arguments(".", "."),
				arguments("e1", "e1"), arguments("1e", "1e"), arguments("1e+", "1e+"), arguments(" ", " "),
				arguments("1 2", "1 2"), arguments("--1", "--1"), arguments("1.2.3", "1.2.3"),
				arguments("1e99999999999", "1e99999999999"), arguments("100e2147483647", "100e2147483647"),
				arguments("2026-11-21", "2026-11-21"), arguments(" abc ", " abc "),
				arguments(DayOfWeek.MONDAY, "MONDAY"), arguments(Shape.ROUND, "ROUND"));
	}

	@ParameterizedTest
	@MethodSource("forms")
	void simpleKeyIsItsText(Object key, String form) {
		assertThat(KeySpellings.joined(this.format.format(key))).isEqualTo(form);
	}

	@Test
	void uuidIsOneKeyInEachCase() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		for (String text : List.of(uuid.toString(), uuid.toString().toUpperCase(Locale.ROOT),
				"8A6e0804-2Bd0-4672-b79D-d97027f9071a", "{8a6e0804-2bd0-4672-b79d-d97027f9071a}",
				" 8a6e08042bd04672b79dd97027f9071a", "8A6E0804-2BD04672B79D-D97027F9071A")) {
			assertThat(KeySpellings.joined(this.format.format(text))).isEqualTo(this.format.format(uuid));
			assertThat(KeySpellings.joined(this.format.format(List.of(text, "07"))))
				.isEqualTo(this.format.format(List.of(uuid, 7)));
		}
		String none = "8A6E0804-2BD0-4672-B79D-D97027F9071G";
		assertThat(KeySpellings.joined(this.format.format(none))).isEqualTo(none);
		String digits = "0".repeat(31) + "7";
		assertThat(KeySpellings.joined(digits)).as("a number rather than a UUID").isEqualTo("7");
	}

	@Test
	void setHasOneFormInWhateverWayItsNumbersAreWritten() {
		assertThat(KeySpellings.joined(this.format.format(Set.of("02", "1"))))
			.isEqualTo(KeySpellings.joined(this.format.format(Set.of("2", "01"))))
			.isEqualTo(this.format.format(Set.of(1, 2)));
	}

	@Test
	void keyThatIsWrittenOtherwiseIsToldApart() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		for (Object key : List.of(7, 7.0, "7", "abc", uuid, uuid.toString(), List.of(7, "a"), "(", "ABC")) {
			assertThat(this.format.isCanonical(key)).as("%s", key).isTrue();
		}
		for (Object key : List.of("007", "7.0", uuid.toString().toUpperCase(Locale.ROOT), List.of("07", "a"),
				new Pair(1, List.of("+1")))) {
			assertThat(this.format.isCanonical(key)).as("%s", key).isFalse();
		}
	}

	@Test
	void numberThatIsTooLongToBeReadIsText() {
		String digits = "1234567890".repeat(200_000);
		assertThat(this.format.format(digits)).isEqualTo(digits);
		assertThat(this.format.format(" " + digits)).isEqualTo(" " + digits);
	}

	static Stream<Arguments> times() {
		return Stream.of(arguments(NOON, "2026-11-21T12:00:00Z"),
				arguments(OffsetDateTime.parse("2026-11-21T13:00:00+01:00"), "2026-11-21T12:00:00Z"),
				arguments(ZonedDateTime.parse("2026-11-21T07:00:00-05:00[America/New_York]"), "2026-11-21T12:00:00Z"),
				arguments(Date.from(NOON), "2026-11-21T12:00:00Z"),
				arguments(Timestamp.from(NOON), "2026-11-21T12:00:00Z"),
				arguments(LocalDate.of(2026, 11, 21), "2026-11-21"),
				arguments(java.sql.Date.valueOf("2026-11-21"), "2026-11-21"),
				arguments(LocalTime.of(12, 30, 15), "12:30:15"),
				arguments(java.sql.Time.valueOf("12:30:15"), "12:30:15"),
				arguments(LocalDateTime.of(2026, 11, 21, 12, 0), "2026-11-21T12:00"),
				arguments(YearMonth.of(2026, 11), "2026-11"));
	}

	@ParameterizedTest
	@MethodSource("times")
	void pointsInTimeAreInstantsAndLocalOnesStayLocal(Object key, String form) {
		assertThat(this.format.format(key)).isEqualTo(form);
	}

	static Stream<Arguments> pairs() {
		return Stream
			.<Object>of(new Pair(7, "a"), new NumberedPair(7L, "a"), List.of(7, "a"), Arrays.asList("7", 'a'),
					new ArrayDeque<>(List.of(7.0, "a")), new Object[] { new BigDecimal("7.0"), "a" },
					new String[] { "7", "a" })
			.map(Arguments::of);
	}

	@ParameterizedTest
	@MethodSource("pairs")
	void compositeIsItsPartsWhateverHoldsThem(Object pair) {
		assertThat(this.format.format(pair)).isEqualTo(this.format.format(List.of("7", "a")));
	}

	static Stream<Object> primitives() {
		return Stream.of(new int[] { 1, 2 }, new long[] { 1, 2 }, new short[] { 1, 2 }, new byte[] { 1, 2 },
				new double[] { 1, 2 }, new float[] { 1, 2 }, new char[] { '1', '2' });
	}

	@ParameterizedTest
	@MethodSource("primitives")
	void primitiveArrayIsItsElements(Object array) {
		assertThat(this.format.format(array)).isEqualTo(this.format.format(List.of(1, 2)));
	}

	@Test
	void setHasOneFormInEachOrder() {
		assertThat(this.format.format(new LinkedHashSet<>(Arrays.asList(10, null, 9))))
			.isEqualTo(this.format.format(new LinkedHashSet<>(Arrays.asList(9, 10, null))));
		assertThat(this.format.format(new LinkedHashSet<>(List.of(10, 9))))
			.isEqualTo(this.format.format(new TreeSet<>(List.of(9, 10))));
		assertThat(this.format.format(List.of(10, 9))).isNotEqualTo(this.format.format(List.of(9, 10)));
	}

	@Test
	void differentCompositesHaveDifferentForms() {
		assertThat(Stream
			.of(List.of(), List.of(""), List.of("", ""), Collections.singletonList(null), Arrays.asList(null, null),
					List.of("-"), List.of("a", "b"), List.of("a|1:b"), List.of(List.of("a", "b")),
					List.of(List.of("a"), "b"), List.of("a", List.of("b")), List.of("2|1:a|1:b"), "a", List.of("a"),
					List.of(List.of("a")), "", "(", "((", List.of("("), this.format.format(List.of("a", "b")),
					List.of(this.format.format(List.of("a", "b"))),
					this.format.format(this.format.format(List.of("a", "b"))))
			.map(this.format::format)).doesNotHaveDuplicates();
	}

	@Test
	void noTwoOfManyRandomKeysShareAForm() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Map<String, Object> byForm = new HashMap<>();
		for (int i = 0; i < 200_000; i++) {
			Object key = randomKey(random, 3);
			Object known = byForm.putIfAbsent(this.format.format(key), key);
			assertThat(known == null || known.equals(key)).as("'%s' and '%s', seed %s", known, key, seed).isTrue();
		}
		assertThat(byForm).hasSizeGreaterThan(10_000);
	}

	private static Object randomKey(Random random, int depth) {
		if (depth == 0 || random.nextInt(3) == 0) {
			return randomText(random);
		}
		List<@Nullable Object> parts = new ArrayList<>();
		for (int i = random.nextInt(4); i > 0; i--) {
			parts.add((random.nextInt(5) == 0) ? null : randomKey(random, depth - 1));
		}
		return parts;
	}

	/**
	 * Give text that looks like parts of a composite.
	 */
	private static String randomText(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(8); i > 0; i--) {
			text.append("(()|:;-01235".charAt(random.nextInt(12)));
		}
		return text.toString();
	}

	@Test
	void textWithHalfOfASurrogatePairIsNoOtherText() {
		assertThat(Stream
			.of("/shop\ud801item=1", "/shop?item=1", "/shop\udc01item=1", "/shop\ud801\udc01item=1",
					this.format.format("/shop\ud801item=1"))
			.map(this.format::format)).doesNotHaveDuplicates();
		assertThat(this.format.format("\ud801\udc01")).isEqualTo("\ud801\udc01");
	}

	@Test
	void sixteenBytesAreTheUuidThatTheyAre() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		byte[] bytes = ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array();
		assertThat(this.format.format(bytes)).isEqualTo(this.format.format(uuid));
		assertThat(this.format.format(List.of(bytes, 1))).isEqualTo(this.format.format(List.of(uuid, 1)));
		assertThat(this.format.format(Arrays.copyOf(bytes, 15))).isNotEqualTo(this.format.format(bytes));
	}

	@Test
	void endlesslyNestedKeyIsRefusedAndNotAnError() {
		List<Object> circle = new ArrayList<>();
		circle.add(circle);
		circle.add(circle);
		Object deep = "a";
		for (int i = 0; i < 20_000; i++) {
			deep = List.of(deep);
		}
		for (Object key : List.of(circle, deep, Collections.nCopies(20_000, "part"))) {
			assertThatExceptionOfType(UnsupportedKeyException.class).isThrownBy(() -> this.format.format(key))
				.withMessageContaining("nested");
		}
	}

	@Test
	void hugeNumbersAreCheap() {
		long start = System.nanoTime();
		for (String number : List.of("1e999999999", "1e-999999999", "-123e2147483000")) {
			assertThat(this.format.format(new BigDecimal(number))).hasSizeLessThan(30);
		}
		assertThat(this.format.format(new BigDecimal("1.0e999999999")))
			.isEqualTo(this.format.format(new BigDecimal("10e999999998")));
	}

	@Test
	void unsupportedTypeIsNamedWithTheRemedy() {
		assertThatExceptionOfType(UnsupportedKeyException.class).isThrownBy(() -> this.format.format(URI.create("a")))
			.withMessageContaining("java.net.URI")
			.withMessageContaining("KeyConverter");
		assertThatExceptionOfType(UnsupportedKeyException.class)
			.isThrownBy(() -> this.format.format(List.of(1, Map.of(1, 2))))
			.withMessageContaining("Map");
	}

	@Test
	void converterGivesItsTypeAndSubtypesAForm() {
		KeyFormat converting = new KeyFormat(List.of(converter(Animal.class, (animal) -> List.of("animal", animal.id)),
				converter(TemporalAmount.class, Object::toString)));
		String form = converting.format(List.of("animal", 7));
		assertThat(converting.format(new Animal(7))).isEqualTo(form);
		assertThat(converting.format(new Dog(7))).isEqualTo(form);
		assertThat(converting.format(List.of(new Dog(7)))).isEqualTo(converting.format(List.of(List.of("animal", 7))));
		assertThat(converting.format(Duration.ofSeconds(1))).isEqualTo("PT1S");
	}

	@Test
	void converterMayGiveARecordAnotherForm() {
		KeyFormat converting = new KeyFormat(List.of(converter(Pair.class, (pair) -> pair.first)));
		assertThat(converting.format(new Pair(7, "ignored"))).isEqualTo("7");
		assertThatNoException().isThrownBy(() -> converting.format(new NumberedPair(7, "a")));
	}

	@ParameterizedTest
	@ValueSource(classes = { String.class, Long.class, UUID.class, DayOfWeek.class, LocalDate.class, Date.class })
	void converterOfKeysThatAreNeverConvertedIsRefused(Class<?> type) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new KeyFormat(List.of(converter(type, Object::toString))))
			.withMessageContaining("for keys of type " + type.getName() + ", which are never converted");
	}

	@Test
	void secondConverterOfATypeIsRefused() {
		List<KeyConverter<Animal>> converters = List.of(converter(Animal.class, (animal) -> animal.id),
				converter(Animal.class, (animal) -> "animal " + animal.id));
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> new KeyFormat(converters))
			.withMessageContaining("are both for keys of type " + Animal.class.getName());
	}

	@Test
	void durationNeedsAConverter() {
		assertThat(this.format.supports(Duration.class)).isFalse();
		assertThat(new KeyFormat(List.of(converter(Duration.class, Duration::toMillis))).supports(Duration.class))
			.isTrue();
	}

	@Test
	void abstractTypeIsSupportedIfAKindOfItMayHaveAForm() {
		assertThat(List.of(Kinds.class, Comparable.class, Number.class, AbstractList.class, Record.class))
			.allMatch(this.format::supports);
		assertThat(List.of(ZoneId.class, Calendar.class)).noneMatch(this.format::supports);
	}

	@Test
	void partsOfAKeyAreWhatItsFormIsMadeOf() {
		KeyFormat converting = new KeyFormat(List.of(converter(Animal.class, (animal) -> "animal " + animal.id),
				converter(Pair.class, (pair) -> List.of(pair.first, new Dog(7)))));
		byte[] bytes = { 1, 2 };
		assertThat(this.format.parts(7)).isEqualTo(List.of(7));
		assertThat(this.format.parts(bytes)).isEqualTo(List.of(bytes));
		assertThat(this.format.parts(new NumberedPair(7, "a"))).isEqualTo(List.of(7L, "a"));
		assertThat(this.format.parts(Arrays.asList(7, null))).isEqualTo(Arrays.asList(7, null));
		assertThat(converting.parts(new Dog(7))).isEqualTo(List.of("animal 7"));
		assertThat(converting.parts(new Pair(1, 2))).isEqualTo(List.of(1, "animal 7"));
	}

	@Test
	void keyIsCompleteIfNoneOfItsPartsIsNull() {
		KeyFormat converting = new KeyFormat(List.of(converter(Pair.class, (pair) -> pair.first)));
		assertThat(this.format.isComplete(7)).isTrue();
		assertThat(this.format.isComplete(List.of(7, List.of("|-")))).isTrue();
		assertThat(this.format.isComplete(Arrays.asList(7, null))).isFalse();
		assertThat(this.format.isComplete(List.of(7, Arrays.asList(1, null)))).isFalse();
		assertThat(this.format.isComplete(new NumberedPair(7, null))).isFalse();
		assertThat(converting.isComplete(new Pair(1, null))).isTrue();
	}

	private static <T> KeyConverter<T> converter(Class<T> type, Function<T, Object> conversion) {
		return new KeyConverter<>() {

			@Override
			public Class<T> type() {
				return type;
			}

			@Override
			public Object convert(T key) {
				return conversion.apply(key);
			}

		};
	}

	private record Pair(Object first, Object second) {

	}

	private record NumberedPair(long first, String second) {

	}

	private abstract static class Kinds {

	}

	private static class Animal {

		private final int id;

		Animal(int id) {
			this.id = id;
		}

	}

	private static final class Dog extends Animal {

		Dog(int id) {
			super(id);
		}

	}

	private enum Shape {

		ROUND {

			@Override
			public String toString() {
				return "round as the moon";
			}

		}

	}

}
