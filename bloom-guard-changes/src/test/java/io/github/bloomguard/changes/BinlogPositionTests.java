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

package io.github.bloomguard.changes;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BinlogPosition}.
 */
class BinlogPositionTests {

	private static final BinlogPosition POSITION = new BinlogPosition("a/b", 1000, 7, 4_000_000_000L);

	@Test
	void positionIsRestoredAsAWhole() {
		assertThat(BinlogPosition.of(POSITION.toLogPosition())).isEqualTo(POSITION);
	}

	@Test
	void positionIsOneOfItsFileAndOfThoseBeforeAndBehindIt() {
		assertThat(POSITION.isOfLogOf(file("a/b", 1000, 7))).isTrue();
		assertThat(POSITION.isOfLogOf(file("a/b", 1001, 8))).isTrue();
		assertThat(POSITION.isOfLogOf(file("a/b", 1000, 8))).isTrue();
		assertThat(POSITION.isOfLogOf(file("a/b", 999, 6))).isTrue();
		assertThat(POSITION.isOfLogOf(file("a/b", 1000, 6))).isTrue();
	}

	@Test
	void positionIsNotOneOfALogThatBeganAnew() {
		assertThat(POSITION.isOfLogOf(file("a/b", 1001, 7))).isFalse();
		assertThat(POSITION.isOfLogOf(file("a/b", 999, 7))).isFalse();
		assertThat(POSITION.isOfLogOf(file("a/b", 999, 8))).isFalse();
		assertThat(POSITION.isOfLogOf(file("a/b", 1001, 6))).isFalse();
	}

	@Test
	void positionIsNotOneOfAnotherServer() {
		assertThat(POSITION.isOfLogOf(file("a/c", 1000, 7))).isFalse();
	}

	private static BinlogPosition file(String server, long created, long file) {
		return new BinlogPosition(server, created, file, BinlogPosition.FIRST);
	}

}
