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

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RemovedKeys}.
 */
class RemovedKeysTests {

	private final RemovedKeys removed = new RemovedKeys();

	@Test
	void keyIsAbsentAfterTheNextPartOfTheJournal() {
		assertThat(this.removed.contains("a")).isFalse();
		this.removed.refreshed(List.of("a"));
		assertThat(this.removed.contains("a")).as("an add may be known that follows in the journal").isFalse();
		this.removed.refreshed(List.of());
		assertThat(this.removed.contains("a")).isTrue();
		assertThat(this.removed.contains("b")).isFalse();
	}

	@Test
	void keyThatIsAddedAgainIsNot() {
		this.removed.refreshed(List.of("a"));
		assertThat(this.removed.forget("a")).isTrue();
		this.removed.refreshed(List.of());
		assertThat(this.removed.contains("a")).isFalse();
		assertThat(this.removed.forget("a")).isFalse();
	}

	@Test
	void memoryIsBounded() {
		this.removed.refreshed(IntStream.rangeClosed(0, RemovedKeys.MAX).mapToObj(String::valueOf).toList());
		this.removed.refreshed(List.of());
		assertThat(this.removed.contains("0")).isTrue();
		assertThat(this.removed.contains(String.valueOf(RemovedKeys.MAX))).isFalse();
	}

}
