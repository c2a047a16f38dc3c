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

/**
 * Some strings of a filter in memory, or a part of one.
 * <p>
 * Concurrency: the bytes of a string are written under their own monitor, the bits of
 * many elements at a time: setting each bit atomically would take twice as long.
 */
final class LocalBits {

	static final LocalBits NONE = new LocalBits(0, 0, 0, 0);

	private final int shard;

	private final long from;

	private final byte[][] strings;

	LocalBits(int shard, int count, long from, int length) {
		this.shard = shard;
		this.from = from;
		this.strings = new byte[count][length];
	}

	boolean has(int shard) {
		return shard >= this.shard && shard < this.shard + this.strings.length;
	}

	/**
	 * Set those bits of some elements of a string that are here.
	 * @param former the element before each in the same string, negative for none
	 */
	void set(int shard, long[] indexes, int each, int last, int[] former) {
		if (last < 0) {
			return;
		}
		byte[] bytes = this.strings[shard - this.shard];
		synchronized (bytes) {
			for (int element = last; element >= 0; element = former[element]) {
				for (int i = element * each; i < (element + 1) * each; i++) {
					long at = (indexes[i] >> 3) - this.from;
					if (at >= 0 && at < bytes.length) {
						bytes[(int) at] |= (byte) (0x80 >> (indexes[i] & 7));
					}
				}
			}
		}
	}

	int first() {
		return this.shard;
	}

	int end() {
		return this.shard + this.strings.length;
	}

	long from() {
		return this.from;
	}

	/**
	 * Return the bytes of a string, not a copy, and forget them. No more bits are set.
	 */
	byte[] take(int shard) {
		byte[] taken = this.strings[shard - this.shard];
		this.strings[shard - this.shard] = new byte[0];
		return taken;
	}

}
