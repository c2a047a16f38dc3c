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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.guard.SteppedClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GatheredKeys}.
 */
class GatheredKeysTests {

	private final SteppedClock clock = new SteppedClock();

	private final List<List<String>> asked = new ArrayList<>();

	private Duration takes = Duration.ZERO;

	private final GatheredKeys<String> keys = new GatheredKeys<>(5, this.clock, Runnable::run, (some) -> {
		this.asked.add(some);
		this.clock.pass(this.takes);
		return CompletableFuture.completedFuture(null);
	});

	@Test
	void firstKeyIsAskedForAtOnceAndThoseThatComeSoonAfterTogether() {
		this.keys.offer("a");
		assertThat(this.asked).containsExactly(List.of("a"));
		this.keys.offer("b");
		this.keys.offer("c");
		assertThat(this.asked).hasSize(1);
		pass(Duration.ofMillis(20));
		assertThat(this.asked).containsExactly(List.of("a"), List.of("b", "c"));
	}

	@Test
	void sourceThatAnswersFastIsAskedForOneTwentiethOfTheTime() {
		this.takes = Duration.ofMillis(5);
		this.keys.offer("a");
		this.keys.offer("b");
		pass(Duration.ofMillis(94));
		assertThat(this.asked).hasSize(1);
		pass(Duration.ofMillis(1));
		assertThat(this.asked).hasSize(2);
	}

	@Test
	void slowSourceIsAskedAsOftenAsTheRateSaysOrAllTheTime() {
		this.takes = Duration.ofMillis(100);
		this.keys.offer("a");
		this.keys.offer("b");
		pass(Duration.ofMillis(99));
		assertThat(this.asked).hasSize(1);
		pass(Duration.ofMillis(1));
		assertThat(this.asked).as("after a fifth of a second").hasSize(2);
		pass(Duration.ofSeconds(1));
		this.takes = Duration.ofSeconds(1);
		this.keys.offer("c");
		this.keys.offer("d");
		assertThat(this.asked).hasSize(4);
	}

	@Test
	void noMoreAreTakenThanAreAskedForTogether() {
		this.keys.offer("first");
		for (int i = 0; i < VerifiedKeys.TOGETHER; i++) {
			assertThat(this.keys.offer("key " + i)).isTrue();
		}
		assertThat(this.keys.offer("one more")).isFalse();
		pass(Duration.ofMillis(20));
		assertThat(this.asked.get(1)).hasSize(VerifiedKeys.TOGETHER);
		assertThat(this.keys.offer("one more")).isTrue();
	}

	private void pass(Duration time) {
		this.clock.pass(time);
		this.clock.ring();
	}

}
