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

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.chaos.Instance.Running;
import io.github.bloomguard.filter.KeyFormat;

/**
 * What users do with the instances.
 * <p>
 * Pauses are made by {@link LockSupport#parkNanos}: they only keep the load below what
 * the machine can do, and nothing is concluded from them.
 */
final class Traffic {

	/**
	 * Ids from here on never exist.
	 */
	static final long ABSENT = 1_000_000_000_000L;

	/**
	 * A read that takes longer waits for something that has no deadline.
	 */
	private static final long SLOW = Duration.ofSeconds(1).toNanos();

	private static final int MANY = 100_000;

	private final List<Instance> instances;

	private final Ledger ledger;

	private final Oracle oracle;

	private final LongFunction<String> inRedis;

	private final KeyFormat format = new KeyFormat(List.of());

	private final Map<Thread, Long> underWay = new ConcurrentHashMap<>();

	private final Map<Thread, Long> slow = new ConcurrentHashMap<>();

	private final Latencies reads = new Latencies();

	private final Latencies writes = new Latencies();

	/**
	 * Ids whose rows were rolled back, whose keys are false positives therefore, and
	 * whose rows are inserted later.
	 */
	private final Queue<Long> inVain = new ConcurrentLinkedQueue<>();

	Traffic(List<Instance> instances, Ledger ledger, Oracle oracle, LongFunction<String> inRedis) {
		this.instances = instances;
		this.ledger = ledger;
		this.oracle = oracle;
		this.inRedis = inRedis;
	}

	Latencies reads() {
		return this.reads;
	}

	Latencies writes() {
		return this.writes;
	}

	void read(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> attempt("read", instance, () -> read(random, instance, running)));
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(1_000)));
		}
	}

	private void read(Random random, Instance instance, Running running) {
		switch (random.nextInt(20)) {
			case 0, 1, 2, 3 -> find("recent row", instance, running, this.ledger.any(random, 50));
			case 4, 5, 6 -> find("any row", instance, running, this.ledger.any(random, Integer.MAX_VALUE));
			case 7, 8 -> find("absent row", instance, running, ABSENT + random.nextLong(ABSENT));
			case 9, 10, 11 -> find("absent row", instance, running, ABSENT + random.nextInt(3_000));
			case 12, 13 -> find("row to come", instance, running, toCome(random));
			case 14 -> this.inVain.stream()
				.skip(random.nextInt(10))
				.findFirst()
				.ifPresent((id) -> find("rolled back row", instance, running, id));
			case 15 -> running.products().latest(3).forEach((id) -> findVisible(instance, running, id));
			case 16, 17 -> ask(instance, running, random.nextBoolean() ? this.ledger.any(random, 50)
					: random.nextBoolean() ? toCome(random) : ABSENT + random.nextInt(3_000));
			default -> findAll(random, instance, running);
		}
	}

	private long toCome(Random random) {
		return this.ledger.nextId() + random.nextInt(60) - 20;
	}

	private void find(String what, Instance instance, Running running, long id) {
		this.oracle.count("read: " + what);
		long began = System.nanoTime();
		Long found = timed(began, () -> running.products().find(Shapes.asked(id)));
		if (found == null) {
			this.oracle.count("not found: " + what);
			this.oracle.absent(id, began, () -> describe("find", instance, running, id));
		}
	}

	/**
	 * Find a row that the database has shown, whether or not whoever committed it knows.
	 */
	private void findVisible(Instance instance, Running running, long id) {
		this.oracle.count("read: visible row");
		long began = System.nanoTime();
		Long found = timed(began, () -> running.products().find(Shapes.asked(id)));
		if (found == null) {
			this.oracle.visibleAbsent(id, began, () -> describe("find visible", instance, running, id));
		}
	}

	private void ask(Instance instance, Running running, long id) {
		this.oracle.count("read: mightContain");
		long began = System.nanoTime();
		boolean possible = timed(began, () -> running.guard().mightContain("products", Shapes.asked(id)));
		if (!possible) {
			this.oracle.absent(id, began, () -> describe("mightContain", instance, running, id));
		}
	}

	private void findAll(Random random, Instance instance, Running running) {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			ids.add(switch (i % 4) {
				case 0 -> this.ledger.any(random, 50);
				case 1 -> this.ledger.any(random, Integer.MAX_VALUE);
				case 2 -> toCome(random);
				default -> ABSENT + random.nextInt(3_000);
			});
		}
		findAll(instance, running, ids);
	}

	/**
	 * Find many rows with one call.
	 * @param instance the instance
	 * @param running its parts
	 * @param ids the ids
	 */
	void findAll(Instance instance, Running running, List<Long> ids) {
		this.oracle.count("read: many rows");
		long began = System.nanoTime();
		List<Long> found = timed(began, () -> running.products().findAll(ids.stream().map(Shapes::asked).toList()));
		ids.stream()
			.filter((id) -> !found.contains(id))
			.forEach((id) -> this.oracle.absent(id, began, () -> describe("findAll", instance, running, id)));
	}

	/**
	 * Ask for very many keys at once, as others ask for a few.
	 */
	void askForMany(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> attempt("many keys", instance, () -> askForMany(random, instance, running)));
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
		}
	}

	private void askForMany(Random random, Instance instance, Running running) {
		this.oracle.count("read: very many keys");
		List<Long> ids = LongStream.range(0, MANY)
			.map((i) -> (i % 50 == 0) ? this.ledger.any(random, Integer.MAX_VALUE) : ABSENT + i)
			.boxed()
			.toList();
		long began = System.nanoTime();
		BitSet possible = timed(began,
				() -> running.managed().guard().possible(ids.stream().map(Shapes::asked).toList()).await().positions());
		for (int i = 0; i < ids.size(); i++) {
			long id = ids.get(i);
			if (!possible.get(i)) {
				this.oracle.absent(id, began, () -> describe("possible", instance, running, id));
			}
		}
		this.oracle
			.count((possible.cardinality() < MANY) ? "many: decided as far as there was time" : "many: not decided");
	}

	/**
	 * Ask the mirrors, and nobody else.
	 */
	void askMirrors(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> {
				for (int i = 0; i < 100; i++) {
					askMirror(instance, running,
							random.nextBoolean() ? this.ledger.any(random, 50) : ABSENT + random.nextLong(ABSENT));
				}
			});
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

	private void askMirror(Instance instance, Running running, long id) {
		long began = System.nanoTime();
		Membership answer = running.managed()
			.filter()
			.lookupInMemory(running.managed().filter().snapshot(), this.format.format(Shapes.asked(id)));
		this.oracle.count("mirror: " + answer);
		if (answer == Membership.ABSENT) {
			this.oracle.absent(id, began, () -> describe("the mirror", instance, running, id));
		}
	}

	private <T> T timed(long began, Supplier<T> read) {
		this.underWay.put(Thread.currentThread(), began);
		try {
			return read.get();
		}
		finally {
			this.underWay.remove(Thread.currentThread());
			this.reads.add(System.nanoTime() - began);
		}
	}

	/**
	 * Note what reads are waiting for that take too long.
	 */
	void noteSlowReads() {
		this.underWay.forEach((thread, began) -> {
			if (System.nanoTime() - began > SLOW && !began.equals(this.slow.put(thread, began))) {
				this.oracle.slow(thread.getStackTrace());
			}
		});
	}

	void write(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			Instance instance = this.instances.get(random.nextInt(this.instances.size()));
			instance.use((running) -> attempt("write", instance, () -> write(random, running)));
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(40)));
		}
	}

	private void write(Random random, Running running) {
		long began = System.nanoTime();
		this.ledger.begin();
		switch (random.nextInt(12)) {
			case 0, 1, 2, 3 -> written("in a transaction", () -> running.catalogue().create(this.ledger.reserve()));
			case 4 -> written("in a slow transaction",
					() -> running.catalogue().createSlowly(this.ledger.reserve(), random.nextInt(200)));
			case 5 -> written("without a transaction", () -> running.catalogue().addAndCreate(this.ledger.reserve()));
			case 6 -> written("batch",
					() -> running.catalogue()
						.createAll(LongStream.range(0, 1 + random.nextInt(20))
							.map((i) -> this.ledger.reserve())
							.boxed()
							.toList()));
			case 7 -> inVain(this.ledger.reserve(), running.catalogue()::createInVain);
			case 8 -> inVain(this.ledger.reserve(), running.catalogue()::addInVain);
			default -> {
				Long id = (this.inVain.size() > 10) ? this.inVain.poll() : null;
				if (id != null) {
					written("after a rollback", () -> running.catalogue().create(id));
				}
			}
		}
		this.writes.add(System.nanoTime() - began);
	}

	private void inVain(long id, LongConsumer writer) {
		writer.accept(id);
		this.oracle.count("write: rolled back");
		this.inVain.add(id);
	}

	private void written(String how, Runnable write) {
		write.run();
		this.oracle.count("write: " + how);
	}

	private void attempt(String what, Instance instance, Runnable call) {
		try {
			call.run();
		}
		catch (KeyNotAddedException ex) {
			this.oracle.count("write: failed");
		}
		catch (RuntimeException ex) {
			this.oracle.violated(what + " of " + instance + " failed: " + ex);
		}
	}

	private String describe(String how, Instance instance, Running running, long id) {
		return how + " by " + instance + ", asked again: " + running.guard().membership("products", Shapes.asked(id))
				+ ", " + this.inRedis.apply(id);
	}

}
