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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.chaos.Shop.Catalogue;
import io.github.bloomguard.chaos.Shop.LedgerTransactionManager;
import io.github.bloomguard.chaos.Shop.Products;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks a running system: several instances of an application, a real PostgreSQL, a
 * real Redis with a replica. Whatever happens to Redis, a row that was committed before a
 * read began is never reported absent, and no call fails or takes longer than its bound.
 * <p>
 * It runs for less than a minute, or as long as {@code -Dchaos.duration=30m} says. The
 * order of the faults comes from a seed that is printed; {@code -Dchaos.seed=} repeats
 * it, as far as that is possible with threads. The filter of the stranger is in several
 * strings, that of the shop in as many as {@code -Dchaos.shards=3} says. What can't be
 * excluded is told at {@link Oracle}.
 */
@Tag("proof")
class ChaosTests {

	private static final int INSTANCES = 3;

	private static final int WRITERS = 4;

	/**
	 * With the writers four times as many threads as there are processors.
	 */
	private static final int READERS = Math.max(6, 4 * Runtime.getRuntime().availableProcessors() - WRITERS);

	private static final long ROWS = 3_000;

	/**
	 * The longest read that is not called a violation, much longer than the guard's
	 * timeout because the machine may have other things to do: a call for 100,000 keys
	 * computes for a while.
	 */
	private static final Duration BOUND = Duration.ofSeconds(10);

	/**
	 * Until then it goes on, for up to four times as long as it should, because the
	 * machine may have other things to do.
	 */
	private static final List<Least> OPPORTUNITIES = Stream
		.of(new Least(10, "fault: "), new Least(20_000, "read: "),
				new Least(300, "write: in", "write: without", "write: batch"), new Least(20, "write: rolled back"),
				new Least(20, "write: after a rollback"), new Least(20, "verdict: remembered"),
				new Least(100, "verdict: unknown"), new Least(1, "many: decided"), new Least(100, "stranger: MAYBE"),
				new Least(10_000, "mirror: ABSENT"), new Least(100, "process: ABSENT by its mirror"),
				new Least(50, "turnover: deleted"), new Least(10, "turnover: imported"),
				new Least(1_000, "turnover: a row is MAYBE"))
		.filter((least) -> Instance.haveMirrors() || !least.isOfMirrors())
		.toList();

	private final Duration duration = DurationStyle.detectAndParse(System.getProperty("chaos.duration", "50s"));

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Ledger ledger = new Ledger();

	private final Oracle oracle = new Oracle(this.ledger);

	private final Verdicts verdicts = new Verdicts(this.oracle);

	private final FailoverRedis redis = new FailoverRedis(!Instance.haveMirrors());

	private final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
			Turnover.TABLE);

	private final Builds builds = new Builds(this.redis, this.postgres, this.ledger, this.verdicts);

	private final List<Instance> instances = new ArrayList<>();

	private volatile boolean hadOpportunity;

	private final AtomicLong longestLoss = new AtomicLong();

	private final AtomicLong samples = new AtomicLong();

	private final AtomicLong readySamples = new AtomicLong();

	private final AtomicLong mirroredSamples = new AtomicLong();

	@Test
	void committedRowsAreNeverReportedAbsent() throws Exception {
		System.out.printf("chaos for %s on a filter of the type %s, seed %d, shards %d%n", this.duration, Instance.TYPE,
				this.seed, Instance.SHARDS);
		try {
			run();
		}
		finally {
			this.instances.forEach(Instance::close);
			this.redis.close();
		}
	}

	private void run() throws Exception {
		for (int i = 0; i < INSTANCES; i++) {
			this.instances
				.add(new Instance(i, this.redis.port(), (instance) -> this.builds.start(instance, Instance.KEYS)));
		}
		insertFirstRows();
		this.instances.forEach((instance) -> instance.running().application().awaitReady());
		Traffic traffic = new Traffic(this.instances, this.ledger, this.oracle, this::inRedis);
		long stop = System.nanoTime() + this.duration.toNanos();
		long latest = stop + this.duration.multipliedBy(3).toNanos();
		BooleanSupplier goesOn = () -> System.nanoTime() < (this.hadOpportunity ? stop : latest);
		ExecutorService threads = Executors.newCachedThreadPool();
		List<Future<?>> tasks = new ArrayList<>();
		for (int i = 0; i < READERS; i++) {
			Random random = new Random(this.seed + i);
			tasks.add(threads.submit(() -> traffic.read(random, goesOn)));
		}
		for (int i = 0; i < WRITERS; i++) {
			Random random = new Random(this.seed - 1 - i);
			tasks.add(threads.submit(() -> traffic.write(random, goesOn)));
		}
		tasks.add(threads.submit(() -> traffic.askForMany(new Random(this.seed + 200), goesOn)));
		tasks.add(threads.submit(() -> traffic.askMirrors(new Random(this.seed + 500), goesOn)));
		Turnover turnover = new Turnover(this.instances, this.ledger, this.oracle);
		for (int i = 0; i < 2; i++) {
			Random random = new Random(this.seed + 600 + i);
			tasks.add(threads.submit(() -> turnover.write(random, goesOn)));
			tasks.add(threads.submit(() -> turnover.read(random, goesOn)));
		}
		tasks.add(threads.submit(() -> turnover.importAgain(new Random(this.seed + 700), goesOn)));
		Snapshots snapshots = new Snapshots(this.instances, this.ledger, this.oracle);
		tasks.add(threads.submit(() -> snapshots.read(new Random(this.seed + 800), goesOn)));
		tasks.add(threads.submit(() -> askStranger(new Random(this.seed + 300), goesOn)));
		tasks.add(threads.submit(() -> rebuild(new Random(this.seed + 100), goesOn)));
		tasks.add(threads.submit(() -> watch(traffic, goesOn)));
		try (InstanceProcess process = new InstanceProcess(this.ledger, this.oracle, InstanceMain.class,
				String.valueOf(this.redis.port()), this.postgres.url(), "version 0")) {
			tasks.add(threads.submit(() -> process.ask(new Random(this.seed + 400), goesOn)));
			Faults faults = new Faults(this.redis, this.instances, this.oracle, this.random, this.builds, process);
			while (goesOn.getAsBoolean()) {
				Faults.pause(300 + this.random.nextInt(1_500));
				faults.next();
			}
		}
		for (Future<?> task : tasks) {
			task.get(1, TimeUnit.MINUTES);
		}
		threads.shutdown();
		try {
			recover(traffic);
		}
		finally {
			report(traffic);
		}
		judge(traffic);
	}

	private void insertFirstRows() {
		this.instances.get(0).running().application().awaitReady();
		for (long id = 0; id < ROWS; id += 500) {
			this.ledger.begin();
			this.instances.get(0)
				.running()
				.catalogue()
				.createAll(Stream.generate(this.ledger::reserve).limit(500).toList());
		}
	}

	/**
	 * Rebuild again and again, with pauses, because sentinels are only written while the
	 * record does not change.
	 */
	private void rebuild(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			CompletableFuture<?>[] rebuild = { CompletableFuture.completedFuture(null) };
			this.instances.get(random.nextInt(INSTANCES))
				.use((running) -> rebuild[0] = running.guard().rebuild("products"));
			rebuild[0].completeOnTimeout(null, 3, TimeUnit.SECONDS)
				.handle((nothing, failure) -> failure)
				.thenAccept(
						(failure) -> this.oracle.count((failure == null) ? "rebuild: asked for" : "rebuild: failed"))
				.join();
			Faults.pause(random.nextBoolean() ? random.nextInt(100) : 1_000 + random.nextInt(2_000));
		}
	}

	/**
	 * Ask an application that has other products in a filter of the same name.
	 */
	private void askStranger(Random random, BooleanSupplier goesOn) {
		try (GuardApplication stranger = this.builds.startStranger()) {
			while (goesOn.getAsBoolean()) {
				String key = Strangers.key(random.nextInt(Strangers.ROWS));
				Membership answer = stranger.bean(BloomGuard.class).membership("products", key);
				this.oracle.count("stranger: " + answer);
				if (answer == Membership.ABSENT) {
					this.oracle.violated("the stranger is told that " + key + " is absent, "
							+ stranger.products().filter().record());
				}
				Faults.pause(5);
			}
		}
	}

	private void watch(Traffic traffic, BooleanSupplier goesOn) {
		long[] readyAt = new long[INSTANCES];
		Arrays.fill(readyAt, System.nanoTime());
		while (goesOn.getAsBoolean()) {
			for (int i = 0; i < INSTANCES; i++) {
				this.samples.incrementAndGet();
				this.mirroredSamples.addAndGet(this.instances.get(i).isMirrored() ? 1 : 0);
				if (this.instances.get(i).isReady()) {
					this.readySamples.incrementAndGet();
					readyAt[i] = System.nanoTime();
				}
				long loss = System.nanoTime() - readyAt[i];
				this.longestLoss.accumulateAndGet(loss, Math::max);
			}
			this.hadOpportunity = OPPORTUNITIES.stream().allMatch((least) -> least.isReached(this.oracle));
			traffic.noteSlowReads();
			Faults.pause(20);
		}
	}

	/**
	 * When the faults have ended, every row is found and the filter answers again.
	 */
	private void recover(Traffic traffic) {
		this.oracle.event("the faults have ended");
		for (Instance instance : this.instances) {
			Awaitility.await(instance + " is ready")
				.atMost(Duration.ofSeconds(30))
				.pollInterval(Duration.ofMillis(50))
				.until(() -> instance.running().guard().membership("products", -1) != Membership.UNKNOWN);
		}
		List<Long> all = this.ledger.all();
		for (Instance instance : this.instances) {
			for (int from = 0; from < all.size(); from += 500) {
				traffic.findAll(instance, instance.running(), all.subList(from, Math.min(from + 500, all.size())));
			}
		}
	}

	private String inRedis(long id) {
		return "sentinel: "
				+ this.redis.primary().command("HGETALL", "bloom-guard:{products}:empty:" + id).replace("\n", " ")
				+ ", record: "
				+ this.redis.primary().command("HGETALL", "bloom-guard:{products}:control").replace("\n", " ");
	}

	private void report(Traffic traffic) {
		System.out.printf("""
				chaos: %s, seed %d, shards %d
				  faults      %,d: %s
				  reads       %,d: %s
				  not found   %s
				  writes      %,d: %s
				  rebuilds    %s
				  verdicts    %s
				  many keys   %s
				  stranger    %s
				  turnover    %s
				  snapshots   %s
				  process     %s
				  mirrors     answer %.0f %% of the time where they are used; %,d keys called absent by them
				  reads took  %s
				  writes took %s
				  rows        %,d; longest commit %d ms
				  ready       %.0f %% of the time; longest time not ready %.1f s
				  excluded    %,d reads after failovers
				  violations  %,d
				""", this.duration, this.seed, Instance.SHARDS, this.oracle.total("fault: "),
				this.oracle.counts("fault: "), this.oracle.total("read: "), this.oracle.counts("read: "),
				this.oracle.counts("not found: "), this.oracle.total("write: "), this.oracle.counts("write: "),
				this.oracle.counts("rebuild: "), this.oracle.counts("verdict: "), this.oracle.counts("many: "),
				this.oracle.counts("stranger: "), this.oracle.counts("turnover: "), this.oracle.counts("snapshot: "),
				this.oracle.counts("process: "),
				100.0 * this.mirroredSamples.get() * INSTANCES / (INSTANCES - 1) / this.samples.get(),
				this.oracle.total("mirror: ABSENT", "process: ABSENT by its mirror"), traffic.reads(), traffic.writes(),
				this.ledger.size(), TimeUnit.NANOSECONDS.toMillis(this.ledger.longestCommit()),
				100.0 * this.readySamples.get() / this.samples.get(), this.longestLoss.get() / 1e9,
				this.oracle.total("excluded"), this.oracle.total("violations"));
		this.oracle.slow().forEach((slow) -> System.out.println("  slow read " + slow));
		this.oracle.violations().forEach((violation) -> System.out.println("  violation: " + violation));
	}

	/**
	 * The guard was right, and it had the opportunity to be wrong.
	 */
	private void judge(Traffic traffic) {
		assertThat(this.oracle.violations()).isEmpty();
		assertThat(traffic.reads().worstMillis()).isLessThan(BOUND.toMillis());
		assertThat(this.oracle.counts("fault: ")).as("kinds of faults").hasSizeGreaterThanOrEqualTo(8);
		assertThat(this.oracle.total("verdict: absent")).as("definite misses")
			.isGreaterThanOrEqualTo(this.oracle.total("read: absent row") / 5);
		assertThat(OPPORTUNITIES).allMatch((least) -> least.isReached(this.oracle));
	}

	/**
	 * What has to have happened so that the guard could have been wrong.
	 *
	 * @param number how often
	 * @param what as it is counted
	 */
	private record Least(long number, String... what) {

		boolean isOfMirrors() {
			return Stream.of(this.what).anyMatch((counted) -> counted.contains("mirror"));
		}

		boolean isReached(Oracle oracle) {
			return oracle.total(this.what) >= this.number;
		}

		@Override
		public String toString() {
			return "at least %,d times %s".formatted(this.number, String.join(" or ", this.what));
		}

	}

	/**
	 * Starts applications whose transactions tell the ledger.
	 */
	private record Builds(FailoverRedis redis, TestPostgres postgres, Ledger ledger, Verdicts verdicts,
			AtomicInteger starts, AtomicReference<CountDownLatch> scanning) implements Faults.Applications {

		Builds(FailoverRedis redis, TestPostgres postgres, Ledger ledger, Verdicts verdicts) {
			this(redis, postgres, ledger, verdicts, new AtomicInteger(), new AtomicReference<>(new CountDownLatch(1)));
		}

		/**
		 * Every other application has another source.
		 */
		@Override
		public GuardApplication start(Instance instance, long expectedInsertions) {
			String version = "version " + this.starts.getAndIncrement() / INSTANCES % 2;
			return start(List.of(new Rows(this.postgres.template(), version, () -> {
			}), this.ledger, this.verdicts, instance.clock(), Products.class, Catalogue.class,
					LedgerTransactionManager.class), instance.properties(expectedInsertions));
		}

		@Override
		public GuardApplication startBuilder() {
			CountDownLatch scans = new CountDownLatch(1);
			this.scanning.set(scans);
			return start(List.of(new Rows(this.postgres.template(), "version 0", () -> {
				scans.countDown();
				Faults.pause(1_000);
			})), Instance.properties(this.redis.port(), Instance.KEYS, true));
		}

		@Override
		public void awaitBuild(Duration atMost) {
			try {
				this.scanning.get().await(atMost.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		GuardApplication startStranger() {
			return start(List.of(new Strangers()), Instance.properties(this.redis.port(), Instance.MORE_KEYS, true),
					"bloom-guard.application=stranger");
		}

		private GuardApplication start(List<Object> beans, List<String> properties, String... more) {
			List<String> all = new ArrayList<>(properties);
			all.addAll(List.of(more));
			return GuardApplication.start(beans, this.postgres.and(all.toArray(String[]::new)));
		}

	}

	/**
	 * Gives the keys of another application.
	 */
	private static final class Strangers implements KeySource {

		static final int ROWS = 1_000;

		static String key(int number) {
			return "stranger " + number;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return IntStream.range(0, ROWS).mapToObj(Strangers::key);
		}

	}

	/**
	 * Counts what the guard says.
	 */
	static final class Verdicts implements BloomGuardListener {

		private final Oracle oracle;

		Verdicts(Oracle oracle) {
			this.oracle = oracle;
		}

		@Override
		public void onVerdict(String filter, Verdict verdict) {
			this.oracle.count(switch (verdict.membership()) {
				case ABSENT -> "verdict: absent";
				case MAYBE -> verdict.answered() ? "verdict: remembered" : "verdict: maybe";
				case UNKNOWN -> "verdict: unknown";
			});
		}

		@Override
		public void onFalseNegative(String filter) {
			this.oracle.violated("the guard itself has noticed a false negative");
		}

	}

}
