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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.Arrays;

/**
 * Measures how fast the chunks of one add are written, and gives up early if all of them
 * can't be in time. A chunk that waits once, as for a mirror that is gone, does not count
 * for the others: their median does.
 * <p>
 * Concurrency: used by one chunk after the other.
 */
final class AddingPace {

	/**
	 * After how many chunks to look.
	 */
	private static final int CHUNKS = 10;

	/**
	 * How much faster the chunks to come may be than those that were written, the first
	 * of which find a cold JVM.
	 */
	private static final double FASTER = 3;

	private final int keys;

	private final int chunk;

	private final Duration longest;

	private final long begun;

	private final long[] times;

	private int written;

	private long writtenAt;

	AddingPace(int keys, int chunk, Duration longest, long begun) {
		this.keys = keys;
		this.chunk = chunk;
		this.longest = longest;
		this.begun = begun;
		this.writtenAt = begun;
		this.times = new long[(keys + chunk - 1) / chunk];
	}

	/**
	 * Take note that a chunk was written.
	 * @throws TooManyKeysException if the others can't be written in time
	 */
	void written(long now) {
		this.times[this.written++] = now - this.writtenAt;
		this.writtenAt = now;
		int left = this.times.length - this.written;
		if (left == 0 || this.written % CHUNKS != 0) {
			return;
		}
		long median = Math.max(median(), 1);
		long passed = now - this.begun;
		if (left * median > FASTER * (this.longest.toNanos() - passed)) {
			throw new TooManyKeysException(this.keys, Duration.ofNanos(passed + left * median), this.longest,
					this.longest.toNanos() / median * this.chunk);
		}
	}

	private long median() {
		long[] sorted = Arrays.copyOf(this.times, this.written);
		Arrays.sort(sorted);
		return sorted[this.written / 2];
	}

}
