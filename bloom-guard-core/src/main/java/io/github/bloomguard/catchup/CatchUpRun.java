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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Adds keys in chunks and moves the checkpoint behind them: never past a row that is not
 * added, so not between rows of the same checkpoint, and not back to rows that the query
 * repeats. Used by one thread.
 */
final class CatchUpRun {

	private static final int CHUNK = 1000;

	private final CheckpointStore checkpoints;

	private final String generation;

	private final Consumer<List<Object>> filter;

	private final BooleanSupplier worthwhile;

	private List<Object> chunk = new ArrayList<>();

	private Checkpoint stored;

	private @Nullable Checkpoint reached;

	private @Nullable Checkpoint passed;

	private long added;

	CatchUpRun(CheckpointStore checkpoints, String generation, Checkpoint stored, Consumer<List<Object>> filter,
			BooleanSupplier worthwhile) {
		this.checkpoints = checkpoints;
		this.generation = generation;
		this.stored = stored;
		this.filter = filter;
		this.worthwhile = worthwhile;
	}

	void addAll(Stream<CheckpointedKey> rows) {
		Iterator<CheckpointedKey> iterator = rows.iterator();
		boolean alone = true;
		while (alone && iterator.hasNext()) {
			read(iterator.next());
			alone = this.chunk.size() < CHUNK || write(this.passed);
		}
		if (alone) {
			write(this.reached);
		}
	}

	private void read(CheckpointedKey row) {
		Checkpoint checkpoint = row.checkpoint();
		if (this.reached != null && checkpoint.isBefore(this.reached)) {
			throw new IllegalStateException("The query gave the checkpoint " + checkpoint.value() + " after "
					+ this.reached.value() + "; let it order its rows by the checkpoint");
		}
		if (!checkpoint.equals(this.reached)) {
			this.passed = this.reached;
			this.reached = checkpoint;
		}
		if (row.key() != null) {
			this.chunk.add(row.key());
		}
	}

	private boolean write(@Nullable Checkpoint checkpoint) {
		if (!this.chunk.isEmpty()) {
			this.filter.accept(this.chunk);
			this.added += this.chunk.size();
			this.chunk = new ArrayList<>();
		}
		return this.worthwhile.getAsBoolean() && move(checkpoint);
	}

	private boolean move(@Nullable Checkpoint checkpoint) {
		if (checkpoint == null || checkpoint.equals(this.stored) || checkpoint.isBefore(this.stored)) {
			return true;
		}
		boolean moved = this.checkpoints.move(this.generation, this.stored, checkpoint).join();
		if (moved) {
			this.stored = checkpoint;
		}
		return moved;
	}

	Checkpoint checkpoint() {
		return this.stored;
	}

	long added() {
		return this.added;
	}

}
