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

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link Rollout} of one version. What another one changes about it,
 * {@link RivalTests} show.
 */
class RolloutTests {

	private static final Duration SETTLE = Duration.ofMinutes(10);

	private static final long ARRIVED = Duration.ofDays(1).toMillis();

	private static final long OVER = ARRIVED + SETTLE.toMillis();

	@Test
	void generationHasAllRowsIfItWasBegunWhenTheRolloutWasOver() {
		assertThat(new Rollout(ARRIVED, OVER - 1).isOver(SETTLE)).isFalse();
		assertThat(new Rollout(ARRIVED, OVER).isOver(SETTLE)).isTrue();
		assertThat(Rollout.OVER.isOver(SETTLE)).isTrue();
	}

	@Test
	void generationHasAllRowsAtOnceWhereEachWriterAddsItsKeys() {
		assertThat(new Rollout(ARRIVED, ARRIVED).isOver(Duration.ZERO)).isTrue();
	}

	@Test
	void generationThatWasBegunDuringTheRolloutLacksRowsForeverHoweverLateItIs() {
		Rollout rollout = new Rollout(ARRIVED, OVER - 1);
		assertThat(rollout.isOverIn(SETTLE, OVER + ARRIVED, Duration.ZERO)).isTrue();
		assertThat(rollout.isOver(SETTLE)).isFalse();
	}

	@Test
	void whatIsLoadedNowHasAllRowsWhenTheRolloutIsOver() {
		Rollout rollout = new Rollout(ARRIVED, ARRIVED);
		assertThat(rollout.isOverIn(SETTLE, OVER - 1, Duration.ZERO)).isFalse();
		assertThat(rollout.isOverIn(SETTLE, OVER, Duration.ZERO)).isTrue();
	}

	@Test
	void instanceThatHasBeenRunningForLongEnoughKnowsThatTheRolloutOfALostRecordIsOver() {
		Rollout anew = new Rollout(ARRIVED, ARRIVED);
		assertThat(anew.isOverIn(SETTLE, ARRIVED, SETTLE.minusMillis(1))).isFalse();
		assertThat(anew.isOverIn(SETTLE, ARRIVED, SETTLE)).isTrue();
	}

	@Test
	void endIsAsLongAfterTheArrivalAsOlderInstancesMayInsertRows() {
		assertThat(new Rollout(ARRIVED, ARRIVED).end(SETTLE)).isEqualTo(Instant.ofEpochMilli(OVER));
	}

}
