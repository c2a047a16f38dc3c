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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.chaos.Instance.Running;
import io.github.bloomguard.chaos.Ledger.Row;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;

import org.springframework.dao.DuplicateKeyException;

/**
 * Rows that are deleted and inserted again, by all instances at the same time.
 * <p>
 * Each insert makes another version of a row. A version is there from its commit on until
 * somebody holds the lock of its row who is about to delete it.
 */
final class Turnover {

	static final String TABLE = "create table turnover (id bigint primary key, version bigint)";

	private static final long FIRST = 900_000_000_000L;

	private static final int ROWS = 200;

	/**
	 * How many rows an import replaces, more than a page of the journal has keys.
	 */
	private static final int IMPORTED = 1_500;

	/**
	 * So many that each rests for longer between two imports than added keys are kept
	 * from being removed.
	 */
	private static final int IMPORTS = 8;

	private final List<Instance> instances;

	private final Ledger ledger;

	private final Oracle oracle;

	private final KeyFormat format = new KeyFormat(List.of());

	private final AtomicLong versions = new AtomicLong();

	private final Map<Long, Version> committed = new ConcurrentHashMap<>();

	private final Map<String, Long> removed = new HashMap<>();

	private final Set<Long> gone = ConcurrentHashMap.newKeySet();

	Turnover(List<Instance> instances, Ledger ledger, Oracle oracle) {
		this.instances = instances;
		this.ledger = ledger;
		this.oracle = oracle;
	}

	void write(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> {
				try {
					write(random, running);
				}
				catch (KeyNotAddedException ex) {
					this.oracle.count("turnover: failed");
				}
				catch (DuplicateKeyException ex) {
					this.oracle.count("turnover: is there");
				}
			});
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
		}
	}

	private void write(Random random, Running running) {
		long id = FIRST + random.nextInt(ROWS);
		this.ledger.begin();
		if (random.nextInt(4) > 0) {
			long began = System.nanoTime();
			long version = this.versions.incrementAndGet();
			running.catalogue().comeBack(id, version);
			this.committed.put(id, new Version(version, new Row(id, began, System.nanoTime())));
			this.oracle.count("turnover: inserted");
			return;
		}
		boolean inVain = random.nextInt(4) == 0;
		Long version = running.catalogue().goAway(id, this.gone::add, random.nextBoolean(), inVain);
		if (version != null && inVain) {
			this.gone.remove(version);
		}
		this.oracle.count("turnover: " + ((version == null) ? "is not there" : inVain ? "rolled back" : "deleted"));
	}

	/**
	 * Delete many rows and insert them again, in the same instance and one transaction
	 * after the other.
	 */
	void importAgain(Random random, BooleanSupplier goesOn) {
		for (int i = 0; goesOn.getAsBoolean(); i++) {
			int which = i % IMPORTS;
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> {
				try {
					importAgain(which, running);
					this.oracle.count("turnover: imported");
				}
				catch (KeyNotAddedException ex) {
					this.oracle.count("turnover: import failed");
				}
			});
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(2_000)));
		}
	}

	private void importAgain(int which, Running running) {
		List<Long> ids = LongStream.range(0, IMPORTED).mapToObj((row) -> imported(which, row)).toList();
		this.ledger.begin();
		running.catalogue().clear(ids, this.gone::add);
		this.ledger.begin();
		long began = System.nanoTime();
		long version = this.versions.getAndAdd(IMPORTED) + 1;
		running.catalogue().fill(ids, version);
		long committed = System.nanoTime();
		for (int i = 0; i < IMPORTED; i++) {
			this.committed.put(ids.get(i), new Version(version + i, new Row(ids.get(i), began, committed)));
		}
	}

	void read(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> {
				countRemovals(running.managed().filter());
				for (int i = 0; i < 50; i++) {
					read(instance, running, id(random), random.nextInt(10) == 0);
				}
			});
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

	/**
	 * Count removals that were not passed over, as far as anybody looks before the next
	 * generation.
	 */
	private synchronized void countRemovals(GenerationalFilter filter) {
		Generation active = filter.active();
		ControlRecord record = filter.record();
		long removed = (record != null) ? record.removed() : 0;
		if (active != null && removed > this.removed.getOrDefault(active.id(), 0L)) {
			Long former = this.removed.put(active.id(), removed);
			for (long i = (former != null) ? former : 0; i < removed; i++) {
				this.oracle.count("turnover: removed");
			}
		}
	}

	private void read(Instance instance, Running running, long id, boolean remotely) {
		Version version = this.committed.get(id);
		boolean there = version != null && !this.gone.contains(version.number());
		long began = System.nanoTime();
		Membership answer = remotely ? running.guard().membership("products", Shapes.asked(id))
				: running.managed()
					.filter()
					.lookupInMemory(running.managed().filter().snapshot(), this.format.format(Shapes.asked(id)));
		this.oracle.count("turnover: " + (there ? "a row is " : "none or any is ") + answer);
		if (answer == Membership.ABSENT && there && !this.gone.contains(version.number())) {
			this.oracle.absent(version.row(), began, () -> "version " + version.number() + " by " + instance);
		}
	}

	private static long id(Random random) {
		return random.nextBoolean() ? FIRST + random.nextInt(ROWS)
				: imported(random.nextInt(IMPORTS), random.nextInt(IMPORTED));
	}

	private static long imported(int which, long row) {
		return FIRST + ROWS + which * IMPORTED + row;
	}

	/**
	 * What one insert has made.
	 *
	 * @param number its number
	 * @param row the row
	 */
	private record Version(long number, Row row) {

	}

}
