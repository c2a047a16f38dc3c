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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A thousand keys that no row has, in each of the ways in which somebody may write them
 * who wants to get past a filter of the keys {@code 4711}, {@code sku-7} and
 * {@link #PRESENT}.
 */
final class AbsentKeys {

	static final String PRESENT = "6f9619ff-8b86-d011-b42d-00c04fc964ff";

	static final int COUNT = 1000;

	static final Map<String, List<?>> SPELLINGS = spellings();

	private AbsentKeys() {
	}

	private static Map<String, List<?>> spellings() {
		Map<String, List<?>> spellings = new LinkedHashMap<>();
		add(spellings, "random text", (i) -> "r" + i * 7919);
		add(spellings, "blank at the end", (i) -> "r" + i * 7919 + " ");
		add(spellings, "blank at the beginning", (i) -> " r" + i * 7919);
		add(spellings, "blanks after an existing text", (i) -> "sku-7" + " ".repeat(i + 1));
		add(spellings, "text after an existing number", (i) -> "4711x" + i);
		add(spellings, "zeros before an existing number", (i) -> "0".repeat(i + 1) + "4711");
		add(spellings, "zeros after an existing number", (i) -> "4711." + "0".repeat(i + 1));
		add(spellings, "sign, blanks and exponent of an existing number",
				(i) -> " ".repeat(i / 2) + "+4711e0" + "\n".repeat(i % 2));
		add(spellings, "random digits", (i) -> String.valueOf(1_000_000L + i));
		add(spellings, "zeros before random digits", (i) -> "00" + (1_000_000L + i));
		add(spellings, "random digits and a point", (i) -> 1_000_000L + i + ".5");
		add(spellings, "too many digits", (i) -> "123456789012345678" + i);
		add(spellings, "random number", (i) -> 1_000_000L + i);
		add(spellings, "case of an existing text", (i) -> inCapitals("sku-7", i % 7));
		add(spellings, "case of an existing UUID", (i) -> inCapitals(PRESENT, i));
		add(spellings, "random UUID as text",
				(i) -> UUID.nameUUIDFromBytes(new byte[] { (byte) i, (byte) (i >> 8) }).toString());
		add(spellings, "random UUID without dashes",
				(i) -> UUID.nameUUIDFromBytes(new byte[] { (byte) i, (byte) (i >> 8) }).toString().replace("-", ""));
		add(spellings, "random UUID", (i) -> UUID.nameUUIDFromBytes(new byte[] { (byte) i, (byte) (i >> 8) }));
		add(spellings, "accents", (i) -> "\u00fc\u00e9\u00fc\u00f8\u0301" + i * 7919);
		add(spellings, "other scripts", (i) -> "\u0e01\u0436\u5317\ud83d\ude00\uff21" + i * 7919);
		add(spellings, "control characters", (i) -> "r" + i * 7919 + "\t\u0001");
		add(spellings, "half a surrogate pair", (i) -> "r" + i * 7919 + "\ud800");
		add(spellings, "too long", (i) -> "r".repeat(10_000) + i);
		return spellings;
	}

	private static void add(Map<String, List<?>> spellings, String kind, IntFunction<?> key) {
		spellings.put(kind, IntStream.range(0, COUNT).mapToObj(key).toList());
	}

	/**
	 * Write a text in another case, the same one only for a few numbers.
	 */
	private static String inCapitals(String text, int number) {
		StringBuilder capitals = new StringBuilder(text);
		int bit = 0;
		for (int i = 0; i < text.length(); i++) {
			if (Character.isLetter(text.charAt(i)) && ((number + 1) >> (bit++ % 12) & 1) == 1) {
				capitals.setCharAt(i, Character.toUpperCase(text.charAt(i)));
			}
		}
		return capitals.toString();
	}

}
