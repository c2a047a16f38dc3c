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

import ch.qos.logback.classic.Level;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PublishedState}.
 */
class PublishedStateTests {

	@AutoClose
	private final LogLines lines = LogLines.of(GenerationalFilter.class, Level.INFO);

	private final SettableClock clock = new SettableClock();

	private final PublishedState state = new PublishedState("products", FilterState.LOADING, this.clock,
			new BloomGuardListener() {
			});

	@Test
	void eachStateIsToldHoweverSoonItFollowsAnother() {
		publish(FilterState.READY, null, null);
		publish(FilterState.UNREACHABLE, null, new IllegalStateException());
		publish(FilterState.LOST, "its bits are gone", null);
		publish(FilterState.READY, null, null);
		publish(FilterState.REFUTED, null, null);
		assertThat(this.lines.lines()).containsExactly("INFO The filter 'products' is READY, it was LOADING",
				"WARN The filter 'products' is UNREACHABLE, it was READY: IllegalStateException",
				"WARN The filter 'products' is LOST, it was UNREACHABLE: its bits are gone",
				"WARN The filter 'products' is READY, it was LOST",
				"WARN The filter 'products' is REFUTED, it was READY");
	}

	@Test
	void eachStepUntilItAnswersIsToldWithItsReasonOnceAndAtOnce() {
		publish(FilterState.SETTLING, "in 10 min", null);
		publish(FilterState.SETTLING, "in 9 min", null);
		publish(FilterState.PROVING, "0 of 100", null);
		publish(FilterState.PROVING, "1 of 100", null);
		publish(FilterState.READY, null, null);
		publish(FilterState.OFF, null, null);
		publish(FilterState.READY, null, null);
		assertThat(this.lines.lines()).containsExactly(
				"INFO The filter 'products' is SETTLING, it was LOADING: in 10 min",
				"INFO The filter 'products' is PROVING, it was SETTLING: 0 of 100",
				"INFO The filter 'products' is READY, it was PROVING",
				"INFO The filter 'products' is OFF, it was READY", "INFO The filter 'products' is READY, it was OFF");
	}

	@Test
	void stateThatComesAndGoesIsToldOnceAMinute() {
		for (int i = 0; i < 100; i++) {
			publish(FilterState.LOST, null, null);
			publish(FilterState.READY, null, null);
		}
		assertThat(this.lines.lines()).containsExactly("WARN The filter 'products' is LOST, it was LOADING",
				"WARN The filter 'products' is READY, it was LOST");
	}

	@Test
	void stateThatComesBackSoonAndStaysIsToldWhenTheMinuteIsOver() {
		publish(FilterState.LOST, "its bits are gone", null);
		publish(FilterState.READY, null, null);
		for (int second = 0; second < 90; second++) {
			publish(FilterState.LOST, "its bits are gone again", null);
			this.clock.pass(Duration.ofSeconds(1));
		}
		assertThat(this.lines.lines()).containsExactly(
				"WARN The filter 'products' is LOST, it was LOADING: its bits are gone",
				"WARN The filter 'products' is READY, it was LOST",
				"WARN The filter 'products' is LOST, it was READY: its bits are gone again");
	}

	@Test
	void whatRedisRefusesNextIsToldToo() {
		publish(FilterState.UNREACHABLE, null, new RedisRefusedException("NOPERM"));
		this.clock.pass(Duration.ofMinutes(1));
		publish(FilterState.UNREACHABLE, null, new RedisRefusedException("NOAUTH"));
		publish(FilterState.UNREACHABLE, null, new RedisRefusedException("NOAUTH"));
		assertThat(this.lines.lines()).satisfiesExactly(
				(line) -> assertThat(line).contains("UNREACHABLE, it was LOADING").contains("NOPERM"),
				(line) -> assertThat(line).contains("UNREACHABLE").doesNotContain("it was").contains("NOAUTH"));
	}

	private void publish(FilterState state, @Nullable String reason, @Nullable Throwable cause) {
		this.state.publish(state, () -> reason, cause);
	}

}
