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
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import io.github.bloomguard.filter.RandomKeys.Pair;
import org.assertj.core.presentation.StandardRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Properties of {@link KeyFormat} for any keys of all supported types and their
 * compositions. What fails names the seed with which its first try fails again:
 * {@code -Dkeys.seed}.
 */
class KeyFormatPropertyTests {

	private final KeyFormat format = new KeyFormat(List.of());

	@Test
	void twoKeysAreWrittenAlikeOnlyIfTheyAreOne() {
		tries(20_000, (random) -> {
			Object one = random.key();
			Object other = switch (random.below(4)) {
				case 0 -> inAnotherShape(one);
				case 1 -> this.format.format(one);
				default -> random.key();
			};
			assertThat(this.format.format(one).equals(this.format.format(other)))
				.as(() -> describe(one) + " and " + describe(other))
				.isEqualTo(meaning(one).equals(meaning(other)));
		});
	}

	@Test
	void numberIsOneKeyHoweverItIsWritten() {
		tries(5_000, (random) -> {
			BigDecimal number = random.decimal();
			String digits = "0".repeat(random.below(4)) + number.abs().toPlainString();
			String sign = (number.signum() < 0) ? "-" : "+";
			String fraction = (number.scale() > 0) ? "0" : ".0";
			for (String text : List.of(number.toString(), sign + digits, " " + sign + digits + " ",
					sign + digits + fraction, sign + digits + "E+0")) {
				assertThat(KeySpellings.joined(this.format.format(text))).as(text)
					.isEqualTo(this.format.format(number));
			}
		});
	}

	@Test
	void formIsItsOwnForm() {
		tries(5_000, (random) -> {
			String text = random.numeral();
			String form = CanonicalText.of(text);
			assertThat(CanonicalText.of(form)).as(text).isEqualTo(form);
		});
	}

	@Test
	void eachFormIsWellFormedText() {
		tries(20_000, (random) -> {
			Object key = random.key();
			assertThatNoException().as(() -> describe(key)).isThrownBy(() -> encode(this.format.format(key)));
		});
	}

	@Test
	void keyHasTheSameFormInEachContainer() {
		tries(5_000, (random) -> {
			List<@Nullable Object> parts = random.parts();
			String form = this.format.format(parts);
			assertThat(this.format.format(parts.toArray())).as(() -> describe(parts)).isEqualTo(form);
			assertThat(this.format.format(new ArrayList<>(parts))).as(() -> describe(parts)).isEqualTo(form);
		});
	}

	private static void tries(int count, Consumer<RandomKeys> property) {
		long first = Long.getLong("keys.seed", System.nanoTime());
		for (long seed = first; seed < first + count; seed++) {
			try {
				property.accept(new RandomKeys(seed));
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("-Dkeys.seed=" + seed + ": " + ex.getMessage(), ex);
			}
		}
	}

	private static String describe(Object key) {
		return StandardRepresentation.STANDARD_REPRESENTATION.toStringOf(key);
	}

	private static void encode(String form) throws CharacterCodingException {
		StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(form));
	}

	private static Object inAnotherShape(Object key) {
		if (key instanceof Pair pair) {
			return new Object[] { pair.first(), pair.second() };
		}
		if (key instanceof List<?> list) {
			return list.toArray();
		}
		if (key instanceof Object[] array) {
			return Arrays.asList(array);
		}
		if (key instanceof UUID uuid) {
			return RandomKeys.bytes(uuid);
		}
		return key.toString();
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
						.sorted(Comparator.comparing((Object part) -> part(format, part)))
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
		String form = format.format(part);
		return "|" + form.length() + ":" + form;
	}

}
