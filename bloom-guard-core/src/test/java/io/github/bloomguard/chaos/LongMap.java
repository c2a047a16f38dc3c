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

package io.github.bloomguard.chaos;

import java.util.Arrays;

/**
 * A map from numbers to numbers, neither of them negative.
 */
final class LongMap {

	private long[] keys = empty(1024);

	private long[] values = new long[1024];

	private int size;

	long get(long key) {
		int slot = slot(key);
		return (this.keys[slot] == key) ? this.values[slot] : -1;
	}

	void put(long key, long value) {
		int slot = slot(key);
		this.size += (this.keys[slot] == key) ? 0 : 1;
		this.keys[slot] = key;
		this.values[slot] = value;
		if (this.size > this.keys.length / 2) {
			long[] formerKeys = this.keys;
			long[] formerValues = this.values;
			this.keys = empty(formerKeys.length * 2);
			this.values = new long[formerKeys.length * 2];
			this.size = 0;
			for (int i = 0; i < formerKeys.length; i++) {
				if (formerKeys[i] >= 0) {
					put(formerKeys[i], formerValues[i]);
				}
			}
		}
	}

	private int slot(long key) {
		int slot = spread(key) & (this.keys.length - 1);
		while (this.keys[slot] >= 0 && this.keys[slot] != key) {
			slot = (slot + 1) & (this.keys.length - 1);
		}
		return slot;
	}

	static int spread(long key) {
		long mixed = (key ^ (key >>> 32)) * 0x9E3779B97F4A7C15L;
		return (int) (mixed >>> 32) ^ (int) mixed;
	}

	private static long[] empty(int length) {
		long[] keys = new long[length];
		Arrays.fill(keys, -1);
		return keys;
	}

}
