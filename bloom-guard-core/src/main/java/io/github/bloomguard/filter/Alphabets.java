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

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.TextEquality.Alphabet;
import org.jspecify.annotations.Nullable;

/**
 * ASCII that the letters of alphabets may be equal to, by any database or language. A
 * database is asked whether it knows more than this before it is used.
 */
public final class Alphabets {

	private static final Map<Character, List<String>> OTHERS = Map.ofEntries(Map.entry('\u00e4', List.of("ae")),
			Map.entry('\u00e5', List.of("aa")), Map.entry('\u00e6', List.of("ae", "a")),
			Map.entry('\u00f0', List.of("d")), Map.entry('\u00f6', List.of("oe")),
			Map.entry('\u00f8', List.of("o", "oe")), Map.entry('\u00fc', List.of("ue", "y")),
			Map.entry('\u00fe', List.of("th", "t")), Map.entry('\u00df', List.of("ss", "s", "sz")),
			Map.entry('\u0111', List.of("d")), Map.entry('\u0127', List.of("h")), Map.entry('\u0131', List.of("i")),
			Map.entry('\u0138', List.of("k", "q")), Map.entry('\u0142', List.of("l")),
			Map.entry('\u0149', List.of("n")), Map.entry('\u014b', List.of("n", "ng")),
			Map.entry('\u0153', List.of("oe", "o")), Map.entry('\u0167', List.of("t")));

	private static final int KANA_STEP = 3;

	private static final int CJK_STEP = 1999;

	private static final int HANGUL_STEP = 997;

	private static final Map<Alphabet, List<Character>> samples = new EnumMap<>(Alphabet.class);

	private static final Map<Character, List<String>> latin = new HashMap<>();

	static {
		samples.put(Alphabet.LATIN_1, letters(0xc0, 0xff).toList());
		samples.put(Alphabet.LATIN_A, letters(0x100, 0x17f).toList());
		samples.put(Alphabet.GREEK, letters(0x386, 0x3ce).toList());
		samples.put(Alphabet.CYRILLIC, letters(0x400, 0x45f).toList());
		samples.put(Alphabet.EAST_ASIAN,
				Stream
					.of(every(KANA_STEP, 0x3041, 0x3093), every(KANA_STEP, 0x30a1, 0x30f6),
							every(CJK_STEP, 0x4e00, 0x9fa5), every(HANGUL_STEP, 0xac00, 0xd7a3))
					.flatMap((some) -> some)
					.toList());
		Stream.of(Alphabet.LATIN_1, Alphabet.LATIN_A)
			.flatMap((alphabet) -> samples(alphabet).stream())
			.forEach((letter) -> latin.put(letter, ascii(letter)));
	}

	private Alphabets() {
	}

	private static Stream<Character> letters(int from, int to) {
		return every(1, from, to).filter(Character::isLetter);
	}

	private static Stream<Character> every(int step, int from, int to) {
		return IntStream.iterate(from, (character) -> character <= to, (character) -> character + step)
			.mapToObj((character) -> (char) character);
	}

	private static List<String> ascii(char letter) {
		char small = Character.toLowerCase(letter);
		Set<String> equal = new LinkedHashSet<>(OTHERS.getOrDefault(small, List.of()));
		String base = Normalizer.normalize(String.valueOf(letter), Normalizer.Form.NFKD)
			.replaceAll("\\P{ASCII}", "")
			.toLowerCase(Locale.ROOT);
		if (!base.isEmpty()) {
			equal.add(base);
		}
		return new ArrayList<>(equal);
	}

	public static List<Character> samples(Alphabet alphabet) {
		return samples.getOrDefault(alphabet, List.of());
	}

	/**
	 * Return the small letters of ASCII that a letter may be equal to; {@code null} if
	 * that is not certain.
	 */
	public static @Nullable List<String> ascii(char letter, Set<Alphabet> certain) {
		Alphabet alphabet = alphabet(letter);
		if (alphabet == null || !certain.contains(alphabet)) {
			return null;
		}
		return latin.getOrDefault(letter, List.of());
	}

	private static @Nullable Alphabet alphabet(char letter) {
		if (!Character.isLetter(letter)) {
			return null;
		}
		if (letter >= 0xc0 && letter <= 0x17f) {
			return (letter <= 0xff) ? Alphabet.LATIN_1 : Alphabet.LATIN_A;
		}
		if (letter >= 0x386 && letter <= 0x3ce) {
			return Alphabet.GREEK;
		}
		if (letter >= 0x400 && letter <= 0x45f) {
			return Alphabet.CYRILLIC;
		}
		boolean eastAsian = (letter >= 0x3041 && letter <= 0x3093) || (letter >= 0x30a1 && letter <= 0x30f6)
				|| (letter >= 0x4e00 && letter <= 0x9fa5) || (letter >= 0xac00 && letter <= 0xd7a3);
		return eastAsian ? Alphabet.EAST_ASIAN : null;
	}

}
