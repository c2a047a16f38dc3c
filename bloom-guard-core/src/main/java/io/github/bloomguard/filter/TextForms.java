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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.bloomguard.Membership;
import io.github.bloomguard.TextEquality;
import io.github.bloomguard.TextEquality.Difference;
import org.jspecify.annotations.Nullable;

/**
 * Makes one key of all keys that a database calls equal.
 * <p>
 * Where it compares text exactly, a key is what it is. Elsewhere let <em>s</em> be a key
 * that is stored, <em>a</em> one that is asked for, and both equal to the database. It
 * has to be shown that <em>a</em> is not called absent.
 * <ul>
 * <li>If nobody can tell how it compares text, nothing is called absent.</li>
 * <li>If both are printable ASCII, they differ by case or blanks at the end at most,
 * which the database was asked for, and are folded to the same text.</li>
 * <li>If <em>a</em> has any other character, it is not called absent.</li>
 * <li>If only <em>s</em> has one, it was stored as {@link #UNFOLDED}, which is looked for
 * with each <em>a</em>.</li>
 * </ul>
 * Where other characters are not equal to anything, they are as good as ASCII. Keys of
 * several parts are folded part by part, and sorted, because they may be a set whose
 * order comes from how its parts are written.
 *
 * @since 1.0.0
 */
public final class TextForms {

	/**
	 * Stands for all keys that can't be folded. No key has this form.
	 */
	static final String UNFOLDED = "(*";

	private static final String EMPTY_PART = "|-";

	private final TextEquality equality;

	private final boolean stripped;

	private final boolean lowerCase;

	private final boolean asciiOnly;

	/**
	 * Create forms.
	 * @param equality how the database compares text
	 */
	public TextForms(TextEquality equality) {
		this.equality = equality;
		this.stripped = equality.ignores(Difference.TRAILING_BLANKS);
		this.lowerCase = equality.ignores(Difference.CASE);
		this.asciiOnly = equality.ignores(Difference.BEYOND_ASCII) || equality.ignores(Difference.ACCENTS);
	}

	/**
	 * Return whether each key has a form of its own.
	 * @return whether text is compared exactly
	 */
	public boolean areExact() {
		return this.equality.isExact();
	}

	/**
	 * Return what is stored for a key.
	 * @param key the key in its canonical form
	 * @return the form to store
	 */
	public String stored(String key) {
		if (areExact()) {
			return key;
		}
		String folded = fold(key);
		return (folded != null) ? folded : UNFOLDED;
	}

	/**
	 * Return what is stored for some keys.
	 * @param keys the keys in their canonical form
	 * @return the forms to store
	 */
	public List<String> stored(List<String> keys) {
		return areExact() ? keys : keys.stream().map(this::stored).toList();
	}

	/**
	 * Return what has to be looked for to find a key.
	 * @param key the key in its canonical form
	 * @return the question
	 */
	public Question question(String key) {
		if (areExact()) {
			return new Question(List.of(key), true);
		}
		String folded = this.equality.ignores(Difference.ANY) ? null : fold(key);
		if (folded == null) {
			return new Question(List.of(UNFOLDED), false);
		}
		return new Question(this.asciiOnly ? List.of(folded, UNFOLDED) : List.of(folded), true);
	}

	/**
	 * Return the folded form of a key, {@code null} if it can't be folded.
	 */
	private @Nullable String fold(String key) {
		return isComposite(key) ? composite(key) : text(key);
	}

	private static boolean isComposite(String key) {
		return key.length() > 1 && key.charAt(0) == '(' && key.charAt(1) >= '0' && key.charAt(1) <= '9';
	}

	private @Nullable String composite(String key) {
		int next = key.indexOf('|');
		if (next < 0) {
			return key;
		}
		String count = key.substring(0, next);
		List<String> parts = new ArrayList<>();
		while (next < key.length()) {
			if (key.startsWith(EMPTY_PART, next)) {
				parts.add(EMPTY_PART);
				next += EMPTY_PART.length();
			}
			else {
				int begin = key.indexOf(':', next) + 1;
				int end = begin + Integer.parseInt(key, next + 1, begin - 1, 10);
				String part = fold(key.substring(begin, end));
				if (part == null) {
					return null;
				}
				parts.add("|" + part.length() + ":" + part);
				next = end;
			}
		}
		Collections.sort(parts);
		return count + String.join("", parts);
	}

	private @Nullable String text(String text) {
		int end = text.length();
		while (this.stripped && end > 0 && text.charAt(end - 1) == ' ') {
			end--;
		}
		boolean capitals = false;
		for (int i = 0; i < end; i++) {
			char character = text.charAt(i);
			if (this.asciiOnly && !isCertain(character)) {
				return null;
			}
			capitals |= character >= 'A' && character <= 'Z';
		}
		// without its blanks, it may be a UUID in capitals
		String stripped = CanonicalText.of(text.substring(0, end));
		return (this.lowerCase && capitals) ? lowerCase(stripped) : stripped;
	}

	/**
	 * Return whether a database was asked about a character. A backslash has another
	 * meaning in the text of some queries.
	 */
	private static boolean isCertain(char character) {
		return character >= ' ' && character <= '~' && character != '\\';
	}

	private static String lowerCase(String text) {
		StringBuilder folded = new StringBuilder(text);
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character >= 'A' && character <= 'Z') {
				folded.setCharAt(i, (char) (character - 'A' + 'a'));
			}
		}
		return folded.toString();
	}

	/**
	 * What has to be looked for to find a key.
	 *
	 * @param forms the forms, of which one is enough
	 * @param certain whether the key is absent if none of them is there
	 */
	public record Question(List<String> forms, boolean certain) {

		/**
		 * Return the answer.
		 * @param answers what was found of the forms, in their order
		 * @return whether the key may be there
		 */
		public Membership answer(List<Membership> answers) {
			if (answers.contains(Membership.UNKNOWN)) {
				return Membership.UNKNOWN;
			}
			return (this.certain && !answers.contains(Membership.MAYBE)) ? Membership.ABSENT : Membership.MAYBE;
		}

	}

}
