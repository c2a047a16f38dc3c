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

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TextForms}. That they hide no key is shown with real databases.
 */
class TextFormsTests {

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

	@Test
	void formsWithACodeThatIsNotKnownTellNoKey() {
		assertThat(List.of("z", "1", "az"))
			.allSatisfy((code) -> assertThat(TextForms.of(code).asked("bob")).isSameAs(TextForms.CANNOT_TELL));
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

}
