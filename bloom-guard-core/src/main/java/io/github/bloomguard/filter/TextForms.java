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
import java.util.List;
import java.util.stream.Collectors;

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
 * <li>If it is not known how it compares text, nothing is called absent.</li>
 * <li>If both are printable ASCII, they differ by case or blanks at the end at most,
 * which the database was asked for, and are folded to the same text.</li>
 * <li>If <em>a</em> has any other character, it is not called absent.</li>
 * <li>If only <em>s</em> has one, it was stored as {@link #UNFOLDED}, which is looked for
 * with each <em>a</em>; or all it has are letters of {@link Alphabets} of which the
 * database was asked, and it was stored as each text of ASCII that they may stand for. If
 * there is none, <em>a</em> can't be equal to it. Letters are compared one by one, or
 * several of them as something else, which is not ASCII.</li>
 * </ul>
 * Where other characters are not equal to anything, they are as good as ASCII. Keys of
 * several parts are folded part by part, and sorted, because they may be a set whose
 * order comes from how its parts are written.
 */
public final class TextForms {

	/**
	 * Stands for all keys that can't be folded. No key has this form.
	 */
	static final String UNFOLDED = "(*";

	private static final String EMPTY_PART = "|-";

	private static final int MAX_FORMS = 16;

	private final TextEquality equality;

	private final boolean stripped;

	private final boolean lowerCase;

	private final boolean asciiOnly;

	public TextForms(TextEquality equality) {
		this.equality = equality;
		this.stripped = equality.ignores(Difference.TRAILING_BLANKS);
		this.lowerCase = equality.ignores(Difference.CASE);
		this.asciiOnly = equality.ignores(Difference.BEYOND_ASCII) || equality.ignores(Difference.ACCENTS);
	}

	public boolean areExact() {
		return this.equality.isExact();
	}

	/**
	 * Return whether equal keys differ by blanks at the end at most.
	 */
	public boolean areExactWithoutBlanks() {
		return !this.lowerCase && !this.asciiOnly && !this.equality.ignores(Difference.ANY);
	}

	/**
	 * Return whether no other key is equal to a key, unless it has blanks at the end.
	 */
	public boolean areDistinct(String key) {
		return areExact() || (areExactWithoutBlanks() && !key.endsWith(" ") && !isComposite(key));
	}

	public List<String> stored(String key) {
		if (areExact()) {
			return List.of(key);
		}
		List<String> folded = fold(key, true);
		if (folded == null || folded.size() > MAX_FORMS) {
			return List.of(UNFOLDED);
		}
		// what no ASCII is equal to is found without being looked for
		return folded.isEmpty() ? List.of(key) : folded;
	}

	public List<String> stored(List<String> keys) {
		return areExact() ? keys : keys.stream().flatMap((key) -> stored(key).stream()).toList();
	}

	public Question question(String key) {
		if (areExact()) {
			return new Question(List.of(key), true);
		}
		List<String> folded = this.equality.ignores(Difference.ANY) ? null : fold(key, false);
		if (folded == null) {
			return new Question(List.of(UNFOLDED), false);
		}
		return new Question(this.asciiOnly ? List.of(folded.get(0), UNFOLDED) : folded, true);
	}

	/**
	 * Return {@code null} if a key can't be folded. One that is asked for has one form.
	 */
	private @Nullable List<String> fold(String key, boolean stored) {
		return isComposite(key) ? composite(key, stored) : text(key, stored);
	}

	private static boolean isComposite(String key) {
		return key.length() > 1 && key.charAt(0) == '(' && key.charAt(1) >= '0' && key.charAt(1) <= '9';
	}

	private @Nullable List<String> composite(String key, boolean stored) {
		int next = key.indexOf('|');
		if (next < 0) {
			return List.of(key);
		}
		String count = key.substring(0, next);
		List<List<String>> all = List.of(List.of());
		while (next < key.length()) {
			List<String> part;
			if (key.startsWith(EMPTY_PART, next)) {
				part = List.of(EMPTY_PART);
				next += EMPTY_PART.length();
			}
			else {
				int begin = key.indexOf(':', next) + 1;
				int end = begin + Integer.parseInt(key, next + 1, begin - 1, 10);
				List<String> folded = fold(key.substring(begin, end), stored);
				if (folded == null) {
					return null;
				}
				part = folded.stream().map((form) -> "|" + form.length() + ":" + form).toList();
				next = end;
			}
			all = all.stream().flatMap((parts) -> part.stream().map((form) -> append(parts, form))).toList();
			if (all.size() > MAX_FORMS) {
				return null;
			}
		}
		return all.stream().map((parts) -> count + parts.stream().sorted().collect(Collectors.joining())).toList();
	}

	private static List<String> append(List<String> parts, String part) {
		List<String> appended = new ArrayList<>(parts);
		appended.add(part);
		return appended;
	}

	private @Nullable List<String> text(String text, boolean stored) {
		if (!this.asciiOnly) {
			return List.of(folded(text));
		}
		List<StringBuilder> forms = List.of(new StringBuilder(text.length()));
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (isCertain(character)) {
				forms.forEach((form) -> form.append(character));
				continue;
			}
			List<String> equal = stored ? Alphabets.ascii(character, this.equality.certain()) : null;
			if (equal == null) {
				return null;
			}
			forms = forms.stream()
				.flatMap((form) -> equal.stream().map((ascii) -> new StringBuilder(form).append(ascii)))
				.toList();
			if (forms.size() > MAX_FORMS) {
				return null;
			}
		}
		return forms.stream().map((form) -> folded(form.toString())).distinct().toList();
	}

	private String folded(String text) {
		int end = text.length();
		while (this.stripped && end > 0 && text.charAt(end - 1) == ' ') {
			end--;
		}
		// without its blanks, it may be a UUID in capitals
		String stripped = CanonicalText.of(text.substring(0, end));
		return this.lowerCase ? lowerCase(stripped) : stripped;
	}

	/**
	 * A backslash has another meaning in the text of some queries.
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
	 * Elements to look for to find a key: one that is there is enough.
	 *
	 * @param certain whether the key is absent if none of them is there
	 */
	public record Question(List<String> forms, boolean certain) {

		public Membership answer(List<Membership> answers) {
			if (answers.contains(Membership.UNKNOWN)) {
				return Membership.UNKNOWN;
			}
			return (this.certain && !answers.contains(Membership.MAYBE)) ? Membership.ABSENT : Membership.MAYBE;
		}

	}

}
