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
import java.util.List;

/**
 * A range of keys that are whole numbers, both ends included.
 */
public record KeyRange(long from, long to) {

	public static final KeyRange ALL = new KeyRange(Long.MIN_VALUE, Long.MAX_VALUE);

	/**
	 * Split all numbers so that those from min to max are divided evenly; the outer
	 * ranges are open.
	 * @return the ranges, fewer if there are fewer numbers
	 */
	public static List<KeyRange> split(long min, long max, int count) {
		List<KeyRange> ranges = new ArrayList<>(count);
		// the distance of two longs may need the 64th bit
		long width = Long.divideUnsigned(max - min, count);
		long from = Long.MIN_VALUE;
		for (int i = 1; i < count && width != 0; i++) {
			long next = min + i * width;
			ranges.add(new KeyRange(from, next - 1));
			from = next;
		}
		ranges.add(new KeyRange(from, Long.MAX_VALUE));
		return ranges;
	}

	/**
	 * Return the range with the first key of the next one, for a query that may exclude
	 * one of its ends: a key that is read twice does no harm, one that is not read would
	 * be called absent.
	 */
	KeyRange meetingTheNext() {
		return (this.to != Long.MAX_VALUE) ? new KeyRange(this.from, this.to + 1) : this;
	}

}
