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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.filter.AsciiFolding;

/**
 * Finds out which ASCII has the weights of each character in a collation. Each weight
 * stands for one ASCII text: that of an ASCII character for this, others for what the
 * first character that has it is written as by default. So texts of the same weights are
 * written alike, whatever the weights of other characters stand for.
 */
final class CollationWeights {

	private static final int UNIT = 4;

	/**
	 * The first weights that say nothing without the next one, of characters that have no
	 * weight of their own.
	 */
	private static final String IMPLICIT = "FB00";

	private static final String REPLACEMENT = "FFFD";

	private static final AsciiFolding DEFAULT = new AsciiFolding(Map.of());

	private final Map<Integer, String> characters = new TreeMap<>();

	private final Map<String, String> pairs = new LinkedHashMap<>();

	private final Map<String, String> written = new HashMap<>();

	private Set<String> plain = Set.of();

	/**
	 * Take note of the weights of a character, or of two that are not those of each.
	 */
	void add(String text, String weights) {
		int character = text.codePointAt(0);
		if (text.length() == Character.charCount(character)) {
			this.characters.put(character, weights);
		}
		else {
			this.pairs.put(text, weights);
		}
	}

	/**
	 * Return what is written in another way than by default, nothing if that is too much,
	 * or text of ASCII itself, which older versions store as it is, or if this is no
	 * collation whose weights are known.
	 */
	Optional<Map<String, String>> letters() {
		if (!plain().allMatch((plain) -> weights(plain).length() == UNIT)) {
			return Optional.empty();
		}
		plain().forEach((plain) -> this.written.putIfAbsent(weights(plain), small(plain)));
		this.plain = Set.copyOf(this.written.keySet());
		boolean supplementary = !weights(Character.MIN_SUPPLEMENTARY_CODE_POINT)
			.equals(weights(Character.MIN_SUPPLEMENTARY_CODE_POINT + 1));
		Map<String, String> others = new HashMap<>();
		if (!supplementary) {
			others.put(AsciiFolding.SUPPLEMENTARY, "");
		}
		// two letters of ASCII first: they are always written as themselves
		this.pairs.forEach((pair, weights) -> {
			if (pair.chars().allMatch(AsciiFolding::isPlain)) {
				learn(weights, small(pair));
			}
		});
		this.characters.forEach((character, weights) -> {
			if (supplementary || !Character.isSupplementaryCodePoint(character)) {
				compare(Character.toString(character), weights, DEFAULT.fold(Character.toString(character)), others);
			}
		});
		AsciiFolding single = new AsciiFolding(others);
		this.pairs.forEach((pair, weights) -> compare(pair, weights, small(single.fold(pair)), others));
		boolean asItself = others.keySet().stream().noneMatch((text) -> text.chars().allMatch(AsciiFolding::isPlain));
		return (asItself && others.size() <= AsciiFolding.MOST) ? Optional.of(others) : Optional.empty();
	}

	private void compare(String text, String weights, String usual, Map<String, String> others) {
		learn(weights, usual);
		String written = written(weights);
		if (!written.equals(small(usual))) {
			others.put(text, written);
		}
	}

	/**
	 * Let weights that stand for nothing yet stand for what their character is usually
	 * written as, unless an ASCII character is among them.
	 */
	private void learn(String weights, String usual) {
		List<String> units = units(weights).toList();
		if (units.isEmpty() || units.stream().anyMatch(this.plain::contains)) {
			return;
		}
		units.subList(0, units.size() - 1).forEach((unit) -> this.written.putIfAbsent(unit, ""));
		this.written.putIfAbsent(units.get(units.size() - 1), usual);
	}

	private String written(String weights) {
		return units(weights).map((unit) -> this.written.getOrDefault(unit, "")).collect(Collectors.joining());
	}

	private static Stream<String> units(String weights) {
		Stream.Builder<String> units = Stream.builder();
		int end;
		for (int i = 0; i < weights.length(); i = end) {
			boolean implicit = weights.startsWith("F", i) && weights.substring(i).compareTo(IMPLICIT) >= 0
					&& !weights.startsWith(REPLACEMENT, i);
			end = Math.min(weights.length(), i + (implicit ? 2 * UNIT : UNIT));
			units.add(weights.substring(i, end));
		}
		return units.build();
	}

	private Stream<Integer> plain() {
		return Stream.iterate((int) ' ', (character) -> character <= '~', (character) -> character + 1)
			.filter(AsciiFolding::isPlain);
	}

	private String weights(int character) {
		return this.characters.getOrDefault(character, "");
	}

	private static String small(int character) {
		return small(Character.toString(character));
	}

	private static String small(String text) {
		return text.toLowerCase(Locale.ROOT);
	}

}
