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

package io.github.bloomguard.backend.memory;

import org.jspecify.annotations.Nullable;

/**
 * SipHash-1-3 (Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012) of the
 * UTF-16 code units of a text, in memory order of a little-endian machine. Without the
 * key no texts of the same hash can be found. It makes no garbage, and many threads may
 * use it.
 */
final class TextHash {

	private static final int CHARS = Long.BYTES / Character.BYTES;

	private static final int LAST_ROUNDS = 3;

	private final long key0;

	private final long key1;

	/**
	 * The hash of the last prefix, which is mostly the same. Any thread may replace it.
	 */
	private @Nullable Begun begun;

	TextHash(long key0, long key1) {
		this.key0 = key0;
		this.key1 = key1;
	}

	long of(String prefix, String text) {
		return (prefix.length() % CHARS == 0) ? of(prefix, text, 0, text.length()) : of("", prefix + text);
	}

	long of(String prefix, long number) {
		return (prefix.length() % CHARS == 0 && number != Long.MIN_VALUE)
				? of(prefix, null, number, Decimals.length(number)) : of(prefix, Long.toString(number));
	}

	/**
	 * Hash a text: a round for each block of four characters, one for the rest and the
	 * length, and three without a block.
	 */
	private long of(String prefix, @Nullable String text, long number, int rest) {
		int length = prefix.length() + rest;
		int first = prefix.length() / CHARS;
		int whole = length / CHARS;
		Begun begun = begun(prefix);
		// the initial state is the text that the authors chose
		long v0 = (begun != null) ? begun.v0 : this.key0 ^ 0x736f6d6570736575L;
		long v1 = (begun != null) ? begun.v1 : this.key1 ^ 0x646f72616e646f6dL;
		long v2 = (begun != null) ? begun.v2 : this.key0 ^ 0x6c7967656e657261L;
		long v3 = (begun != null) ? begun.v3 : this.key1 ^ 0x7465646279746573L;
		for (int round = (begun != null) ? first : 0; round <= whole + LAST_ROUNDS; round++) {
			if (round == first && first > 0 && begun == null) {
				this.begun = new Begun(prefix, v0, v1, v2, v3);
			}
			long block = 0;
			if (round < first) {
				block = block(prefix, round * CHARS);
			}
			else if (round < whole) {
				int from = (round - first) * CHARS;
				block = (text != null) ? block(text, from) : Decimals.block(number, rest, from);
			}
			else if (round == whole) {
				int from = (round - first) * CHARS;
				block = ((text != null) ? rest(text, from) : Decimals.rest(number, rest, from)) | (long) length << 57;
			}
			else if (round == whole + 1) {
				v2 ^= 0xff;
			}
			v3 ^= block;
			v0 += v1;
			v1 = Long.rotateLeft(v1, 13) ^ v0;
			v0 = Long.rotateLeft(v0, 32);
			v2 += v3;
			v3 = Long.rotateLeft(v3, 16) ^ v2;
			v0 += v3;
			v3 = Long.rotateLeft(v3, 21) ^ v0;
			v2 += v1;
			v1 = Long.rotateLeft(v1, 17) ^ v2;
			v2 = Long.rotateLeft(v2, 32);
			v0 ^= block;
		}
		return v0 ^ v1 ^ v2 ^ v3;
	}

	private @Nullable Begun begun(String prefix) {
		Begun begun = this.begun;
		return (begun != null && begun.prefix.equals(prefix)) ? begun : null;
	}

	private static long block(String text, int from) {
		return text.charAt(from) | (long) text.charAt(from + 1) << 16 | (long) text.charAt(from + 2) << 32
				| (long) text.charAt(from + 3) << 48;
	}

	private static long rest(String text, int from) {
		long rest = 0;
		for (int i = text.length() - 1; i >= from; i--) {
			rest = rest << Character.SIZE | text.charAt(i);
		}
		return rest;
	}

	private record Begun(String prefix, long v0, long v1, long v2, long v3) {

	}

}
