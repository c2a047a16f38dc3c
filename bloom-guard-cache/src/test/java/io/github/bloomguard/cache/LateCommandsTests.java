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

package io.github.bloomguard.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LateCommands}.
 */
class LateCommandsTests {

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final List<Boolean> outcomes = new ArrayList<>();

	private final EntryScripts scripts = new EntryScripts(null,
			new CompanionKeys("bloom-guard", UnaryOperator.identity()));

	private final LateCommands late = new LateCommands(this.scripts, this.tasks::add);

	@Test
	void oneTaskRunsAllCommandsInTheirOrder() {
		List<Integer> run = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			int number = i;
			this.late.add(1, (scripts) -> run.add(number), this.outcomes::add);
		}
		assertThat(this.tasks).hasSize(1);
		this.tasks.remove().run();
		assertThat(run).containsExactly(0, 1, 2);
		assertThat(this.outcomes).containsExactly(true, true, true);
		this.late.add(1, (scripts) -> false, this.outcomes::add);
		this.tasks.remove().run();
		assertThat(this.outcomes).endsWith(false);
	}

	@Test
	void noMoreThanSomeNumberWait() {
		for (int i = 0; i <= LateCommands.MOST; i++) {
			this.late.add(0, (scripts) -> true, this.outcomes::add);
		}
		assertThat(this.outcomes).containsExactly(false);
	}

	@Test
	void noMoreThanSomeBytesWait() {
		this.late.add(LateCommands.MOST_BYTES - 1, (scripts) -> true, this.outcomes::add);
		this.late.add(2, (scripts) -> true, this.outcomes::add);
		assertThat(this.outcomes).containsExactly(false);
		this.tasks.remove().run();
		this.late.add(2, (scripts) -> true, this.outcomes::add);
		this.tasks.remove().run();
		assertThat(this.outcomes).containsExactly(false, true, true);
	}

	@Test
	void commandThatFailsKeepsNoOtherFromRunning() {
		this.late.add(0, (scripts) -> {
			throw new IllegalStateException();
		}, this.outcomes::add);
		this.late.add(0, (scripts) -> {
			throw new StackOverflowError();
		}, this.outcomes::add);
		this.late.add(0, (scripts) -> true, this.outcomes::add);
		this.tasks.remove().run();
		assertThat(this.outcomes).containsExactly(false, false, true);
	}

	@Test
	void whatIsOwedIsTriedAgainUntilItSucceedsAndKeepsNoOtherFromRunning() {
		AtomicInteger tries = new AtomicInteger();
		this.late.owe(() -> {
			this.outcomes.add(null);
			if (tries.incrementAndGet() < 3) {
				throw new IllegalStateException();
			}
		}, this.outcomes::add);
		this.late.add(0, (scripts) -> false, this.outcomes::add);
		this.tasks.remove().run();
		assertThat(this.outcomes).containsExactly(null, false, null, null, true);
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void whatIsOwedIsGivenUpWhenAllIsClosed() {
		this.late.owe(() -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException();
		}, this.outcomes::add);
		this.tasks.remove().run();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.outcomes).isEmpty();
	}

	@Test
	void nothingWaitsForAnExecutorThatIsShutDown() {
		LateCommands closed = new LateCommands(this.scripts, (task) -> {
			throw new RejectedExecutionException();
		});
		closed.add(0, (scripts) -> true, this.outcomes::add);
		assertThat(this.outcomes).containsExactly(false);
	}

}
