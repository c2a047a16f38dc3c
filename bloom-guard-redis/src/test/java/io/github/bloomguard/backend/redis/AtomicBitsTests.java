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

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AtomicBits}.
 */
class AtomicBitsTests {

	@Test
	void bitsAreInTheOrderOfRedis() {
		AtomicBits bits = new AtomicBits(200);
		bits.setAll(8, new byte[] { (byte) 0x80, 0, 0, 0, 0, 0, 0, 1 });
		bits.set(3);
		assertThat(IntStream.range(0, 200).filter(bits::get)).containsExactly(3, 64, 127);
	}

	@Test
	void whatIsCopiedLeavesBitsThatAreSetAndNothingIsSetBeyond() {
		AtomicBits bits = new AtomicBits(64);
		bits.set(0);
		bits.setAll(0, new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9 });
		assertThat(IntStream.range(0, 64).filter(bits::get)).containsExactly(0, 7);
	}

	@Test
	void noBitGetsLostThatThreadsSetInTheSameWords() {
		AtomicBits bits = new AtomicBits(6400);
		IntStream.range(0, 6400).map((i) -> (i * 641) % 6400).parallel().forEach(bits::set);
		assertThat(IntStream.range(0, 6400).allMatch(bits::get)).isTrue();
	}

}
