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

import java.util.BitSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocalBits}.
 */
class LocalBitsTests {

	private static final int THREADS = 4;

	/**
	 * Each thread sets every fourth bit once, so each byte is written by all of them.
	 */
	@RepeatedTest(10)
	void noBitIsLostThatThreadsSetInTheSameBytes() throws Exception {
		int length = 1 << 17;
		LocalBits bits = new LocalBits(5, 2, 0, length);
		CyclicBarrier together = new CyclicBarrier(THREADS);
		CompletableFuture
			.allOf(IntStream.range(0, THREADS)
				.mapToObj((thread) -> CompletableFuture.runAsync(() -> setEveryFourth(bits, thread, length, together)))
				.toArray(CompletableFuture<?>[]::new))
			.get();
		assertThat(bits.take(5)).containsOnly(0xff);
		assertThat(bits.take(6)).containsOnly(0xff);
	}

	@Test
	void bitsOutsideThePartAreLeftOut() {
		LocalBits bits = new LocalBits(0, 1, 16, 8);
		bits.set(0, new long[] { 127, 128, 191, 192 }, 4, 0, new int[] { -1 });
		BitSet expected = new BitSet();
		expected.set(0);
		expected.set(63);
		assertThat(bitsOf(bits.take(0))).isEqualTo(expected);
	}

	@Test
	void stringWithoutElementsIsLeftAsItIs() {
		LocalBits bits = new LocalBits(0, 2, 0, 8);
		bits.set(1, new long[] { 3 }, 1, -1, new int[] { -1 });
		assertThat(bits.take(1)).containsOnly(0);
	}

	private static void setEveryFourth(LocalBits bits, int thread, int length, CyclicBarrier together) {
		await(together);
		int elements = 64;
		int[] former = IntStream.range(-1, elements - 1).toArray();
		for (long index = thread; index < (long) length * Byte.SIZE;) {
			long[] indexes = LongStream.iterate(index, (last) -> last + THREADS).limit(elements).toArray();
			index = indexes[elements - 1] + THREADS;
			bits.set(5, indexes, 1, elements - 1, former);
			bits.set(6, indexes, 1, elements - 1, former);
		}
	}

	private static void await(CyclicBarrier together) {
		try {
			together.await();
		}
		catch (InterruptedException | BrokenBarrierException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Bit 0 is the high bit of the first byte.
	 */
	private static BitSet bitsOf(byte[] bytes) {
		BitSet bits = new BitSet();
		IntStream.range(0, bytes.length * Byte.SIZE)
			.filter((index) -> (bytes[index / Byte.SIZE] & (0x80 >> (index % Byte.SIZE))) != 0)
			.forEach(bits::set);
		return bits;
	}

}
