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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Tells which keys are one key to the database of a {@link KeySource}, by the types and
 * collations of its columns: all that a filter has to know of them. The filter keeps a
 * key under a form that it has in common with all keys that are equal to it, and is asked
 * for that form. Where the form does not decide, nothing is called absent. A filter may
 * join more keys than the database, but never fewer. <pre class="code">
 * &#64;Override
 * public Optional&lt;KeyEquality&gt; equality() {
 *     return Optional.of(() -&gt; KeyEquality.FOLDED);
 * }</pre>
 *
 * @since 1.0.0
 */
@FunctionalInterface
public interface KeyEquality {

	/**
	 * Texts are equal if all their characters are.
	 */
	Set<Difference> EXACT = Set.of();

	/**
	 * Case, accents and blanks at the end are ignored, and nothing is certain about
	 * characters beyond ASCII.
	 */
	Set<Difference> FOLDED = Set.of(Difference.CASE, Difference.ACCENTS, Difference.TRAILING_BLANKS,
			Difference.BEYOND_ASCII);

	/**
	 * Any two texts may be equal.
	 */
	Set<Difference> UNKNOWN = Set.of(Difference.ANY);

	/**
	 * Return what is ignored when texts are compared: if the database calls {@code 'Bob'}
	 * and {@code 'bob'} equal, it is their case. Called in the background after
	 * {@link KeySource#database()}, and may wait. All instances that read the same
	 * database have to agree on it.
	 * @return the differences, such as {@link #FOLDED}
	 */
	Set<Difference> ignored();

	/**
	 * Return whether the database finds a row for a key only if the source gives a key of
	 * the same form. If not, the key is never called absent: a database may find the
	 * number 7 for the text {@code 7abc}. Called after {@link KeySource#database()}, and
	 * must not wait.
	 * @param key the parts of the key, or the key alone
	 * @return {@code true} by default
	 */
	default boolean tellsApart(List<? extends @Nullable Object> key) {
		return true;
	}

	/**
	 * Return in which ways each part of a key can be written, which follows from the type
	 * of its column. Called after {@link KeySource#database()}, and must not wait.
	 * @return a spelling for each part, none by default: then it is not known, and each
	 * part may be {@linkplain Spelling#ANY any}
	 */
	default List<Spelling> spellings() {
		return List.of();
	}

	/**
	 * Return how the database compares all characters beyond ASCII, if it ignores case
	 * and that is known: with Unicode's root collation, but for some. Such a filter
	 * answers for keys of all characters. Called after {@link #ignored()}, and must not
	 * wait.
	 * @return small letters of ASCII that are equal to a character, or to two characters
	 * in a row, where that differs from the root collation; nothing by default
	 */
	default Optional<Map<String, String>> letters() {
		return Optional.empty();
	}

	/**
	 * In which ways a part of a key can be written.
	 */
	enum Spelling {

		/**
		 * The column keeps text, so each text is a key of its own: {@code 007} is not
		 * {@code 7}.
		 */
		TEXT,

		/**
		 * The column keeps numbers, and the database compares a text with them as the
		 * number that it begins with, or 0, as MySQL does: {@code 007}, {@code 7.0} and
		 * {@code 7abc} are the key 7.
		 */
		NUMBER,

		/**
		 * Text that is a number or a UUID is the same key as that, however it is written:
		 * {@code 007} is {@code 7}, and a UUID may have capitals, braces or no dashes.
		 */
		ANY

	}

	/**
	 * A difference of texts that may be ignored. Redis keeps their names for each filter
	 * that was loaded, so a name never means anything else.
	 */
	enum Difference {

		/**
		 * Small or capital letters.
		 */
		CASE,

		/**
		 * Accents of letters. Always with one of the next two.
		 */
		ACCENTS,

		/**
		 * Blanks at the end.
		 */
		TRAILING_BLANKS,

		/**
		 * Unknown differences beyond printable ASCII: characters may be equal to each
		 * other, to text of ASCII, or to nothing.
		 */
		BEYOND_ASCII,

		/**
		 * The same, but for letters of those of the alphabets below that are not ignored
		 * themselves: they are equal to no other text of ASCII than any language or
		 * database is known to make of them.
		 */
		BEYOND_ALPHABETS,

		/**
		 * Latin letters of Western Europe.
		 */
		LATIN_1,

		/**
		 * More Latin letters.
		 */
		LATIN_A,

		/**
		 * Greek letters.
		 */
		GREEK,

		/**
		 * Cyrillic letters.
		 */
		CYRILLIC,

		/**
		 * Chinese characters, Kana and Hangul.
		 */
		EAST_ASIAN,

		/**
		 * Unknown differences.
		 */
		ANY

	}

}
