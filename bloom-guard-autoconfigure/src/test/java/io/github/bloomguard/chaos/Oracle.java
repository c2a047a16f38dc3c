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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.chaos.Ledger.Row;
import io.github.bloomguard.generation.ControlRecord;

/**
 * Judges what readers are told: a row that was committed before the read began is never
 * reported absent. It also counts everything.
 * <p>
 * There is one exception, and it is counted separately. Redis replicates asynchronously,
 * so a failover may lose adds that were acknowledged; nobody can know that before the
 * instances have noticed the other server. A view is trusted for
 * {@link ControlRecord#LEASE} after the record was read, and a record that is read shows
 * the other server. So reads that began less than {@link ControlRecord#LEASE_ENDS} after
 * clients could connect to the new primary are not judged, if the key was added while the
 * replica was behind: the call that added it had begun before the failover, and had not
 * committed before the replica fell behind.
 */
final class Oracle {

	private static final long BLIND = ControlRecord.LEASE_ENDS.toNanos();

	private static final int KEPT = 20;

	private final Ledger ledger;

	private final long start = System.nanoTime();

	private final List<Failover> failovers = new CopyOnWriteArrayList<>();

	private final List<String> events = Collections.synchronizedList(new ArrayList<>());

	private final List<String> slow = new CopyOnWriteArrayList<>();

	private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

	private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

	Oracle(Ledger ledger) {
		this.ledger = ledger;
	}

	/** Count something, by a name such as {@code "read: recent row"}. */
	void count(String what) {
		this.counts.computeIfAbsent(what, (name) -> new LongAdder()).increment();
	}

	/** Return the sum of all counts whose names begin in one of some ways. */
	long total(String... groups) {
		return this.counts.entrySet()
			.stream()
			.filter((entry) -> Arrays.stream(groups).anyMatch(entry.getKey()::startsWith))
			.mapToLong((entry) -> entry.getValue().sum())
			.sum();
	}

	List<String> counts(String group) {
		return this.counts.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(group))
			.map((entry) -> entry.getKey().substring(group.length()) + " %,d".formatted(entry.getValue().sum()))
			.toList();
	}

	/** Note a fault or whatever helps to understand a violation. */
	void event(String what) {
		this.events.add("%.3f s %s".formatted(seconds(System.nanoTime()), what));
	}

	/**
	 * Note a failover that is not complete.
	 * @param behindSince since when the replica may have been behind
	 * @param openAt when clients could connect to the new primary
	 */
	void failover(long behindSince, long openAt) {
		this.failovers.add(new Failover(behindSince, openAt));
	}

	/**
	 * A reader was told that there is no row.
	 * @param id the id of the row
	 * @param began when the read began
	 * @param details describes the read
	 */
	void absent(long id, long began, Supplier<String> details) {
		Row row = this.ledger.row(id);
		if (row != null && row.committedAt() < began) {
			judge(row, began, details);
		}
	}

	/**
	 * A reader was told that there is no row that the database had shown before.
	 * @param id the id of the row
	 * @param began when the read began
	 * @param details describes the read
	 */
	void visibleAbsent(long id, long began, Supplier<String> details) {
		Row row = this.ledger.row(id);
		judge((row != null) ? row : new Row(id, this.start, began), began, details);
	}

	/**
	 * A reader was told that there is no row, which it knows to be there.
	 * @param row the row
	 * @param began when the read began
	 * @param details describes the read
	 */
	void absent(Row row, long began, Supplier<String> details) {
		judge(row, began, details);
	}

	private void judge(Row row, long began, Supplier<String> details) {
		if (this.failovers.stream().anyMatch((failover) -> failover.mayHaveLost(row, began))) {
			count("excluded");
			return;
		}
		violated(
				"the row %d was committed at %.3f s (by a call that began at %.3f s) and is absent for a read that began at %.3f s and ended at %.3f s: %s"
					.formatted(row.id(), seconds(row.committedAt()), seconds(row.writtenSince()), seconds(began),
							seconds(System.nanoTime()), details.get()));
	}

	void violated(String problem) {
		count("violations");
		synchronized (this.events) {
			if (this.violations.size() < KEPT) {
				this.violations.add(problem + "\n    before that: "
						+ this.events.subList(Math.max(0, this.events.size() - 8), this.events.size()));
			}
		}
	}

	/** Note where a read is that takes long. */
	void slow(StackTraceElement[] stack) {
		if (this.slow.size() < KEPT) {
			this.slow.add("at %.3f s in %s".formatted(seconds(System.nanoTime()),
					Arrays.stream(stack).limit(25).map((element) -> "\n    " + element).collect(Collectors.joining())));
		}
	}

	List<String> slow() {
		return this.slow;
	}

	List<String> violations() {
		return this.violations;
	}

	private double seconds(long nanos) {
		return (nanos - this.start) / (double) TimeUnit.SECONDS.toNanos(1);
	}

	/**
	 * A failover to a replica that may have been behind.
	 */
	private record Failover(long behindSince, long openAt) {

		boolean mayHaveLost(Row row, long began) {
			return began - this.openAt < BLIND && row.writtenSince() < this.openAt
					&& row.committedAt() > this.behindSince && System.nanoTime() > this.openAt;
		}

	}

}
