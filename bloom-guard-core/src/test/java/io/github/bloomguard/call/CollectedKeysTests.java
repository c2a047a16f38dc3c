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

package io.github.bloomguard.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CollectedKeys}.
 */
class CollectedKeysTests {

	private final Sent sent = new Sent();

	private final CollectedKeys keys = new CollectedKeys(() -> this.sent);

	@Test
	void keysOfManyRowsAreSentTogether() {
		IntStream.range(0, 250).forEach(this.keys::collect);
		assertThat(this.sent.begun).extracting(List::size).containsExactly(100, 100);
		this.keys.begin();
		this.keys.begin();
		assertThat(this.sent.begun).extracting(List::size).containsExactly(100, 100, 50);
		assertThat(this.sent.begun.stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	@Test
	void rowsThatComeOneByOneTakeFewSteps() {
		IntStream.range(0, 82).forEach((key) -> {
			this.keys.collect(key);
			this.keys.beginIfWorthwhile();
		});
		assertThat(this.sent.begun).extracting(List::size).containsExactly(1, 1, 2, 4, 8, 16, 25, 25);
	}

	@Test
	void keyThatIsAnnouncedIsSentOnceForItsRow() {
		this.keys.announce(7);
		this.keys.announce(7);
		this.keys.begin();
		assertThat(this.sent.begun).containsExactly(List.of(7));
		assertThat(this.keys.wasAnnounced(7)).isTrue();
		assertThat(this.keys.wasAnnounced(7)).as("the next row").isFalse();
		this.keys.announce(7);
		this.keys.begin();
		assertThat(this.sent.begun).containsExactly(List.of(7), List.of(7));
	}

	@Test
	void keysThatAreAddedAreWaitedForAndNotSentAgain() {
		this.keys.announce(7);
		this.keys.add();
		this.keys.begin();
		assertThat(this.sent.added).containsExactly(List.of(7));
		assertThat(this.sent.begun).isEmpty();
		assertThat(this.keys.wasAnnounced(7)).isTrue();
	}

	private static final class Sent implements TransactionalKeys {

		private final List<List<Object>> added = new ArrayList<>();

		private final List<List<Object>> begun = new ArrayList<>();

		@Override
		public void add(Collection<? extends @Nullable Object> keys) {
			this.added.add(new ArrayList<>(keys));
		}

		@Override
		public void begin(Collection<? extends @Nullable Object> keys) {
			this.begun.add(new ArrayList<>(keys));
		}

		@Override
		public void mistrust(String reason) {
		}

		@Override
		public void beforeCommit() {
		}

		@Override
		public void afterCommit() {
		}

	}

}
