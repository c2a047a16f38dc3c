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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogicalPostgres;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks instances that follow the change log of a real database, and wait for it before
 * they call a key absent. Eight connections that know nothing of the guard insert rows,
 * in batches, with rollbacks, and in transactions that commit late. A row that anybody
 * committed before a read began is never reported absent.
 * <p>
 * For a while nothing happens but that, then each fault comes once, or as often as
 * {@code -Dchaos.duration=10m} has time for. {@code -Dchaos.database} is
 * {@code postgresql}, {@code mysql} or {@code mariadb} if it is to be only one.
 */
@Tag("proof")
class ChangeFeedChaosTests {

	private static final int WRITERS = 8;

	private static final int READERS = 4;

	private static final Duration PEACE = Duration.ofSeconds(10);

	/**
	 * So many rows may be inserted at full speed for each absent answer: a feed that
	 * falls behind lets all calls through, and that shows nothing.
	 */
	private static final int ROWS_FOR_AN_ANSWER = 50;

	private static final int MOST_ROWS = 20_000;

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "20s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	/**
	 * How many rows may be inserted at full speed. Readers raise it, writers lower it.
	 */
	private final AtomicLong budget = new AtomicLong(MOST_ROWS);

	private final AtomicLong answers = new AtomicLong();

	private final List<GuardApplication> instances = new ArrayList<>();

	private volatile boolean running = true;

	static Stream<Named<Supplier<FollowedDatabase>>> databases() {
		String table = "create table product (id bigint primary key, name varchar(40))";
		return Stream
			.of(Named.<Supplier<FollowedDatabase>>of("PostgreSQL",
					() -> new FollowedDatabase.Postgres(LogicalPostgres.start(table))),
					Named.<Supplier<FollowedDatabase>>of("MySQL",
							() -> new FollowedDatabase.Binlog(TestMySql.startLogging(table))),
					Named.<Supplier<FollowedDatabase>>of("MariaDB",
							() -> new FollowedDatabase.Binlog(TestMariaDb.startLogging(table))))
			.filter((named) -> named.getName()
				.toLowerCase(Locale.ROOT)
				.contains(System.getProperty("chaos.database", "")));
	}

	@ParameterizedTest
	@MethodSource("databases")
	void rowsThatAnybodyCommittedAreNeverReportedAbsent(Supplier<FollowedDatabase> databases) throws Exception {
		try (FollowedDatabase database = databases.get();
				FailoverRedis redis = new FailoverRedis();
				InstanceProcess process = new InstanceProcess(this.ledger, this.oracle, FollowingMain.class,
						properties(redis, database))) {
			try (GuardApplication first = start(redis, database); GuardApplication second = start(redis, database)) {
				this.instances.addAll(List.of(first, second));
				run(redis, database, process);
			}
		}
		finally {
			System.out.printf("changes: seed %d, %,d rows, %s, %s%n", this.seed, this.ledger.size(),
					this.oracle.counts(""), this.oracle.violations());
		}
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(this.oracle.total("read: MAYBE")).isGreaterThan(1_000);
		assertThat(this.oracle.total("method: row")).isGreaterThan(1_000);
		assertThat(this.oracle.total("method: nothing")).isGreaterThan(100);
		assertThat(this.oracle.total("process: MAYBE")).isGreaterThan(100);
		assertThat(this.oracle.total("process: ABSENT")).isPositive();
		assertThat(this.oracle.counts("fault: ")).hasSize(Fault.values().length);
	}

	private static GuardApplication start(FailoverRedis redis, FollowedDatabase database) {
		return GuardApplication.start(List.of(Products.class), properties(redis, database)).awaitReady();
	}

	private static String[] properties(FailoverRedis redis, FollowedDatabase database) {
		return database.and(Stream.concat(
				Stream.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port(),
						"bloom-guard.add-timeout=1s", "spring.cache.type=redis",
						"bloom-guard.filters.products.caches=products"),
				Stream
					.of("changes.enabled=true", "changes.table=product", "changes.key-columns=id", "changes.wait=1s",
							"warm-up.query=select id from product", "expected-insertions=3000000",
							"false-positive-probability=0.000001", "mirror.enabled=true")
					.map((property) -> "bloom-guard.filters.products." + property))
			.toArray(String[]::new));
	}

	private void run(FailoverRedis redis, FollowedDatabase database, InstanceProcess process) throws Exception {
		ExecutorService threads = Executors.newCachedThreadPool();
		List<Future<?>> tasks = new ArrayList<>();
		for (int i = 0; i < WRITERS; i++) {
			int number = i;
			tasks.add(threads.submit(() -> write(database, number)));
		}
		Awaitility.await().until(() -> this.ledger.size() > 0);
		for (int i = 0; i < READERS; i++) {
			Random random = new Random(this.seed + 100 + i);
			GuardApplication instance = this.instances.get(i % 2);
			tasks.add(threads.submit(() -> read(instance, random)));
		}
		tasks.add(threads.submit(() -> process.ask(new Random(this.seed + 200), () -> this.running)));
		try {
			attack(new Attack(redis, database, process));
		}
		finally {
			this.running = false;
			threads.shutdown();
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
	}

	private void attack(Attack attack) {
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < PEACE.toNanos()) {
			awaitAnswers();
		}
		Random random = new Random(this.seed - 1);
		do {
			List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
			Collections.shuffle(faults, random);
			for (Fault fault : faults) {
				this.oracle.event(fault.toString());
				attack.cause(fault, random);
				this.oracle.count("fault: " + fault);
				awaitAnswers();
			}
		}
		while (System.nanoTime() - begun < this.duration.toNanos());
	}

	/**
	 * Wait until rows are committed and keys are called absent, by the process as well.
	 */
	private void awaitAnswers() {
		long rows = this.ledger.size() + 200;
		long answers = this.answers.get() + 50;
		long absent = this.oracle.total("process: ABSENT");
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> this.ledger.size() >= rows && this.answers.get() >= answers
					&& this.oracle.total("process: ABSENT") > absent);
	}

	private void write(FollowedDatabase database, int number) {
		Random random = new Random(this.seed + number);
		while (this.running) {
			try (Connection connection = database.template().getDataSource().getConnection();
					Statement statement = connection.createStatement()) {
				database.vary(connection, number);
				connection.setAutoCommit(false);
				while (this.running) {
					insert(connection, statement, random);
				}
			}
			catch (SQLException ex) {
				// the database is restarted; what was in work is not known to be
				// committed
				Faults.pause(100);
			}
		}
	}

	private void insert(Connection connection, Statement statement, Random random) throws SQLException {
		int rows = (random.nextInt(10) == 0) ? 200 : 1 + random.nextInt(3);
		if (this.budget.addAndGet(-rows) < 0) {
			Faults.pause(50);
			rows = 1;
		}
		this.ledger.begin();
		long[] ids = LongStream.range(0, rows).map((row) -> this.ledger.reserve()).toArray();
		statement.execute("insert into product (id) values "
				+ LongStream.of(ids).mapToObj((id) -> "(" + id + ")").collect(Collectors.joining(", ")));
		LongStream.of(ids).forEach(this.ledger::inserted);
		if (random.nextInt(20) == 0) {
			commitLate();
		}
		if (random.nextInt(5) == 0) {
			connection.rollback();
			this.ledger.rolledBack();
			return;
		}
		this.ledger.commit(connection::commit);
	}

	/**
	 * Wait until others have committed.
	 */
	private void commitLate() {
		int rows = this.ledger.size() + 500;
		for (int i = 0; i < 500 && this.ledger.size() < rows && this.running; i++) {
			Faults.pause(1);
		}
	}

	private void read(GuardApplication instance, Random random) {
		Products products = instance.bean(Products.class);
		while (this.running) {
			switch (random.nextInt(20)) {
				case 0 -> askForNothing(instance, Traffic.ABSENT + random.nextLong(Traffic.ABSENT));
				case 1 -> find(products::find, this.ledger.nextId() + random.nextInt(100));
				case 2 -> find(products::findCached, this.ledger.nextId() + random.nextInt(100));
				case 3 -> find(products::find, this.ledger.any(random, 100));
				case 4 -> find(products::findCached, this.ledger.any(random, 100));
				default -> ask(instance, this.ledger.any(random, random.nextBoolean() ? 50 : Integer.MAX_VALUE));
			}
		}
	}

	private void askForNothing(GuardApplication instance, long id) {
		if (membership(instance, id) == Membership.ABSENT) {
			this.answers.incrementAndGet();
			this.budget.accumulateAndGet(ROWS_FOR_AN_ANSWER,
					(present, more) -> Math.min(Math.max(present, 0) + more, MOST_ROWS));
		}
	}

	private void ask(GuardApplication instance, long id) {
		long began = System.nanoTime();
		if (membership(instance, id) == Membership.ABSENT) {
			this.oracle.absent(id, began, () -> "asked in this process");
		}
	}

	private Membership membership(GuardApplication instance, long id) {
		Membership answer = instance.bean(BloomGuard.class).membership("products", id);
		this.oracle.count("read: " + answer);
		if (answer == Membership.UNKNOWN) {
			// as long as the database would be asked
			Faults.pause(1);
		}
		return answer;
	}

	/**
	 * Find a row by a method, also before it is there, so that what remembers its absence
	 * has to forget it.
	 */
	private void find(LongFunction<@Nullable Long> method, long id) {
		long began = System.nanoTime();
		try {
			boolean found = method.apply(id) != null;
			this.oracle.count("method: " + (found ? "row" : "nothing"));
			if (!found) {
				this.oracle.absent(id, began, () -> "found by a method");
			}
		}
		catch (DataAccessException ex) {
			this.oracle.count("method: failed");
		}
	}

	/**
	 * Finds rows.
	 */
	@EnableCaching
	static class Products {

		private final JdbcTemplate jdbc;

		Products(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@BloomGuarded("products")
		public @Nullable Long find(long id) {
			return this.jdbc.queryForList("select id from product where id = ?", Long.class, id)
				.stream()
				.findFirst()
				.orElse(null);
		}

		@BloomGuarded("products")
		@Cacheable("products")
		public @Nullable Long findCached(long id) {
			return find(id);
		}

	}

	/**
	 * What is done to the system.
	 */
	private enum Fault {

		REDIS_FLUSHED, REDIS_FAILS_OVER, REDIS_FROZEN, DATABASE_RESTARTED, LOG_LOST, COLUMN_ADDED, ROWS_BROUGHT,
		FOLLOWER_CUT_OFF, FOLLOWER_FROZEN, FOLLOWER_KILLED

	}

	/**
	 * Does it.
	 */
	private final class Attack {

		private final FailoverRedis redis;

		private final FollowedDatabase database;

		private final InstanceProcess process;

		private int columns;

		Attack(FailoverRedis redis, FollowedDatabase database, InstanceProcess process) {
			this.redis = redis;
			this.database = database;
			this.process = process;
		}

		void cause(Fault fault, Random random) {
			switch (fault) {
				case REDIS_FLUSHED -> this.redis.primary().command("FLUSHALL");
				case REDIS_FAILS_OVER -> {
					assertThat(this.redis.awaitReplica(Duration.ofSeconds(30))).isTrue();
					this.redis.failOver(random.nextInt(800), ChangeFeedChaosTests.this.oracle);
				}
				case REDIS_FROZEN -> {
					this.redis.primary().freeze();
					Faults.pause(200 + random.nextInt(2_800));
					this.redis.primary().thaw();
				}
				case DATABASE_RESTARTED -> this.database.restart();
				case LOG_LOST -> this.database.loseLog(feed());
				case COLUMN_ADDED ->
					this.database.template().execute("alter table product add column column" + ++this.columns + " int");
				case ROWS_BROUGHT -> bringRows();
				case FOLLOWER_CUT_OFF -> this.database.cutOff(feed());
				case FOLLOWER_FROZEN -> {
					awaitProcessFollows();
					this.process.freeze(500 + random.nextInt(4_500));
				}
				case FOLLOWER_KILLED -> {
					awaitProcessFollows();
					this.process.kill();
				}
			}
		}

		private void bringRows() {
			Ledger ledger = ChangeFeedChaosTests.this.ledger;
			ledger.begin();
			List<Long> ids = Stream.generate(ledger::reserve).limit(3).toList();
			ids.forEach(ledger::inserted);
			ledger.commit(() -> this.database.bring(ids));
		}

		private void awaitProcessFollows() {
			Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(200)).until(() -> {
				FeedStatus status = feeds().map((feed) -> feed.progress().status())
					.filter((present) -> present != null)
					.findAny()
					.orElse(null);
				boolean here = feeds().anyMatch((feed) -> feed.progress().following());
				if (here) {
					this.database.cutOff(feed());
				}
				return !here && status != null && status.follower() != null;
			});
		}

		private String feed() {
			return feeds().map((feed) -> feed.progress().status())
				.filter((status) -> status != null)
				.map(FeedStatus::name)
				.findAny()
				.orElseThrow();
		}

		private Stream<RowFeed> feeds() {
			return ChangeFeedChaosTests.this.instances.stream().map((instance) -> instance.products().changes());
		}

	}

}
