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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bloomguard.warmup.TurnQueue.Turn;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TurnQueue}, whose tasks run when the test lets them.
 */
class TurnQueueTests {

	private final TurnQueue queue = new TurnQueue(2);

	private final Deque<Runnable> threads = new ArrayDeque<>();

	private final List<String> ran = new ArrayList<>();

	private final List<String> rejected = new ArrayList<>();

	private Turn submit(String name, long demand) {
		return this.queue.submit(() -> demand, this.threads::add, () -> this.ran.add(name),
				() -> this.rejected.add(name));
	}

	@Test
	void noMoreTasksHaveAThreadThanThereAreTurns() {
		List.of("a", "b", "c", "d").forEach((name) -> submit(name, 0));
		assertThat(this.threads).hasSize(2);
		assertThat(this.ran).isEmpty();
	}

	@Test
	void threadThatHasEndedATaskTakesTheNextOne() {
		List.of("a", "b", "c", "d").forEach((name) -> submit(name, 0));
		this.threads.remove().run();
		assertThat(this.ran).containsExactly("a", "c", "d");
		assertThat(this.threads).hasSize(1);
		submit("e", 0);
		assertThat(this.threads).hasSize(2);
		runAll();
		assertThat(this.ran).containsExactly("a", "c", "d", "b", "e");
	}

	@Test
	void taskThatFailsLeavesItsTurnToTheNextOne() {
		this.queue.submit(() -> 0, this.threads::add, () -> {
			throw new IllegalStateException();
		}, () -> this.rejected.add("failing"));
		List.of("b", "c").forEach((name) -> submit(name, 0));
		assertThatIllegalStateException().isThrownBy(this.threads.remove()::run);
		runAll();
		assertThat(this.ran).containsExactly("b", "c");
	}

	@Test
	void taskThatIsAskedForMostIsNextAndOfEqualOnesTheFirst() {
		submit("a", 0);
		submit("b", 0);
		submit("seldom", 1);
		submit("often", 9);
		submit("also seldom", 1);
		runAll();
		assertThat(this.ran).containsExactly("a", "often", "seldom", "also seldom", "b");
	}

	@Test
	void positionIsThatAmongThoseThatWaitAndFollowsWhatTheyAreAskedFor() {
		AtomicLong demand = new AtomicLong();
		Turn running = submit("a", 0);
		submit("b", 0);
		Turn often = submit("often", 5);
		Turn more = this.queue.submit(demand::get, this.threads::add, () -> {
		}, () -> {
		});
		assertThat(running.position()).isEmpty();
		assertThat(often.position()).hasValue(1);
		assertThat(more.position()).hasValue(2);
		demand.set(6);
		assertThat(often.position()).hasValue(2);
		assertThat(more.position()).hasValue(1);
	}

	@Test
	void taskThatIsWithdrawnDoesNotRun() {
		Turn running = submit("a", 0);
		submit("b", 0);
		Turn waiting = submit("c", 0);
		assertThat(waiting.withdraw()).isTrue();
		assertThat(running.withdraw()).isFalse();
		runAll();
		assertThat(this.ran).containsExactly("a", "b");
	}

	@Test
	void turnOfATaskWithoutAThreadGoesToTheNextOne() {
		for (int i = 0; i < 2; i++) {
			this.queue.submit(() -> 9, (task) -> {
				throw new RejectedExecutionException();
			}, () -> this.ran.add("none"), () -> this.rejected.add("none"));
		}
		submit("a", 0);
		submit("b", 0);
		runAll();
		assertThat(this.ran).containsExactly("a", "b");
		assertThat(this.rejected).containsExactly("none", "none");
	}

	private void runAll() {
		while (!this.threads.isEmpty()) {
			this.threads.remove().run();
		}
	}

}
