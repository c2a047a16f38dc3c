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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.chaos.Ledger.Row;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks a Redis Cluster of three primaries with replicas, on which two instances keep a
 * filter in three shards: slots are moved while they are read and written, primaries are
 * killed, replicas are promoted. A row that was committed before a read began is never
 * reported absent, with the exception that is told at {@link Oracle}.
 * <p>
 * It runs for some seconds, or as long as {@code -Dchaos.duration=10m} says.
 */
@Tag("proof")
class ClusterChaosTests {

	private static final String CONTROL = "bloom-guard:{products}:control";

	private static final int INSTANCES = 2;

	private static final int ROWS = 2_000;

	private static final long IMPORTED = 1_000_000_000L;

	private static final Duration RECOVERY = Duration.ofSeconds(60);

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "25s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	private final Rows rows = new Rows();

	private volatile @Nullable Import imported;

	private final Queue<Absent> absent = new ConcurrentLinkedQueue<>();

	private final List<GuardApplication> instances = new ArrayList<>();

	private final Bag<Attack> bag = new Bag<>(List.of(Attack.values()), this.random);

	private final AtomicLong samples = new AtomicLong();

	private final AtomicLong readySamples = new AtomicLong();

	private final AtomicLong longestLoss = new AtomicLong();

	@Test
	void committedRowsAreNeverReportedAbsent() throws Exception {
		System.out.printf("chaos on a cluster for %s, seed %d%n", this.duration, this.seed);
		try (TestRedisCluster cluster = TestRedisCluster.start(true)) {
			try {
				for (int i = 0; i < INSTANCES; i++) {
					this.instances.add(start(cluster, i == 0));
				}
				run(cluster);
			}
			finally {
				report();
				this.instances.forEach(GuardApplication::close);
			}
		}
	}

	private GuardApplication start(TestRedisCluster cluster, boolean mirror) {
		return GuardApplication.start(List.of(this.rows), cluster.property(), "bloom-guard.timeout=100ms",
				"bloom-guard.filters.products.false-positive-probability=0.3",
				"bloom-guard.filters.products.shard-size=1200B",
				"bloom-guard.filters.products.rebuild.longest-transaction=1s",
				"bloom-guard.filters.products.mirror.enabled=" + mirror,
				"logging.level.root=" + System.getProperty("chaos.log", "warn"));
	}

	private void run(TestRedisCluster cluster) throws Exception {
		this.instances.forEach(GuardApplication::awaitReady);
		for (int i = 0; i < ROWS; i++) {
			insert(this.instances.get(0));
		}
		long stop = System.nanoTime() + this.duration.toNanos();
		BooleanSupplier goesOn = () -> System.nanoTime() < stop;
		ExecutorService threads = Executors.newCachedThreadPool();
		List<Future<?>> tasks = new ArrayList<>();
		for (GuardApplication instance : this.instances) {
			Random random = new Random(this.seed + this.instances.indexOf(instance));
			tasks.add(threads.submit(() -> read(instance, random, goesOn)));
			tasks.add(threads.submit(() -> write(instance, goesOn)));
		}
		tasks.add(threads.submit(() -> importAgain(goesOn)));
		tasks.add(threads.submit(() -> watch(goesOn)));
		Awaitility.await("there is something to attack")
			.until(() -> this.oracle.total("read: ABSENT") > 1_000 && this.oracle.total("write: done") > 100);
		while (goesOn.getAsBoolean()) {
			Faults.pause(500 + this.random.nextInt(3_000));
			Generation before = this.instances.get(0).products().filter().active();
			Attack attack = attack(cluster);
			judge();
			if (before != null && attack.name().matches("MOVED(_AGAIN|_ONCE_MORE|_SLOWLY)?")) {
				Faults.pause(1_000);
				Generation after = this.instances.get(0).products().filter().active();
				this.oracle.count(
						"moved: " + ((after == null) ? "lost" : after.id().equals(before.id()) ? "kept" : "rebuilt"));
			}
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
		threads.shutdown();
		try {
			recover();
		}
		finally {
			judge();
		}
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(this.oracle.total("attack: ")).isGreaterThan(3);
	}

	private void insert(GuardApplication instance) {
		this.ledger.begin();
		long id = this.ledger.reserve();
		instance.bean(BloomGuard.class).add("products", id);
		this.ledger.inserted(id);
		this.ledger.commit(() -> this.rows.insert(id));
	}

	private void write(GuardApplication instance, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			try {
				insert(instance);
				this.oracle.count("write: done");
			}
			catch (RuntimeException ex) {
				this.oracle.count("write: failed");
			}
			Faults.pause(2);
		}
	}

	private void read(GuardApplication instance, Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			boolean exists = random.nextInt(3) > 0;
			long id = exists ? this.ledger.any(random, random.nextBoolean() ? 20 : Integer.MAX_VALUE)
					: -random.nextInt(1_000_000);
			long began = System.nanoTime();
			Membership answer = instance.bean(BloomGuard.class).membership("products", id);
			this.oracle.count("read: " + answer);
			if (exists && answer == Membership.ABSENT) {
				this.absent.add(new Absent(null, id, began, instance + " " + instance.products().filter().record()));
			}
			readImported(instance, random);
			Thread.yield();
		}
	}

	/**
	 * Remove more keys than a page of the journal has, and add them again, in the
	 * instance with the mirror.
	 */
	private void importAgain(BooleanSupplier goesOn) {
		GuardApplication instance = this.instances.get(0);
		List<Long> ids = LongStream.range(IMPORTED, IMPORTED + 1_500).boxed().toList();
		while (goesOn.getAsBoolean()) {
			this.imported = null;
			ids.forEach(this.rows::delete);
			instance.bean(BloomGuard.class).remove("products", ids.toArray());
			long began = System.nanoTime();
			try {
				instance.bean(BloomGuard.class).add("products", ids.toArray());
				ids.forEach(this.rows::insert);
				this.imported = new Import(began, System.nanoTime());
				this.oracle.count("write: imported");
			}
			catch (RuntimeException ex) {
				this.oracle.count("write: import failed");
			}
			// a key that was added lately is not removed
			Faults.pause(14_000);
		}
	}

	private void readImported(GuardApplication instance, Random random) {
		Import before = this.imported;
		long id = IMPORTED + random.nextInt(1_500);
		long began = System.nanoTime();
		if (before != null && instance.bean(BloomGuard.class).membership("products", id) == Membership.ABSENT
				&& before == this.imported) {
			this.absent.add(new Absent(new Row(id, before.began(), before.added()), id, began, "imported"));
		}
	}

	/**
	 * When a failover is known from its beginning to its end.
	 */
	private void judge() {
		for (Absent next = this.absent.poll(); next != null; next = this.absent.poll()) {
			Absent read = next;
			if (read.row() != null) {
				this.oracle.absent(read.row(), read.began(), read::details);
			}
			else {
				this.oracle.absent(read.id(), read.began(), read::details);
			}
		}
	}

	private void watch(BooleanSupplier goesOn) {
		long[] readyAt = new long[INSTANCES];
		Arrays.fill(readyAt, System.nanoTime());
		List<Object> clients = new ArrayList<>(this.instances.stream().map(ClusterChaosTests::client).toList());
		while (goesOn.getAsBoolean()) {
			for (int i = 0; i < INSTANCES; i++) {
				this.samples.incrementAndGet();
				if (this.instances.get(i).products().filter().state() == FilterState.READY) {
					this.readySamples.incrementAndGet();
					readyAt[i] = System.nanoTime();
				}
				this.longestLoss.accumulateAndGet(System.nanoTime() - readyAt[i], Math::max);
				Object client = client(this.instances.get(i));
				if (clients.set(i, client) != client) {
					this.oracle.count("replaced");
				}
			}
			Faults.pause(20);
		}
	}

	private void recover() {
		this.oracle.event("the attacks have ended");
		for (GuardApplication instance : this.instances) {
			Awaitility.await(instance + " answers")
				.atMost(RECOVERY)
				.until(() -> instance.bean(BloomGuard.class).membership("products", -1) != Membership.UNKNOWN);
			for (long id : this.ledger.all()) {
				long began = System.nanoTime();
				if (instance.bean(BloomGuard.class).membership("products", id) == Membership.ABSENT) {
					this.absent.add(new Absent(null, id, began, "after all"));
				}
			}
		}
	}

	/**
	 * Redisson may lose a primary for good that it could not connect to when it learnt of
	 * it. Then the guard uses another client.
	 */
	private static Object client(GuardApplication instance) {
		return Objects.requireNonNull(ReflectionTestUtils.getField(instance.bean(RedisAccess.class), "client"));
	}

	private void report() {
		System.out.printf("""
				chaos on a cluster: %s, seed %d
				  attacks     %,d: %s
				  moved       %s
				  reads       %,d: %s
				  writes      %s
				  rows        %,d
				  ready       %.0f %% of the time; longest time not ready %.1f s
				  replaced    %,d clients that had lost a primary
				  excluded    %,d reads after failovers
				  violations  %,d
				""", this.duration, this.seed, this.oracle.total("attack: "), this.oracle.counts("attack: "),
				this.oracle.counts("moved: "), this.oracle.total("read: "), this.oracle.counts("read: "),
				this.oracle.counts("write: "), this.ledger.size(),
				100.0 * this.readySamples.get() / Math.max(1, this.samples.get()), this.longestLoss.get() / 1e9,
				this.oracle.total("replaced"), this.oracle.total("excluded"), this.oracle.total("violations"));
		this.oracle.violations().forEach((violation) -> System.out.println("  violation: " + violation));
	}

	private Attack attack(TestRedisCluster cluster) {
		Attack attack = this.bag.next();
		String key = this.random.nextInt(3) == 0 ? CONTROL
				: "bloom-guard:{products:" + this.random.nextInt(3) + "}:bits:x";
		this.oracle.event(attack + " " + key);
		switch (attack) {
			case MOVED, MOVED_AGAIN, MOVED_ONCE_MORE -> cluster.moveSlotOf(key);
			case MOVED_SLOWLY -> cluster.moveSlotOf(key, () -> Faults.pause(this.random.nextInt(300)));
			case KILLED -> kill(cluster, cluster.primaryOf(key));
			case KILLED_WHEN_MOVED -> kill(cluster, cluster.moveSlotOf(key));
			case REPLACED -> replace(cluster, cluster.primaryOf(key));
			case MOVED_WHEN_REPLACED -> {
				replace(cluster, cluster.primaryOf(key));
				cluster.moveSlotOf(key);
			}
			case DELETED -> delete(cluster, key);
		}
		this.oracle.count("attack: " + attack);
		return attack;
	}

	private void kill(TestRedisCluster cluster, TestRedis primary) {
		long behindSince = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
		cluster.kill(primary);
		this.oracle.failover(behindSince, System.nanoTime());
		this.oracle.event("the replica has taken over");
		primary.restart();
		cluster.awaitAgreement();
	}

	private void replace(TestRedisCluster cluster, TestRedis primary) {
		long behindSince = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
		cluster.failOver(primary);
		this.oracle.failover(behindSince, System.nanoTime());
	}

	private static void delete(TestRedisCluster cluster, String key) {
		TestRedis primary = cluster.primaryOf(key);
		primary.keys(key.replace("bits:x", "*")).forEach((found) -> primary.command("DEL", found));
	}

	private enum Attack {

		MOVED, MOVED_AGAIN, MOVED_ONCE_MORE, MOVED_SLOWLY, KILLED, KILLED_WHEN_MOVED, REPLACED, MOVED_WHEN_REPLACED,
		DELETED

	}

	/**
	 * The rows that were imported last, while nobody imports them again.
	 */
	private record Import(long began, long added) {

	}

	private record Absent(@Nullable Row row, long id, long began, String details) {

	}

	/**
	 * The database.
	 */
	private static final class Rows implements KeySource {

		private final Set<Long> committed = ConcurrentHashMap.newKeySet();

		void insert(long id) {
			this.committed.add(id);
		}

		void delete(long id) {
			this.committed.remove(id);
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return LongStream.of(this.committed.stream().mapToLong(Long::longValue).toArray()).boxed();
		}

	}

}
