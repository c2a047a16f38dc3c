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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.chaos.Interleavings.Result;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.guard.FilterGuardFactory;
import io.github.bloomguard.guard.FilterGuardFactory.Guard;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.warmup.BuildFailedException;
import io.github.bloomguard.warmup.BuildLease;
import io.github.bloomguard.warmup.GenerationBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks through all interleavings of the atomic steps of adders, builders and readers:
 * whenever a reader is told that a key is absent, its row was not committed before the
 * reader began.
 * <p>
 * The actors run the real {@link GenerationalFilter}, {@link GenerationBuilder},
 * {@link GuardedFilter} and what it registers with Spring's transactions. Only Redis and
 * the database are models, whose steps are the Lua scripts, commands and commits.
 * Lincheck was not chosen because it looks for races between threads that share memory
 * and checks linearisability, whereas here nothing is shared but Redis, its steps are
 * known, and what has to hold is weaker: a false positive is right, a lost filter too. It
 * would also search a sample of the interleavings; these are all of them. A model in
 * another language (TLA+) would be about a copy of the code.
 * <p>
 * Where time matters, an actor lets it pass in seconds, at any moment.
 */
class ProtocolInterleavingTests {

	private static final FilterSpecification specification = new FilterSpecification("products", 1000, 0.01);

	private static final String ORIGIN = "origin";

	private static final Generation old = new Generation("old", specification, 1000, "old/", ORIGIN, Instant.EPOCH,
			Phase.ACTIVE);

	/**
	 * The milliseconds that pass between seconds.
	 */
	private static final Duration TICKS = Duration.ofMillis(50);

	private static final int SHARDS = 3;

	/**
	 * How long a load may take, and a commit after its add.
	 */
	private static final Duration LONGEST_STEP = Duration.ofSeconds(10);

	private static final ScheduledExecutorService scheduler = new NeverScheduler();

	private static final Logger logger = (Logger) LoggerFactory.getLogger("io.github.bloomguard");

	private static Level level;

	@BeforeAll
	static void beQuiet() {
		level = logger.getLevel();
		logger.setLevel(Level.OFF);
	}

	@AfterAll
	static void beAsBefore() {
		logger.setLevel(level);
		scheduler.shutdownNow();
	}

	@Test
	@Tag("proof")
	void twoAddersABuilderAndAReader() {
		Result result = addersAndBuilder(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done");
	}

	@Test
	void aTransactionABuilderAndAReader() {
		Result result = transactionAndBuilder(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done");
	}

	@Test
	void anAdderABuilderAReaderAndTheLossOfBits() {
		Result result = losses(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done",
				"builder has given up");
	}

	@Test
	@Tag("proof")
	void anAdderABuilderAndAReaderOfShards() {
		Result result = shards(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done");
	}

	@Test
	@Tag("proof")
	void anAdderABuilderAReaderAndTheLossOfShards() {
		Result result = lostShards(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "r is UNKNOWN",
				"builder is done", "builder has given up");
	}

	@Test
	void anAddThatIsSlowerThanTheLongestTransactionABuilderAndAReader() {
		Result result = slowAdd(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done");
	}

	@Test
	void aReaderAndTwoBuildersOneOfWhichLosesItsTurn() {
		Result result = twoBuilders(false);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is UNKNOWN", "r is MAYBE", "builder is done",
				"builder has given up", "successor is done");
	}

	/**
	 * Has 40 million states, for which the short form has no time.
	 */
	@Test
	@EnabledIfSystemProperty(named = "chaos.duration", matches = ".+")
	void anAdderAReaderAndTwoBuildersOneOfWhichLosesItsTurn() {
		Result result = twoBuilders(true);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done",
				"builder has given up", "successor is done");
	}

	@Test
	@Tag("proof")
	void aTransactionABuilderAndAReaderWithSentinels() {
		Result result = sentinels(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is REMEMBERED", "a is ABSENT", "a is found", "a is not found");
	}

	@Test
	void anAdderAndAReaderOfASnapshotWithSentinels() {
		Result result = snapshots(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is REMEMBERED", "a is found", "a is not found", "a is looked up",
				"a is not looked up");
	}

	@Test
	void anAdderAReaderAndTheLossOfTheRecord() {
		Result result = lostRecord(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is UNKNOWN", "a is added");
	}

	@Test
	@Tag("proof")
	void anAdderABuilderAReaderAndTheLossOfEverything() {
		Result result = lossOfAll(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done",
				"a is added");
	}

	@Test
	@Tag("proof")
	void aTransactionThatIsOpenBeforeTheBuildBegins() {
		Result result = openTransaction(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done",
				"a is added");
	}

	@Test
	@Tag("proof")
	void aTransactionThatIsOpenForLongerThanTheJournalIsReplayed() {
		Result result = longTransaction(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "builder is done",
				"a is added");
	}

	@Test
	void anAdderAndAMirrorThatJoins() {
		Result result = mirror(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN");
	}

	@Test
	void anAdderAMirrorAndMessagesThatArriveOrNot() {
		Result result = hearing(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE");
	}

	@Test
	@Tag("proof")
	void twoAddersAndAMirrorThatJoinsAndIsRenewed() {
		Result result = renewal(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN", "b is ABSENT",
				"b is MAYBE");
	}

	@Test
	@Tag("slow")
	void anAdderAndAMirrorThatIsRenewedWhileItIsAsked() {
		Result result = askedWhileRenewed(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN");
	}

	@Test
	@Tag("slow")
	void anAdderAMirrorAndAnotherServer() {
		Result result = failover(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE", "a is UNKNOWN");
	}

	@Test
	void anAddThatIsUnderWayWhenAMirrorJoins() {
		Result result = joining(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE");
	}

	@Test
	@Tag("proof")
	void aRowThatIsDeletedAndInsertedAgainAndAMirror() {
		Result result = removal(Flaw.NONE);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is ABSENT", "a is MAYBE");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anImportByDeleteAndInsertInAnInstanceWithAMirror(boolean whileRenewed) {
		Result result = importing(Flaw.NONE, whileRenewed);
		assertThat(result.violation()).as(result::toString).isNull();
		assertThat(result.answers()).containsKeys("a is MAYBE", "b is MAYBE", "b is ABSENT");
	}

	@ParameterizedTest
	@Tag("proof")
	@CsvSource({ "RENEWAL, RENEWED_WITHOUT_THE_JOURNAL", "HEARING, ACKNOWLEDGED_WITHOUT_KEYS",
			"MIRROR, ACK_TIMEOUT_BELOW_LEASE", "MIRROR, ACK_TIMEOUT_FROM_SENDING", "JOINING, POSITION_AFTER_THE_COPY",
			"JOINING, COPY_WITHOUT_THE_ADD", "RENEWAL, REVOKED_AFTER_RENEWAL", "MIRROR, REVOKED_AT_ONCE",
			"FAILOVER, FAILOVER_UNNOTICED", "REMOVAL, REMOVED_DESPITE_ADD", "REMOVAL, REMOVED_IN_ANY_ORDER",
			"IMPORT, ORDER_UNREAD", "IMPORT_WHILE_RENEWED, ORDER_UNREAD", "IMPORT, REMOVED_DESPITE_ADD" })
	void aBrokenRuleOfMirrorsIsFoundOut(Scenario scenario, Flaw flaw) {
		Result result = scenario.walk(flaw);
		assertThat(result.violation()).as(result::toString).isNotNull();
	}

	@ParameterizedTest
	@Tag("proof")
	@CsvSource({ "ADDERS, NO_SEAL", "ADDERS, ADD_AFTER_COMMIT", "ADDERS, NO_JOURNAL_REPLAY",
			"ADDERS, REPLAY_FROM_THE_SCAN", "ADDERS, REPLAY_BEFORE_LIVE", "SLOW_ADD, NO_EPOCH_CHECK",
			"ADDERS, DROPPED_BEFORE_DELETED", "LOSSES, NO_SEAL", "LOSSES, SEALED_WITHOUT_CHECK",
			"TRANSACTION, NO_JOURNAL_REPLAY", "TRANSACTION, DROPPED_BEFORE_DELETED", "TRANSACTION, ADD_AFTER_COMMIT",
			"SENTINELS, SENTINEL_DESPITE_RECENT_ADD", "SENTINELS, RECENT_ADDS_NOT_NOTED", "SNAPSHOTS, SOURCE_NOT_ASKED",
			"SNAPSHOTS, SENTINEL_DESPITE_RECENT_ADD", "SNAPSHOTS, RECENT_ADDS_NOT_NOTED", "LOST_RECORD, NO_LEASE",
			"LOST_RECORD, LEASE_NOT_ENDED", "SHARDS, ONE_SHARD_DELETED", "SHARDS, SHARDS_NOT_WRITTEN",
			"SHARDS, DROPPED_BEFORE_DELETED", "SHARDS, NO_JOURNAL_REPLAY", "LOST_SHARDS, NO_SEAL",
			"LOST_SHARDS, SEALED_WITHOUT_CHECK", "OPEN_TRANSACTION, REPLAY_WITHOUT_THE_ADD",
			"OPEN_TRANSACTION, REPLAY_FROM_THE_SCAN", "LONG_TRANSACTION, OLD_KEYS",
			"LONG_TRANSACTION, AGE_FROM_THE_END", "SLOW_ADD, SLOW_ADD_UNCONFIRMED", "LOSS_OF_ALL, SLOW_ADD_UNCONFIRMED",
			"LOSS_OF_ALL, SCANNED_TOO_EARLY" })
	void aBrokenRuleIsFoundOut(Scenario scenario, Flaw flaw) {
		Result result = scenario.walk(flaw);
		assertThat(result.violation()).as(result::toString).isNotNull();
	}

	private static Result addersAndBuilder(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> addInformed(turn, "a", flaw)).withEssence(Essence::ofAdder);
		actors.actor("adder of b", (turn) -> add(turn, "b", flaw)).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> build(turn, "builder", flaw))
			.withEssence(Essence::ofBuilder)
			.withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> read(turn, List.of("a"), flaw));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result transactionAndBuilder(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("transaction of a", (turn) -> transaction(turn, "a", flaw)).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> build(turn, "builder", flaw))
			.withEssence(Essence::ofBuilder)
			.withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> read(turn, List.of("a", "r"), flaw));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result slowAdd(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> {
			MonotonicClock clock = (flaw == Flaw.SLOW_ADD_UNCONFIRMED) ? ModelClock.STILL : ModelClock.leaping();
			add(turn, filter(new ModelStores(turn, "adder", false, flaw).slow(), clock), "a", flaw);
		}).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> build(turn, "builder", flaw))
			.withEssence(Essence::ofBuilder)
			.withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> read(turn, List.of("a", "r"), flaw));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result losses(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> add(turn, "a", flaw)).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> build(turn, "builder", flaw)).withEssence(Essence::ofBuilder);
		actors.actor("reader", (turn) -> read(turn, List.of("a", "r"), flaw));
		actors.actor("loss", (turn) -> {
			turn.start("evict old", (world) -> world.evict("old"));
			turn.start("evict builder-1", (world) -> world.evict("builder-1"));
		});
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * The filter is in three strings; the keys that are asked for are in different ones.
	 */
	private static Result shards(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> {
			GenerationalFilter filter = filter(new ModelStores(turn, "adder", false, flaw).shards(SHARDS));
			turn.await(filter.refresh());
			add(turn, filter, "a", flaw);
		}).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> buildShards(turn, flaw))
			.withEssence((known) -> Essence.ofBuilder(known, "." + (SHARDS - 1)))
			.withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> readShards(turn, List.of("a"), flaw));
		return walk(World.with(old, SHARDS, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * As above, but that of one key and that of the other get lost.
	 */
	private static Result lostShards(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors
			.actor("adder of a",
					(turn) -> add(turn, new ModelStores(turn, "adder", false, flaw).shards(SHARDS), "a", flaw))
			.withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> buildShards(turn, flaw))
			.withEssence((known) -> Essence.ofBuilder(known, "." + (SHARDS - 1)));
		actors.actor("reader", (turn) -> readShards(turn, List.of("a", "r"), flaw));
		actors.actor("loss", (turn) -> {
			turn.start("evict one of old", (world) -> world.evict(ModelStores.part("old", "a", SHARDS)));
			turn.start("evict one of builder-1", (world) -> world.evict(ModelStores.part("builder-1", "r", SHARDS)));
		});
		return walk(World.with(old, SHARDS, Set.of("old/r"), Set.of("r")), actors);
	}

	private static void buildShards(Turn turn, Flaw flaw) {
		build(turn, "builder", new ModelStores(turn, "builder", true, flaw).shards(SHARDS),
				new FilterSettingsBuilder().longestTransaction(Duration.ofSeconds(10)).build());
	}

	private static void readShards(Turn turn, List<String> asked, Flaw flaw) {
		read(turn, filter(new ModelStores(turn, "reader", false, flaw).shards(SHARDS)), asked);
	}

	private static Result twoBuilders(boolean withAdder) {
		Interleavings actors = new Interleavings();
		if (withAdder) {
			actors.actor("adder of a", (turn) -> add(turn, "a", Flaw.NONE)).withEssence(Essence::ofAdder);
		}
		actors.actor("builder", (turn) -> build(turn, "builder", Flaw.NONE)).withEssence(Essence::ofBuilder);
		actors.actor("successor", (turn) -> {
			turn.make("lease expires", World::expire);
			build(turn, "successor", Flaw.NONE);
		}).withEssence(Essence::ofBuilder);
		actors.actor("reader", (turn) -> read(turn, withAdder ? List.of("a") : List.of("a", "r"), Flaw.NONE));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * A snapshot is taken at any time, and read when what was added after it may have
	 * been forgotten.
	 */
	private static Result snapshots(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> {
			for (int i = 0; i < 4; i++) {
				turn.make("much time passes", World::muchLater);
			}
		});
		actors.actor("adder of a", (turn) -> {
			turn.await(filter(new ModelStores(turn, "adder", false, flaw)).add(List.of("a")));
			turn.make("commit a", (world) -> world.commitWithin("a", LONGEST_STEP.toMillis()));
		});
		actors.actor("reader", (turn) -> loadFromSnapshot(turn, "a", flaw));
		return walk(World.with(old, Set.of("old/a", "old/r"), Set.of("r")), actors);
	}

	/**
	 * The key passes the old filter although there is no row.
	 */
	private static Result sentinels(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("transaction of a", (turn) -> transaction(turn, "a", flaw)).withEssence(Essence::ofAdder);
		actors.actor("builder", (turn) -> build(turn, "builder", flaw))
			.withEssence(Essence::ofBuilder)
			.withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> loadTwice(turn, "a", flaw));
		return walk(World.with(old, Set.of("old/a", "old/r"), Set.of("r")), actors);
	}

	/**
	 * The record is lost, and an add creates it anew while a reader still trusts the old
	 * one.
	 */
	private static Result lostRecord(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> passHalvesOfTrust(turn, 4));
		actors.actor("loss", (turn) -> turn.make("lose record", World::loseRecord));
		actors.actor("adder of a", (turn) -> {
			MonotonicClock clock = (flaw == Flaw.LEASE_NOT_ENDED) ? new Hasty() : new ModelClock(turn);
			add(turn, filter(new ModelStores(turn, "adder", false, flaw), clock), "a", flaw);
			turn.answered("a is added");
		});
		actors.actor("reader", (turn) -> {
			MonotonicClock clock = (flaw == Flaw.NO_LEASE) ? ModelClock.STILL : new ModelClock(turn);
			read(turn, filter(new ModelStores(turn, "reader", false, flaw), clock), List.of("a"));
		});
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * A key is added as slowly as can be, and its row committed as late as can be.
	 */
	private static Result openTransaction(Flaw flaw) {
		Duration longest = Duration.ofSeconds(2);
		Duration longestAdd = Duration.ofSeconds(1).plus(TICKS);
		return timed(3, 0, (turn) -> {
			turn.await(filter(new ModelStores(turn, "adder", false, flaw)).add(List.of("a")));
			turn.make("commit a", (world) -> world.commitWithin("a", longest.plus(longestAdd).toMillis()));
			turn.answered("a is added");
		}, longest, longestAdd, flaw);
	}

	/**
	 * A transaction is open for so long that the journal is not replayed from where it
	 * added its key.
	 */
	private static Result longTransaction(Flaw flaw) {
		Duration longest = Duration.ofMillis(500);
		return timed(0, 1, (turn) -> {
			ModelStores stores = new ModelStores(turn, "transaction", false, flaw).impatient();
			ModelClock clock = new ModelClock(turn);
			GenerationalFilter filter = filter(stores, clock);
			turn.await(filter.refresh());
			WrittenFilter written = guard(stores, filter, (flaw == Flaw.OLD_KEYS) ? Duration.ofDays(1) : longest)
				.written();
			clock.beAheadOnce((flaw == Flaw.AGE_FROM_THE_END) ? Duration.ofSeconds(1) : Duration.ZERO);
			new TransactionTemplate(new Transactions(turn, "a", longest.dividedBy(2)))
				.executeWithoutResult((transaction) -> written.add(List.of("a")));
			turn.answered("a is added");
		}, longest, TICKS, flaw);
	}

	/**
	 * Everything is lost when a key may have been appended, and a builder begins anew.
	 * The row is committed as late as can be.
	 */
	private static Result lossOfAll(Flaw flaw) {
		Duration longest = Duration.ofSeconds(1);
		Duration prompt = Duration.ofMillis(100);
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> {
			for (long millis : new long[] { prompt.toMillis(), 950, prompt.toMillis() }) {
				turn.make("some time passes", (world) -> world.after(millis));
			}
		});
		actors.actor("loss", (turn) -> turn.make("lose all", World::loseAll));
		actors.actor("adder of a", (turn) -> {
			ModelClock clock = new ModelClock(turn);
			turn.await(filter(new ModelStores(turn, "adder", false, flaw).once(),
					(flaw == Flaw.SLOW_ADD_UNCONFIRMED) ? clock.stopped() : clock)
				.add(List.of("a")));
			long latest = clock.lastRead() + longest.toMillis() - 1;
			turn.make("commit a", (world) -> world.commitUntil("a", latest));
			turn.answered("a is added");
		});
		actors.actor("builder", (turn) -> {
			turn.make("begin when all is lost", World::isLost);
			Duration waited = (flaw == Flaw.SCANNED_TOO_EARLY) ? longest.minus(prompt) : longest;
			build(turn, "builder", new ModelStores(turn, "builder", true, flaw), new ModelClock(turn).waiting(),
					new FilterSettingsBuilder().longestTransaction(waited).longestAdd(Duration.ofSeconds(10)).build());
		}).withEssence(Essence::ofBuilder).withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> read(turn, List.of("a"), flaw));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result timed(int seconds, int secondsBeforeTheBuild, Consumer<Turn> adder, Duration longest,
			Duration longestAdd, Flaw flaw) {
		Duration replayed = (flaw == Flaw.REPLAY_FROM_THE_SCAN) ? Duration.ZERO : longest;
		boolean withAdd = Set.of(Flaw.NONE, Flaw.OLD_KEYS, Flaw.AGE_FROM_THE_END).contains(flaw);
		Duration replayedAdd = withAdd ? longestAdd.plus(TICKS) : Duration.ZERO;
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> pass(turn, seconds));
		actors.actor("adder of a", adder);
		actors.actor("builder", (turn) -> {
			pass(turn, secondsBeforeTheBuild);
			build(turn, "builder", new ModelStores(turn, "builder", true, flaw),
					new FilterSettingsBuilder().longestTransaction(replayed).longestAdd(replayedAdd).build());
		}).withEssence(Essence::ofBuilder).withUnseen(Essence::isBuildersOwn);
		actors.actor("reader", (turn) -> read(turn, List.of("a"), flaw));
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * An instance adds a key while another holds a mirror. All messages get lost, and
	 * whoever makes no step is frozen.
	 */
	private static Result mirror(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> passHalvesOfTrust(turn, 3));
		actors.actor("adder of a", (turn) -> addMirrored(turn, "a", flaw));
		if (flaw == Flaw.REVOKED_AT_ONCE) {
			actors.actor("another adder", (turn) -> turn.make("revoke", World::withoutHolders));
		}
		actors.actor("mirror", (turn) -> {
			GenerationalFilter filter = mirrored(turn, new ModelMirrors(turn, "mirror", false, flaw).deaf(), flaw);
			askHere(turn, filter, List.of("a"));
		}).withEssence(Essence::ofMirror);
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * As above, but messages may arrive, and no time passes.
	 */
	private static Result hearing(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "adder of a", true, flaw);
			add(turn, filter(stores, stores), "a", flaw);
			turn.end();
		});
		actors.actor("network", (turn) -> turn.make("deliver a", (world) -> world.deliver("adder of a")));
		actors.actor("mirror", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "mirror", false, flaw);
			GenerationalFilter filter = mirrored(turn, stores, flaw);
			stores.receive();
			askHere(turn, filter, List.of("a"));
		}).withEssence(Essence::ofMirror);
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * Keys are added one after the other, and a mirror is renewed that hears of none of
	 * them.
	 */
	private static Result renewal(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> passHalvesOfTrust(turn, 3));
		actors.actor("adder of a", (turn) -> addMirrored(turn, "a", flaw));
		actors.actor("adder of b", (turn) -> {
			turn.make("begin when a is there",
					(world) -> world.committed(List.of("a")).result().isEmpty() ? null : World.Outcome.of(world, true));
			addMirrored(turn, "b", flaw);
		});
		actors.actor("mirror", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "mirror", false, flaw).deaf();
			GenerationalFilter filter = mirrored(turn, stores, flaw);
			turn.await(filter.refresh());
			askHere(turn, filter, List.of("a", "b"));
		}).withEssence(Essence::ofMirror);
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result askedWhileRenewed(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> passHalvesOfTrust(turn, 3));
		actors.actor("adder of a", (turn) -> addMirrored(turn, "a", flaw));
		actors.actor("mirror", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "mirror", false, flaw);
			GenerationalFilter filter = mirrored(turn, stores, flaw);
			stores.whileAsked(() -> turn.await(filter.refresh()));
			askHere(turn, filter, List.of("a"));
		});
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	private static Result failover(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("time", (turn) -> passHalvesOfTrust(turn, 3));
		actors.actor("failover", (turn) -> turn.make("another server takes over", World::failOver));
		actors.actor("adder of a", (turn) -> addMirrored(turn, "a", flaw));
		actors.actor("mirror", (turn) -> {
			GenerationalFilter filter = mirrored(turn, new ModelMirrors(turn, "mirror", false, flaw), flaw);
			askHere(turn, filter, List.of("a"));
		});
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * The adder does not know of the generation, so it writes the bits after the journal.
	 */
	private static Result joining(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("adder of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "adder of a", true, flaw);
			add(turn, filter(stores, stores), "a", flaw);
			turn.end();
		});
		actors.actor("adder of b", (turn) -> {
			pass(turn, 1);
			turn.make("append b", (world) -> world.append(List.of("b"), List.of(), "adder of b", 1, ""));
		});
		actors.actor("mirror", (turn) -> {
			GenerationalFilter filter = mirrored(turn, new ModelMirrors(turn, "mirror", false, flaw), flaw);
			askHere(turn, filter, List.of("a"));
		});
		return walk(World.with(old, Set.of("old/r"), Set.of("r")), actors);
	}

	/**
	 * A row is deleted, and by another instance inserted again. The insert is made when
	 * there is no such row any more, but its key may be added before.
	 */
	private static Result removal(Flaw flaw) {
		Interleavings actors = new Interleavings();
		actors.actor("deleter of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "deleter", true, flaw).deaf();
			GenerationalFilter filter = filter(stores, stores);
			long decided = filter.serverTime();
			turn.make("delete a", (world) -> world.deleteRow("a"));
			turn.await(filter.remove(List.of("a"), decided, Duration.ofMinutes(1)));
		});
		actors.actor("inserter of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "inserter", true, flaw);
			turn.await(filter(stores, stores).add(List.of("a")));
			turn.make("insert a", (world) -> world.commitUnique("a"));
			turn.end();
		});
		actors.actor("network", (turn) -> turn.make("deliver a", (world) -> world.deliver("inserter")));
		actors.actor("mirror", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "mirror", false, flaw);
			GenerationalFilter filter = mirrored(turn, stores, flaw);
			turn.await(filter.refresh());
			turn.await(filter.refresh());
			stores.receive();
			askHere(turn, filter, List.of("a"));
		}).withEssence(Essence::ofMirror);
		return walk(World.with(old, Set.of("old/a"), Set.of("a")), actors);
	}

	/**
	 * An instance that holds a mirror deletes rows and inserts them again, as an import
	 * does. It reads the journal in pages.
	 */
	private static Result importing(Flaw flaw, boolean whileRenewed) {
		Interleavings actors = new Interleavings();
		actors.actor("importer of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "importer", false, flaw).inPagesOf(1);
			GenerationalFilter filter = mirrored(turn, stores, flaw);
			turn.await(filter.refresh());
			turn.make("delete a", (world) -> world.deleteRow("a"));
			turn.make("delete b", (world) -> world.deleteRow("b"));
			turn.await(filter.remove(List.of("a", "b"), filter.serverTime(), Duration.ofMinutes(1)));
			Runnable insert = () -> {
				turn.await(filter.add(List.of("a")));
				turn.make("insert a", (world) -> world.commitUnique("a"));
			};
			if (whileRenewed) {
				stores.whileRenewed(insert);
			}
			else {
				insert.run();
			}
			for (int i = 0; i < 3; i++) {
				turn.await(filter.refresh());
				askHere(turn, filter, List.of("a", "b"));
			}
		});
		actors.actor("another deleter of a", (turn) -> {
			ModelMirrors stores = new ModelMirrors(turn, "another", true, flaw).deaf();
			GenerationalFilter filter = filter(stores, stores);
			turn.make("delete a", (world) -> world.deleteRow("a"));
			turn.await(filter.remove(List.of("a"), filter.serverTime(), Duration.ofMinutes(1)));
			turn.end();
		});
		return walk(World.with(old, Set.of("old/a", "old/b"), Set.of("a", "b")), actors);
	}

	/**
	 * Make a mirror.
	 */
	private static GenerationalFilter mirrored(Turn turn, ModelMirrors stores, Flaw flaw) {
		GenerationalFilter filter = filter(stores, stores,
				new FilterSettingsBuilder().mirrorMemory(1_000_000)
					.longestAdd((flaw == Flaw.COPY_WITHOUT_THE_ADD) ? Duration.ZERO : Duration.ofSeconds(10))
					.build());
		turn.await(filter.refresh());
		turn.awaitAll();
		return filter;
	}

	private static void askHere(Turn turn, GenerationalFilter filter, List<String> asked) {
		Set<String> committed = turn.make("begin to read " + asked, (world) -> world.committed(asked));
		for (String key : asked) {
			Membership answer = filter.lookupInMemory(filter.snapshot(), key);
			judge(turn, key, answer == Membership.ABSENT, committed);
			turn.answered(key + " is " + answer);
		}
	}

	private static void addMirrored(Turn turn, String key, Flaw flaw) {
		ModelMirrors stores = new ModelMirrors(turn, "adder of " + key, true, flaw).deaf();
		add(turn, filter(stores, stores), key, flaw);
		turn.end();
	}

	private static void pass(Turn turn, int seconds) {
		for (int i = 0; i < seconds; i++) {
			turn.make("a second passes", World::later);
		}
	}

	/**
	 * Time that goes in steps of which none is longer than what it is compared with,
	 * whatever that is.
	 */
	private static void passHalvesOfTrust(Turn turn, int halves) {
		long half = ControlRecord.LEASE.toMillis() / 2;
		for (int i = 0; i < halves; i++) {
			turn.make("half of the trust passes", (world) -> world.after(half));
		}
	}

	private static Result walk(World start, Interleavings interleavings) {
		Result result = interleavings.walk(start);
		System.out.println(result.toString().lines().findFirst().orElseThrow());
		return result;
	}

	// the actors

	private static void add(Turn turn, String key, Flaw flaw) {
		add(turn, new ModelStores(turn, "adder", false, flaw), key, flaw);
	}

	/**
	 * Add a key where it is known which generations are live, so that they are written in
	 * the first step.
	 */
	private static void addInformed(Turn turn, String key, Flaw flaw) {
		GenerationalFilter filter = filter(new ModelStores(turn, "adder", false, flaw));
		turn.await(filter.refresh());
		add(turn, filter, key, flaw);
	}

	private static void add(Turn turn, ModelStores stores, String key, Flaw flaw) {
		add(turn, filter(stores), key, flaw);
	}

	private static void add(Turn turn, GenerationalFilter filter, String key, Flaw flaw) {
		if (flaw == Flaw.ADD_AFTER_COMMIT) {
			turn.make("commit " + key, (world) -> world.commit(key));
		}
		turn.await(filter.add(List.of(key)));
		if (flaw != Flaw.ADD_AFTER_COMMIT) {
			turn.make("commit " + key, (world) -> world.commit(key));
		}
	}

	private static void transaction(Turn turn, String key, Flaw flaw) {
		ModelStores stores = new ModelStores(turn, "transaction", false, flaw).impatient();
		GenerationalFilter filter = filter(stores);
		turn.await(filter.refresh());
		WrittenFilter written = guard(stores, filter).written();
		if (flaw == Flaw.ADD_AFTER_COMMIT) {
			turn.make("commit " + key, (world) -> world.commit(key));
			written.add(List.of(key));
			return;
		}
		new TransactionTemplate(new Transactions(turn, key, null))
			.executeWithoutResult((transaction) -> written.add(List.of(key)));
	}

	private static void build(Turn turn, String who, Flaw flaw) {
		ModelStores stores = new ModelStores(turn, who, true, flaw);
		Duration longest = (flaw == Flaw.REPLAY_FROM_THE_SCAN) ? Duration.ZERO : Duration.ofSeconds(10);
		build(turn, who, stores, new FilterSettingsBuilder().longestTransaction(longest).build());
	}

	private static void build(Turn turn, String who, ModelStores stores, FilterSettings settings) {
		build(turn, who, stores, ModelClock.STILL, settings);
	}

	private static void build(Turn turn, String who, ModelStores stores, MonotonicClock clock,
			FilterSettings settings) {
		GenerationBuilder builder = new GenerationBuilder(stores, stores, stores.recordSteps(), scheduler, clock,
				settings, () -> Duration.ZERO);
		Optional<BuildLease> taken = builder.acquire();
		if (taken.isEmpty()) {
			turn.answered(who + " has no turn");
			return;
		}
		try {
			try (BuildLease lease = taken.get()) {
				builder.build(lease, Generation.loading(specification, 1000, ORIGIN),
						(generation, pass, sink) -> scan(turn, sink));
			}
			turn.answered(who + " is done");
		}
		catch (BuildFailedException ex) {
			turn.answered(who + " has given up");
		}
		catch (CompletionException ex) {
			if (!(ex.getCause() instanceof FilterGoneException)) {
				throw ex;
			}
			turn.answered(who + " has given up");
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void scan(Turn turn, Consumer<List<String>> sink) {
		turn.awaitAll();
		sink.accept(List.copyOf(turn.make("scan rows", World::committed)));
	}

	private static void read(Turn turn, List<String> asked, Flaw flaw) {
		read(turn, filter(new ModelStores(turn, "reader", false, flaw)), asked);
	}

	private static void read(Turn turn, GenerationalFilter filter, List<String> asked) {
		turn.await(filter.refresh());
		ask(turn, filter, asked);
		turn.end();
	}

	private static void ask(Turn turn, GenerationalFilter filter, List<String> asked) {
		Set<String> committed = turn.make("begin to read", (world) -> world.committed(asked));
		CompletableFuture<List<Membership>> lookup = filter.lookup(filter.snapshot(), asked);
		List<Membership> answers = turn.await(lookup);
		for (int i = 0; i < asked.size(); i++) {
			judge(turn, asked.get(i), answers.get(i) == Membership.ABSENT, committed);
			turn.answered(asked.get(i) + " is " + answers.get(i));
		}
	}

	/**
	 * Load a key twice. What the first time leaves behind may come as late as it likes.
	 */
	private static void loadTwice(Turn turn, String key, Flaw flaw) {
		ModelStores stores = new ModelStores(turn, "reader", false, flaw);
		GenerationalFilter filter = filter(stores);
		GuardedFilter guard = guard(stores, filter).asked();
		turn.await(filter.refresh());
		load(turn, guard, key);
		load(turn, guard, key);
	}

	/**
	 * Load a key in a transaction that sees what was committed when it began, and again
	 * without one. The source is asked in between for what is committed by then.
	 */
	private static void loadFromSnapshot(Turn turn, String key, Flaw flaw) {
		ModelStores stores = new ModelStores(turn, "reader", false, flaw);
		GenerationalFilter filter = filter(stores);
		boolean asked = flaw != Flaw.SOURCE_NOT_ASKED;
		ModelSource source = new ModelSource(turn);
		GuardedFilter guard = guard(stores, filter, Duration.ofSeconds(10), asked ? List.of(source) : List.of())
			.asked();
		turn.await(filter.refresh());
		TransactionTemplate snapshot = new TransactionTemplate(new Transactions(turn, key, null));
		snapshot.setReadOnly(true);
		snapshot.executeWithoutResult((status) -> {
			Set<String> rows = turn.make("take a snapshot", World::committed);
			long begun = turn.make("begin to load", World::clock);
			Decision verdict = guard.check(key).await();
			turn.awaitAll();
			boolean found = rows.contains(key);
			guard.loaded(key, verdict, !found, asked && new GuardedCall().isInTransaction());
			turn.awaitAll();
			turn.make("end to load", (world) -> world
				.endUntil(Objects.requireNonNullElse(source.begun, begun) + LONGEST_STEP.toMillis()));
			turn.answered(key + ((source.begun != null) ? " is looked up" : " is not looked up"));
			status.setRollbackOnly();
		});
		load(turn, guard, key);
	}

	private static void load(Turn turn, GuardedFilter guard, String key) {
		Set<String> committed = turn.make("begin to read", World::committed);
		Decision verdict = guard.check(key).await();
		turn.awaitAllBut("remember");
		if (verdict.answered()) {
			judge(turn, key, true, committed);
			turn.answered(key + ((verdict.membership() == Membership.MAYBE) ? " is REMEMBERED" : " is ABSENT"));
			return;
		}
		boolean found = turn.make("select " + key, World::committed).contains(key);
		guard.loaded(key, verdict, !found, false);
		turn.answered(key + (found ? " is found" : " is not found"));
	}

	private static void judge(Turn turn, String key, boolean absent, Set<String> committed) {
		if (absent && committed.contains(key)) {
			turn.violated(key + " was committed before the read began, and is called absent");
		}
	}

	private static GenerationalFilter filter(ModelStores stores) {
		return filter(stores, ModelClock.STILL);
	}

	private static GenerationalFilter filter(ModelStores stores, MonotonicClock clock) {
		return filter(stores, clock, new FilterSettingsBuilder().build());
	}

	private static GenerationalFilter filter(ModelStores stores, MonotonicClock clock, FilterSettings settings) {
		return new GenerationalFilter(settings, Origin.of(ORIGIN), stores, stores,
				CircuitBreaker.ofFilters(Duration.ofDays(1), Duration.ofDays(1)), clock, new BloomGuardListener() {
				});
	}

	private static Guard guard(ModelStores stores) {
		return guard(stores, filter(stores));
	}

	/**
	 * Without any patience: a step that has not been made yet ends the run at once.
	 */
	private static Guard guard(ModelStores stores, GenerationalFilter filter) {
		return guard(stores, filter, Duration.ofSeconds(10));
	}

	private static Guard guard(ModelStores stores, GenerationalFilter filter, Duration longestTransaction) {
		return guard(stores, filter, longestTransaction, List.of());
	}

	private static Guard guard(ModelStores stores, GenerationalFilter filter, Duration longestTransaction,
			List<KeySource> sources) {
		FilterSettings settings = new FilterSettingsBuilder().longestTransaction(longestTransaction).build();
		FilterStatistics statistics = new FilterStatistics("products", new ListenerChain(List.of(), Runnable::run));
		return new FilterGuardFactory(new KeyFormat(List.of()), UnaryOperator.identity(), List::of, Runnable::run,
				Runnable::run, (task) -> task)
			.create(settings, filter, CircuitBreaker.ofFilters(Duration.ZERO, Duration.ZERO), stores, statistics,
					new FloodWatch(settings, filter, statistics), FilterSources.of(sources), AbsenceBarrier.NONE,
					AbsenceBarrier.NONE);
	}

	/**
	 * Tells whether there is a row that everybody sees.
	 */
	private static final class ModelSource implements KeySource {

		private final Turn turn;

		/**
		 * When the source was asked, {@code null} if it was not.
		 */
		private Long begun;

		ModelSource(Turn turn) {
			this.turn = turn;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			throw new UnsupportedOperationException("Nothing is loaded");
		}

		@Override
		public Optional<Boolean> contains(List<?> key) {
			this.begun = this.turn.make("begin to ask the source", World::clock);
			return Optional.of(this.turn.make("ask the source", World::committed).contains(key.get(0)));
		}

	}

	/**
	 * What the actors do.
	 */
	enum Scenario {

		/** Two adders, a builder, a reader. */
		ADDERS(ProtocolInterleavingTests::addersAndBuilder),

		/** A transaction, a builder, a reader. */
		TRANSACTION(ProtocolInterleavingTests::transactionAndBuilder),

		/** A slow adder, a builder, a reader. */
		SLOW_ADD(ProtocolInterleavingTests::slowAdd),

		/** An adder, a builder, a reader, and bits that get lost. */
		LOSSES(ProtocolInterleavingTests::losses),

		/** An adder, a builder and a reader of a filter in several strings. */
		SHARDS(ProtocolInterleavingTests::shards),

		/** An adder, a builder, a reader, and strings that get lost. */
		LOST_SHARDS(ProtocolInterleavingTests::lostShards),

		/** An adder and a reader, and the loss of the record. */
		LOST_RECORD(ProtocolInterleavingTests::lostRecord),

		/** An adder, a builder, a reader, and the loss of everything. */
		LOSS_OF_ALL(ProtocolInterleavingTests::lossOfAll),

		/** A transaction that began before a builder, and a reader. */
		OPEN_TRANSACTION(ProtocolInterleavingTests::openTransaction),

		/** A transaction that is open for too long, a builder, a reader. */
		LONG_TRANSACTION(ProtocolInterleavingTests::longTransaction),

		/** Two adders, and a mirror that is renewed and hears nothing. */
		RENEWAL(ProtocolInterleavingTests::renewal),

		/** An adder, a mirror, and messages that arrive or not. */
		HEARING(ProtocolInterleavingTests::hearing),

		/** An adder, and a mirror that joins. */
		MIRROR(ProtocolInterleavingTests::mirror),

		/** An adder, a mirror, and another server. */
		FAILOVER(ProtocolInterleavingTests::failover),

		/** An adder that is under way when a mirror joins. */
		JOINING(ProtocolInterleavingTests::joining),

		/** A row that is deleted and inserted again, and a mirror. */
		REMOVAL(ProtocolInterleavingTests::removal),

		/** An instance that deletes and inserts rows, and its mirror. */
		IMPORT((flaw) -> importing(flaw, false)),

		/** As above, but a refresh is under way while it inserts. */
		IMPORT_WHILE_RENEWED((flaw) -> importing(flaw, true)),

		/** An adder, and a reader of a snapshot with sentinels. */
		SNAPSHOTS(ProtocolInterleavingTests::snapshots),

		/** A transaction, a builder, and a reader with sentinels. */
		SENTINELS(ProtocolInterleavingTests::sentinels);

		private final Function<Flaw, Result> walk;

		Scenario(Function<Flaw, Result> walk) {
			this.walk = walk;
		}

		Result walk(Flaw flaw) {
			return this.walk.apply(flaw);
		}

	}

	/**
	 * Transactions that insert one row.
	 */
	private static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient Turn turn;

		private final String key;

		private final Duration longestCommit;

		private long begun;

		/**
		 * Create a transaction manager.
		 * @param turn the turn of the actor
		 * @param key the key of the row
		 * @param longestCommit how long a commit takes at most, {@code null} for any time
		 */
		Transactions(Turn turn, String key, Duration longestCommit) {
			this.turn = turn;
			this.key = key;
			this.longestCommit = longestCommit;
		}

		@Override
		protected Object doGetTransaction() {
			return this.turn;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void prepareForCommit(DefaultTransactionStatus status) {
			if (this.longestCommit != null) {
				this.turn.awaitAll();
				this.begun = this.turn.make("begin to commit", World::clock);
			}
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.turn.awaitAll();
			this.turn.make("commit", (world) -> (this.longestCommit == null) ? world.commit(this.key)
					: world.commitUntil(this.key, this.begun + this.longestCommit.toMillis()));
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	/**
	 * Waits for nothing.
	 */
	private static final class Hasty implements MonotonicClock {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			return CompletableFuture.completedFuture(null);
		}

	}

	/**
	 * Never runs anything: the only thing that is scheduled is the renewal of a lease.
	 */
	private static final class NeverScheduler extends ScheduledThreadPoolExecutor {

		NeverScheduler() {
			super(0);
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
			return new Never();
		}

	}

	private static final class Never extends CompletableFuture<Void> implements ScheduledFuture<Void> {

		@Override
		public long getDelay(TimeUnit unit) {
			return Long.MAX_VALUE;
		}

		@Override
		public int compareTo(Delayed other) {
			return 0;
		}

	}

}
