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

package io.github.bloomguard.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeySearch}.
 */
class KeySearchTests {

	private static final int TOGETHER = 100;

	private final List<Integer> questions = new ArrayList<>();

	@Test
	void keysOfWhichThereIsNoneTakeOneQuestionForEachGroup() {
		assertThat(search(250, Set.of())).containsOnly(false).hasSize(250);
		assertThat(this.questions).containsExactly(100, 100, 50);
		assertThat(search(0, Set.of())).isEmpty();
	}

	@Test
	void eachKeyThatIsThereIsFound() {
		assertThat(search(250, Set.of(0, 99, 100, 249)))
			.isEqualTo(IntStream.range(0, 250).mapToObj(Set.of(0, 99, 100, 249)::contains).toList());
		assertThat(this.questions).hasSizeLessThan(60);
		assertThat(search(7, Set.of(0, 1, 2, 3, 4, 5, 6))).containsOnly(true).hasSize(7);
	}

	private List<Boolean> search(int keys, Set<Integer> there) {
		return KeySearch.each(IntStream.range(0, keys).boxed().toList(), TOGETHER, (some) -> {
			this.questions.add(some.size());
			return !Collections.disjoint(some, there);
		});
	}

}
