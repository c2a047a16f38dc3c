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
import java.util.List;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Spelling;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeySpellings}. That they hide no key is shown with real databases.
 */
class KeySpellingsTests {

	@Test
	void textOfATextColumnIsTheKey() {
		KeySpellings text = of(Spelling.TEXT);
		for (String key : List.of("007", "7.0", " 7", "bob ", "8A6E0804-2BD0-4672-B79D-D97027F9071A")) {
			assertThat(forms(text, key)).containsExactly(key);
		}
		assertThat(text.areVerbatim()).isTrue();
		assertThat(KeySpellings.UNKNOWN.areVerbatim()).isFalse();
		assertThat(of(Spelling.TEXT, Spelling.ANY).areVerbatim()).isFalse();
	}

	@Test
	void numberAndUuidAreOneKeyWhereTheColumnIsNotKnown() {
		assertThat(forms(KeySpellings.UNKNOWN, " +007.0")).containsExactly("7");
		assertThat(forms(KeySpellings.UNKNOWN, "{8A6E0804-2BD0-4672-B79D-D97027F9071A}"))
			.containsExactly("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		assertThat(forms(KeySpellings.UNKNOWN, "7abc")).containsExactly("7abc");
	}

	@Test
	void textIsTheNumberThatItBeginsWithInAColumnOfNumbers() {
		KeySpellings number = of(Spelling.NUMBER);
		assertThat(forms(number, "007")).containsExactly("7");
		assertThat(forms(number, "7")).containsExactly("7");
		assertThat(forms(number, "7abc")).contains("7");
		assertThat(forms(number, " -7.50e1xyz")).contains("-75");
		assertThat(forms(number, "abc")).contains("0");
		assertThat(forms(number, "")).contains("0");
		assertThat(forms(number, "\uff17")).as("digits of another script").containsExactly("7", "0");
	}

	@Test
	void partOfAKeyIsWrittenAsItsColumnSays() {
		KeySpellings spellings = of(Spelling.TEXT, Spelling.ANY);
		assertThat(forms(spellings, "(2|3:007|3:007")).containsExactly("(2|3:007|1:7");
		assertThat(forms(spellings, "(3|2:07|2:07|2:07")).as("of no row").containsExactly("(3|2:07|1:7|1:7");
		assertThat(forms(spellings, "(2|-|2:07")).containsExactly("(2|-|1:7");
		assertThat(forms(spellings, "(2|8:(1|3:007|2:07")).as("parts within a part").containsExactly("(2|6:(1|1:7|1:7");
	}

	@Test
	void keyIsKeptAsEachOfItsSourcesWritesIt() {
		assertThat(KeySpellings.together(List.of(List.of(Spelling.TEXT), List.of(Spelling.ANY))).code())
			.isEqualTo("TA");
		assertThat(KeySpellings.together(List.of(List.of(Spelling.TEXT), List.of())).code()).as("one does not tell")
			.isEqualTo("TNA");
		assertThat(KeySpellings.together(List.of(List.of(), List.of()))).isSameAs(KeySpellings.UNKNOWN);
		assertThat(KeySpellings.together(List.of())).isSameAs(KeySpellings.UNKNOWN);
		KeySpellings both = KeySpellings.of("TA");
		assertThat(forms(both, "007")).containsExactly("007", "7");
		assertThat(new TextForms(KeyEquality.EXACT, both).areDistinct("007")).isFalse();
		assertThat(new TextForms(KeyEquality.EXACT, both).areDistinct("7")).isTrue();
	}

	@Test
	void moreWaysThanMayBeAreNone() {
		KeySpellings both = KeySpellings.of("TA,TA,TA");
		String key = "(3|2:07|2:07|2:07";
		assertThat(both.of(key, 8)).hasSize(8);
		assertThat(both.of(key, 7)).isNull();
	}

	private static KeySpellings of(Spelling... parts) {
		return KeySpellings.together(List.of(Arrays.asList(parts)));
	}

	private static List<String> forms(KeySpellings spellings, String key) {
		return spellings.of(key, Integer.MAX_VALUE);
	}

}
