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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimesToLive}.
 */
class TimesToLiveTests {

	@Test
	void expirationsOfEntriesWrittenTogetherAreSpreadEvenly() {
		int entries = 100_000;
		int[] perSecond = new int[70];
		for (int i = 0; i < entries; i++) {
			perSecond[(int) spread(Duration.ofMinutes(1), 0.1).toSeconds()]++;
		}
		double mean = entries / 12.0;
		assertThat(Arrays.stream(perSecond).max().orElseThrow()).isLessThan((int) (1.3 * mean));
		assertThat(Arrays.stream(perSecond, 54, 66).min().orElseThrow()).isGreaterThan((int) (0.7 * mean));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 5, 9, 10, 11, 99, 1000, 60_000, 31_536_000_000L })
	void drawnTimeToLiveIsWithinTheJitterAndAtLeastOneMillisecond(long millis) {
		for (double jitter : new double[] { 0, 0.001, 0.1, 0.5, 0.999 }) {
			for (int i = 0; i < 200; i++) {
				long drawn = spread(Duration.ofMillis(millis), jitter).toMillis();
				assertThat(drawn).isGreaterThanOrEqualTo(1);
				assertThat((double) drawn).isBetween(millis * (1 - jitter) - 1e-9 * millis,
						millis * (1 + jitter) + 1e-9 * millis);
			}
		}
	}

	@Test
	void timeToLiveBelowOneMillisecondIsOneMillisecond() {
		assertThat(spread(Duration.ofNanos(1), 0.1)).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void eternalEntriesStayEternal() {
		assertThat(TimesToLive.spread(null, 0.1)).isNull();
		assertThat(spread(Duration.ZERO, 0.1)).isZero();
		assertThat(spread(Duration.ofSeconds(-1), 0.1)).isNegative();
	}

	@Test
	void timeToLiveBeyondAllMillisecondsIsLeftAlone() {
		Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(spread(longest, 0.1)).isEqualTo(longest);
	}

	private static Duration spread(Duration ttl, double jitter) {
		Duration drawn = TimesToLive.spread(ttl, jitter);
		assertThat(drawn).isNotNull();
		return drawn;
	}

}
