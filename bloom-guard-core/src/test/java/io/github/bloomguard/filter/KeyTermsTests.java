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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeyEquality;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyTerms}.
 */
class KeyTermsTests {

	private static final KeyEquality DEFAULT = () -> KeyEquality.EXACT;

	private final KeyFormat format = new KeyFormat(List.of());

	@Test
	void codeHasAllOfTheTerms() {
		KeyTerms terms = KeyTerms.of(true, List.of(typed(long.class, String.class), typed(UUID.class, String.class)));
		assertThat(terms.code()).isEqualTo("converted/INTEGER.NUMBERS,TEXT.NUMBERS/IDENTIFIER.NUMBERS,TEXT.NUMBERS");
		assertThat(KeyTerms.ofCode(terms.code())).isEqualTo(terms);
	}

	@Test
	void sourceWithoutTypesTellsAllKeysApart() {
		KeyTerms terms = KeyTerms.of(false, List.of(DEFAULT));
		assertThat(KeyTerms.ofCode(terms.code())).isEqualTo(terms);
		assertThat(terms.tellApart(this.format, 7L)).isTrue();
		assertThat(terms.tellApart(this.format, "a")).isTrue();
		assertThat(terms.tellApart(this.format, List.of(1, "a"))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?", "later", "plain/", "plain/INTEGER", "plain/INTEGER.LATER", "plain/LATER.NONE" })
	void whatIsNotKnownTellsNothing(String code) {
		assertThat(KeyTerms.ofCode(code)).isEqualTo(KeyTerms.UNKNOWN);
		assertThat(KeyTerms.ofCode(code).tellApart(this.format, 7L)).isFalse();
	}

	@Test
	void equalityThatDecidesByItselfTellsNothing() {
		KeyEquality own = new KeyEquality() {

			@Override
			public Set<Difference> ignored() {
				return EXACT;
			}

			@Override
			public boolean tellsApart(List<? extends @Nullable Object> key) {
				return true;
			}

		};
		assertThat(KeyTerms.of(false, List.of(own, DEFAULT))).isEqualTo(KeyTerms.UNKNOWN);
	}

	@Test
	void eachSourceHasToTellAKeyApart() {
		KeyTerms terms = KeyTerms.of(false, List.of(typed(long.class), typed(boolean.class)));
		assertThat(terms.tellApart(this.format, 7L)).isFalse();
		assertThat(KeyTerms.of(false, List.of(typed(long.class), typed(long.class))).tellApart(this.format, 7L))
			.isTrue();
	}

	@Test
	void keyWithAnotherNumberOfPartsMayBeThere() {
		KeyTerms terms = KeyTerms.of(false, List.of(typed(long.class, String.class)));
		assertThat(terms.tellApart(this.format, List.of(7L, "a"))).isTrue();
		assertThat(terms.tellApart(this.format, 7L)).isFalse();
		assertThat(terms.tellApart(this.format, List.of(7L, "a", "b"))).isFalse();
	}

	@Test
	void containerOfOnePartIsNotThatPart() {
		KeyTerms terms = KeyTerms.of(false, List.of(typed(long.class)));
		assertThat(terms.tellApart(this.format, new Id(7))).isFalse();
		assertThat(terms.tellApart(this.format, List.of(7L))).isFalse();
		assertThat(terms.tellApart(new KeyFormat(List.of(new IdConverter())), new Id(7))).isTrue();
	}

	@Test
	void containersMayBeConvertedWhereTheKeysAreLoaded() {
		KeyTerms terms = KeyTerms.of(true, List.of(typed(long.class, String.class)));
		assertThat(terms.tellApart(this.format, List.of(7L, "a"))).isFalse();
		assertThat(KeyTerms.of(true, List.of(typed(long.class))).tellApart(this.format, 7L)).isTrue();
	}

	private static TypedKeys typed(Class<?>... types) {
		return new TypedKeys() {

			@Override
			public Set<Difference> ignored() {
				return EXACT;
			}

			@Override
			public Optional<List<KeyType>> keyTypes() {
				return Optional.of(List.of(types).stream().<KeyType>map(KeyType::of).toList());
			}

		};
	}

	record Id(long value) {

	}

	private static final class IdConverter implements KeyConverter<Id> {

		@Override
		public Class<Id> type() {
			return Id.class;
		}

		@Override
		public Object convert(Id key) {
			return key.value();
		}

	}

}
