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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RebuildPause}.
 */
class RebuildPauseTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

	private final RebuildPause pause = new RebuildPause(this.now::get);

	@Test
	void firstRebuildNeedsNotWait() {
		assertThat(this.pause.remaining(true)).isZero();
	}

	@Test
	void nextRebuildWaitsAsLongAsTheLastOneTook() {
		rebuild(Duration.ofMinutes(3));
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofMinutes(3));
		this.now.addAndGet(Duration.ofMinutes(1).toNanos());
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofMinutes(2));
		this.now.addAndGet(Duration.ofMinutes(2).toNanos());
		assertThat(this.pause.remaining(true)).isZero();
	}

	@Test
	void nextRebuildWaitsForASecondAfterAQuickOne() {
		rebuild(Duration.ofMillis(1));
		assertThat(this.pause.remaining(true)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void filterThatDoesNotAnswerIsBuiltAtOnce() {
		rebuild(Duration.ofMinutes(3));
		assertThat(this.pause.remaining(false)).isZero();
	}

	private void rebuild(Duration duration) {
		long begun = this.now.get();
		this.now.addAndGet(duration.toNanos());
		this.pause.begin(begun);
	}

}
