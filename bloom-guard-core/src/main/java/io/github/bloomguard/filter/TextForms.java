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

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
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
 * First each part of a key is brought to the {@link KeySpellings spelling} of its column:
 * {@code 007} is itself in a text column, and 7 in a column of numbers. Then texts are
 * folded as the database compares them.
 * <p>
 * Where texts are compared exactly, a key is what it is. Elsewhere let <em>s</em> be a
 * key that is stored, <em>a</em> one that is asked for, and both equal to the database.
 * It has to be shown that <em>a</em> is not called absent.
 * <ul>
 * <li>If it is not known how it compares text, nothing is called absent.</li>
 * <li>If both are printable ASCII, they differ by case or blanks at the end at most,
 * which the database was asked for, and are folded to the same text.</li>
 * <li>If it is known how its collation folds all characters, both are written in ASCII
 * ({@link AsciiFolding}), and equal texts become one.</li>
 * <li>Else, if <em>a</em> has any other character, it is not called absent.</li>
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

	/**
	 * No other will ever be one of these: with all others, {@link #UNFOLDED} is asked
	 * for, too, and instances that do not know them store all keys as that.
	 */
	private static final Set<Difference> WITHIN_ASCII = Set.of(Difference.CASE, Difference.TRAILING_BLANKS,
			Difference.ANY);

	/**
	 * The letters, from {@code a} on, that stand for differences in the codes of release
	 * candidate 1, whose instances read nothing else. No other is added.
	 */
	private static final List<Difference> LETTERED = List.of(Difference.CASE, Difference.ACCENTS,
			Difference.TRAILING_BLANKS, Difference.BEYOND_ASCII, Difference.BEYOND_ALPHABETS, Difference.LATIN_1,
			Difference.LATIN_A, Difference.GREEK, Difference.CYRILLIC, Difference.EAST_ASIAN, Difference.ANY);

	private static final Map<String, Difference> NAMED = Arrays.stream(Difference.values())
		.collect(Collectors.toUnmodifiableMap(Difference::name, Function.identity()));

	private static final String NAMES = "+";

	/**
	 * Before letters, and before the folding, which older versions do not read: to them,
	 * all is unknown beyond ASCII.
	 */
	private static final String LETTERS = ":";

	public static final TextForms EXACT = new TextForms(KeyEquality.EXACT);

	private static final int MAX_FORMS = 16;

	private static final char SPELLINGS = '/';

	private final Set<Difference> ignored;

	private final KeySpellings spellings;

	/**
	 * What is known of all characters, {@code null} if that is not all.
	 */
	private final @Nullable AsciiFolding folding;

	/**
	 * Whether this version knows all that is ignored.
	 */
	private final boolean known;

	private final boolean exact;

	private final boolean stripped;

	private final boolean lowerCase;

	private final boolean asciiOnly;

	/**
	 * Ranges of letters that are stored as ASCII.
	 */
	private final String spelled;

	public TextForms(Collection<Difference> ignored) {
		this(ignored, KeySpellings.UNKNOWN);
	}

	public TextForms(Collection<Difference> ignored, KeySpellings spellings) {
		this(ignored, null, spellings);
	}

	/**
	 * @param folding how characters are written in ASCII where case is ignored,
	 * {@code null} if that is not known
	 */
	public TextForms(Collection<Difference> ignored, @Nullable AsciiFolding folding, KeySpellings spellings) {
		this(ignored, true, folding, spellings);
	}

	private TextForms(Collection<Difference> ignored, boolean known, @Nullable AsciiFolding folding,
			KeySpellings spellings) {
		this.spellings = spellings;
		this.ignored = EnumSet.noneOf(Difference.class);
		this.ignored.addAll(ignored);
		this.folding = (this.ignored.contains(Difference.CASE) && !areUnknown()) ? folding : null;
		if (this.folding != null) {
			// older versions store other letters as all do that can't be folded
			this.ignored.removeAll(ALPHABETS.keySet());
			this.ignored.remove(Difference.BEYOND_ALPHABETS);
			this.ignored.add(Difference.BEYOND_ASCII);
		}
		this.known = known;
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
	 * Return the forms with a code. If another version has written it, and this one does
	 * not know all of its names, no key is called absent, and all are stored as
	 * {@link #UNFOLDED}, which the other one asks for.
	 */
	public static TextForms of(String code) {
		int end = code.indexOf(SPELLINGS);
		KeySpellings spellings = (end < 0) ? KeySpellings.UNKNOWN : KeySpellings.of(code.substring(end + 1));
		String differences = (end < 0) ? code : code.substring(0, end);
		if (differences.isEmpty()) {
			return new TextForms(KeyEquality.EXACT, spellings);
		}
		int letters = differences.indexOf(LETTERS);
		int folds = differences.indexOf(LETTERS, letters + 1);
		AsciiFolding folding = (letters >= 0 && folds >= 0) ? AsciiFolding.of(differences.substring(folds + 1)) : null;
		Stream<@Nullable Difference> read = (letters >= 0)
				? Arrays.stream(differences.substring(0, letters).split(Pattern.quote(NAMES))).map(NAMED::get)
				: differences.chars().mapToObj((letter) -> lettered(letter - 'a'));
		List<@Nullable Difference> all = read.toList();
		boolean known = !all.contains(null);
		List<Difference> ignored = known ? all.stream().map(Objects::requireNonNull).toList() : List.of(Difference.ANY);
		return new TextForms(ignored, known, folding, spellings);
	}

	private static @Nullable Difference lettered(int index) {
		return (index >= 0 && index < LETTERED.size()) ? LETTERED.get(index) : null;
	}

	/**
	 * Return the names of the differences that are ignored, in the order of the alphabet,
	 * and a letter for each that had one in release candidate 1. It has no small letter
	 * beside these, which would be one of them there. Then how characters are folded, and
	 * a capital for each way in which a part may be written, unless that is not known.
	 */
	public String code() {
		return this.spellings.areKnown() ? differences() + SPELLINGS + this.spellings.code() : differences();
	}

	private String differences() {
		if (areExact()) {
			return "";
		}
		List<String> names = this.ignored.stream().map(Difference::name).sorted().toList();
		String letters = this.ignored.stream()
			.mapToInt(LETTERED::indexOf)
			.filter((index) -> index >= 0)
			.sorted()
			.mapToObj((index) -> Character.toString('a' + index))
			.collect(Collectors.joining());
		return String.join(NAMES, names) + LETTERS + letters
				+ ((this.folding != null) ? LETTERS + this.folding.code() : "");
	}

	/**
	 * Return whether each text is a key of its own, in whatever way it is written.
	 */
	public boolean areVerbatim() {
		return this.spellings.areVerbatim();
	}

	public boolean areExact() {
		return this.exact;
	}

	public boolean areUnknown() {
		return this.ignored.contains(Difference.ANY);
	}

	/**
	 * Return whether no other key is equal to a key, but one that is written in another
	 * way or has blanks at the end.
	 */
	public boolean areDistinct(String key) {
		if (areExact()) {
			return areVerbatim() || asked(key).size() == 1;
		}
		return this.stripped && this.ignored.size() == 1 && !key.endsWith(" ") && !CompositeForm.isOne(key)
				&& asked(key).size() == 1;
	}

	/**
	 * Return the forms under which a key is stored.
	 */
	public List<String> stored(String key) {
		if (areExact()) {
			return Objects.requireNonNull(this.spellings.of(key, Integer.MAX_VALUE));
		}
		List<String> folded = this.known ? fold(key, true) : null;
		if (folded == null || folded.size() > MAX_FORMS) {
			return List.of(UNFOLDED);
		}
		// what no ASCII is equal to is found without being looked for
		return folded.isEmpty() ? List.of(key) : folded;
	}

	public List<String> stored(List<String> keys) {
		return (areExact() && areVerbatim()) ? keys : keys.stream().flatMap((key) -> stored(key).stream()).toList();
	}

	/**
	 * Return the forms to ask for: a key is there if one of them is. If they are
	 * {@link #CANNOT_TELL}, it may be there in any case.
	 */
	public List<String> asked(String key) {
		if (areExact()) {
			List<String> spelled = this.spellings.of(key, MAX_FORMS);
			return (spelled != null) ? spelled : CANNOT_TELL;
		}
		List<String> folded = areUnknown() ? null : fold(key, false);
		if (folded == null) {
			return CANNOT_TELL;
		}
		return this.asciiOnly ? Stream.concat(folded.stream(), Stream.of(UNFOLDED)).toList() : folded;
	}

	/**
	 * Return whether a key may be called absent at all.
	 */
	public boolean canTell(String key) {
		return areExact() || asked(key) != CANNOT_TELL;
	}

	/**
	 * Return whether the form of a key leaves characters out, so that it may be that of
	 * keys which the database tells apart.
	 */
	public boolean leaveOut(String key) {
		return this.folding != null && this.folding.leavesOut(key);
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
		return CompositeForm.isOne(key) ? composite(key, stored) : text(key, stored, 0);
	}

	private @Nullable List<String> composite(String key, boolean stored) {
		return CompositeForm.rewritten(key,
				(index, part) -> CompositeForm.isOne(part) ? composite(part, stored) : text(part, stored, index), true,
				MAX_FORMS);
	}

	private @Nullable List<String> text(String text, boolean stored, int part) {
		if (!this.asciiOnly) {
			return folded(text, part).toList();
		}
		if (this.folding != null) {
			return folded(asText(this.folding.fold(text), text), part).toList();
		}
		List<StringBuilder> forms = List.of(new StringBuilder(text.length()));
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (AsciiFolding.isPlain(character)) {
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
		return forms.stream().flatMap((form) -> folded(form.toString(), part)).distinct().toList();
	}

	/**
	 * Write a folded text as {@link KeyFormat} writes texts with a parenthesis in front.
	 */
	private static String asText(String folded, String text) {
		return (folded.startsWith(KeyFormat.COMPOSITE) && !text.startsWith(KeyFormat.COMPOSITE))
				? KeyFormat.COMPOSITE + folded : folded;
	}

	private Stream<String> folded(String text, int part) {
		int end = text.length();
		while (this.stripped && end > 0 && text.charAt(end - 1) == ' ') {
			end--;
		}
		// without its blanks, it may be a UUID in capitals
		List<String> spelled = this.spellings.ofPart(part, text.substring(0, end));
		return this.lowerCase ? spelled.stream().map(TextForms::lowerCase) : spelled.stream();
	}

	private boolean isSpelled(char character) {
		for (int i = 0; i < this.spelled.length(); i += 2) {
			if (character >= this.spelled.charAt(i) && character <= this.spelled.charAt(i + 1)) {
				return Character.isLetter(character);
			}
		}
		return false;
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
