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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.Generation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link PolledLog}, whose keys a {@link Follower} adds.
 */
class PolledLogTests {

	private static final Checkpoint START = new Checkpoint(100);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final Generation generation = Generation.loading(new FilterSpecification("products", 1000, 0.01), 1000,
			"origin");

	private final MarkInMemory checkpoints = new MarkInMemory();

	private final List<Object> filter = new ArrayList<>();

	private final List<Generation> gaps = new ArrayList<>();

	@Test
	void markIsThatOfTheLastRow() {
		follow(rows(101, 105));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(105));
		assertThat(this.filter).containsExactly(101L, 102L, 103L, 104L, 105L);
	}

	@Test
	void markDoesNotMoveWithoutRows() {
		follow(Stream.of());
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void markMovesBehindEachChunkThatWasAdded() {
		follow(rows(101, 3600), (keys) -> {
			assertThat(this.checkpoints.checkpoint)
				.matches((checkpoint) -> checkpoint.equals(START) || new Checkpoint(keys.get(0)).reaches(checkpoint));
			this.filter.addAll(keys);
		});
		assertThat(this.filter).hasSize(3500);
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(1099), new Checkpoint(2099),
				new Checkpoint(3099), new Checkpoint(3600));
	}

	@Test
	void markDoesNotMoveIfKeysWereNotAdded() {
		assertThatIllegalStateException().isThrownBy(() -> follow(rows(101, 105), (keys) -> {
			throw new IllegalStateException("Redis is gone");
		}));
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void markNeverStandsBetweenRowsThatShareIt() {
		follow(Stream.concat(rows(101, 102), LongStream.range(0, 2500).mapToObj((id) -> row(id, 103))));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(102), new Checkpoint(103));
		assertThat(this.filter).hasSize(2502);
	}

	@Test
	void markDoesNotGoBackToRowsThatAreRepeated() {
		follow(rows(50, 90));
		assertThat(this.checkpoints.moves).isEmpty();
		follow(rows(50, 101));
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(101));
	}

	@Test
	void turnEndsWhenAnotherInstanceHasMovedTheMark() {
		follow(rows(101, 3600), (keys) -> {
			this.filter.addAll(keys);
			this.checkpoints.checkpoint = new Checkpoint(5000);
		});
		assertThat(this.checkpoints.moves).isEmpty();
		assertThat(this.filter).hasSize(1000);
	}

	@Test
	void markThatAnotherInstanceHasMovedBeforeTheTurnIsNoGap() {
		Checkpoint text = new Checkpoint("b");
		this.checkpoints.checkpoint = new Checkpoint("a");
		follow(text, Stream.of(new CheckpointedKey(1L, new Checkpoint("c"))), this.filter::addAll);
		assertThat(this.gaps).isEmpty();
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint("c"));
	}

	@Test
	void rowsInTheWrongOrderAreRefused() {
		assertThatIllegalStateException().isThrownBy(() -> follow(Stream.of(row(1, 102), row(2, 101))))
			.withMessageContaining("101 after 102")
			.withMessageContaining("order");
		assertThat(this.checkpoints.moves).isEmpty();
	}

	@Test
	void rowWithoutAKeyIsPassedOver() {
		follow(Stream.of(new CheckpointedKey(null, new Checkpoint(101)), row(2, 102)));
		assertThat(this.filter).containsExactly(2L);
		assertThat(this.checkpoints.moves).containsExactly(new Checkpoint(102));
	}

	@Test
	void logIsFollowedAgainWhenTheTurnOfAnotherInstanceIsOver() {
		PolledLog log = log(Stream.of());
		this.checkpoints.wait = INTERVAL.dividedBy(2);
		assertThat(log.follow(START)).isEmpty();
		assertThat(log.pause()).isBetween(INTERVAL.dividedBy(2).minusSeconds(10), INTERVAL.dividedBy(2));
	}

	@Test
	void logIsFollowedOnceInEachInterval() {
		PolledLog log = log(Stream.of());
		assertThat(log.follow(START)).isPresent();
		assertThat(log.pause()).isBetween(INTERVAL.minusSeconds(10), INTERVAL);
	}

	@Test
	void closedReaderEndsAndClosesWhatItReadsFrom() throws InterruptedException {
		AtomicBoolean closed = new AtomicBoolean();
		ChangeReader reader = reader(START, rows(101, 3600).onClose(() -> closed.set(true)));
		assertThat(reader.next()).isNotNull();
		reader.close();
		assertThat(reader.next()).isNull();
		assertThat(closed).isTrue();
	}

	private void follow(Stream<CheckpointedKey> rows) {
		follow(rows, this.filter::addAll);
	}

	private void follow(Stream<CheckpointedKey> rows, Consumer<List<?>> added) {
		follow(START, rows, added);
	}

	private void follow(Checkpoint start, Stream<CheckpointedKey> rows, Consumer<List<?>> added) {
		Claims claims = new Claims(this.checkpoints, () -> log(Stream.of()));
		try (ChangeReader reader = reader(start, rows)) {
			Follower follower = new Follower(reader, claims, this.gaps::add);
			follower.begin(this.generation, log(Stream.of()));
			for (ChangeReader.Changes changes = reader.next(); changes != null; changes = reader.next()) {
				added.accept(changes.added());
				follower.advance(this.generation, changes.position());
			}
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private ChangeReader reader(Checkpoint start, Stream<CheckpointedKey> rows) {
		return log(rows).follow(start).orElseThrow();
	}

	private PolledLog log(Stream<CheckpointedKey> rows) {
		return new PolledLog(INTERVAL, new Rows(rows), this.checkpoints);
	}

	private static Stream<CheckpointedKey> rows(long first, long last) {
		return LongStream.rangeClosed(first, last).mapToObj((id) -> row(id, id));
	}

	private static CheckpointedKey row(long key, long checkpoint) {
		return new CheckpointedKey(key, new Checkpoint(checkpoint));
	}

	private record Rows(Stream<CheckpointedKey> rows) implements CatchUpSource {

		@Override
		public Checkpoint start() {
			return START;
		}

		@Override
		public String database() {
			return "";
		}

		@Override
		public Stream<CheckpointedKey> keysAfter(Checkpoint checkpoint) {
			return this.rows;
		}

	}

	private static final class MarkInMemory implements CheckpointStore {

		private final List<Checkpoint> moves = new ArrayList<>();

		private Checkpoint checkpoint = START;

		private Duration wait = Duration.ZERO;

		@Override
		public CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Optional<Checkpoint>> read(String generation) {
			return CompletableFuture.completedFuture(Optional.of(this.checkpoint));
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
			return CompletableFuture.completedFuture(this.wait);
		}

	}

}
