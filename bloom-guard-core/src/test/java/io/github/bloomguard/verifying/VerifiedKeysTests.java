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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

import io.github.bloomguard.guard.SteppedClock;
import io.github.bloomguard.verifying.VerifiedKeys.Chance;
import io.github.bloomguard.verifying.VerifiedKeys.Turn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link VerifiedKeys}.
 */
class VerifiedKeysTests {

	private final SteppedClock clock = new SteppedClock();

	private final FloodWatch flood = mock();

	private final VerifiedKeys keys = new VerifiedKeys(10, this.flood, this.clock);

	private Turn draw() {
		Turn turn = this.keys.draw("7", 7, Chance.AGAIN, 0);
		assertThat(turn).isNotNull();
		return turn;
	}

	@Test
	void whatWasFoundIsSharedForAMoment() {
		Turn first = draw();
		assertThat(first.begun()).isTrue();
		this.keys.end(first.lookUp());
		assertThat(draw().begun()).isFalse();
		assertThat(draw().lookUp()).isSameAs(first.lookUp());
	}

	@Test
	void absentAnswerOfAKeyThatComesAgainStandsForSomeSecondsAfterTheSourceHasToldSo() {
		Turn first = draw();
		first.lookUp().found().complete(Optional.of(false));
		this.keys.end(first.lookUp());
		assertThat(this.keys.draw("7", 7, Chance.AGAIN, this.clock.nanoTime())).isNull();
		this.clock.pass(VerifiedKeys.LATELY);
		assertThat(this.keys.draw("7", 7, Chance.AGAIN, this.clock.nanoTime())).isNull();
		this.clock.pass(Duration.ofMillis(1));
		assertThat(draw().begun()).isTrue();
	}

	/**
	 * Else four of them at a time would be asked all the time.
	 */
	@ParameterizedTest
	@CsvSource({ "false, 100", "true, 40" })
	void sampleOfSlowLookUpsTakesTheTimeOfOneConnection(boolean slow, int drawn) {
		given(this.flood.memory()).willReturn(new FloodMemory(4096));
		Queue<Turn> underWay = new ArrayDeque<>();
		int begun = 0;
		for (int step = 0; step < 200; step++) {
			Turn turn = this.keys.draw("key " + step, step, Chance.FIRST, this.clock.nanoTime());
			if (turn != null) {
				begun++;
				underWay.add(turn);
			}
			while (!slow && !underWay.isEmpty()) {
				this.keys.end(underWay.remove().lookUp());
			}
			this.clock.pass(Duration.ofMillis(100));
			while (!underWay.isEmpty() && underWay.element().lookUp().hash() <= step - 4) {
				this.keys.end(underWay.remove().lookUp());
			}
		}
		assertThat(begun).as("in twenty seconds, half a second each").isBetween(drawn - 2, drawn + 8);
	}

	@Test
	void lookUpThatCouldNotBeMadeLeavesNothing() {
		Turn first = draw();
		this.keys.abandon(first.lookUp());
		assertThat(first.lookUp().found()).isCompletedWithValueMatching((found) -> found.isEmpty());
		assertThat(first.lookUp().ended()).isCompleted();
		Turn next = draw();
		assertThat(next.begun()).isTrue();
		assertThat(next.lookUp()).isNotSameAs(first.lookUp());
	}

}
