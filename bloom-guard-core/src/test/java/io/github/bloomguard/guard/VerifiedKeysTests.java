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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.Optional;

import io.github.bloomguard.guard.VerifiedKeys.Chance;
import io.github.bloomguard.guard.VerifiedKeys.Turn;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link VerifiedKeys}.
 */
class VerifiedKeysTests {

	private final SteppedClock clock = new SteppedClock();

	private final VerifiedKeys keys = new VerifiedKeys(10, mock(), this.clock);

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
		this.clock.pass(Duration.ofMillis(1));
		assertThat(draw().begun()).isTrue();
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
