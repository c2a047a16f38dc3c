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

package io.github.bloomguard.feed;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FilePosition}.
 */
class FilePositionTests {

	private static final FilePosition POSITION = new FilePosition("server/1", 7, 1000, 5_000_000_000L);

	@Test
	void checkpointKeepsAllOfAPosition() {
		Checkpoint kept = Checkpoint.parse(POSITION.checkpoint().format()).orElseThrow();
		assertThat(FilePosition.of(kept)).isEqualTo(POSITION);
	}

	@Test
	void checkpointOfAnotherFormIsNoPosition() {
		assertThat(FilePosition.of(new Checkpoint(7L))).isEqualTo(FilePosition.NONE);
		assertThat(FilePosition.of(new Checkpoint("7@server/1"))).isEqualTo(FilePosition.NONE);
		assertThat(FilePosition.of(new Checkpoint("7:1000:x@server/1"))).isEqualTo(FilePosition.NONE);
		assertThat(FilePosition.of(new Checkpoint("7:1000:5:4@server/1"))).isEqualTo(FilePosition.NONE);
	}

	@Test
	void positionReachesWhatIsBeforeItInTheSameLog() {
		assertThat(POSITION.reaches(POSITION)).isTrue();
		assertThat(POSITION.reaches(at(7, 1000, 4_000_000_000L))).isTrue();
		assertThat(POSITION.reaches(at(6, 900, 9_000_000_000L))).isTrue();
		assertThat(POSITION.reaches(at(7, 1000, 5_000_000_001L))).isFalse();
		assertThat(POSITION.reaches(at(8, 1100, 4))).isFalse();
	}

	@Test
	void positionOfAnotherLogCantBeCompared() {
		assertOfOtherLogs(POSITION, new FilePosition("server/2", 7, 1000, 4));
		assertOfOtherLogs(POSITION, FilePosition.NONE);
		assertOfOtherLogs(POSITION, new Checkpoint(7));
		assertOfOtherLogs(FilePosition.NONE, FilePosition.NONE);
	}

	@Test
	void filesOfALogAreCreatedInTheOrderOfTheirNumbers() {
		assertOfOtherLogs(POSITION, at(7, 999, 4));
		assertOfOtherLogs(POSITION, at(7, 1001, 4));
		assertOfOtherLogs(POSITION, at(6, 1001, 4));
		assertOfOtherLogs(POSITION, at(8, 999, 4));
		assertThat(POSITION.isOfLogOf(at(8, 1000, 4))).isTrue();
		assertThat(POSITION.isOfLogOf(at(6, 1000, 4))).isTrue();
	}

	private static void assertOfOtherLogs(LogPosition one, LogPosition other) {
		assertThat(one.isOfLogOf(other)).isFalse();
		assertThat(other.isOfLogOf(one)).isFalse();
		assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> one.reaches(other));
		assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> other.reaches(one));
	}

	private static FilePosition at(long file, long created, long offset) {
		return new FilePosition("server/1", file, created, offset);
	}

}
