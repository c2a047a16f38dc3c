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

package io.github.bloomguard.interceptor;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyChange}.
 */
class KeyChangeTests {

	@Test
	void eachElementIsAKey() {
		assertThat(KeyChange.each(List.of(1L, 2L))).containsExactly(1L, 2L);
		assertThat(KeyChange.each(Set.of(1L))).containsExactly(1L);
		assertThat(KeyChange.each(new long[] { 1, 2 })).containsExactly(1L, 2L);
		assertThat(KeyChange.each(new String[] { "a", "b" })).containsExactly("a", "b");
		assertThat(KeyChange.each((Iterable<Long>) List.of(1L, 2L)::iterator)).containsExactly(1L, 2L);
		assertThat(KeyChange.each(List.of())).isEmpty();
		assertThat(KeyChange.each(null)).containsOnlyNulls();
	}

	@Test
	void nullElementsAreKeysThatAreNotKnown() {
		assertThat(KeyChange.each(Arrays.asList(null, 1L))).containsExactly(null, 1L);
		assertThat(KeyChange.each(new Object[] { 1L, null })).containsExactly(1L, null);
	}

	@Test
	void elementsOfElementsArePartsOfAKey() {
		List<List<Object>> pairs = IntStream.range(0, 20).mapToObj((i) -> List.<Object>of("a", i)).toList();
		assertThat(KeyChange.each(pairs)).containsExactlyElementsOf(pairs);
	}

	@Test
	void whatHasNoElementsIsAKey() {
		byte[] bytes = new byte[16];
		assertThat(KeyChange.each(7L)).containsExactly(7L);
		assertThat(KeyChange.each(bytes)).containsExactly(bytes);
	}

}
