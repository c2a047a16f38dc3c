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
 * Adds keys to a filter in chunks and moves the mark of its generation behind them: never
 * past a row that has not been added, so not between rows of the same mark either, and
 * not back to rows that the query repeats. Used by one thread.
 */
final class CatchUpRun {

	private static final int CHUNK = 1000;

	private final Marks marks;

	private final String generation;

	private final Consumer<List<Object>> filter;

	private final BooleanSupplier worthwhile;

	private List<Object> chunk = new ArrayList<>();

	private Mark stored;

	private @Nullable Mark reached;

	private @Nullable Mark passed;

	private long added;

	/**
	 * Create a run.
	 * @param marks keep the mark
	 * @param generation whose mark it is
	 * @param stored the mark
	 * @param filter takes the keys
	 * @param worthwhile whether the generation can still be made complete, asked after
	 * keys were added
	 */
	CatchUpRun(Marks marks, String generation, Mark stored, Consumer<List<Object>> filter, BooleanSupplier worthwhile) {
		this.marks = marks;
		this.generation = generation;
		this.stored = stored;
		this.filter = filter;
		this.worthwhile = worthwhile;
	}

	/**
	 * Add all keys, unless another instance does so too or it is of no use any more.
	 */
	void addAll(Stream<MarkedKey> rows) {
		Iterator<MarkedKey> iterator = rows.iterator();
		boolean alone = true;
		while (alone && iterator.hasNext()) {
			read(iterator.next());
			alone = this.chunk.size() < CHUNK || write(this.passed);
		}
		if (alone) {
			write(this.reached);
		}
	}

	private void read(MarkedKey row) {
		Mark mark = row.mark();
		if (this.reached != null && mark.isBefore(this.reached)) {
			throw new IllegalStateException("The query gave the mark " + mark.value() + " after " + this.reached.value()
					+ "; let it order its rows by the mark");
		}
		if (!mark.equals(this.reached)) {
			this.passed = this.reached;
			this.reached = mark;
		}
		if (row.key() != null) {
			this.chunk.add(row.key());
		}
	}

	private boolean write(@Nullable Mark mark) {
		if (!this.chunk.isEmpty()) {
			this.filter.accept(this.chunk);
			this.added += this.chunk.size();
			this.chunk = new ArrayList<>();
		}
		return this.worthwhile.getAsBoolean() && move(mark);
	}

	private boolean move(@Nullable Mark mark) {
		if (mark == null || mark.equals(this.stored) || mark.isBefore(this.stored)) {
			return true;
		}
		boolean moved = this.marks.move(this.generation, this.stored, mark).join();
		if (moved) {
			this.stored = mark;
		}
		return moved;
	}

	Mark mark() {
		return this.stored;
	}

	long added() {
		return this.added;
	}

}
