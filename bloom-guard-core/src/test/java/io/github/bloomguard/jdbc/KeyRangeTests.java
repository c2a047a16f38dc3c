package io.github.bloomguard.jdbc;

import java.util.List;

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
	void rangesMeetAndLeaveOutNoNumber(long min, long max, int count, int expected) {
		List<KeyRange> ranges = KeyRange.split(min, max, count);
		assertThat(ranges).hasSize(expected);
		assertThat(ranges.get(0).from()).isEqualTo(Long.MIN_VALUE);
		assertThat(ranges.get(expected - 1).to()).isEqualTo(Long.MAX_VALUE);
		for (int i = 1; i < expected; i++) {
			assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to()).isBetween(min, max);
			assertThat(ranges.get(i).from()).isLessThanOrEqualTo(ranges.get(i).to());
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, 1000, 4, 250", "-9000000000000000000, 9000000000000000000, 2, 9000000000000000000" })
	void rangesAreEvenlyWide(long min, long max, int count, long width) {
		List<KeyRange> ranges = KeyRange.split(min, max, count);
		long from = min;
		for (int i = 0; i < count - 1; i++) {
			assertThat(ranges.get(i).to() - from).isEqualTo(width);
			from = ranges.get(i).to();
		}
		assertThat(max - from).isEqualTo(width);
	}

}
