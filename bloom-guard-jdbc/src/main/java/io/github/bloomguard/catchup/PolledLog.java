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
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in the order of a column that grows with each change, as a log that
 * is asked for again and again: by one instance in each interval. A reader has one turn.
 * It gives no marks, because nothing tells which rows are still to become visible before
 * others.
 */
public final class PolledLog implements ChangeLog {

	private static final Duration SHORTEST = Duration.ofMillis(500);

	private final Duration interval;

	private final CatchUpSource source;

	private final CheckpointStore turns;

	private volatile long dueAt = System.nanoTime();

	public PolledLog(Duration interval, CatchUpSource source, CheckpointStore turns) {
		this.interval = interval;
		this.source = source;
		this.turns = turns;
	}

	@Override
	public LogPosition begin() {
		return this.source.start();
	}

	@Override
	public LogPosition position(Checkpoint checkpoint) {
		return checkpoint;
	}

	@Override
	public Optional<ChangeReader> follow(LogPosition reached) {
		Duration wait = this.turns.takeTurn(this.interval).join();
		this.dueAt = System.nanoTime() + (wait.isZero() ? this.interval : wait).toNanos();
		Checkpoint start = reached.checkpoint();
		return wait.isZero() ? Optional.of(new Reader(start, this.source.keysAfter(start))) : Optional.empty();
	}

	@Override
	public Duration pause() {
		Duration left = Duration.ofNanos(this.dueAt - System.nanoTime());
		return (left.compareTo(SHORTEST) > 0) ? left : SHORTEST;
	}

	/**
	 * Reads in chunks, whose position is never between rows of the same checkpoint. Ends
	 * when another instance has moved the checkpoint.
	 * <p>
	 * Concurrency: the lock guards what is read from; it is closed by the thread that
	 * reads, or while that does something else.
	 */
	private static final class Reader implements ChangeReader {

		private static final int CHUNK = 1000;

		private final Checkpoint start;

		private final Stream<CheckpointedKey> stream;

		private final Iterator<CheckpointedKey> rows;

		private final ReentrantLock lock = new ReentrantLock();

		private @Nullable Checkpoint reached;

		private @Nullable Checkpoint given;

		private volatile @Nullable LogPosition released;

		private volatile boolean ended;

		Reader(Checkpoint start, Stream<CheckpointedKey> stream) {
			this.start = start;
			this.stream = stream;
			this.rows = stream.iterator();
		}

		@Override
		public LogPosition start() {
			return this.start;
		}

		/**
		 * Another instance may have moved the checkpoint since, by values whose order
		 * only the database knows.
		 */
		@Override
		public boolean reads(LogPosition position) {
			return position.isOfLogOf(this.start);
		}

		@Override
		public @Nullable Changes next() {
			this.lock.lock();
			try {
				boolean alone = this.given == null || this.given.equals(this.released);
				return (alone && !this.ended) ? read() : null;
			}
			finally {
				this.lock.unlock();
			}
		}

		private Changes read() {
			List<Object> keys = new ArrayList<>();
			Checkpoint passed = null;
			while (keys.size() < CHUNK && this.rows.hasNext()) {
				CheckpointedKey row = this.rows.next();
				if (!row.checkpoint().equals(this.reached)) {
					passed = pass(row.checkpoint());
				}
				if (row.key() != null) {
					keys.add(row.key());
				}
			}
			if (this.rows.hasNext()) {
				this.given = passed;
			}
			else {
				this.given = this.reached;
				this.ended = true;
			}
			return new Changes(keys, List.of(), this.given, 0);
		}

		private @Nullable Checkpoint pass(Checkpoint next) {
			Checkpoint passed = this.reached;
			if (passed != null && passed.reaches(next)) {
				throw new IllegalStateException("The query gave the checkpoint " + next.value() + " after "
						+ passed.value() + "; let it order its rows by the checkpoint");
			}
			this.reached = next;
			return passed;
		}

		@Override
		public void release(LogPosition position) {
			this.released = position;
		}

		@Override
		public void close() {
			this.ended = true;
			if (this.lock.tryLock()) {
				try {
					this.stream.close();
				}
				finally {
					this.lock.unlock();
				}
			}
		}

	}

}
