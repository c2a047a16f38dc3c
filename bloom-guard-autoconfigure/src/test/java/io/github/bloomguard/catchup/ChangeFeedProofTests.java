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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogicalPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Proof for {@link ChangeFeed}: eight connections that know nothing of the guard insert
 * rows, in batches, with rollbacks, in transactions that commit late, with and without
 * waiting for the disk, while readers ask two instances for the newest rows, and while
 * followers are cut off, slots dropped, Redis flushed and the database restarted.
 * {@code -Dchanges.duration} sets for how long.
 */
@Tag("proof")
class ChangeFeedProofTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	private static final int WRITERS = 8;

	private static final int READERS = 4;

	/**
	 * So many of the latest rows are asked for.
	 */
	private static final int NEWEST = 64;

	private final AtomicLong nextId = new AtomicLong(1000);

	private final AtomicLongArray newest = new AtomicLongArray(NEWEST);

	private final AtomicLong committed = new AtomicLong();

	private final AtomicBoolean running = new AtomicBoolean(true);

	private final AtomicLong reads = new AtomicLong();

	private final AtomicLong absent = new AtomicLong();

	private final AtomicLong unknown = new AtomicLong();

	private final AtomicLong violations = new AtomicLong();

	private final AtomicLong faults = new AtomicLong();

	@Test
	void noRowThatAnybodyCommittedIsEverAbsent() throws Exception {
		run(Duration.parse(System.getProperty("changes.duration", "PT40S")), false);
	}

	@Test
	void noRowIsAbsentWhateverFails() throws Exception {
		run(Duration.parse(System.getProperty("changes.duration", "PT60S")), true);
		assertThat(this.faults.get()).isPositive();
	}

	private void run(Duration duration, boolean withFaults) throws Exception {
		try (TestRedis redis = TestRedis.start();
				LogicalPostgres postgres = LogicalPostgres
					.start("create table product (id bigint primary key, name text)");
				GuardApplication first = start(redis, postgres).awaitReady();
				GuardApplication second = start(redis, postgres).awaitReady()) {
			List<Thread> threads = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				threads.add(thread(() -> write(postgres, number)));
			}
			for (int reader = 0; reader < READERS; reader++) {
				GuardApplication instance = (reader % 2 == 0) ? first : second;
				threads.add(thread(() -> read(instance)));
			}
			long end = System.nanoTime() + duration.toNanos();
			while (System.nanoTime() < end) {
				if (withFaults) {
					fault(redis, postgres);
				}
				awaitAnswers();
			}
			this.running.set(false);
			for (Thread thread : threads) {
				thread.join();
			}
			System.out.printf(
					"changes: %s, %,d faults, %,d rows, %,d reads, %,d absent rows called absent,"
							+ " %,d not decided, %,d violations%n",
					duration, this.faults.get(), this.committed.get(), this.reads.get(), this.absent.get(),
					this.unknown.get(), this.violations.get());
			assertThat(this.violations.get()).isZero();
			assertThat(this.reads.get()).isGreaterThan(1000);
			assertThat(this.absent.get()).isPositive();
		}
	}

	/**
	 * Wait until rows are committed and absent rows are called absent again.
	 */
	private void awaitAnswers() {
		long rows = this.committed.get() + 500;
		long answers = this.absent.get() + 50;
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> this.committed.get() >= rows && this.absent.get() >= answers);
	}

	private static GuardApplication start(TestRedis redis, LogicalPostgres postgres) {
		return GuardApplication
			.start(redis, List.of(),
					postgres.and(Stream.of("changes.enabled=true", "changes.table=product", "changes.key-columns=id",
							"changes.wait=1s", "warm-up.query=select id from product", "expected-insertions=3000000",
							"false-positive-probability=0.000001", "mirror.enabled=true")
						.map((property) -> PREFIX + property)
						.toArray(String[]::new)));
	}

	private void write(LogicalPostgres postgres, int number) {
		Random random = new Random(number);
		while (this.running.get()) {
			try (Connection connection = postgres.connect(); Statement statement = connection.createStatement()) {
				statement.execute("set synchronous_commit = " + ((number % 2 == 0) ? "on" : "off"));
				connection.setAutoCommit(false);
				while (this.running.get()) {
					transact(connection, statement, random);
				}
			}
			catch (SQLException ex) {
				pause(100);
			}
		}
	}

	private void transact(Connection connection, Statement statement, Random random) throws SQLException {
		int rows = (random.nextInt(10) == 0) ? 200 : 1 + random.nextInt(3);
		long from = this.nextId.getAndAdd(rows);
		statement.execute("insert into product (id) select generate_series(" + from + ", " + (from + rows - 1) + ")");
		if (random.nextInt(20) == 0) {
			commitLate();
		}
		if (random.nextInt(5) == 0) {
			connection.rollback();
			return;
		}
		connection.commit();
		this.committed.addAndGet(rows);
		for (int i = 0; i < Math.min(rows, 4); i++) {
			this.newest.set(random.nextInt(NEWEST), from + rows - 1 - i);
		}
		pause(random.nextInt(5));
	}

	/**
	 * Wait until others have committed.
	 */
	private void commitLate() {
		long rows = this.committed.get() + 500;
		for (int i = 0; i < 500 && this.committed.get() < rows && this.running.get(); i++) {
			pause(1);
		}
	}

	/**
	 * A key below zero never exists, so it shows that the filter answers.
	 */
	private void read(GuardApplication instance) {
		while (this.running.get()) {
			for (int i = 0; i < 20; i++) {
				long id = this.newest.get(ThreadLocalRandom.current().nextInt(NEWEST));
				if (id != 0) {
					Membership answer = instance.guard().membership("products", id);
					this.reads.incrementAndGet();
					if (answer == Membership.ABSENT) {
						this.violations.incrementAndGet();
						System.out.println("changes: the row " + id + " was called absent");
					}
					if (answer == Membership.UNKNOWN) {
						this.unknown.incrementAndGet();
					}
				}
			}
			if (instance.guard()
				.membership("products",
						-1 - ThreadLocalRandom.current().nextLong(Long.MAX_VALUE)) == Membership.ABSENT) {
				this.absent.incrementAndGet();
			}
		}
	}

	private void fault(TestRedis redis, LogicalPostgres postgres) {
		long number = this.faults.incrementAndGet();
		try {
			switch ((int) (number % 5)) {
				case 0 -> redis.command("FLUSHALL");
				case 1 ->
					postgres.execute("select pg_terminate_backend(active_pid) from pg_replication_slots where active");
				case 2 -> dropSlot(postgres);
				case 3 -> postgres.execute("alter table product add column c" + number + " int");
				default -> postgres.restart();
			}
		}
		catch (RuntimeException ex) {
			System.out.println("changes: " + ex.getMessage());
		}
	}

	private static void dropSlot(LogicalPostgres postgres) {
		for (int attempt = 0; attempt < 50; attempt++) {
			try {
				postgres.execute("select pg_terminate_backend(active_pid) from pg_replication_slots where active",
						"select pg_drop_replication_slot(slot_name) from pg_replication_slots");
				return;
			}
			catch (RuntimeException ex) {
				pause(5);
			}
		}
	}

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(work);
		thread.start();
		return thread;
	}

	private static void pause(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
