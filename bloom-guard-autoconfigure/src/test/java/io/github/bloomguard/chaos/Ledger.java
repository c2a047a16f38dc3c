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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Which rows are in the database, and since when. A row is written down as soon as the
 * database has confirmed the commit, before anything else that follows a commit.
 */
final class Ledger {

	private final AtomicLong nextId = new AtomicLong(1);

	private final Map<Long, Row> rows = new ConcurrentHashMap<>();

	private final ThreadLocal<Write> write = new ThreadLocal<>();

	private final AtomicLong longestCommit = new AtomicLong();

	private long[] committed = new long[1024];

	private int size;

	/** Reserve an id. */
	long reserve() {
		return this.nextId.getAndIncrement();
	}

	/** Return the id that is reserved next. */
	long nextId() {
		return this.nextId.get();
	}

	/** The thread begins to write rows and to add their keys. */
	void begin() {
		this.write.set(new Write(System.nanoTime(), new ArrayList<>()));
	}

	/** The thread has inserted a row. */
	void inserted(long id) {
		this.write.get().ids().add(id);
	}

	/** The database has rolled back what the thread has inserted. */
	void rolledBack() {
		this.write.get().ids().clear();
	}

	/** Commit what the thread has inserted. */
	<E extends Exception> void commit(Commit<E> commit) throws E {
		long since = System.nanoTime();
		commit.run();
		Write written = this.write.get();
		long now = System.nanoTime();
		this.longestCommit.accumulateAndGet(now - since, Math::max);
		written.ids().forEach((id) -> this.rows.put(id, new Row(id, written.began(), now)));
		synchronized (this) {
			for (long id : written.ids()) {
				if (this.size == this.committed.length) {
					this.committed = Arrays.copyOf(this.committed, this.size * 2);
				}
				this.committed[this.size++] = id;
			}
		}
		written.ids().clear();
	}

	/** Return how long the longest commit took, in nanoseconds. */
	long longestCommit() {
		return this.longestCommit.get();
	}

	/**
	 * Return a row.
	 * @param id the id
	 * @return the row, {@code null} if it is not known to be committed
	 */
	@Nullable Row row(long id) {
		return this.rows.get(id);
	}

	synchronized int size() {
		return this.size;
	}

	/**
	 * Return the id of a committed row.
	 * @param random draws it
	 * @param recent among how many of the latest
	 * @return the id
	 */
	synchronized long any(Random random, int recent) {
		return this.committed[this.size - 1 - random.nextInt(Math.min(this.size, recent))];
	}

	synchronized List<Long> all() {
		return Arrays.stream(this.committed, 0, this.size).boxed().toList();
	}

	/**
	 * A committed row.
	 *
	 * @param id the id
	 * @param writtenSince when the call began that added the key and inserted the row
	 * @param committedAt when it is known to have been committed
	 */
	record Row(long id, long writtenSince, long committedAt) {

	}

	interface Commit<E extends Exception> {

		void run() throws E;

	}

	private record Write(long began, List<Long> ids) {

	}

}
