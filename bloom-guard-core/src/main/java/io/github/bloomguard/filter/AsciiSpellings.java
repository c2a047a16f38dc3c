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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * ASCII that letters may be equal to, by any database or language. A database is asked
 * whether it knows more than this before it is used.
 */
final class AsciiSpellings {

	private static final Map<Character, List<String>> OTHERS = Map.ofEntries(Map.entry('\u00e4', List.of("ae")),
			Map.entry('\u00e5', List.of("aa")), Map.entry('\u00e6', List.of("ae", "a")),
			Map.entry('\u00f0', List.of("d")), Map.entry('\u00f6', List.of("oe")),
			Map.entry('\u00f8', List.of("o", "oe")), Map.entry('\u00fc', List.of("ue", "y")),
			Map.entry('\u00fe', List.of("th", "t")), Map.entry('\u00df', List.of("ss", "s", "sz")),
			Map.entry('\u0111', List.of("d")), Map.entry('\u0127', List.of("h")), Map.entry('\u0131', List.of("i")),
			Map.entry('\u0138', List.of("k", "q")), Map.entry('\u0142', List.of("l")),
			Map.entry('\u0149', List.of("n")), Map.entry('\u014b', List.of("n", "ng")),
			Map.entry('\u0153', List.of("oe", "o")), Map.entry('\u0167', List.of("t")));

	private static final Map<Character, List<String>> LATIN = IntStream.rangeClosed(0xc0, 0x17f)
		.mapToObj((letter) -> (char) letter)
		.collect(Collectors.toMap(Function.identity(), AsciiSpellings::spell));

	private AsciiSpellings() {
	}

	/**
	 * Return the small letters of ASCII that a letter may be equal to, none beyond Latin.
	 */
	static List<String> of(char letter) {
		return LATIN.getOrDefault(letter, List.of());
	}

	private static List<String> spell(char letter) {
		Set<String> equal = new LinkedHashSet<>(OTHERS.getOrDefault(Character.toLowerCase(letter), List.of()));
		String base = Normalizer.normalize(String.valueOf(letter), Normalizer.Form.NFKD)
			.replaceAll("\\P{ASCII}", "")
			.toLowerCase(Locale.ROOT);
		if (!base.isEmpty()) {
			equal.add(base);
		}
		return new ArrayList<>(equal);
	}

}
