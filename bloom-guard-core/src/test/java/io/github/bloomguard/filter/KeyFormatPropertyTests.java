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
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Properties of {@link KeyFormat} for any keys of all supported types and their
 * compositions.
 */
class KeyFormatPropertyTests {

	private final KeyFormat format = new KeyFormat(List.of());

	@Property(tries = 20_000)
	void twoKeysAreWrittenAlikeOnlyIfTheyAreOne(@ForAll("keys") Object one, @ForAll("keys") Object other) {
		assertThat(this.format.asWritten(one).equals(this.format.asWritten(other)))
			.isEqualTo(meaning(one).equals(meaning(other)));
	}

	@Property(tries = 5_000)
	void numberIsOneKeyHoweverItIsWritten(@ForAll @BigRange(min = "-1e20", max = "1e20") @Scale(6) BigDecimal number,
			@ForAll @IntRange(max = 3) int zeros) {
		String digits = "0".repeat(zeros) + number.abs().toPlainString();
		String sign = (number.signum() < 0) ? "-" : "+";
		String fraction = (number.scale() > 0) ? "0" : ".0";
		for (String text : List.of(number.toString(), sign + digits, " " + sign + digits + " ",
				sign + digits + fraction, sign + digits + "E+0")) {
			assertThat(this.format.format(text)).as(text).isEqualTo(this.format.format(number));
		}
	}

	@Property(tries = 5_000)
	void formIsItsOwnForm(@ForAll("text") String text) {
		String form = CanonicalText.of(text);
		assertThat(CanonicalText.of(form)).isEqualTo(form);
	}

	@Provide
	Arbitrary<String> text() {
		return Arbitraries.strings().withChars("+-.eE0179 aA").ofMaxLength(9);
	}

	@Property(tries = 20_000)
	void eachFormIsWellFormedText(@ForAll("keys") Object key) {
		assertThatNoException().isThrownBy(() -> encode(this.format.format(key)));
	}

	@Property(tries = 5_000)
	void keyHasTheSameFormInEachContainer(@ForAll("lists") List<@Nullable Object> parts) {
		String form = this.format.format(parts);
		assertThat(this.format.format(parts.toArray())).isEqualTo(form);
		assertThat(this.format.format(new ArrayList<>(parts))).isEqualTo(form);
	}

	private static void encode(String form) throws CharacterCodingException {
		StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(form));
	}

	@Provide
	Arbitrary<Object> keys() {
		return keys(2);
	}

	@Provide
	Arbitrary<List<@Nullable Object>> lists() {
		return lists(2);
	}

	private Arbitrary<Object> keys(int depth) {
		if (depth == 0) {
			return simple();
		}
		return Arbitraries.frequencyOf(Tuple.of(4, simple()), Tuple.of(1, lists(depth).map((parts) -> parts)),
				Tuple.of(1, lists(depth).map((parts) -> new LinkedHashSet<>(parts))),
				Tuple.of(1, lists(depth).map(List::toArray)),
				Tuple.of(1, simple().tuple2().map((pair) -> new Pair(pair.get1(), pair.get2()))));
	}

	private Arbitrary<List<@Nullable Object>> lists(int depth) {
		return keys(depth - 1).injectNull(0.1).list().ofMaxSize(3);
	}

	private Arbitrary<Object> simple() {
		Arbitrary<Character> characters = Arbitraries.frequencyOf(
				Tuple.of(4, Arbitraries.of('(', ')', '|', ':', '-', 's', '0', '1', '7', 'd', '8')),
				Tuple.of(2, Arbitraries.of('\ud83d', '\ude00', '\ud800', '\udfff', '?', '\0')),
				Tuple.of(1, Arbitraries.chars().all()));
		return Arbitraries.oneOf(characters.list().ofMaxSize(8).map(KeyFormatPropertyTests::text),
				Arbitraries.integers().between(-3, 12).map((number) -> number),
				Arbitraries.longs().map((number) -> number), Arbitraries.bigDecimals().map((number) -> number),
				Arbitraries.doubles().between(-3, 3).map((number) -> number),
				Arbitraries.bigIntegers().map((number) -> number), Arbitraries.of(true, false).map((flag) -> flag),
				Arbitraries.longs().tuple2().map((halves) -> new UUID(halves.get1(), halves.get2())),
				Arbitraries.bytes().array(byte[].class).ofMaxSize(4).map((array) -> array),
				Arbitraries.longs().between(0, 3).tuple2().map(KeyFormatPropertyTests::bytes),
				Arbitraries.longs().between(0, 3).tuple2().map((halves) -> new UUID(halves.get1(), halves.get2())),
				Arbitraries.of(Thread.State.values()).map((state) -> state),
				Arbitraries.longs().between(0, 5_000_000_000L).map(Instant::ofEpochSecond));
	}

	private static byte[] bytes(Tuple2<Long, Long> halves) {
		return ByteBuffer.allocate(16).putLong(halves.get1()).putLong(halves.get2()).array();
	}

	private static String text(List<Character> characters) {
		StringBuilder text = new StringBuilder();
		characters.forEach(text::append);
		return text.toString();
	}

	/**
	 * Say what a key means in another way than by its form: simple keys are their text,
	 * composites are the list or the set of what their parts mean.
	 */
	private static Object meaning(@Nullable Object key) {
		if (key instanceof Pair pair) {
			return List.of("list", Arrays.asList(meaning(pair.first()), meaning(pair.second())));
		}
		if (key instanceof byte[] bytes && bytes.length == 16) {
			ByteBuffer buffer = ByteBuffer.wrap(bytes);
			return new UUID(buffer.getLong(), buffer.getLong()).toString();
		}
		if (key instanceof byte[] bytes) {
			List<Object> parts = new ArrayList<>();
			for (byte part : bytes) {
				parts.add(meaning(part));
			}
			return List.of("list", parts);
		}
		if (key instanceof Object[] array) {
			return List.of("list", Arrays.stream(array).map(KeyFormatPropertyTests::meaning).toList());
		}
		if (key instanceof Set<?> set) {
			// as a list, a set is the one that is sorted by the forms of its elements
			KeyFormat format = new KeyFormat(List.of());
			return List.of("list",
					set.stream()
						.sorted(java.util.Comparator.comparing((Object part) -> part(format, part)))
						.map(KeyFormatPropertyTests::meaning)
						.toList());
		}
		if (key instanceof List<?> list) {
			return List.of("list", list.stream().map(KeyFormatPropertyTests::meaning).toList());
		}
		if (key instanceof Double number) {
			return meaning(new BigDecimal(number.toString()));
		}
		if (key instanceof BigDecimal decimal) {
			return decimal.stripTrailingZeros().toPlainString();
		}
		if (key instanceof BigInteger || key instanceof String) {
			return key.toString();
		}
		return Objects.toString(key, "null part").equals("null part") ? List.of() : key.toString();
	}

	private static String part(KeyFormat format, @Nullable Object part) {
		if (part == null) {
			return "|-";
		}
		String form = format.asWritten(part);
		return "|" + form.length() + ":" + form;
	}

	/**
	 * A composite key.
	 *
	 * @param first its first part
	 * @param second its second part
	 */
	record Pair(Object first, Object second) {

	}

}
