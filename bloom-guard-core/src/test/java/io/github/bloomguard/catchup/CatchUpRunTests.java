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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CatchUpRun}.
 */
class CatchUpRunTests {

	private static final Checkpoint START = new Checkpoint(100);

	private final MarkInMemory checkpoints = new MarkInMemory();

	private final List<Object> filter = new ArrayList<>();

	@Test
	void markIsThatOfTheLastRow() {
		run().addAll(rows(101, 105));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(105));
		assertThat(this.filter).containsExactly(101L, 102L, 103L, 104L, 105L);
	}

	@Test
	void markDoesNotMoveWithoutRows() {
		run().addAll(Stream.of());
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void markMovesBehindEachChunkThatWasAdded() {
		CatchUpRun run = new CatchUpRun(this.checkpoints, "g", START, (keys) -> {
			assertThat(this.checkpoints.checkpoint)
				.matches((checkpoint) -> checkpoint.equals(START) || !new Checkpoint(keys.get(0)).isBefore(checkpoint));
			this.filter.addAll(keys);
		}, () -> true);
		run.addAll(rows(101, 3600));
		assertThat(this.filter).hasSize(3500);
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(1099), new Checkpoint(2099),
				new Checkpoint(3099), new Checkpoint(3600));
		assertThat(run.added()).isEqualTo(3500);
	}

	@Test
	void markDoesNotMoveIfKeysWereNotAdded() {
		CatchUpRun run = run((keys) -> {
			throw new IllegalStateException("Redis is gone");
		});
		assertThatIllegalStateException().isThrownBy(() -> run.addAll(rows(101, 105)));
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void markDoesNotMoveIfTheGenerationWasGivenUp() {
		CatchUpRun run = new CatchUpRun(this.checkpoints, "g", START, this.filter::addAll, () -> false);
		run.addAll(rows(101, 3600));
		assertThat(this.checkpoints.moves).isEmpty();
		assertThat(this.filter).hasSize(1000);
	}

	@Test
	void markNeverStandsBetweenRowsThatShareIt() {
		CatchUpRun run = run();
		run.addAll(Stream.concat(rows(101, 102), LongStream.range(0, 2500).mapToObj((id) -> row(id, 103))));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(102), new Checkpoint(103));
		assertThat(this.filter).hasSize(2502);
	}

	@Test
	void markDoesNotGoBackToRowsThatAreRepeated() {
		run().addAll(rows(50, 90));
		assertThat(this.checkpoints.moves).isEmpty();
		run().addAll(rows(50, 101));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(101));
	}

	@Test
	void runEndsWhenAnotherInstanceHasMovedTheMark() {
		this.checkpoints.checkpoint = new Checkpoint(5000);
		run().addAll(rows(101, 3600));
		assertThat(this.checkpoints.moves).isEmpty();
		assertThat(this.filter).hasSize(1000);
	}

	@Test
	void rowsInTheWrongOrderAreRefused() {
		assertThatIllegalStateException().isThrownBy(() -> run().addAll(Stream.of(row(1, 102), row(2, 101))))
			.withMessageContaining("101 after 102")
			.withMessageContaining("order");
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void rowWithoutAKeyIsPassedOver() {
		run().addAll(Stream.of(new CheckpointedKey(null, new Checkpoint(101)), row(2, 102)));
		assertThat(this.filter).containsExactly(2L);
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(102));
	}

	private CatchUpRun run() {
		return run(this.filter::addAll);
	}

	private CatchUpRun run(Consumer<List<Object>> filter) {
		return new CatchUpRun(this.checkpoints, "g", START, filter, () -> true);
	}

	private static Stream<CheckpointedKey> rows(long first, long last) {
		return LongStream.rangeClosed(first, last).mapToObj((id) -> row(id, id));
	}

	private static CheckpointedKey row(long key, long checkpoint) {
		return new CheckpointedKey(key, new Checkpoint(checkpoint));
	}

	private static final class MarkInMemory implements CheckpointStore {

		private final List<Checkpoint> moves = new ArrayList<>();

		private Checkpoint checkpoint = START;

		@Override
		public CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Optional<Checkpoint>> read(String generation) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Boolean> move(String generation, Checkpoint from, Checkpoint to) {
			boolean moved = from.equals(this.checkpoint);
			if (moved) {
				this.checkpoint = to;
				this.moves.add(to);
			}
			return CompletableFuture.completedFuture(moved);
		}

		@Override
		public CompletableFuture<Duration> takeTurn(Duration interval) {
			throw new UnsupportedOperationException();
		}

	}

}
