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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import io.github.bloomguard.testsupport.ZeroedBits;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets a program insert rows that tells nobody, while instances are asked for them and
 * Redis fails in all ways. Where absent answers are verified before they are given, none
 * of the rows is ever reported absent; where they are verified behind the answer, each
 * once at most by each instance: by another one only until the first has added it, and
 * again only while Redis can't be told of the key, or when it has just lost it.
 * <p>
 * Instances are asked for less than they may look up, as in peace. False negatives are
 * acknowledged all the time, so that answers are given again before they are verified.
 */
@Tag("proof")
class SilentWriterChaosTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	private static final String CONTROL = "bloom-guard:{products}:control";

	private static final int INSTANCES = 3;

	private static final int READERS = 2;

	/**
	 * How long it may take on a busy machine until a key that was looked up behind an
	 * answer is added.
	 */
	private static final Duration HEALING = Duration.ofSeconds(2);

	/**
	 * How long a fault may go on to have an effect when it has ended.
	 */
	private static final Duration AFTERMATH = Duration.ofSeconds(10);

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "8s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	private final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)");

	private final JdbcTemplate database = this.postgres.template();

	private final Map<Long, Hidden> hidden = new ConcurrentHashMap<>();

	private final List<GuardApplication> instances = new ArrayList<>();

	private volatile long lastFault = System.nanoTime() - AFTERMATH.toNanos();

	private volatile boolean faultUnderWay;

	@ParameterizedTest(name = "{0}, verified {1}")
	@CsvSource({ "one server, before", "one server, behind", "a cluster, before", "a cluster, behind" })
	void rowOfAWriterThatSaysNothingIsReportedAbsentOnceAtMost(String place, String mode) throws Exception {
		System.out.printf("chaos with a silent writer on %s for %s, verified %s, seed %d%n", place, this.duration, mode,
				this.seed);
		try (Place redis = place.equals("a cluster") ? new Cluster(TestRedisCluster.start(true))
				: new OneServer(new FailoverRedis())) {
			try {
				for (int i = 0; i < INSTANCES; i++) {
					this.instances.add(start(redis, mode));
				}
				run(redis, mode);
			}
			finally {
				report(place, mode);
				this.instances.forEach(GuardApplication::close);
			}
		}
	}

	private GuardApplication start(Place redis, String mode) {
		return GuardApplication.start(List.of(Products.class),
				this.postgres.and(redis.property(), FILTER + "warm-up.query=select id from product",
						FILTER + "verification.mode=" + mode, FILTER + "verification.rate=200",
						"bloom-guard.timeout=200ms"));
	}

	private void run(Place redis, String mode) throws Exception {
		this.instances.forEach(GuardApplication::awaitReady);
		long stop = System.nanoTime() + this.duration.toNanos();
		BooleanSupplier goesOn = () -> System.nanoTime() < stop;
		ExecutorService threads = Executors.newCachedThreadPool();
		List<Future<?>> tasks = new ArrayList<>();
		tasks.add(threads.submit(() -> write(new Random(this.seed - 1), goesOn)));
		for (int i = 0; i < READERS; i++) {
			Random random = new Random(this.seed + i);
			tasks.add(threads.submit(() -> read(random, mode, goesOn)));
		}
		tasks.add(threads.submit(() -> believeAgain(goesOn)));
		Map<String, Runnable> faults = redis.faults();
		Bag<String> bag = new Bag<>(faults.keySet(), this.random);
		while (goesOn.getAsBoolean()) {
			pauseBetweenFaults(mode, goesOn);
			String fault = bag.next();
			this.oracle.event(fault);
			this.faultUnderWay = true;
			faults.get(fault).run();
			this.lastFault = System.nanoTime();
			this.faultUnderWay = false;
			this.oracle.count("fault: " + fault);
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
		threads.shutdown();
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(this.oracle.total("fault: ")).isPositive();
		assertThat(this.oracle.total("read: row")).isGreaterThan(20);
		assertThat(this.oracle.total("read: no row, told so")).isGreaterThan(10);
		if (mode.equals("behind")) {
			assertThat(this.oracle.total("hidden: once")).isPositive();
		}
	}

	/**
	 * Faults may follow each other if no answer may ever be wrong.
	 */
	private void pauseBetweenFaults(String mode, BooleanSupplier goesOn) {
		long until = System.nanoTime() + TimeUnit.MILLISECONDS
			.toNanos(mode.equals("before") ? 300 + this.random.nextInt(3_000) : 1_000 + this.random.nextInt(30_000));
		while (System.nanoTime() < until && goesOn.getAsBoolean()) {
			Faults.pause(100);
		}
	}

	private void write(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			this.ledger.begin();
			long id = this.ledger.reserve();
			this.ledger.inserted(id);
			this.ledger.commit(() -> this.database.update("insert into product values (?)", id));
			Faults.pause(20 + random.nextInt(200));
		}
	}

	private void read(Random random, String mode, BooleanSupplier goesOn) {
		Awaitility.await().until(() -> this.ledger.size() > 0);
		while (goesOn.getAsBoolean()) {
			GuardApplication instance = this.instances.get(random.nextInt(INSTANCES));
			if (random.nextInt(4) == 0) {
				long id = -1 - random.nextInt(1_000_000);
				this.oracle.count("read: no row" + (isReported(instance, id, random) ? ", told so" : ", not told so"));
			}
			else {
				long id = this.ledger.any(random, random.nextBoolean() ? 5 : Integer.MAX_VALUE);
				this.oracle.count("read: row");
				long began = System.nanoTime();
				if (isReported(instance, id, random)) {
					judge(id, began, mode, instance);
				}
			}
			Faults.pause(20 + random.nextInt(20));
		}
	}

	private static boolean isReported(GuardApplication instance, long id, Random random) {
		return switch (random.nextInt(3)) {
			case 0 -> instance.bean(Products.class).find(id) == null;
			case 1 -> instance.bean(Products.class).findAll(List.of(id)).isEmpty();
			default -> !instance.bean(BloomGuard.class).mightContain("products", id);
		};
	}

	private void judge(long id, long began, String mode, GuardApplication instance) {
		Hidden first = this.hidden.putIfAbsent(id, new Hidden(System.nanoTime(), ConcurrentHashMap.newKeySet()));
		Hidden row = this.hidden.get(id);
		boolean again = !row.from().add(this.instances.indexOf(instance));
		String details = "the row %d is reported absent, record: %s".formatted(id,
				instance.products().filter().record());
		if (mode.equals("before")) {
			this.oracle.violated(details);
		}
		else if (first == null) {
			this.oracle.count("hidden: once");
		}
		else if (this.faultUnderWay || began - this.lastFault < AFTERMATH.toNanos()) {
			this.oracle.count("hidden: again after a fault");
		}
		else if (!again && began - row.at() < HEALING.toNanos()) {
			this.oracle.count("hidden: by another instance, too");
		}
		else {
			this.oracle.violated("again%s, %d ms after it was told, ".formatted(again ? " by the same instance" : "",
					(began - row.at()) / 1_000_000) + details);
		}
	}

	private void believeAgain(BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			this.instances.get(0).products().filter().acknowledge();
			Faults.pause(1_000);
		}
	}

	private void report(String place, String mode) {
		System.out.printf("""
				chaos with a silent writer on %s: %s, verified %s, seed %d
				  faults      %,d: %s
				  reads       %,d: %s
				  rows        %,d, hidden: %s
				  violations  %,d
				""", place, this.duration, mode, this.seed, this.oracle.total("fault: "), this.oracle.counts("fault: "),
				this.oracle.total("read: "), this.oracle.counts("read: "), this.ledger.size(),
				this.oracle.counts("hidden: "), this.oracle.total("violations"));
		this.oracle.violations().forEach((violation) -> System.out.println("  violation: " + violation));
	}

	/**
	 * A row that was reported absent.
	 *
	 * @param at when it was for the first time
	 * @param from by which instances
	 */
	private record Hidden(long at, Set<Integer> from) {
	}

	/**
	 * A Redis that can fail.
	 */
	private interface Place extends AutoCloseable {

		String property();

		Map<String, Runnable> faults();

		@Override
		void close();

	}

	private final class OneServer implements Place {

		private final FailoverRedis redis;

		private final Map<String, Runnable> faults = new LinkedHashMap<>();

		OneServer(FailoverRedis redis) {
			this.redis = redis;
			this.faults.put("flushed", () -> primary().command("FLUSHALL"));
			this.faults.put("control record deleted", () -> primary().command("DEL", CONTROL));
			this.faults.put("journal deleted", () -> primary().command("DEL", "bloom-guard:{products}:journal"));
			this.faults.put("bits zeroed with a valid seal", () -> ZeroedBits.in(primary()));
			this.faults.put("frozen", () -> {
				primary().freeze();
				Faults.pause(SilentWriterChaosTests.this.random.nextInt(2_000));
				primary().thaw();
			});
			this.faults.put("restarted empty", () -> primary().restart());
			this.faults.put("connections cut", redis::cut);
			this.faults.put("failed over to a lagging replica", () -> {
				if (redis.awaitReplica(Duration.ofSeconds(3))) {
					redis.failOver(SilentWriterChaosTests.this.random.nextInt(800), SilentWriterChaosTests.this.oracle);
				}
			});
			this.faults.put("built again",
					() -> SilentWriterChaosTests.this.instances.get(0).guard().rebuild("products"));
		}

		private TestRedis primary() {
			return this.redis.primary();
		}

		@Override
		public String property() {
			return "spring.data.redis.port=" + this.redis.port();
		}

		@Override
		public Map<String, Runnable> faults() {
			return this.faults;
		}

		@Override
		public void close() {
			this.redis.close();
		}

	}

	private static final class Cluster implements Place {

		private final TestRedisCluster cluster;

		Cluster(TestRedisCluster cluster) {
			this.cluster = cluster;
		}

		@Override
		public String property() {
			return this.cluster.property();
		}

		@Override
		public Map<String, Runnable> faults() {
			Map<String, Runnable> faults = new LinkedHashMap<>();
			faults.put("slot moved", () -> this.cluster.moveSlotOf(CONTROL));
			faults.put("slot moved slowly", () -> this.cluster.moveSlotOf(CONTROL, () -> Faults.pause(200)));
			faults.put("flushed", () -> this.cluster.primaryOf(CONTROL).command("FLUSHALL"));
			faults.put("primary replaced", () -> this.cluster.failOver(this.cluster.primaryOf(CONTROL)));
			faults.put("primary killed", () -> kill(this.cluster.primaryOf(CONTROL)));
			return faults;
		}

		private void kill(TestRedis primary) {
			this.cluster.kill(primary);
			primary.restart();
			this.cluster.awaitAgreement();
		}

		@Override
		public void close() {
			this.cluster.close();
		}

	}

	static class Products {

		private final JdbcTemplate database;

		Products(JdbcTemplate database) {
			this.database = database;
		}

		@BloomGuarded("products")
		public @Nullable Long find(long id) {
			return findAll(id).findFirst().orElse(null);
		}

		@BloomGuarded(value = "products", keys = "#ids")
		public List<Long> findAll(List<Long> ids) {
			return ids.stream().flatMap(this::findAll).toList();
		}

		private Stream<Long> findAll(long id) {
			return this.database.queryForList("select id from product where id = ?", Long.class, id).stream();
		}

	}

}
