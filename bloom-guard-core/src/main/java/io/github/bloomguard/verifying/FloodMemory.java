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

import java.util.concurrent.atomic.LongAdder;

/**
 * Remembers which keys were asked for in a flood, as an array of fingerprints of a fixed
 * size: each key has one place, from which another key drives it out.
 * <p>
 * Concurrency: threads read and write the array without any order. A write that is lost
 * makes a key one that has not come yet, and costs one look-up later; an {@code int} is
 * never read in halves. Nothing is allocated or locked for a call.
 */
final class FloodMemory {

	/**
	 * One in so many keys is counted.
	 */
	private static final int COUNTED = 64;

	private final int[] fingerprints;

	private final LongAdder counted = new LongAdder();

	/**
	 * @param bytes how much memory it may take
	 */
	FloodMemory(long bytes) {
		this.fingerprints = new int[(int) Math.max(Long.highestOneBit(bytes / Integer.BYTES), 1)];
	}

	/**
	 * Return whether a key has come before, and remember it.
	 */
	boolean comesAgain(long hash) {
		int place = (int) (hash >>> 12) & (this.fingerprints.length - 1);
		int fingerprint = (int) (hash >>> 32) | 1;
		if (this.fingerprints[place] == fingerprint) {
			return true;
		}
		this.fingerprints[place] = fingerprint;
		if ((hash & (COUNTED - 1)) == 0) {
			this.counted.increment();
		}
		return false;
	}

	/**
	 * Estimate how many different keys have come.
	 */
	long differentKeys() {
		return this.counted.sum() * COUNTED;
	}

}
