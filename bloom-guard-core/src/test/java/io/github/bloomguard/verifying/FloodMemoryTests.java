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

package io.github.bloomguard.verifying;

import java.util.stream.LongStream;

import io.github.bloomguard.deciding.KeyHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FloodMemory}.
 */
class FloodMemoryTests {

	private static final int MEGABYTE = 1 << 20;

	@Test
	void keyThatComesAgainIsKnownAmongOthers() {
		FloodMemory memory = new FloodMemory(4 * MEGABYTE);
		assertThat(memory.comesAgain(KeyHash.of(7))).isFalse();
		assertThat(memory.comesAgain(KeyHash.of(7))).isTrue();
		long again = LongStream.rangeClosed(-100_000, -1).filter((id) -> memory.comesAgain(KeyHash.of(id))).count();
		assertThat(again).as("keys that come once").isLessThan(3);
		long known = LongStream.rangeClosed(-100_000, -1).filter((id) -> memory.comesAgain(KeyHash.of(id))).count();
		assertThat(known).isGreaterThan(90_000);
	}

	@Test
	void differentKeysAreEstimated() {
		FloodMemory memory = new FloodMemory(4 * MEGABYTE);
		for (int i = 0; i < 3; i++) {
			LongStream.rangeClosed(1, 20_000).forEach((id) -> memory.comesAgain(KeyHash.of(id)));
		}
		assertThat(memory.differentKeys()).isBetween(15_000L, 25_000L);
	}

	@Test
	void memoryMayBeAsSmallAsNothing() {
		FloodMemory memory = new FloodMemory(0);
		assertThat(memory.comesAgain(KeyHash.of("a"))).isFalse();
		assertThat(memory.comesAgain(KeyHash.of("b"))).isFalse();
		assertThat(memory.comesAgain(KeyHash.of("a"))).isFalse();
	}

}
