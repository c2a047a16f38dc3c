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

	private static final Mark START = new Mark(100);

	private final MarkInMemory marks = new MarkInMemory();

	private final List<Object> filter = new ArrayList<>();

	@Test
	void markIsThatOfTheLastRow() {
		run().addAll(rows(101, 105));
		assertThat(this.marks.moves).containsExactly(new Mark(105));
		assertThat(this.filter).containsExactly(101L, 102L, 103L, 104L, 105L);
	}

	@Test
	void markDoesNotMoveWithoutRows() {
		run().addAll(Stream.of());
		assertThat(this.marks.moves).isEmpty();
	}

	@Test
	void markMovesBehindEachChunkThatWasAdded() {
		CatchUpRun run = new CatchUpRun(this.marks, "g", START, (keys) -> {
			assertThat(this.marks.mark).matches((mark) -> mark.equals(START) || !new Mark(keys.get(0)).isBefore(mark));
			this.filter.addAll(keys);
		}, () -> true);
		run.addAll(rows(101, 3600));
		assertThat(this.filter).hasSize(3500);
		assertThat(this.marks.moves).containsExactly(new Mark(1099), new Mark(2099), new Mark(3099), new Mark(3600));
		assertThat(run.added()).isEqualTo(3500);
	}

	@Test
	void markDoesNotMoveIfKeysWereNotAdded() {
		CatchUpRun run = run((keys) -> {
			throw new IllegalStateException("Redis is gone");
		});
		assertThatIllegalStateException().isThrownBy(() -> run.addAll(rows(101, 105)));
		assertThat(this.marks.moves).isEmpty();
	}

	@Test
	void markDoesNotMoveIfTheGenerationWasGivenUp() {
		CatchUpRun run = new CatchUpRun(this.marks, "g", START, this.filter::addAll, () -> false);
		run.addAll(rows(101, 3600));
		assertThat(this.marks.moves).isEmpty();
		assertThat(this.filter).hasSize(1000);
	}

	@Test
	void markNeverStandsBetweenRowsThatShareIt() {
		CatchUpRun run = run();
		run.addAll(Stream.concat(rows(101, 102), LongStream.range(0, 2500).mapToObj((id) -> row(id, 103))));
		assertThat(this.marks.moves).containsExactly(new Mark(102), new Mark(103));
		assertThat(this.filter).hasSize(2502);
	}

	@Test
	void markDoesNotGoBackToRowsThatAreRepeated() {
		run().addAll(rows(50, 90));
		assertThat(this.marks.moves).isEmpty();
		run().addAll(rows(50, 101));
		assertThat(this.marks.moves).containsExactly(new Mark(101));
	}

	@Test
	void runEndsWhenAnotherInstanceHasMovedTheMark() {
		this.marks.mark = new Mark(5000);
		run().addAll(rows(101, 3600));
		assertThat(this.marks.moves).isEmpty();
		assertThat(this.filter).hasSize(1000);
	}

	@Test
	void rowsInTheWrongOrderAreRefused() {
		assertThatIllegalStateException().isThrownBy(() -> run().addAll(Stream.of(row(1, 102), row(2, 101))))
			.withMessageContaining("101 after 102")
			.withMessageContaining("order");
		assertThat(this.marks.moves).isEmpty();
	}

	@Test
	void rowWithoutAKeyIsPassedOver() {
		run().addAll(Stream.of(new MarkedKey(null, new Mark(101)), row(2, 102)));
		assertThat(this.filter).containsExactly(2L);
		assertThat(this.marks.moves).containsExactly(new Mark(102));
	}

	private CatchUpRun run() {
		return run(this.filter::addAll);
	}

	private CatchUpRun run(Consumer<List<Object>> filter) {
		return new CatchUpRun(this.marks, "g", START, filter, () -> true);
	}

	private static Stream<MarkedKey> rows(long first, long last) {
		return LongStream.rangeClosed(first, last).mapToObj((id) -> row(id, id));
	}

	private static MarkedKey row(long key, long mark) {
		return new MarkedKey(key, new Mark(mark));
	}

	private static final class MarkInMemory implements Marks {

		private final List<Mark> moves = new ArrayList<>();

		private Mark mark = START;

		@Override
		public CompletableFuture<Boolean> start(String generation, Mark mark) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Optional<Mark>> read(String generation) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Boolean> move(String generation, Mark from, Mark to) {
			boolean moved = from.equals(this.mark);
			if (moved) {
				this.mark = to;
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
