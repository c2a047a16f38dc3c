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

package io.github.bloomguard.generation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Doubt}.
 */
class DoubtTests {

	private static final long START = 1_000_000;

	private static final long MINUTE = 60_000;

	@Test
	void doubtLastsForTenMinutesAfterTheLastKey() {
		Doubt doubt = Doubt.NONE.and(1, START);
		assertThat(Doubt.NONE.isLasting(START)).isFalse();
		assertThat(doubt.isLasting(START + 10 * MINUTE - 1)).isTrue();
		assertThat(doubt.isLasting(START + 10 * MINUTE)).isFalse();
		doubt = doubt.and(1, START + 9 * MINUTE);
		assertThat(doubt.isLasting(START + 18 * MINUTE)).isTrue();
		assertThat(doubt).isEqualTo(new Doubt(2, START, START + 9 * MINUTE, 0));
		assertThat(doubt.and(1, START + 30 * MINUTE).since()).isEqualTo(START + 30 * MINUTE);
	}

	@Test
	void filterThatWasWrongIsLoadedAgainAtOnce() {
		Doubt doubt = Doubt.NONE.and(1, START);
		assertThat(doubt.isReloadDue(START - MINUTE, START)).isTrue();
		assertThat(doubt.isReloadDue(START + 1, START + MINUTE)).isFalse();
		assertThat(Doubt.NONE.isReloadDue(START, START + MINUTE)).isFalse();
	}

	@Test
	void pausesDoubleWhileLoadingAgainDoesNotHelp() {
		Doubt doubt = Doubt.NONE;
		long begun = START - MINUTE;
		List<Long> loads = new ArrayList<>();
		for (long second = 1; second <= 3600; second++) {
			long now = START + second * 1000;
			doubt = doubt.and(1, now);
			if (doubt.isReloadDue(begun, now)) {
				begun = now;
				loads.add(second);
			}
		}
		assertThat(loads).hasSizeBetween(10, 15).startsWith(1L, 2L);
	}

	@Test
	void pauseIsAnHourAtMost() {
		long week = 7 * 24 * 60 * MINUTE;
		Doubt doubt = new Doubt(1000, START, START + week + 30 * MINUTE, 0);
		assertThat(doubt.isReloadDue(START + week, START + week + 59 * MINUTE)).isFalse();
		assertThat(doubt.isReloadDue(START + week, START + week + 60 * MINUTE)).isTrue();
	}

	@Test
	void sourceIsBelievedAgainAWhileAfterACallHasFoundARowThatItDoesNotHave() {
		Doubt doubt = Doubt.NONE.and(1, START).callersOnlyAt(START + 3 * MINUTE).acknowledged();
		assertThat(doubt.isCallersOnly(START + 13 * MINUTE - 1)).isTrue();
		assertThat(doubt.end(0)).isEqualTo(Instant.ofEpochMilli(START + 13 * MINUTE));
		assertThat(doubt.end(START + 4 * MINUTE)).isEqualTo(Instant.ofEpochMilli(START + 14 * MINUTE));
		assertThat(doubt.callersOnlyAt(START + 5 * MINUTE).isCallersOnly(START + 14 * MINUTE)).as("again").isTrue();
		assertThat(doubt.isCallersOnly(START + 13 * MINUTE)).isFalse();
		assertThat(Doubt.NONE.isCallersOnly(START)).isFalse();
	}

}
