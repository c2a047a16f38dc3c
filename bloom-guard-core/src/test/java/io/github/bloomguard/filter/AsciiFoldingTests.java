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

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsciiFolding}, and for what {@link TextForms} makes of it. That it
 * hides no key is shown with real databases.
 */
class AsciiFoldingTests {

	private static final AsciiFolding ROOT = new AsciiFolding(Map.of());

	private static final AsciiFolding SWEDISH = new AsciiFolding(
			Map.of("\u00fc", "y", "\u00dc", "y", "u\u0308", "y", "\u00e6", "a", AsciiFolding.SUPPLEMENTARY, ""));

	@Test
	void characterIsWrittenAsTheAsciiThatHasItsWeights() {
		assertThat(ROOT.fold("Jos\u00c9 \u00fcber Stra\u00dfe \u0663\uff13 \ud835\udc00"))
			.isEqualTo("Jose uber Strasse 33 a");
	}

	@Test
	void characterOfWeightsThatNoAsciiHasIsLeftOut() {
		assertThat(ROOT.fold("a\u0436\u0e01\u5317\u0308\u0001\ud83d\ude00b\\")).isEqualTo("ab");
	}

	@Test
	void collationOfALanguageWritesSomeCharactersAndPairsInAnotherWay() {
		assertThat(SWEDISH.fold("M\u00fcller")).isEqualTo("Myller");
		assertThat(SWEDISH.fold("Mu\u0308ller")).isEqualTo("Myller");
		assertThat(SWEDISH.fold("Mu\u0301ller")).isEqualTo("Muller");
		assertThat(SWEDISH.fold("u")).isEqualTo("u");
		assertThat(SWEDISH.fold("\ud835\udc00")).isEmpty();
	}

	@Test
	void foldingIsFoundAgainByItsCodeUnlessAnotherVersionHasWrittenIt() {
		for (AsciiFolding folding : List.of(ROOT, SWEDISH)) {
			AsciiFolding found = AsciiFolding.of(folding.code());
			assertThat(found).isNotNull();
			assertThat(found.code()).isEqualTo(folding.code()).doesNotContainPattern("[a-z.~/:-]");
			assertThat(found.fold("M\u00fcu\u0308")).isEqualTo(folding.fold("M\u00fcu\u0308"));
		}
		assertThat(AsciiFolding.of("2")).isNull();
	}

	@Test
	void equalTextsAreOneKeyAndLettersBeyondAsciiMayBeCalledAbsent() {
		TextForms forms = new TextForms(
				Set.of(Difference.CASE, Difference.ACCENTS, Difference.TRAILING_BLANKS, Difference.BEYOND_ALPHABETS),
				SWEDISH, KeySpellings.UNKNOWN);
		assertThat(forms.stored("M\u00dcLLER ")).containsExactly("myller");
		assertThat(forms.asked("myller")).containsExactly("myller", TextForms.UNFOLDED);
		assertThat(forms.asked("\u00fc".repeat(100))).containsExactly("y".repeat(100), TextForms.UNFOLDED);
		assertThat(forms.asked("\uff083")).as("a parenthesis begins no key of parts").startsWith("((3");
		assertThat(TextForms.of(forms.code()).asked("M\u00fcller")).isEqualTo(forms.asked("M\u00fcller"));
		assertThat(forms.canTell("\u0e01")).isTrue();
	}

	@Test
	void versionThatDoesNotKnowTheFoldingKnowsNothingBeyondAscii() {
		TextForms forms = new TextForms(Set.of(Difference.CASE, Difference.BEYOND_ALPHABETS, Difference.LATIN_A), ROOT,
				KeySpellings.UNKNOWN);
		assertThat(forms.code()).isEqualTo("BEYOND_ASCII+CASE:ad:1");
		TextForms found = TextForms.of("BEYOND_ASCII+CASE:ad:2");
		assertThat(found.stored("jos\u00e9")).containsExactly(TextForms.UNFOLDED);
		assertThat(found.canTell("jos\u00e9")).isFalse();
		assertThat(found.stored("Bob")).isEqualTo(forms.stored("Bob"));
	}

	@Test
	void textThatIsComparedExactlyIsNotFolded() {
		assertThat(new TextForms(KeyEquality.EXACT, ROOT, KeySpellings.UNKNOWN).asked("\u00e9"))
			.containsExactly("\u00e9");
		assertThat(new TextForms(KeyEquality.UNKNOWN, ROOT, KeySpellings.UNKNOWN).canTell("e")).isFalse();
	}

	@Test
	void nativeImageHasTheTable() {
		RuntimeHints hints = new RuntimeHints();
		new AsciiFoldingHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/bloomguard/filter/ascii.txt"))
			.accepts(hints);
	}

}
