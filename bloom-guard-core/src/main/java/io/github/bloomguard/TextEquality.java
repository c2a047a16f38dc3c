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

package io.github.bloomguard;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Defines which texts are equal where the keys of a filter come from, by what is ignored
 * when two of them are compared. A filter may join more texts than these, but never
 * fewer.
 *
 * @param ignored what is ignored; nothing if texts are equal only if all their characters
 * are
 * @param certain the alphabets beyond ASCII of whose letters it is certain what text of
 * ASCII they are equal to
 * @since 1.0.0
 */
public record TextEquality(Set<Difference> ignored, Set<Alphabet> certain) {

	/**
	 * Texts are equal if all their characters are.
	 */
	public static final TextEquality EXACT = new TextEquality(Set.of());

	/**
	 * Case, accents and blanks at the end are ignored, and nothing is certain about
	 * characters beyond ASCII.
	 */
	public static final TextEquality FOLDED = of(Difference.CASE, Difference.ACCENTS, Difference.TRAILING_BLANKS,
			Difference.BEYOND_ASCII);

	/**
	 * Any two texts may be equal.
	 */
	public static final TextEquality UNKNOWN = of(Difference.ANY);

	/**
	 * Create an equality.
	 * @param ignored what is ignored
	 * @param certain the alphabets that are certain
	 */
	public TextEquality {
		ignored = Set.copyOf(ignored);
		certain = Set.copyOf(certain);
	}

	/**
	 * Create an equality of which nothing is certain beyond ASCII, if that is ignored.
	 * @param ignored what is ignored
	 */
	public TextEquality(Set<Difference> ignored) {
		this(ignored, Set.of());
	}

	private static TextEquality of(Difference... ignored) {
		return new TextEquality(Set.of(ignored));
	}

	/**
	 * Return an equality from its code.
	 * @param code a code as of {@link #code()}
	 * @return the equality, an unknown one if the code has anything that is not known
	 */
	public static TextEquality of(String code) {
		Set<Difference> ignored = EnumSet.noneOf(Difference.class);
		Set<Alphabet> certain = EnumSet.noneOf(Alphabet.class);
		for (char letter : code.toCharArray()) {
			int alphabet = letter - '1';
			if (alphabet >= 0 && alphabet < Alphabet.values().length) {
				certain.add(Alphabet.values()[alphabet]);
				continue;
			}
			ignored.add(Arrays.stream(Difference.values())
				.filter((difference) -> difference.letter == letter)
				.findFirst()
				.orElse(Difference.ANY));
		}
		return new TextEquality(ignored, certain);
	}

	/**
	 * Return whether texts are equal only if all their characters are.
	 * @return whether nothing is ignored
	 */
	public boolean isExact() {
		return this.ignored.isEmpty();
	}

	/**
	 * Return whether a difference is ignored.
	 * @param difference the difference
	 * @return whether it is, or may be
	 */
	public boolean ignores(Difference difference) {
		return this.ignored.contains(difference);
	}

	/**
	 * Return an equality for texts of several places.
	 * @param others how they are compared there
	 * @return what joins all texts that any of these joins
	 */
	public TextEquality and(Collection<TextEquality> others) {
		Set<Difference> all = EnumSet.noneOf(Difference.class);
		Set<Alphabet> certain = EnumSet.allOf(Alphabet.class);
		Stream.concat(Stream.of(this), others.stream()).forEach((equality) -> {
			all.addAll(equality.ignored);
			if (equality.ignores(Difference.BEYOND_ASCII)) {
				certain.retainAll(equality.certain);
			}
		});
		return new TextEquality(all, all.contains(Difference.BEYOND_ASCII) ? certain : Set.of());
	}

	/**
	 * Return a short text for this equality.
	 * @return letters and digits, none for an exact one
	 */
	public String code() {
		return sorted().map((difference) -> String.valueOf(difference.letter)).collect(Collectors.joining())
				+ this.certain.stream()
					.sorted()
					.map((alphabet) -> String.valueOf(alphabet.ordinal() + 1))
					.collect(Collectors.joining());
	}

	@Override
	public String toString() {
		if (isExact()) {
			return "exact";
		}
		return ignores(Difference.ANY) ? "unknown"
				: sorted().map(Difference::toString).collect(Collectors.joining(", ", "ignores ", ""));
	}

	private Stream<Difference> sorted() {
		return this.ignored.stream().sorted();
	}

	/**
	 * Letters beyond ASCII.
	 */
	public enum Alphabet {

		/**
		 * Latin letters of Western Europe.
		 */
		LATIN_1,

		/**
		 * More Latin letters.
		 */
		LATIN_A,

		/**
		 * Greek.
		 */
		GREEK,

		/**
		 * Cyrillic.
		 */
		CYRILLIC,

		/**
		 * Chinese characters, Kana and Hangul.
		 */
		EAST_ASIAN

	}

	/**
	 * A difference that may be ignored.
	 */
	public enum Difference {

		/**
		 * Small or capital letters.
		 */
		CASE('c'),

		/**
		 * Accents of letters. Always with {@link #BEYOND_ASCII}.
		 */
		ACCENTS('a'),

		/**
		 * Blanks at the end.
		 */
		TRAILING_BLANKS('b'),

		/**
		 * Unknown differences beyond printable ASCII: characters may be equal to each
		 * other, to text of ASCII, or to nothing.
		 */
		BEYOND_ASCII('u'),

		/**
		 * Unknown differences.
		 */
		ANY('z');

		private final char letter;

		Difference(char letter) {
			this.letter = letter;
		}

		@Override
		public String toString() {
			return switch (this) {
				case TRAILING_BLANKS -> "blanks at the end";
				case BEYOND_ASCII -> "some of other characters than ASCII";
				default -> name().toLowerCase(Locale.ROOT);
			};
		}

	}

}
