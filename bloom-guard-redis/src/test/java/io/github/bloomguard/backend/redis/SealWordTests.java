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

package io.github.bloomguard.backend.redis;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

import io.github.bloomguard.filter.FilterSpecification;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SealWord}.
 */
class SealWordTests {

	private static final BloomLayout LAYOUT = layout(1000, 0.01);

	@Test
	void eachFilterHasTwoValuesOfItsOwn() {
		Set<Long> values = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			SealWord word = SealWord.of("bloom-guard:{products}:bits:" + i, LAYOUT);
			assertThat(values.add(word.loading())).isTrue();
			assertThat(values.add(word.sealed())).isTrue();
		}
		assertThat(values).allSatisfy((value) -> assertThat(value).isPositive());
	}

	@Test
	void filterOfAnotherSizeHasAnotherWord() {
		SealWord word = SealWord.of("name", LAYOUT);
		assertThat(SealWord.of("name", layout(1000, 0.01))).isEqualTo(word);
		assertThat(SealWord.of("name", layout(1001, 0.01))).isNotEqualTo(word);
	}

	@Test
	void highByteComesFirst() {
		SealWord word = SealWord.of("name", LAYOUT);
		assertThat(ByteBuffer.wrap(SealWord.bytes(word.sealed())).getLong()).isEqualTo(word.sealed());
		assertThat(SealWord.bytes(1)).containsExactly(0, 0, 0, 0, 0, 0, 0, 1);
	}

	private static BloomLayout layout(long insertions, double probability) {
		return BloomLayout.of(new FilterSpecification("products", insertions, probability));
	}

}
