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

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyRange}.
 */
class KeyRangeTests {

	@ParameterizedTest
	@CsvSource({ "1, 100, 4, 4", "1, 1, 4, 1", "1, 3, 4, 1", "-10, 10, 3, 3", "-5, -1, 2, 2", "1, 100, 1, 1",
			"-9223372036854775808, 9223372036854775807, 8, 8", "9223372036854775800, 9223372036854775807, 3, 3" })
	void rangesHaveEachNumberOnce(long min, long max, int count, int expected) {
		List<KeyRange> ranges = KeyRange.split(min, max, count);
		assertThat(ranges).hasSize(expected);
		assertThat(ranges.get(0).from()).isEqualTo(Long.MIN_VALUE);
		assertThat(ranges.get(expected - 1).to()).isEqualTo(Long.MAX_VALUE);
		for (int i = 1; i < expected; i++) {
			assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to() + 1).isBetween(min, max);
			assertThat(ranges.get(i).from()).isLessThanOrEqualTo(ranges.get(i).to());
		}
	}

	@Test
	void rangesForAnyQueryMeetInAKey() {
		List<KeyRange> ranges = KeyRange.split(1, 100, 4).stream().map(KeyRange::meetingTheNext).toList();
		assertThat(ranges.get(1).from()).isEqualTo(ranges.get(0).to());
		assertThat(ranges.get(3).to()).isEqualTo(Long.MAX_VALUE);
	}

	@ParameterizedTest
	@CsvSource({ "0, 1000, 4, 250", "-9000000000000000000, 9000000000000000000, 2, 9000000000000000000" })
	void rangesAreEvenlyWide(long min, long max, int count, long width) {
		List<KeyRange> ranges = KeyRange.split(min, max, count);
		long from = min;
		for (int i = 0; i < count - 1; i++) {
			assertThat(ranges.get(i + 1).from() - from).isEqualTo(width);
			from = ranges.get(i + 1).from();
		}
		assertThat(max - from).isEqualTo(width);
	}

}
