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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.RunningBloomGuard;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.TcpProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.config.Config;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks an application that owns a filter, and another one that only asks it: three
 * instances of each, and a Redis with a replica. Owners are killed and rolled to another
 * version and back, Redis is killed, flushed and failed over, and rows are inserted all
 * the while. A row that was committed before a read began is never reported absent by a
 * reader, with the exception that is told at {@link Oracle}.
 * <p>
 * Nothing is verified, so that nothing heals what is wrong. It runs for less than a
 * minute, or as long as {@code -Dchaos.duration=20m} says.
 */
@Tag("proof")
class ReaderChaosTests {

	private static final int INSTANCES = 3;

	private static final int ROWS = 1_000;

	/**
	 * A version of the owner that is gone, and that the record does not know well, is
	 * waited for until it was not seen for two minutes.
	 */
	private static final Duration RECOVERY = Duration.ofMinutes(4);

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "30s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	private final FailoverRedis redis = new FailoverRedis();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Set<Long> committed = ConcurrentHashMap.newKeySet();

	private final List<Member> owners = new ArrayList<>();

	private final List<Member> readers = new ArrayList<>();

	private final Bag<Attack> bag = new Bag<>(List.of(Attack.values()), this.random);

	private final AtomicLong samples = new AtomicLong();

	private final AtomicLong readySamples = new AtomicLong();

	private final AtomicLong mirroredSamples = new AtomicLong();

	private volatile String version = "product.id";

	@Test
	void committedRowsAreNeverReportedAbsentByAReader() throws Exception {
		System.out.printf("chaos with readers for %s, seed %d%n", this.duration, this.seed);
		try {
			for (int i = 0; i < INSTANCES; i++) {
				this.owners.add(new Member("owner " + i, this::own));
				this.readers.add(new Member("reader " + i, this::ask));
			}
			run();
		}
		finally {
			report();
			Stream.concat(this.readers.stream(), this.owners.stream()).forEach(Member::close);
			this.redis.close();
			this.threads.shutdownNow();
		}
	}

	private void own(BloomGuardBuilder builder) {
		builder.application("catalogue")
			.filter("products", 50_000)
			.keys(this.version, () -> List.copyOf(this.committed).stream())
			.falsePositiveProbability(0.05)
			.longestTransaction(Duration.ofSeconds(1))
			.settle(Duration.ZERO)
			.recheckEmpty(Duration.ZERO)
			.verification(Mode.OFF, 0, 0);
	}

	private void ask(BloomGuardBuilder builder) {
		builder.application("orders").reader("products", "catalogue").verification(Mode.OFF, 0);
	}

	private void run() throws Exception {
		for (int i = 0; i < ROWS; i++) {
			insert(this.owners.get(i % INSTANCES));
		}
		long stop = System.nanoTime() + this.duration.toNanos();
		AtomicLong attacks = new AtomicLong();
		BooleanSupplier goesOn = () -> System.nanoTime() < stop || attacks.get() < Attack.values().length;
		List<Future<?>> tasks = new ArrayList<>();
		for (int i = 0; i < INSTANCES; i++) {
			Member owner = this.owners.get(i);
			Member reader = this.readers.get(i);
			Random drawn = new Random(this.seed + i);
			tasks.add(this.threads.submit(() -> write(owner, goesOn)));
			tasks.add(this.threads.submit(() -> read(reader, drawn, goesOn)));
		}
		tasks.add(this.threads.submit(() -> watch(goesOn)));
		Awaitility.await("there is something to attack")
			.atMost(RECOVERY)
			.until(() -> this.oracle.total("read: ABSENT") > 1_000 && this.oracle.total("write: done") > 100);
		while (goesOn.getAsBoolean()) {
			Faults.pause(500 + this.random.nextInt(2_500));
			attack();
			attacks.incrementAndGet();
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
		recover();
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(this.mirroredSamples.get()).as("readers had mirrors").isPositive();
	}

	private void write(Member owner, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			try {
				insert(owner);
				this.oracle.count("write: done");
			}
			catch (RuntimeException ex) {
				this.oracle.count("write: failed");
			}
			Faults.pause(5);
		}
	}

	private void insert(Member owner) {
		owner.use((guard) -> {
			this.ledger.begin();
			long id = this.ledger.reserve();
			guard.guard().add("products", id);
			this.ledger.inserted(id);
			this.ledger.commit(() -> this.committed.add(id));
		});
	}

	private void read(Member reader, Random drawn, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			boolean exists = drawn.nextInt(3) > 0;
			long id = exists ? this.ledger.any(drawn, drawn.nextBoolean() ? 20 : Integer.MAX_VALUE)
					: -1 - drawn.nextInt(1_000_000);
			reader.use((guard) -> read(guard, id, exists, reader));
			Faults.pause(drawn.nextInt(2));
		}
	}

	private void read(RunningBloomGuard guard, long id, boolean exists, Member reader) {
		long began = System.nanoTime();
		Membership answer = guard.guard().membership("products", id);
		this.oracle.count((exists ? "read a row: " : "read: ") + answer);
		if (exists && answer == Membership.ABSENT) {
			this.oracle.absent(id, began, () -> reader + " " + filter(guard).filter().record());
		}
	}

	private void attack() {
		Attack attack = this.bag.next();
		this.oracle.event(attack.toString());
		switch (attack) {
			case OWNER_KILLED -> any(this.owners).kill();
			case ALL_OWNERS_KILLED -> this.owners.forEach(Member::kill);
			case ROLLED, ROLLED_BACK -> {
				this.version = this.version.equals("product.id") ? "product.number" : "product.id";
				this.owners.forEach(Member::replace);
			}
			case READER_REPLACED -> any(this.readers).replace();
			case READER_CUT -> any(this.readers).network.cut();
			case READER_DELAYED -> delay(any(this.readers).network);
			case REDIS_KILLED -> this.redis.primary().restart();
			case FLUSHED -> this.redis.primary().command("FLUSHALL");
			case RECORD_DELETED -> this.redis.primary().command("DEL", "bloom-guard:{products}:control");
			case FAILED_OVER -> failOver();
		}
		this.oracle.count("attack: " + attack);
	}

	private Member any(List<Member> members) {
		return members.get(this.random.nextInt(members.size()));
	}

	private void delay(TcpProxy network) {
		network.delay(Duration.ofMillis(1 + this.random.nextInt(300)));
		Faults.pause(1_000 + this.random.nextInt(2_000));
		network.delay(Duration.ZERO);
	}

	private void failOver() {
		if (this.redis.awaitReplica(Duration.ofSeconds(5))) {
			this.redis.failOver(this.random.nextInt(800), this.oracle);
		}
		else {
			this.oracle.event("there is no replica to fail over to");
		}
	}

	private void watch(BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			this.readers.forEach((reader) -> reader.use((guard) -> {
				this.samples.incrementAndGet();
				this.readySamples.addAndGet((filter(guard).filter().state() == FilterState.READY) ? 1 : 0);
				this.mirroredSamples
					.addAndGet((filter(guard).filter().mirrorStatus().state() == MirrorStatus.State.ANSWERING) ? 1 : 0);
			}));
			Faults.pause(20);
		}
	}

	private static ManagedFilter filter(RunningBloomGuard guard) {
		return guard.filters().iterator().next();
	}

	/**
	 * When the attacks have ended, readers answer again, and find every row.
	 */
	private void recover() {
		this.oracle.event("the attacks have ended");
		for (Member reader : this.readers) {
			reader.use((guard) -> {
				Awaitility.await(reader + " answers")
					.atMost(RECOVERY)
					.untilAsserted(() -> assertThat(guard.guard().membership("products", -1))
						.as(() -> String.valueOf(filter(guard).filter().stateChange()))
						.isNotEqualTo(Membership.UNKNOWN));
				this.ledger.all().forEach((id) -> read(guard, id, true, reader));
			});
		}
	}

	private void report() {
		System.out.printf("""
				chaos with readers: %s, seed %d
				  attacks     %,d: %s
				  reads       %s
				  rows read   %s
				  writes      %s
				  rows        %,d
				  readers     ready %.0f %% of the time, with a mirror %.0f %%
				  excluded    %,d reads after failovers
				  violations  %,d
				""", this.duration, this.seed, this.oracle.total("attack: "), this.oracle.counts("attack: "),
				this.oracle.counts("read: "), this.oracle.counts("read a row: "), this.oracle.counts("write: "),
				this.ledger.size(), 100.0 * this.readySamples.get() / Math.max(1, this.samples.get()),
				100.0 * this.mirroredSamples.get() / Math.max(1, this.samples.get()), this.oracle.total("excluded"),
				this.oracle.total("violations"));
		this.oracle.violations().forEach((violation) -> System.out.println("  violation: " + violation));
	}

	private enum Attack {

		OWNER_KILLED, ALL_OWNERS_KILLED, ROLLED, ROLLED_BACK, READER_REPLACED, READER_CUT, READER_DELAYED, REDIS_KILLED,
		FLUSHED, RECORD_DELETED, FAILED_OVER

	}

	/**
	 * An instance of one of the applications, with its own way to Redis.
	 */
	private final class Member implements AutoCloseable {

		private final String name;

		private final Consumer<BloomGuardBuilder> configuration;

		private final TcpProxy network = TcpProxy.start(ReaderChaosTests.this.redis.port());

		private final ReadWriteLock lock = new ReentrantReadWriteLock();

		private RedisAccess access;

		private RunningBloomGuard running;

		Member(String name, Consumer<BloomGuardBuilder> configuration) {
			this.name = name;
			this.configuration = configuration;
			this.access = connect();
			this.running = start();
		}

		private RedisAccess connect() {
			Config config = new Config();
			config.setThreads(2);
			config.setNettyThreads(2);
			config.useSingleServer()
				.setAddress("redis://127.0.0.1:" + this.network.port())
				.setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(8);
			return new RedisAccess(Redisson.create(config), ReaderChaosTests.this.threads);
		}

		private RunningBloomGuard start() {
			RedisAccess access = this.access;
			BloomGuardBuilder builder = new BloomGuardBuilder(
					new RedisBackend(() -> access, "bloom-guard", Duration.ofMillis(200)))
				.timeout(Duration.ofMillis(200))
				.addTimeout(Duration.ofSeconds(5));
			this.configuration.accept(builder);
			return builder.start();
		}

		void use(Consumer<RunningBloomGuard> user) {
			this.lock.readLock().lock();
			try {
				user.accept(this.running);
			}
			finally {
				this.lock.readLock().unlock();
			}
		}

		/**
		 * It can't tell anybody that it ends.
		 */
		void kill() {
			this.network.shut();
			this.access.client().shutdown(0, 0, TimeUnit.SECONDS);
			this.lock.writeLock().lock();
			try {
				this.running.close();
				this.network.open(ReaderChaosTests.this.redis.port());
				this.access = connect();
				this.running = start();
			}
			finally {
				this.lock.writeLock().unlock();
			}
		}

		void replace() {
			this.lock.writeLock().lock();
			try {
				this.running.close();
				this.running = start();
			}
			finally {
				this.lock.writeLock().unlock();
			}
		}

		@Override
		public void close() {
			this.running.close();
			this.access.client().shutdown(0, 0, TimeUnit.SECONDS);
			this.network.close();
		}

		@Override
		public String toString() {
			return this.name + " (" + filter(this.running).filter().stateChange() + ")";
		}

	}

}
