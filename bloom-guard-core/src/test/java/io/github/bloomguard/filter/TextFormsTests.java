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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeyEquality.Spelling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TextForms}. That they hide no key is shown with real databases.
 */
class TextFormsTests {

	private static final KeySpellings TEXT = KeySpellings.together(List.of(List.of(Spelling.TEXT)));

	private static final KeySpellings NUMBER = KeySpellings.together(List.of(List.of(Spelling.NUMBER)));

	private static final List<String> KEYS = List.of("bob", "BOB", "bob ", "jos\u00e9", "\u0142", "\u0436", "\u03b1",
			"\u5317", "\u0e01", "(2|3:Bob|1:7");

	@Test
	void formsAreFoundAgainByTheirCode() {
		Stream
			.concat(EnumSet.allOf(Difference.class)
				.stream()
				.map((difference) -> EnumSet.of(Difference.CASE, Difference.BEYOND_ALPHABETS, difference)),
					Stream.of(KeyEquality.EXACT, KeyEquality.FOLDED, KeyEquality.UNKNOWN))
			.map(TextForms::new)
			.forEach((forms) -> {
				TextForms found = TextForms.of(forms.code());
				assertThat(found).hasToString(forms.toString());
				assertThat(found.stored(KEYS)).isEqualTo(forms.stored(KEYS));
				assertThat(KEYS).allSatisfy((key) -> assertThat(found.asked(key)).isEqualTo(forms.asked(key)));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "z", "1", "az", "CASE+OF_LATER:a", "OF_LATER:", "case:a", ":", "CASE,ACCENTS:ab" })
	void formsWithACodeOfAnotherVersionTellNoKeyAndStoreAllAsThatAsksFor(String code) {
		TextForms forms = TextForms.of(code);
		assertThat(KEYS).allSatisfy((key) -> {
			assertThat(forms.asked(key)).isSameAs(TextForms.CANNOT_TELL);
			assertThat(forms.stored(key)).containsExactly(TextForms.UNFOLDED);
		});
	}

	@Test
	void spellingsAreFoundAgainByTheirCode() {
		for (KeySpellings spellings : List.of(TEXT, NUMBER, KeySpellings.UNKNOWN,
				new KeySpellings(List.of(EnumSet.allOf(Spelling.class))),
				new KeySpellings(List.of(EnumSet.of(Spelling.TEXT), EnumSet.of(Spelling.ANY, Spelling.NUMBER))))) {
			for (Set<Difference> ignored : List.of(KeyEquality.EXACT, EnumSet.of(Difference.CASE))) {
				TextForms forms = new TextForms(ignored, spellings);
				TextForms found = TextForms.of(forms.code());
				assertThat(found.code()).isEqualTo(forms.code());
				assertThat(List.of("007", "7abc", "(2|3:007|4:7abc"))
					.allSatisfy((key) -> assertThat(found.asked(key)).isEqualTo(forms.asked(key)));
			}
		}
		assertThat(TextForms.of("/x").asked("007")).as("what is not known joins all").containsExactly("007", "7");
	}

	@Test
	void caseAndBlanksAreIgnoredInATextColumnButNotZeros() {
		TextForms forms = new TextForms(EnumSet.of(Difference.CASE, Difference.TRAILING_BLANKS), TEXT);
		assertThat(forms.asked("A07 ")).containsExactly("a07");
		assertThat(forms.asked("007 ")).containsExactly("007");
		assertThat(new TextForms(EnumSet.of(Difference.CASE, Difference.TRAILING_BLANKS)).asked("007 "))
			.containsExactly("7");
	}

	@Test
	void codeHasNamesInTheOrderOfTheAlphabet() {
		assertThat(new TextForms(
				Set.of(Difference.TRAILING_BLANKS, Difference.CASE, Difference.ACCENTS, Difference.BEYOND_ASCII))
			.code()).isEqualTo("ACCENTS+BEYOND_ASCII+CASE+TRAILING_BLANKS:abcd");
	}

	@Test
	void generationOfReleaseCandidate1IsWrittenAsThatAsksForIt() {
		assertThat(storedByReleaseCandidate1().filter((line) -> !line.code().contains(":"))).isNotEmpty()
			.allSatisfy((line) -> {
				assertThat(TextForms.of(line.code())).hasToString(line.forms().toString());
				assertThat(TextForms.of(line.code()).stored(line.key())).isEqualTo(line.stored());
			});
	}

	/**
	 * It has read the code that this version writes as names of differences, too.
	 */
	@Test
	void generationOfThisVersionIsWrittenByReleaseCandidate1AsItIsAskedFor() {
		assertThat(storedByReleaseCandidate1().filter((line) -> line.code().contains(":"))).isNotEmpty()
			.allSatisfy((line) -> {
				assertThat(line.forms().code()).isEqualTo(line.code());
				assertThat(line.forms().stored(line.key())).isEqualTo(line.stored());
			});
	}

	private static Stream<Line> storedByReleaseCandidate1() {
		try {
			return new ClassPathResource("text-forms-1.0.0-RC1.txt", TextFormsTests.class)
				.getContentAsString(StandardCharsets.US_ASCII)
				.lines()
				.map((line) -> Line.of(line.split("\t")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void lettersAreSpelledIfCaseIsIgnoredAndTheirAlphabetIsCertain() {
		assertThat(stored("JOS\u00c9", Difference.CASE, Difference.BEYOND_ALPHABETS)).containsExactly("jose");
		assertThat(stored("\u0141\u00f3d\u017a", Difference.CASE, Difference.BEYOND_ALPHABETS, Difference.LATIN_1))
			.containsExactly(TextForms.UNFOLDED);
		assertThat(stored("jos\u00e9", Difference.CASE, Difference.BEYOND_ALPHABETS, Difference.BEYOND_ASCII))
			.containsExactly(TextForms.UNFOLDED);
		assertThat(stored("jos\u00e9", Difference.BEYOND_ALPHABETS)).containsExactly(TextForms.UNFOLDED);
		assertThat(stored("\u00d7", Difference.CASE, Difference.BEYOND_ALPHABETS)).containsExactly(TextForms.UNFOLDED);
		assertThat(stored("\u0e01", Difference.CASE, Difference.BEYOND_ALPHABETS)).containsExactly(TextForms.UNFOLDED);
	}

	@Test
	void keyIsDistinctIfNoOtherHasItsForm() {
		assertThat(TextForms.EXACT.areDistinct("bob ")).isTrue();
		TextForms padded = new TextForms(Set.of(Difference.TRAILING_BLANKS));
		assertThat(padded.areDistinct("bob")).isTrue();
		assertThat(padded.areDistinct("bob ")).isFalse();
		assertThat(padded.areDistinct("(2|4:bob |1:7")).isFalse();
		assertThat(new TextForms(Set.of(Difference.TRAILING_BLANKS, Difference.CASE)).areDistinct("bob")).isFalse();
	}

	private static List<String> stored(String key, Difference... ignored) {
		return new TextForms(Set.of(ignored)).stored(key);
	}

	/**
	 * The differences that are ignored, a code of them, a key, and under which forms
	 * release candidate 1 stores it in a generation with that code.
	 */
	private record Line(TextForms forms, String code, String key, List<String> stored) {

		static Line of(String[] parts) {
			TextForms forms = new TextForms(Arrays.stream(parts[0].split("\\+")).map(Difference::valueOf).toList());
			List<String> texts = Arrays.stream(parts).skip(2).map(Line::unescape).toList();
			return new Line(forms, parts[1], texts.get(0), texts.subList(1, texts.size()));
		}

		private static String unescape(String text) {
			return Pattern.compile("\\\\u(.{4})")
				.matcher(text)
				.replaceAll((found) -> Character.toString(Integer.parseInt(found.group(1), 16)));
		}

	}

}
