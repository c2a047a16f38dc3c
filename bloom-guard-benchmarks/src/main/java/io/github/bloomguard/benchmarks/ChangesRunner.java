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

package io.github.bloomguard.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

import io.github.bloomguard.Membership;
import io.github.bloomguard.benchmarks.changes.FollowingInstance;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Measures how soon a row that others insert is known, how fast a feed catches up, and
 * what an absent answer costs that waits for the log. Two instances: one follows, the
 * other one does not.
 */
public final class ChangesRunner {

	private static final long EXISTING = 100_000;

	private static final int PER_SECOND = 1000;

	private static final int CALLERS = 64;

	private final JdbcTemplate database;

	private final int seconds;

	private final int behind;

	private final AtomicLong lastId = new AtomicLong(EXISTING);

	private ChangesRunner(JdbcTemplate database, boolean quick) {
		this.database = database;
		this.seconds = quick ? 1 : 10;
		this.behind = quick ? 50_000 : 500_000;
	}

	/**
	 * Measure.
	 * @param args {@code --quick} to see only whether it runs
	 */
	public static void main(String[] args) {
		try (LocalPostgres postgres = LocalPostgres.startLogical(); LocalRedis redis = LocalRedis.start()) {
			JdbcTemplate database = postgres.template();
			database.execute("create table product (id bigint primary key, name text)");
			database.execute(
					"insert into product select id, 'product ' || id from generate_series(1, " + EXISTING + ") id");
			System.out.println(Machine.describe(redis, postgres));
			System.out.println();
			ChangesRunner runner = new ChangesRunner(database, List.of(args).contains("--quick"));
			try (FollowingInstance first = new FollowingInstance(redis, postgres.dataSource(), "0s");
					FollowingInstance second = new FollowingInstance(redis, postgres.dataSource(), "0s")) {
				awaitFollower(first, second);
				runner.lag(first);
				runner.lag(second);
				runner.catchUp(second);
			}
			try (FollowingInstance first = new FollowingInstance(redis, postgres.dataSource(), "1s");
					FollowingInstance second = new FollowingInstance(redis, postgres.dataSource(), "1s")) {
				awaitFollower(first, second);
				try (FollowingInstance alone = FollowingInstance.alone(redis, postgres.dataSource())) {
					runner.cachedRow(alone, first.isFollowing() ? first : second);
				}
				for (FollowingInstance instance : List.of(first, second)) {
					runner.barrier(instance, false);
					runner.barrier(instance, true);
					runner.attack(instance, false);
					runner.attack(instance, true);
				}
			}
		}
	}

	private static void awaitFollower(FollowingInstance first, FollowingInstance second) {
		while (!first.isFollowing() && !second.isFollowing()) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	private static String name(FollowingInstance instance) {
		return instance.isFollowing() ? "the instance that follows" : "another instance";
	}

	private void lag(FollowingInstance instance) {
		Histogram lags = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
		insert(new AtomicBoolean(true), this.seconds * PER_SECOND, (id) -> {
			long committed = System.nanoTime();
			instance.awaitFound(id);
			lags.recordValue(System.nanoTime() - committed);
		});
		print("commit to found, %,d inserts/s, %s".formatted(PER_SECOND, name(instance)), lags);
	}

	/**
	 * Insert rows at a steady rate.
	 */
	private void insert(AtomicBoolean running, int rows, LongConsumer inserted) {
		long begun = System.nanoTime();
		for (int row = 0; row < rows && running.get(); row++) {
			while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(row) / PER_SECOND) {
				LockSupport.parkNanos(50_000);
			}
			long id = this.lastId.incrementAndGet();
			this.database.update("insert into product (id) values (?)", id);
			inserted.accept(id);
		}
	}

	private void catchUp(FollowingInstance instance) {
		long from = this.lastId.get() + 1;
		this.database.update("insert into product (id) select generate_series(?, ?)", from, from + this.behind - 1);
		this.lastId.addAndGet(this.behind);
		long begun = System.nanoTime();
		instance.awaitFound(this.lastId.get());
		System.out.printf(Locale.ROOT, "catch-up with %,d rows: %,.0f rows/s%n", this.behind,
				this.behind / ((System.nanoTime() - begun) / 1e9));
	}

	private void barrier(FollowingInstance instance, boolean busy) {
		Histogram times = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
		whileInserting(busy, () -> {
			for (int call = 0; call < 200 * this.seconds; call++) {
				long begun = System.nanoTime();
				askForAbsent(instance);
				times.recordValue(System.nanoTime() - begun);
				LockSupport.parkNanos(2_000_000);
			}
		});
		print("absent answer, one caller, %s, %s".formatted(busy ? "while rows are inserted" : "idle database",
				name(instance)), times);
	}

	private static Membership askForAbsent(FollowingInstance instance) {
		return instance.filter().membership(-1 - ThreadLocalRandom.current().nextLong(Long.MAX_VALUE));
	}

	/**
	 * Read a cached row without a feed and with one, in turns.
	 */
	private void cachedRow(FollowingInstance alone, FollowingInstance following) {
		List<Double> ratios = new ArrayList<>();
		List<Double> without = new ArrayList<>();
		readCachedRow(alone);
		readCachedRow(following);
		for (int round = 0; round < 2 * this.seconds + 1; round++) {
			without.add(readCachedRow(alone));
			ratios.add(readCachedRow(following) / without.get(round));
		}
		ratios.sort(null);
		without.sort(null);
		System.out.printf(Locale.ROOT,
				"cached row: %,.0f calls/s without a feed, with it %.3f times as many, at least %.3f, at most %.3f%n",
				without.get(this.seconds), ratios.get(this.seconds), ratios.get(0), ratios.get(2 * this.seconds));
	}

	private static double readCachedRow(FollowingInstance instance) {
		long begun = System.nanoTime();
		long calls = 0;
		while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
			instance.product(1 + calls % 1000);
			calls++;
		}
		return calls / ((System.nanoTime() - begun) / 1e9);
	}

	private void attack(FollowingInstance instance, boolean busy) {
		ConcurrentHistogram times = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 3);
		AtomicLong through = new AtomicLong();
		AtomicBoolean running = new AtomicBoolean(true);
		whileInserting(busy, () -> {
			long inserted = this.lastId.get();
			long before = transactions();
			long begun = System.nanoTime();
			List<Thread> callers = new ArrayList<>();
			for (int caller = 0; caller < CALLERS; caller++) {
				callers.add(start(() -> {
					while (running.get()) {
						long asked = System.nanoTime();
						if (askForAbsent(instance) == Membership.UNKNOWN) {
							through.incrementAndGet();
						}
						times.recordValue(System.nanoTime() - asked);
					}
				}));
			}
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(this.seconds));
			running.set(false);
			callers.forEach(ChangesRunner::join);
			double seconds = (System.nanoTime() - begun) / 1e9;
			// statistics are written when a connection has been idle for half a second
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
			long transactions = transactions() - before - (this.lastId.get() - inserted);
			System.out.printf(Locale.ROOT,
					"%,.0f transactions/s beside the inserts, %,.0f calls/s, %,d of %,d through%n",
					transactions / seconds, times.getTotalCount() / seconds, through.get(), times.getTotalCount());
		});
		print("absent answer, %d callers, %s, %s".formatted(CALLERS, busy ? "while rows are inserted" : "idle database",
				name(instance)), times);
	}

	private long transactions() {
		Long count = this.database
			.queryForObject("select xact_commit from pg_stat_database where datname = current_database()", Long.class);
		return (count != null) ? count : 0;
	}

	private void whileInserting(boolean busy, Runnable work) {
		AtomicBoolean running = new AtomicBoolean(busy);
		Thread writer = start(() -> insert(running, Integer.MAX_VALUE, (id) -> {
		}));
		work.run();
		running.set(false);
		join(writer);
	}

	private static Thread start(Runnable work) {
		Thread thread = new Thread(work);
		thread.start();
		return thread;
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void print(String what, Histogram times) {
		System.out.printf(Locale.ROOT, "%s: max %.1f ms, p99 %.1f ms, p50 %.1f ms%n", what, times.getMaxValue() / 1e6,
				times.getValueAtPercentile(99) / 1e6, times.getValueAtPercentile(50) / 1e6);
	}

}
