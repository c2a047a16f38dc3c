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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Bits that many threads set and read at once, in the order of a string in Redis.
 * <p>
 * Concurrency: a bit is set by an atomic <em>or</em> with the memory effects of a
 * volatile write, and read with {@code acquire}. So no bit that another thread sets in
 * the same word gets lost, and what a thread does after it has set or read a bit, such as
 * sending an acknowledgement or looking at the clock, comes after that.
 */
final class AtomicBits {

	private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

	private final long[] words;

	AtomicBits(long bits) {
		this.words = new long[Math.toIntExact((bits + Long.SIZE - 1) / Long.SIZE)];
	}

	boolean set(long index) {
		if (get(index)) {
			return false;
		}
		long mask = mask(index);
		return (or((int) (index >>> 6), mask) & mask) == 0;
	}

	boolean get(long index) {
		return ((long) WORDS.getAcquire(this.words, (int) (index >>> 6)) & mask(index)) != 0;
	}

	/**
	 * Set the bits that are set in some bytes; what goes beyond these bits is left out.
	 */
	void setAll(long from, byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		int word = Math.toIntExact(from / Long.BYTES);
		while (buffer.remaining() >= Long.BYTES && word < this.words.length) {
			long bits = buffer.getLong();
			if (bits != 0) {
				or(word, bits);
			}
			word++;
		}
	}

	private long or(int word, long bits) {
		return (long) WORDS.getAndBitwiseOr(this.words, word, bits);
	}

	private static long mask(long index) {
		return Long.MIN_VALUE >>> (index & 63);
	}

}
