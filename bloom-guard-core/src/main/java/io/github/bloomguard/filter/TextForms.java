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

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.Membership;
import org.jspecify.annotations.Nullable;

/**
 * Makes one key of all keys that a database calls equal. A generation keeps keys in these
 * forms, so all who write it can find them again by its {@link #code()}.
 * <p>
 * Where texts are compared exactly, a key is what it is. Elsewhere let <em>s</em> be a
 * key that is stored, <em>a</em> one that is asked for, and both equal to the database.
 * It has to be shown that <em>a</em> is not called absent.
 * <ul>
 * <li>If it is not known how it compares text, nothing is called absent.</li>
 * <li>If both are printable ASCII, they differ by case or blanks at the end at most,
 * which the database was asked for, and are folded to the same text.</li>
 * <li>If <em>a</em> has any other character, it is not called absent.</li>
 * <li>If only <em>s</em> has one, it was stored as {@link #UNFOLDED}, which is looked for
 * with each <em>a</em>; or all it has are letters of {@link #ALPHABETS} of which the
 * database was asked, and it was stored as each text of {@link AsciiSpellings}. If there
 * is none, <em>a</em> can't be equal to it. Letters are compared one by one, or several
 * of them as something else, which is not ASCII.</li>
 * </ul>
 * Where other characters are not equal to anything, they are as good as ASCII. Keys of
 * several parts are folded part by part, and sorted, because they may be a set whose
 * order comes from how its parts are written.
 */
public final class TextForms {

	/**
	 * The first and the last character of each range that has the letters of an alphabet.
	 */
	public static final Map<Difference, String> ALPHABETS = Collections
		.unmodifiableMap(new EnumMap<>(Map.of(Difference.LATIN_1, "\u00c0\u00ff", Difference.LATIN_A, "\u0100\u017f",
				Difference.GREEK, "\u0386\u03ce", Difference.CYRILLIC, "\u0400\u045f", Difference.EAST_ASIAN,
				"\u3041\u3093\u30a1\u30f6\u4e00\u9fa5\uac00\ud7a3")));

	/**
	 * Stands for all keys that can't be folded. No key has this form.
	 */
	static final String UNFOLDED = "(*";

	/**
	 * What is asked for a key that is not absent whatever is found.
	 */
	public static final List<String> CANNOT_TELL = List.of(TextForms.UNFOLDED);

	private static final Set<Difference> WITHIN_ASCII = Set.of(Difference.CASE, Difference.TRAILING_BLANKS,
			Difference.ANY);

	public static final TextForms EXACT = new TextForms(KeyEquality.EXACT);

	private static final String EMPTY_PART = "|-";

	private static final int MAX_FORMS = 16;

	private final Set<Difference> ignored;

	private final boolean exact;

	private final boolean stripped;

	private final boolean lowerCase;

	private final boolean asciiOnly;

	/**
	 * Ranges of letters that are stored as ASCII.
	 */
	private final String spelled;

	public TextForms(Collection<Difference> ignored) {
		this.ignored = EnumSet.noneOf(Difference.class);
		this.ignored.addAll(ignored);
		this.exact = this.ignored.isEmpty();
		this.stripped = this.ignored.contains(Difference.TRAILING_BLANKS);
		this.lowerCase = this.ignored.contains(Difference.CASE);
		this.asciiOnly = !WITHIN_ASCII.containsAll(this.ignored);
		// else it would have to be known of capitals, too
		boolean certain = this.lowerCase && this.ignored.contains(Difference.BEYOND_ALPHABETS)
				&& !this.ignored.contains(Difference.BEYOND_ASCII);
		this.spelled = certain ? ALPHABETS.keySet()
			.stream()
			.filter((alphabet) -> !this.ignored.contains(alphabet))
			.map(ALPHABETS::get)
			.collect(Collectors.joining()) : "";
	}

	/**
	 * Return the forms with a code, which can't tell any key if it is not known.
	 */
	public static TextForms of(String code) {
		Difference[] known = Difference.values();
		return new TextForms(code.chars()
			.map((letter) -> letter - 'a')
			.mapToObj((index) -> (index >= 0 && index < known.length) ? known[index] : Difference.ANY)
			.toList());
	}

	/**
	 * Return a letter for each difference that is ignored.
	 */
	public String code() {
		return this.ignored.stream()
			.map((difference) -> Character.toString('a' + difference.ordinal()))
			.collect(Collectors.joining());
	}

	public boolean areExact() {
		return this.exact;
	}

	public boolean areUnknown() {
		return this.ignored.contains(Difference.ANY);
	}

	/**
	 * Return whether no other key is equal to a key, unless it has blanks at the end.
	 */
	public boolean areDistinct(String key) {
		return areExact() || (this.stripped && this.ignored.size() == 1 && !key.endsWith(" ") && !isComposite(key));
	}

	/**
	 * Return the forms under which a key is stored.
	 */
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

	/**
	 * Return the forms to ask for: a key is there if one of them is. If they are
	 * {@link #CANNOT_TELL}, it may be there in any case.
	 */
	public List<String> asked(String key) {
		if (areExact()) {
			return List.of(key);
		}
		List<String> folded = areUnknown() ? null : fold(key, false);
		if (folded == null) {
			return CANNOT_TELL;
		}
		return this.asciiOnly ? List.of(folded.get(0), UNFOLDED) : folded;
	}

	/**
	 * Return the answer for a key from those for the forms that were asked for.
	 */
	public static Membership answer(List<String> asked, List<Membership> found) {
		if (found.contains(Membership.UNKNOWN)) {
			return Membership.UNKNOWN;
		}
		return (asked != CANNOT_TELL && !found.contains(Membership.MAYBE)) ? Membership.ABSENT : Membership.MAYBE;
	}

	@Override
	public String toString() {
		if (areExact()) {
			return "exact";
		}
		return areUnknown() ? "unknown"
				: this.ignored.stream()
					.map(TextForms::text)
					.distinct()
					.collect(Collectors.joining(", ", "ignores ", ""));
	}

	private static String text(Difference difference) {
		return switch (difference) {
			case CASE, ACCENTS -> difference.name().toLowerCase(Locale.ROOT);
			case TRAILING_BLANKS -> "blanks at the end";
			default -> "some of other characters than ASCII";
		};
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
		return Stream.concat(parts.stream(), Stream.of(part)).toList();
	}

	private @Nullable List<String> text(String text, boolean stored) {
		if (!this.asciiOnly) {
			return List.of(folded(text));
		}
		List<StringBuilder> forms = List.of(new StringBuilder(text.length()));
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (isPlain(character)) {
				forms.forEach((form) -> form.append(character));
				continue;
			}
			if (!stored || !isSpelled(character)) {
				return null;
			}
			List<String> equal = AsciiSpellings.of(character);
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

	private boolean isSpelled(char character) {
		for (int i = 0; i < this.spelled.length(); i += 2) {
			if (character >= this.spelled.charAt(i) && character <= this.spelled.charAt(i + 1)) {
				return Character.isLetter(character);
			}
		}
		return false;
	}

	/**
	 * A backslash has another meaning in the text of some queries.
	 */
	private static boolean isPlain(char character) {
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

}
