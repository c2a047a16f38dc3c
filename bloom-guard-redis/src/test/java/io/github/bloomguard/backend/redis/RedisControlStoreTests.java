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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStore.Swap;
import io.github.bloomguard.generation.ControlStoreContractTests;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link RedisControlStore}.
 */
class RedisControlStoreTests extends ControlStoreContractTests {

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	private static final String ID_VERSION = "id-shop.db-1";

	private static final String SKU_VERSION = "sku-shop.db-2";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	@Override
	protected RedisControlStore newStore(String origin, FilterSettings settings) {
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS, settings, Origin.of(origin),
				new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "test"), new BitWrites(),
				Duration.ofSeconds(30));
	}

	@Override
	protected FilterStore filters() {
		return new RedisBackend(() -> new RedisAccess(redisson, Runnable::run), KEYS.prefix(), Duration.ofSeconds(30))
			.filters();
	}

	private RedisControlStore newStore(FilterSettings settings) {
		return newStore(ORIGIN, settings);
	}

	@Test
	void addAfterALossWaitsUntilNobodyTrustsWhatWasLost() {
		assertThat(this.store.append(List.of("a"), List.of()).join().record().leasesEndIn()).isPositive();
	}

	/**
	 * Else adds and builders would wait for as long as the clock was set back.
	 */
	@Test
	void recordOfATimeThatIsStillToComeCountsAsOneThatWasLost() {
		Generation active = activate(ME);
		long epoch = read().epoch();
		String tomorrow = String.valueOf(read().now() + Duration.ofDays(1).toMillis());
		redis.command("HSET", KEYS.control(), "created", tomorrow, "since", tomorrow);
		ControlRecord record = this.store.append(List.of("a"), List.of()).join().record();
		assertThat(record.leasesEndIn()).isLessThanOrEqualTo(ControlRecord.LEASE_ENDS);
		assertThat(record.journalSince()).isLessThanOrEqualTo(record.now());
		assertThat(record.epoch()).isGreaterThan(epoch);
		assertThat(record.lists(active)).isTrue();
	}

	@Test
	void leaseEndsInTimeAlsoIfTheClockIsSetBack() {
		assertThat(this.store.acquire(ME, Duration.ofMinutes(1)).join()).isTrue();
		redis.command("PEXPIRE", KEYS.lease(), "86400000");
		assertThat(this.store.acquire("other", Duration.ofMinutes(1)).join()).isFalse();
		assertThat(Long.parseLong(redis.command("PTTL", KEYS.lease()))).isBetween(1L, 60_000L);
	}

	@Test
	void keysAreWrittenToKnownGenerationsInTheStepThatAppendsThem() {
		Generation active = activate(ME);
		StoredFilter bits = create(active);
		Generation live = begin(ME);
		StoredFilter others = create(live);
		new RecordSteps(this.store).goLive(ME, live.id(), "").join();
		Generation loading = newGeneration();
		Appended appended = this.store.append(List.of("a", "b"), List.of(active, live, loading)).join();
		assertThat(appended.written()).containsExactlyInAnyOrder(active.id(), live.id());
		for (StoredFilter filter : List.of(bits, others)) {
			assertThat(filter.seal().join()).isTrue();
		}
		assertThat(bits.lookup(elements(active)).join()).containsExactly(Membership.MAYBE, Membership.MAYBE,
				Membership.ABSENT);
		assertThat(others.lookup(elements(live)).join()).containsExactly(Membership.MAYBE, Membership.MAYBE,
				Membership.ABSENT);
		assertThat(journal()).containsExactly("a", "b");
	}

	@Test
	void shardsAreLeftToBeWrittenAfterTheStepThatAppendsTheKeys() {
		Generation active = activate(ME, inShards());
		Appended appended = this.store.append(List.of("a", "b"), List.of(active)).join();
		assertThat(appended.written()).isEmpty();
		assertThat(appended.record().live()).extracting(Generation::id).containsExactly(active.id());
		assertThat(journal()).containsExactly("a", "b");
	}

	@Test
	void whoeverKnowsAGenerationKnowsHowItIsDivided() {
		Generation active = activate(ME, inShards());
		assertThat(read().live()).extracting(Generation::specification).containsExactly(active.specification());
	}

	@Test
	void generationOfTheReleaseCandidateIsDividedAsItAlwaysWas() {
		Generation active = activate(ME, inShards());
		String field = "g:" + active.id();
		String described = redis.command("HGET", KEYS.control(), field);
		redis.command("HSET", KEYS.control(), field, described.substring(0, described.lastIndexOf('|')));
		assertThat(read().live()).extracting(Generation::specification)
			.containsExactly(new FilterSpecification("products", 1000, 0.01));
	}

	@Test
	void journalThatWasExchangedCountsAsMissing() {
		this.store.append(List.of("a"), List.of()).join();
		Generation building = begin(ME);
		new RecordSteps(this.store).goLive(ME, building.id(), "").join();
		redis.command("RENAME", KEYS.journal(), "away");
		long since = this.store.append(List.of("b"), List.of()).join().record().journalSince();
		// otherwise both may end in the same millisecond with the same number
		this.store.append(List.of("b"), List.of()).join();
		this.store.append(List.of("b"), List.of()).join();
		assertThat(read().journalSince()).isEqualTo(since);
		redis.command("RENAME", "away", KEYS.journal());
		assertThat(read().journalSince()).isZero();
		assertThat(new RecordSteps(this.store).activate(ME, building.id(), since).join()).isFalse();
		assertThatThrownBy(() -> this.store.acquireMirrorLease(new LeaseHolder("me", "first")).join())
			.hasMessageContaining("there is no journal");
		long epoch = read().epoch();
		ControlRecord anew = this.store.append(List.of("c"), List.of()).join().record();
		assertThat(anew.epoch()).isGreaterThan(epoch);
		assertThat(anew.journalSince()).isGreaterThanOrEqualTo(since);
		assertThat(journal()).containsExactly("c");
	}

	private static Generation inShards() {
		return Generation.loading(new FilterSpecification("products", 1000, 0.01, 480), 1000, ORIGIN);
	}

	@Test
	void keysAreForgottenThoughNobodyAdds() {
		RedisControlStore store = newStore(new FilterSettingsBuilder().journalRetention(Duration.ofMillis(500))
			.addedRetention(Duration.ofMillis(500))
			.build());
		IntStream.range(0, 50).forEach((i) -> store.append(List.of("secret-" + i), List.of()).join());
		ControlRecord before = store.read().join();
		String last = lastEntry();
		Awaitility.await().untilAsserted(() -> {
			store.refresh(Evidence.NONE).join();
			assertThat(redis.command("XRANGE", KEYS.journal(), "-", "+")).doesNotContain("secret");
		});
		assertThat(redis.command("DUMP", KEYS.journal())).doesNotContain("secret");
		assertThat(redis.command("ZRANGE", KEYS.added(), "0", "-1")).doesNotContain("secret");
		ControlRecord after = store.refresh(Evidence.NONE).join();
		assertThat(after.epoch()).as("nothing was lost").isEqualTo(before.epoch());
		assertThat(after.journalSince()).isEqualTo(before.journalSince()).isPositive();
		String forgotten = lastEntry();
		assertThat(JournalPosition.of(forgotten)).as("the order goes on").isGreaterThan(JournalPosition.of(last));
		await(Duration.ofMillis(600));
		store.refresh(Evidence.NONE).join();
		assertThat(lastEntry()).as("only once").isEqualTo(forgotten);
		store.append(List.of("next"), List.of()).join();
		assertThat(store.journal(last, 10).join().keys()).containsExactly("next");
	}

	@Test
	void mirrorThatIsRefreshedForgetsKeysToo() {
		RedisControlStore store = newStore(new FilterSettingsBuilder().journalRetention(Duration.ofMillis(100))
			.addedRetention(Duration.ofMillis(100))
			.build());
		store.append(List.of("secret"), List.of()).join();
		LeaseHolder holder = new LeaseHolder(store.channel().instance(), "first");
		JournalPosition held = store.acquireMirrorLease(holder).join().position();
		Awaitility.await().untilAsserted(() -> {
			assertThat(store.refresh(Evidence.NONE, holder, held).join().listed()).isTrue();
			assertThat(redis.command("XRANGE", KEYS.journal(), "-", "+")).doesNotContain("secret");
		});
	}

	@Test
	void whatABuildNeedsIsNotForgotten() {
		RedisControlStore store = newStore(new FilterSettingsBuilder().journalRetention(Duration.ofMillis(100))
			.addedRetention(Duration.ofMillis(100))
			.build());
		store.append(List.of("a"), List.of()).join();
		store.acquire(ME, HOUR).join();
		new RecordSteps(store).begin(ME, newGeneration(), HOUR, Duration.ZERO).join();
		await(Duration.ofMillis(200));
		store.refresh(Evidence.NONE).join();
		assertThat(store.journal("0-0", 10).join().keys()).containsExactly("a");
	}

	@Test
	void addLeavesNoEntryThatIsOlderThanTheRetention() {
		RedisControlStore store = newStore(
				new FilterSettingsBuilder().journalRetention(Duration.ofMillis(100)).build());
		IntStream.range(0, 20).forEach((i) -> store.append(List.of("old-" + i), List.of()).join());
		await(Duration.ofMillis(200));
		store.append(List.of("new"), List.of()).join();
		assertThat(store.journal("0-0", 100).join().keys()).containsExactly("new");
	}

	private static void await(Duration time) {
		Awaitility.await().pollDelay(time).until(() -> true);
	}

	private static String lastEntry() {
		return redis.command("XREVRANGE", KEYS.journal(), "+", "-", "COUNT", "1").lines().findFirst().orElseThrow();
	}

	@Test
	void keysAreNotWrittenToAGenerationWhoseBitsAreGone() {
		Generation active = activate(ME);
		Appended appended = this.store.append(List.of("a"), List.of(active)).join();
		assertThat(appended.written()).as("nobody gets an answer from it").containsExactly(active.id());
		assertThat(redis.keys("*bits*")).isEmpty();
	}

	@Test
	void addedKeysAreNotRememberedAsNotFoundAnyMore() {
		redis.command("HSET", KEYS.sentinel("a"), "empty", "1");
		redis.command("HSET", KEYS.sentinel("b"), "empty", "1");
		append("a", "c");
		assertThat(redis.keys("*empty*")).containsExactly(KEYS.sentinel("b"));
	}

	private static List<String> elements(Generation generation) {
		return generation.elements(List.of("a", "b", "c"));
	}

	private static StoredFilter create(Generation generation) {
		return new RedisFilterStore(new RedisAccess(redisson, Runnable::run), KEYS.prefix(), Duration.ofSeconds(30),
				Duration.ofSeconds(30))
			.create(new GenerationId("products", generation.id()), generation.specification())
			.join();
	}

	@Test
	void generationIsNotActivatedIfTheJournalIsLostAfterTheRecordWasRead() {
		Generation live = begin(ME);
		assertThat(new RecordSteps(this.store).goLive(ME, live.id(), "").join()).isTrue();
		RecordState read = this.store.state().join();
		redis.command("DEL", KEYS.journal());
		assertThat(activateAsRead(read, live).join()).isEqualTo(Swap.MOVED);
		assertThat(phase(live)).isEqualTo(Phase.LIVE);
	}

	@Test
	void originThatIsUsedAgainAfterTheRecordWasReadIsNotForgotten() {
		activate(ME);
		Generation others = activate(ME, "another");
		redis.command("HSET", KEYS.control(), "used:another", "1");
		RecordState read = this.store.state().join();
		newStore("another", HOUR).refresh(Evidence.NONE).join();
		assertThat(retireAsRead(read).join()).isEqualTo(Swap.MOVED);
		assertThat(new RecordSteps(this.store).retire(ME).join()).isEmpty();
		assertThat(phase(others)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void generationsOfAnOriginThatNobodyUsesAreRetired() {
		Generation mine = activate(ME);
		Generation others = activate(ME, "another");
		redis.command("HSET", KEYS.control(), "proven:another", "7");
		assertThat(new RecordSteps(this.store).retire(ME).join()).isEmpty();
		assertThat(new RecordSteps(this.store).retire(OTHER).join()).isEmpty();
		long longAgo = read().now() - HOUR.plusSeconds(1).toMillis();
		redis.command("HSET", KEYS.control(), "used:another", String.valueOf(longAgo), "used:" + ORIGIN,
				String.valueOf(longAgo));
		this.store.refresh(Evidence.NONE).join();
		assertThat(new RecordSteps(this.store).retire(OTHER).join()).isEmpty();
		assertThat(new RecordSteps(this.store).retire(ME).join()).extracting(Generation::id)
			.containsExactly(others.id());
		assertThat(phase(mine)).isEqualTo(Phase.ACTIVE);
		assertThat(new RecordSteps(this.store).retire(ME).join()).as("until they are dropped")
			.extracting(Generation::id)
			.containsExactly(others.id());
		new RecordSteps(this.store).drop(List.of(mine.id(), others.id())).join();
		assertThat(read().generations()).extracting(Generation::id).containsExactly(mine.id());
		assertThat(redis.command("HKEYS", KEYS.control())).doesNotContain("another").doesNotContain(others.id());
	}

	@Test
	void versionWithOtherKeysIsNoticedWhenItIsSeenAndWhenItAdds() {
		ControlStore one = newStore(ID_VERSION, HOUR);
		ControlStore other = newStore(SKU_VERSION, HOUR);
		activate(ME, ID_VERSION);
		assertThat(one.read().join().trust().rollout()).extracting(Rollout::rival).isEqualTo(0L);
		long seen = other.refresh(Evidence.NONE).join().now();
		assertThat(one.read().join().trust().rollout()).extracting(Rollout::rival).isEqualTo(seen);
		redis.command("HDEL", KEYS.control(), "used:" + SKU_VERSION);
		long added = append(other, "sku-1").now();
		assertThat(one.read().join().trust().rollout()).extracting(Rollout::rival).isEqualTo(added);
		assertThat(read().trust().rollout().rival()).as("of another application").isZero();
	}

	@Test
	void useIsNotedOnceAMinuteButOftenBesideAnotherVersion() {
		ControlStore one = newStore(ID_VERSION, HOUR);
		activate(ME, ID_VERSION);
		one.refresh(Evidence.NONE).join();
		String ago = String.valueOf(read().now() - 10_000);
		redis.command("HSET", KEYS.control(), "used:" + ID_VERSION, ago);
		one.refresh(Evidence.NONE).join();
		assertThat(redis.command("HGET", KEYS.control(), "used:" + ID_VERSION).strip()).isEqualTo(ago);
		newStore(SKU_VERSION, HOUR).refresh(Evidence.NONE).join();
		one.refresh(Evidence.NONE).join();
		one.refresh(Evidence.NONE).join();
		assertThat(redis.command("HGET", KEYS.control(), "used:" + ID_VERSION).strip()).isNotEqualTo(ago);
	}

	@Test
	void versionHasReturnedThatWasAwayUntilNobodyTrustedWhatItHadRead() {
		ControlStore store = newStore(ID_VERSION, HOUR);
		activate(ME, ID_VERSION);
		long first = store.refresh(Evidence.NONE).join().trust().rollout().returned();
		assertThat(returnedAfter(RedisControlStore.NOTING_BESIDE_RIVALS.multipliedBy(2))).isEqualTo(first);
		assertThat(returnedAfter(RedisControlStore.NOTING_BESIDE_RIVALS.multipliedBy(2).plus(ControlRecord.LEASE_ENDS)))
			.isGreaterThan(first);
	}

	private long returnedAfter(Duration away) {
		redis.command("HSET", KEYS.control(), "used:" + ID_VERSION, String.valueOf(read().now() - away.toMillis() - 1));
		return newStore(ID_VERSION, HOUR).refresh(Evidence.NONE).join().trust().rollout().returned();
	}

	@Test
	void versionWithOtherKeysThatIsGoneStaysNotedUntilTheOtherIsLoadedAnew() {
		String used = "used:" + SKU_VERSION;
		activate(ME, ID_VERSION);
		long longAgo = read().now() - HOUR.plusSeconds(1).toMillis();
		redis.command("HSET", KEYS.control(), used, String.valueOf(longAgo));
		String begun = redis.command("HKEYS", KEYS.control())
			.lines()
			.filter((field) -> field.startsWith("begun:"))
			.findFirst()
			.orElseThrow();
		redis.command("HSET", KEYS.control(), begun, String.valueOf(longAgo + 1));
		new RecordSteps(this.store).retire(ME).join();
		assertThat(redis.command("HKEYS", KEYS.control())).contains(used);
		activate(ME, ID_VERSION);
		new RecordSteps(this.store).retire(ME).join();
		assertThat(redis.command("HKEYS", KEYS.control())).doesNotContain(used);
	}

	@Test
	void serverThatDoesNotTellWhoItIsIsNotTrusted() {
		activate(ME);
		redis.command("ACL", "SETUSER", "default", "-info");
		try {
			assertThat(this.store.read()).failsWithin(Duration.ofSeconds(5));
			assertThat(new RecordSteps(this.store).begin(ME, newGeneration(), HOUR, Duration.ZERO))
				.failsWithin(Duration.ofSeconds(5));
		}
		finally {
			redis.command("ACL", "SETUSER", "default", "+info");
		}
		assertThat(read().sameServer()).isTrue();
	}

	@Test
	void epochGrowsAcrossTheLossOfTheRecord() {
		activate(ME);
		long before = read().epoch();
		redis.command("FLUSHALL");
		assertThat(read().epoch()).isZero();
		long appended = append("a").epoch();
		assertThat(appended).isGreaterThan(before);
		redis.command("DEL", KEYS.control());
		begin(ME);
		assertThat(read().epoch()).isGreaterThan(appended);
	}

	@Test
	void epochGrowsAlthoughTheClockOfTheServerHasGoneBack() {
		activate(ME);
		redis.command("HSET", KEYS.control(), "epoch", "9000000000000000");
		Generation generation = begin(ME);
		assertThat(read().epoch()).isEqualTo(9000000000000001L);
		new RecordSteps(this.store).goLive(ME, generation.id(), "").join();
		assertThat(read().epoch()).isEqualTo(9000000000000002L);
	}

	@Test
	void lostJournalRaisesTheEpochWhenItIsBegunAnew() {
		long before = append("a").epoch();
		redis.command("DEL", KEYS.journal());
		assertThat(read().journalSince()).isZero();
		ControlRecord after = append("b");
		assertThat(after.epoch()).isGreaterThan(before);
		assertThat(after.journalSince()).isPositive();
	}

	@Test
	void renewedLeaseLastsForItsTime() {
		assertThat(this.store.acquire(ME, Duration.ofMillis(50)).join()).isTrue();
		assertThat(this.store.renew(ME, LEASE).join()).isTrue();
		assertThat(Long.parseLong(redis.command("PTTL", KEYS.lease()))).isGreaterThan(50_000);
	}

	@Test
	void generationIsNotActivatedIfTheJournalWasLostMeanwhile() {
		Generation generation = begin(ME);
		long since = read().journalSince();
		new RecordSteps(this.store).goLive(ME, generation.id(), "").join();
		redis.command("DEL", KEYS.journal());
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), since).join()).isFalse();
		Awaitility.await().until(() -> read().now() > since);
		append("a");
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), since).join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.LIVE);
	}

	@Test
	void builderOnAnotherServerTrustsNothingThatIsThere() {
		Generation former = activate(ME);
		ControlRecord before = read();
		assertThat(before.sameServer()).isTrue();
		redis.command("HSET", KEYS.control(), "server", "0123456789");
		assertThat(read().sameServer()).isFalse();
		append("a");
		assertThat(read().sameServer()).isFalse();
		Awaitility.await().until(() -> read().now() > before.now());
		begin(ME);
		assertThat(read().sameServer()).isTrue();
		assertThat(read().journalSince()).isGreaterThan(before.now());
		assertThat(phase(former)).isEqualTo(Phase.RETIRED);
		assertThat(journal()).containsExactly("a");
	}

	@Test
	void generationIsNotActivatedOnAnotherServerThanItWasBegunOn() {
		Generation generation = begin(ME);
		assertThat(new RecordSteps(this.store).goLive(ME, generation.id(), "").join()).isTrue();
		redis.command("HSET", KEYS.control(), "server", "0123456789");
		assertThat(new RecordSteps(this.store).activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.LIVE);
	}

	@Test
	void addedKeysAreNotedWithTheJournal() {
		append("a", "");
		ControlRecord before = append("b", "a");
		assertThat(redis.command("ZCARD", KEYS.added())).as("each key, what is uncertain, and one that never goes")
			.isEqualTo("5");
		assertThat(redis.command("ZSCORE", KEYS.added(), ":a")).isEqualTo(String.valueOf(before.now()));
		Awaitility.await().until(() -> read().now() > before.now());
		redis.command("DEL", KEYS.added());
		ControlRecord after = append("c");
		assertThat(after.epoch()).isGreaterThan(before.epoch());
		assertThat(after.journalSince()).isGreaterThan(before.now());
		assertThat(journal()).containsExactly("a", "", "b", "a", "c");
	}

	@Test
	void addedKeysAreForgottenAfterTheirTime() {
		RedisControlStore brief = newStore(new FilterSettingsBuilder().addedRetention(Duration.ofMillis(1)).build());
		appendALot(brief);
		append(brief, "a");
		assertThat(redis.command("ZCARD", KEYS.added())).isEqualTo("3");
	}

	@Test
	void addWaitsForAnAnswerAsLongAsItMay() {
		RedisControlStore patient = new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				new FilterSettingsBuilder().addTimeout(Duration.ofMinutes(1)).build(), Origin.of(ORIGIN),
				new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "test"), new BitWrites(),
				Duration.ofMillis(100));
		patient.read().join();
		redis.command("CLIENT", "PAUSE", "1000");
		assertThat(patient.append(List.of("a"), List.of())).succeedsWithin(Duration.ofMinutes(1));
		redis.command("CLIENT", "PAUSE", "1000");
		assertThat(patient.confirm()).succeedsWithin(Duration.ofMinutes(1));
	}

	@Test
	void addIsConfirmedOnlyIfEnoughReplicasHaveIt() {
		RedisControlStore waiting = new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				new FilterSettingsBuilder().addReplicas(1).build(), Origin.of(ORIGIN),
				new RedisMirrorChannels(new RedisAccess(redisson, Runnable::run), "test"), new BitWrites(),
				Duration.ofMillis(300));
		append("a");
		// again where the server itself stands still
		Awaitility.await()
			.untilAsserted(() -> assertThat(waiting.confirm()).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withMessageContaining("Only 0 of 1 replicas have the keys of the filter 'products'"));
		try (TestRedis replica = redis.startReplica()) {
			Awaitility.await().until(() -> replica.command("XLEN", KEYS.journal()).equals("1"));
			ControlRecord confirmed = Awaitility.await()
				.ignoreExceptions()
				.until(() -> waiting.confirm().join(), Objects::nonNull);
			assertThat(confirmed.epoch()).isEqualTo(read().epoch());
			assertThat(confirmed.sameServer()).isTrue();
			assertThat(replica.command("XLEN", KEYS.journal())).isEqualTo("1");
			replica.freeze();
			try {
				assertThat(waiting.confirm()).failsWithin(Duration.ofSeconds(10));
			}
			finally {
				replica.thaw();
			}
		}
	}

	@Test
	void keysOfTheWrongTypeAreReplaced() {
		redis.command("SET", KEYS.control(), "x");
		redis.command("SET", KEYS.journal(), "x");
		redis.command("LPUSH", KEYS.lease(), "x");
		assertThat(read().epoch()).isZero();
		assertThat(this.store.journal("0-0", 10).join().keys()).isEmpty();
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
		new RecordSteps(this.store).drop(List.of("a")).join();
		append("a");
		Generation generation = activate(ME);
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
		redis.command("SET", KEYS.added(), "x");
		assertThat(this.store.refresh(Evidence.NONE).join().active(ORIGIN)).as("refreshed").isNotNull();
		assertThat(journal()).containsExactly("a");
	}

}
