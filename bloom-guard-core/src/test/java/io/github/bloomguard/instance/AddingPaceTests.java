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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AddingPace}.
 */
class AddingPaceTests {

	private static final int CHUNK = 500;

	private static final Duration LONGEST = Duration.ofSeconds(10);

	/**
	 * As they are on a busy machine: the first 5,000 keys take two seconds, and the rest
	 * of 50,000 five.
	 */
	@Test
	void firstChunksOfAColdJvmRefuseNoKeysThatAreAddedInTime() {
		assertThatCode(() -> write(50_000, Duration.ofMillis(200), Duration.ofMillis(55))).doesNotThrowAnyException();
	}

	@Test
	void keysThatTakeMuchTooLongAreRefusedAfterAFewChunksWithTheNumberThatCanBeAdded() {
		assertThatExceptionOfType(TooManyKeysException.class)
			.isThrownBy(() -> write(200_000, Duration.ofMillis(100), Duration.ofMillis(100)))
			.withMessageContaining("about 40 s")
			.withMessageContaining("within 10 s. Add at most 50000 together");
	}

	@Test
	void chunkThatWaitsOnceDoesNotCountForTheOthers() {
		assertThatCode(() -> write(50_000, Duration.ofSeconds(3), 1, Duration.ofMillis(20))).doesNotThrowAnyException();
	}

	private static void write(int keys, Duration first, Duration others) {
		write(keys, first, 10, others);
	}

	private static void write(int keys, Duration first, int slow, Duration others) {
		AddingPace pace = new AddingPace(keys, CHUNK, LONGEST, 0);
		long now = 0;
		for (int chunk = 0; chunk < keys / CHUNK; chunk++) {
			now += ((chunk < slow) ? first : others).toNanos();
			pace.written(now);
		}
	}

}
