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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RepeatedGaps}.
 */
class RepeatedGapsTests {

	private final AtomicLong clock = new AtomicLong();

	private final RepeatedGaps gaps = new RepeatedGaps(this.clock::get);

	@Test
	void firstGapNeedsNoRest() {
		assertThat(this.gaps.rest()).isZero();
		this.gaps.add("a");
		assertThat(this.gaps.rest()).isZero();
	}

	@Test
	void restGrowsWithEachGapThatFollowsAnother() {
		this.gaps.add("a");
		this.gaps.add("b");
		assertThat(this.gaps.rest()).isEqualTo(Duration.ofSeconds(1));
		this.gaps.add("b");
		assertThat(this.gaps.rest()).isEqualTo(Duration.ofSeconds(1));
		pass(Duration.ofSeconds(1));
		assertThat(this.gaps.rest()).isZero();
		this.gaps.add("c");
		assertThat(this.gaps.rest()).isEqualTo(Duration.ofSeconds(2));
		for (int i = 0; i < 20; i++) {
			this.gaps.add("d" + i);
		}
		assertThat(this.gaps.rest()).isEqualTo(Duration.ofMinutes(2));
	}

	@Test
	void gapLongAfterAnotherIsAFirstOne() {
		this.gaps.add("a");
		this.gaps.add("b");
		pass(Duration.ofMinutes(11));
		this.gaps.add("c");
		assertThat(this.gaps.rest()).isZero();
		this.gaps.add("d");
		assertThat(this.gaps.rest()).isEqualTo(Duration.ofSeconds(1));
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

}
