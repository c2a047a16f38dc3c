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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.chaos.ChaosTests.Verdicts;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.MySqlDatabase;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Attacks instances of an application with a real MySQL or MariaDB and a real Redis with
 * a replica. Hibernate or MyBatis inserts customers whose ids the database gives, and
 * whose names are compared as it does by default; they are asked for in other cases and
 * with other accents. A row that was committed before a read began is never reported
 * absent.
 * <p>
 * It runs for less than a minute for each database, or as long as
 * {@code -Dchaos.duration=10m} says for the one that {@code -Dchaos.database=mysql} or
 * {@code mariadb} and {@code -Dchaos.writer=hibernate} or {@code mybatis} name.
 */
@Tag("proof")
class DatabaseChaosTests {

	private static final int INSTANCES = 3;

	private static final int WRITERS = 4;

	private static final int READERS = 8;

	/**
	 * How long it goes on beyond its time until enough has happened.
	 */
	private static final Duration LONGEST = Duration.ofMinutes(2);

	/**
	 * Its columns have the collation that the server gives them.
	 */
	private static final String TABLE = "create table customer (id bigint auto_increment primary key, name varchar(50) unique)";

	private static final List<String> FILTERS = List.of("products", "names");

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "40s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	private final Map<Long, Long> ids = new ConcurrentHashMap<>();

	private final List<GuardApplication> instances = new ArrayList<>();

	static Stream<Arguments> databases() {
		List<CustomerWriter> writers = List.of(new HibernateCustomers(), new MyBatisCustomers());
		Map<String, Supplier<MySqlDatabase>> databases = new TreeMap<>(
				Map.of("MySQL", () -> TestMySql.create(TABLE), "MariaDB", () -> TestMariaDb.create(TABLE)));
		return databases.entrySet()
			.stream()
			.filter((database) -> isAskedFor("chaos.database", database.getKey()))
			.flatMap((database) -> writers.stream()
				.filter((writer) -> isAskedFor("chaos.writer", writer.toString()))
				.map((writer) -> arguments(Named.of(database.getKey(), database.getValue()), writer)));
	}

	private static boolean isAskedFor(String property, String name) {
		return name.toLowerCase(Locale.ROOT).contains(System.getProperty(property, ""));
	}

	@ParameterizedTest(name = "{0}, written by {1}")
	@MethodSource("databases")
	void committedRowsAreNeverReportedAbsent(Supplier<MySqlDatabase> databases, CustomerWriter writer)
			throws Exception {
		MySqlDatabase database = databases.get();
		try (FailoverRedis redis = new FailoverRedis()) {
			for (int i = 0; i < INSTANCES; i++) {
				this.instances.add(start(redis, database, writer, i > 0));
			}
			this.instances.forEach(DatabaseChaosTests::awaitReady);
			run(redis, writer);
			this.instances.forEach(DatabaseChaosTests::awaitReady);
			this.ledger.all().forEach((number) -> this.instances.forEach((instance) -> {
				Random random = new Random(number);
				findByName(instance, number, random, "find", (name) -> instance.bean(Customers.class).find(name));
				findById(instance, number);
			}));
		}
		finally {
			this.instances.forEach(GuardApplication::close);
			report(database.url(), writer);
		}
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(hasHappened()).as("enough of all").isTrue();
	}

	/**
	 * Return whether there was enough of what is to be seen, of which less happens where
	 * Redis is replaced again and again.
	 */
	private boolean hasHappened() {
		return this.oracle.total("found: in another way") > 1_000 && this.oracle.total("found: by id") > 100
				&& this.oracle.total("not found: row to come") > 100 && this.oracle.total("verdict: absent") > 1_000
				&& this.oracle.total("write: committed") > 20 && this.oracle.total("fault: ") > 5;
	}

	private GuardApplication start(FailoverRedis redis, MySqlDatabase database, CustomerWriter writer, boolean mirror) {
		String names = "bloom-guard.filters.names.";
		List<String> properties = new ArrayList<>(Instance.properties(redis.port(), Instance.KEYS, mirror));
		Instance.properties(redis.port(), Instance.KEYS, mirror)
			.stream()
			.filter((property) -> property.contains(".products."))
			.forEach((property) -> properties.add(property.replace(".products.", ".names.")));
		properties.addAll(writer.properties());
		properties.addAll(List.of("spring.cache.type=redis", "bloom-guard.cache.timeout=100ms", names + "caches=names",
				names + "verification.required-calls=0", names + "verification.mode=off", names + "rebuild.settle=0s",
				names + "warm-up.recheck-empty=0s", "spring.datasource.hikari.maximum-pool-size=8"));
		List<Object> beans = new ArrayList<>(List.of(Caching.class, Customers.class, new Verdicts(this.oracle)));
		beans.addAll(writer.beans(this.ledger));
		return GuardApplication.start(beans, database.and(properties.toArray(String[]::new)));
	}

	private static void awaitReady(GuardApplication instance) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> instance.bean(ManagedFilters.class)
				.stream()
				.allMatch((filter) -> filter.filter().state() == FilterState.READY));
	}

	private void run(FailoverRedis redis, CustomerWriter writer) throws Exception {
		long stop = System.nanoTime() + this.duration.toNanos();
		BooleanSupplier goesOn = () -> System.nanoTime() < stop
				|| (!hasHappened() && System.nanoTime() < stop + LONGEST.toNanos());
		ExecutorService threads = Executors.newCachedThreadPool();
		List<Future<?>> tasks = new ArrayList<>();
		for (int i = 0; i < WRITERS; i++) {
			Random random = new Random(this.seed + i);
			tasks
				.add(threads.submit(() -> repeat(goesOn, random, 40, (instance, any) -> write(writer, instance, any))));
		}
		for (int i = 0; i < READERS; i++) {
			Random random = new Random(this.seed + 100 + i);
			tasks.add(threads.submit(() -> repeat(goesOn, random, 2, this::read)));
		}
		Random random = new Random(this.seed - 1);
		while (goesOn.getAsBoolean()) {
			Faults.pause(300 + random.nextInt(1_500));
			attack(redis, random);
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
		threads.shutdown();
	}

	private void repeat(BooleanSupplier goesOn, Random random, int maxPause, Step step) {
		while (goesOn.getAsBoolean()) {
			GuardApplication instance = this.instances.get(random.nextInt(INSTANCES));
			try {
				step.take(instance, random);
			}
			catch (RuntimeException ex) {
				if (isNotAdded(ex)) {
					this.oracle.count("write: failed");
				}
				else {
					this.oracle.violated("a call failed: " + ex);
				}
			}
			Faults.pause(random.nextInt(maxPause));
		}
	}

	private static boolean isNotAdded(@Nullable Throwable failure) {
		return failure != null && (failure instanceof KeyNotAddedException || isNotAdded(failure.getCause()));
	}

	private void attack(FailoverRedis redis, Random random) {
		int fault = random.nextInt(6);
		this.oracle.event("fault " + fault);
		switch (fault) {
			case 0, 1 -> {
				if (redis.awaitReplica(Duration.ofSeconds(3))) {
					redis.failOver(random.nextInt(800), this.oracle);
					this.oracle.count("fault: failover");
				}
			}
			case 2 -> {
				redis.primary().command("FLUSHALL");
				this.oracle.count("fault: flushed");
			}
			case 3 -> {
				redis.primary().freeze();
				Faults.pause(200 + random.nextInt(2_000));
				redis.primary().thaw();
				this.oracle.count("fault: frozen");
			}
			default -> {
				this.instances.get(random.nextInt(INSTANCES)).guard().rebuild(FILTERS.get(random.nextInt(2)));
				this.oracle.count("fault: rebuild");
			}
		}
	}

	private void write(CustomerWriter writer, GuardApplication instance, Random random) {
		this.ledger.begin();
		boolean inVain = random.nextInt(6) == 0;
		writer.write(instance, this.ledger, this.ids, random, inVain);
		this.oracle.count("write: " + (inVain ? "rolled back" : "committed"));
	}

	private void read(GuardApplication instance, Random random) {
		Customers customers = instance.bean(Customers.class);
		int kind = random.nextInt(8);
		long number = (this.ledger.size() == 0 || kind == 0) ? this.ledger.nextId() + random.nextInt(60) - 20
				: this.ledger.any(random, (kind < 5) ? 50 : Integer.MAX_VALUE);
		switch (random.nextInt(6)) {
			case 0, 1 -> findByName(instance, number, random, "find", customers::find);
			case 2 -> findByName(instance, number, random, "findCached", customers::findCached);
			case 3 -> findByName(instance, number, random, "findShared", customers::findShared);
			case 4 -> findByName(instance, number, random, "membership",
					(name) -> (instance.bean(BloomGuard.class).membership("names", name) != Membership.ABSENT) ? number
							: null);
			default -> findById(instance, number);
		}
		customers.find("nobody " + random.nextLong());
	}

	private void findByName(GuardApplication instance, long number, Random random, String how,
			Function<String, @Nullable Long> read) {
		String name = switch (random.nextInt(4)) {
			case 0 -> "customer-" + number;
			case 1 -> "CUSTOMER-" + number;
			case 2 -> "Custom\u00e9r-" + number;
			default -> "Customer-" + number;
		};
		long began = System.nanoTime();
		if (read.apply(name) != null) {
			this.oracle.count(name.startsWith("Customer") ? "found: as it is" : "found: in another way");
			return;
		}
		this.oracle
			.count((this.ledger.row(number) != null) ? "not found: committed meanwhile" : "not found: row to come");
		this.oracle.absent(number, began, () -> how + " of " + name + " by " + describe(instance, "names", name));
	}

	private void findById(GuardApplication instance, long number) {
		Long id = this.ids.get(number);
		if (id != null) {
			long began = System.nanoTime();
			if (instance.bean(Customers.class).findById(id) != null) {
				this.oracle.count("found: by id");
			}
			else {
				this.oracle.absent(number, began, () -> "findById by " + describe(instance, "products", id));
			}
		}
	}

	private String describe(GuardApplication instance, String filter, Object key) {
		return "instance " + this.instances.indexOf(instance) + ", asked again: "
				+ instance.bean(BloomGuard.class).membership(filter, key);
	}

	private void report(String url, CustomerWriter writer) {
		System.out.printf("""
				chaos with %s, written by %s: %s, seed %d
				  faults      %s
				  found       %s, not found %s
				  writes      %s
				  verdicts    %s
				  rows        %,d
				  excluded    %,d reads after failovers
				  violations  %,d
				""", url, writer, this.duration, this.seed, this.oracle.counts("fault: "),
				this.oracle.counts("found: "), this.oracle.counts("not found: "), this.oracle.counts("write: "),
				this.oracle.counts("verdict: "), this.ledger.size(), this.oracle.total("excluded"),
				this.oracle.total("violations"));
		this.oracle.violations().forEach((violation) -> System.out.println("  violation: " + violation));
	}

	/**
	 * Something that a thread does again and again.
	 */
	@FunctionalInterface
	private interface Step {

		void take(GuardApplication instance, Random random);

	}

	static class Customers {

		private final JdbcTemplate jdbc;

		Customers(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@BloomGuarded("names")
		@Nullable Long find(String name) {
			return first("select id from customer where name = ?", name);
		}

		@BloomGuarded("names")
		@Cacheable("names")
		public @Nullable Long findCached(String name) {
			return find(name);
		}

		@BloomGuarded("names")
		@Cacheable(cacheNames = "names", sync = true)
		public @Nullable Long findShared(String name) {
			return find(name);
		}

		@BloomGuarded("products")
		@Nullable Long findById(long id) {
			return first("select id from customer where id = ?", id);
		}

		private @Nullable Long first(String query, Object key) {
			return this.jdbc.queryForList(query, Long.class, key).stream().findFirst().orElse(null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

}
