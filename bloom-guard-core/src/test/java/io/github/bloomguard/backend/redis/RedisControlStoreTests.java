package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisControlStore}.
 */
class RedisControlStoreTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	private static final String ORIGIN = "origin";

	private static final String ME = "me";

	private static final String OTHER = "other";

	private static TestRedis redis;

	private static RedissonClient redisson;

	private final RedisControlStore store = newStore(HOUR);

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	private static RedisControlStore newStore(Duration journalRetention) {
		return newStore(new BackendSettings("products", ORIGIN, Duration.ZERO, journalRetention, HOUR, 0));
	}

	private static RedisControlStore newStore(BackendSettings settings) {
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS, settings,
				new MirrorChannel(new RedisAccess(redisson, Runnable::run), "test"), Duration.ofSeconds(2));
	}

	@Test
	void recordThatDoesNotExistIsEmpty() {
		ControlRecord record = read();
		assertThat(record.epoch()).isZero();
		assertThat(record.generations()).isEmpty();
		assertThat(record.active(ORIGIN)).isNull();
		assertThat(record.journalSince()).isZero();
		assertThat(redis.keys("*")).isEmpty();
	}

	@Test
	void generationIsReadAsItWasWritten() {
		Generation generation = begin(ME);
		assertThat(read().generations()).singleElement().satisfies((read) -> {
			assertThat(read.phase()).isEqualTo(Phase.LOADING);
			assertThat(read).usingRecursiveComparison().ignoringFields("createdAt").isEqualTo(generation);
			assertThat(read.createdAt().toEpochMilli()).isEqualTo(generation.createdAt().toEpochMilli());
		});
	}

	@Test
	void generationMovesFromLoadingToActiveAndRetiresItsPredecessor() {
		Generation first = activate(ME);
		assertThat(phase(first)).isEqualTo(Phase.ACTIVE);
		Generation second = activate(ME);
		assertThat(phase(first)).isEqualTo(Phase.RETIRED);
		assertThat(phase(second)).isEqualTo(Phase.ACTIVE);
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(second.id());
		assertThat(read().live()).hasSize(2);
		this.store.drop(List.of(first.id())).join();
		assertThat(read().generations()).extracting(Generation::id).containsExactly(second.id());
	}

	@Test
	void loadingGenerationIsNotLive() {
		Generation generation = begin(ME);
		assertThat(read().live()).isEmpty();
		assertThat(this.store.goLive(ME, generation.id(), "").join()).isTrue();
		assertThat(read().live()).hasSize(1);
		assertThat(read().active(ORIGIN)).isNull();
	}

	@Test
	void generationCanNotSkipAPhaseOrMoveBack() {
		Generation generation = begin(ME);
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(this.store.goLive(ME, generation.id(), "").join()).isTrue();
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isTrue();
		assertThat(this.store.goLive(ME, generation.id(), "").join()).isFalse();
		assertThat(this.store.goLive(ME, "unknown", "").join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void stepWhoseReplyWasLostMayBeRepeated() {
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		Generation generation = newGeneration();
		assertThat(this.store.begin(ME, generation, HOUR).join()).isTrue();
		assertRepeated(() -> this.store.begin(ME, generation, HOUR).join());
		assertThat(this.store.goLive(ME, generation.id(), "shapes").join()).isTrue();
		assertRepeated(() -> this.store.goLive(ME, generation.id(), "shapes").join());
		long since = read().journalSince();
		assertThat(this.store.activate(ME, generation.id(), since).join()).isTrue();
		assertRepeated(() -> this.store.activate(ME, generation.id(), since).join());
		assertRepeated(() -> this.store.begin(ME, generation, HOUR).join());
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
	}

	private void assertRepeated(BooleanSupplier step) {
		long epoch = read().epoch();
		assertThat(step.getAsBoolean()).isTrue();
		assertThat(read().epoch()).isEqualTo(epoch);
	}

	@Test
	void keysAreWrittenToKnownGenerationsInTheStepThatAppendsThem() {
		Generation active = activate(ME);
		StoredFilter bits = create(active);
		Generation live = begin(ME);
		StoredFilter others = create(live);
		this.store.goLive(ME, live.id(), "").join();
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
		return Stream.of("a", "b", "c").map(generation::element).toList();
	}

	private static StoredFilter create(Generation generation) {
		return new RedisFilterStore(new RedisAccess(redisson, Runnable::run), KEYS.prefix(), Duration.ofSeconds(2),
				Duration.ofSeconds(2))
			.create(new GenerationId("products", generation.id()), generation.specification())
			.join();
	}

	@Test
	void eachOriginHasItsOwnActiveGeneration() {
		Generation mine = activate(ME);
		Generation others = activate(ME, "another");
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(mine.id());
		assertThat(read().active("another")).extracting(Generation::id).isEqualTo(others.id());
		assertThat(read().live()).hasSize(2);
		Generation next = activate(ME);
		assertThat(phase(mine)).isEqualTo(Phase.RETIRED);
		assertThat(phase(others)).isEqualTo(Phase.ACTIVE);
		assertThat(read().active(ORIGIN)).extracting(Generation::id).isEqualTo(next.id());
	}

	@Test
	void generationsOfAnOriginThatNobodyUsesAreRetired() {
		Generation mine = activate(ME);
		Generation others = activate(ME, "another");
		redis.command("HSET", KEYS.control(), "proven:another", "7");
		assertThat(this.store.retire(ME).join()).isEmpty();
		assertThat(this.store.retire(OTHER).join()).isEmpty();
		long longAgo = read().now() - HOUR.plusSeconds(1).toMillis();
		redis.command("HSET", KEYS.control(), "used:another", String.valueOf(longAgo), "used:" + ORIGIN,
				String.valueOf(longAgo));
		this.store.refresh(0).join();
		assertThat(this.store.retire(OTHER).join()).isEmpty();
		assertThat(this.store.retire(ME).join()).containsExactly(others.id());
		assertThat(phase(mine)).isEqualTo(Phase.ACTIVE);
		assertThat(this.store.retire(ME).join()).as("until they are dropped").containsExactly(others.id());
		this.store.drop(List.of(mine.id(), others.id())).join();
		assertThat(read().generations()).extracting(Generation::id).containsExactly(mine.id());
		assertThat(redis.command("HKEYS", KEYS.control())).doesNotContain("another").doesNotContain(others.id());
	}

	@Test
	void whatIsHalfBuiltIsRetiredByWhoeverHoldsTheLease() {
		Generation loading = begin(ME);
		this.store.release(ME).join();
		this.store.acquire(OTHER, LEASE).join();
		assertThat(this.store.retire(ME).join()).isEmpty();
		assertThat(this.store.retire(OTHER).join()).containsExactly(loading.id());
	}

	@Test
	void provingCallsAreCountedForTheirOrigin() {
		assertThat(this.store.refresh(3).join().proof().calls()).as("without a record").isZero();
		activate(ME);
		this.store.refresh(3).join();
		assertThat(this.store.refresh(4).join().proof()).isEqualTo(new Proof(7, null));
		assertThat(newStore("another").refresh(1).join().proof()).isEqualTo(new Proof(1, null));
		activate(ME);
		assertThat(read().proof().calls()).as("a rebuild changes nothing").isEqualTo(7);
	}

	@Test
	void refutedGenerationHasToProveItselfAnewWhenItIsRebuiltOrAcknowledged() {
		Generation generation = begin(ME);
		this.store.goLive(ME, generation.id(), "an integer").join();
		assertThat(this.store.refute(generation.id()).join()).as("not active").isEmpty();
		this.store.activate(ME, generation.id(), read().journalSince()).join();
		this.store.refresh(7).join();
		assertThat(this.store.refute(generation.id()).join()).contains("an integer");
		assertThat(this.store.refute(generation.id()).join()).as("again").isEmpty();
		assertThat(read().proof()).isEqualTo(new Proof(7, generation.id()));
		this.store.acknowledge().join();
		assertThat(read().proof()).isEqualTo(Proof.NONE);
		this.store.refresh(7).join();
		this.store.acknowledge().join();
		assertThat(read().proof()).as("there was nothing to acknowledge").isEqualTo(new Proof(7, null));
		this.store.refute(generation.id()).join();
		activate(ME);
		assertThat(read().proof()).isEqualTo(Proof.NONE);
	}

	@Test
	void serverThatDoesNotTellWhoItIsIsNotTrusted() {
		activate(ME);
		redis.command("ACL", "SETUSER", "default", "-info");
		try {
			assertThat(this.store.read()).failsWithin(Duration.ofSeconds(5));
			assertThat(this.store.begin(ME, newGeneration(), HOUR)).failsWithin(Duration.ofSeconds(5));
		}
		finally {
			redis.command("ACL", "SETUSER", "default", "+info");
		}
		assertThat(read().sameServer()).isTrue();
	}

	@Test
	void epochGrowsWithEachChangeAndOnlyThen() {
		List<Long> epochs = new ArrayList<>();
		epochs.add(read().epoch());
		append("a");
		epochs.add(read().epoch());
		Generation generation = begin(ME);
		epochs.add(read().epoch());
		this.store.goLive(ME, generation.id(), "").join();
		epochs.add(read().epoch());
		this.store.activate(ME, generation.id(), read().journalSince()).join();
		epochs.add(read().epoch());
		activate(ME);
		epochs.add(read().epoch());
		this.store.drop(List.of(generation.id())).join();
		epochs.add(read().epoch());
		assertThat(epochs).isSortedAccordingTo(Comparator.naturalOrder()).doesNotHaveDuplicates();
		append("b");
		this.store.renew(ME, LEASE).join();
		this.store.drop(List.of("unknown")).join();
		this.store.release(ME).join();
		assertThat(read().epoch()).isEqualTo(epochs.get(epochs.size() - 1));
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
		this.store.goLive(ME, generation.id(), "").join();
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
	void thereIsOneBuilderAtATime() {
		assertThat(this.store.acquire(ME, LEASE).join()).isTrue();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isFalse();
		assertThat(this.store.renew(OTHER, LEASE).join()).isFalse();
		this.store.release(OTHER).join();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isFalse();
		this.store.release(ME).join();
		assertThat(this.store.acquire(OTHER, LEASE).join()).isTrue();
	}

	@Test
	void leaseEndsUnlessItIsRenewed() {
		assertThat(this.store.acquire(ME, Duration.ofMillis(50)).join()).isTrue();
		assertThat(this.store.renew(ME, LEASE).join()).isTrue();
		assertThat(Long.parseLong(redis.command("PTTL", KEYS.lease()))).isGreaterThan(50_000);
		assertThat(this.store.renew(ME, Duration.ofMillis(50)).join()).isTrue();
		Awaitility.await().until(() -> this.store.acquire(OTHER, LEASE).join());
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
	}

	@Test
	void builderWhoseLeaseWasTakenOverChangesNothing() {
		Generation loading = begin(ME);
		redis.command("DEL", KEYS.lease());
		assertThat(this.store.acquire(OTHER, LEASE).join()).isTrue();
		assertThatMeChangesNothing(loading);
		redis.command("SET", KEYS.lease(), ME);
		this.store.goLive(ME, loading.id(), "").join();
		redis.command("SET", KEYS.lease(), OTHER);
		assertThatMeChangesNothing(loading);
		redis.command("DEL", KEYS.lease());
		assertThatMeChangesNothing(loading);
	}

	private void assertThatMeChangesNothing(Generation mine) {
		ControlRecord before = read();
		assertThat(this.store.goLive(ME, mine.id(), "").join()).isFalse();
		assertThat(this.store.activate(ME, mine.id(), before.journalSince()).join()).isFalse();
		assertThat(this.store.begin(ME, newGeneration(), HOUR).join()).isFalse();
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
		this.store.release(ME).join();
		assertThat(read()).usingRecursiveComparison().ignoringFields("now").isEqualTo(before);
		assertThat(redis.command("GET", KEYS.lease())).isNotEqualTo(ME);
	}

	@Test
	void nextBuilderRetiresWhatIsHalfBuiltAndKeepsTheRest() {
		Generation active = activate(ME);
		Generation loading = begin(ME);
		redis.command("DEL", KEYS.lease());
		Generation next = begin(OTHER);
		assertThat(phase(loading)).isEqualTo(Phase.RETIRED);
		this.store.goLive(OTHER, next.id(), "").join();
		begin(OTHER);
		assertThat(phase(next)).isEqualTo(Phase.RETIRED);
		assertThat(phase(active)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void generationIsNotActivatedIfTheJournalWasLostMeanwhile() {
		Generation generation = begin(ME);
		long since = read().journalSince();
		this.store.goLive(ME, generation.id(), "").join();
		redis.command("DEL", KEYS.journal());
		assertThat(this.store.activate(ME, generation.id(), since).join()).isFalse();
		Awaitility.await().until(() -> read().now() > since);
		append("a");
		assertThat(this.store.activate(ME, generation.id(), since).join()).isFalse();
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
		assertThat(this.store.goLive(ME, generation.id(), "").join()).isTrue();
		redis.command("HSET", KEYS.control(), "server", "0123456789");
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.LIVE);
	}

	@Test
	void addedKeysAreNotedWithTheJournal() {
		append("a", "");
		ControlRecord before = append("b", "a");
		assertThat(redis.command("ZCARD", KEYS.added())).as("each key, and one that never goes").isEqualTo("4");
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
		RedisControlStore brief = newStore(
				new BackendSettings("products", ORIGIN, Duration.ZERO, HOUR, Duration.ofMillis(1), 0));
		appendALot(brief);
		append(brief, "a");
		assertThat(redis.command("ZCARD", KEYS.added())).isEqualTo("2");
	}

	@Test
	void addIsConfirmedOnlyIfEnoughReplicasHaveIt() {
		RedisControlStore waiting = new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				new BackendSettings("products", ORIGIN, Duration.ZERO, HOUR, HOUR, 1),
				new MirrorChannel(new RedisAccess(redisson, Runnable::run), "test"), Duration.ofMillis(300));
		append("a");
		assertThat(waiting.confirm()).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withMessageContaining("Only 0 of 1 replicas have the keys of the filter 'products'");
		try (TestRedis replica = redis.startReplica()) {
			ControlRecord confirmed = waiting.confirm().join();
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
		this.store.drop(List.of("a")).join();
		append("a");
		Generation generation = activate(ME);
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
		assertThat(journal()).containsExactly("a");
	}

	@Test
	void journalGivesTheKeysPageByPage() {
		List<String> keys = IntStream.range(0, 2500).mapToObj(String::valueOf).toList();
		this.store.append(keys.subList(0, 1000), List.of()).join();
		begin(ME);
		this.store.append(keys.subList(1000, 2500), List.of()).join();
		assertThat(journal()).isEqualTo(keys);
		JournalPage page = this.store.journal("0-0", 3).join();
		assertThat(page.keys()).containsExactly("0", "1", "2");
		assertThat(this.store.journal(page.last(), 2).join().keys()).containsExactly("3", "4");
	}

	@Test
	void journalIsTrimmedUnlessSomethingIsBuilt() {
		RedisControlStore brief = newStore(Duration.ofMillis(1));
		appendALot(brief);
		appendALot(brief);
		assertThat(journal()).hasSizeLessThan(2000);
		begin(ME);
		appendALot(brief);
		appendALot(brief);
		assertThat(journal()).hasSizeGreaterThanOrEqualTo(2000);
	}

	private void appendALot(RedisControlStore target) {
		target.append(IntStream.range(0, 1000).mapToObj(String::valueOf).toList(), List.of()).join();
		long now = read().now();
		Awaitility.await().pollDelay(Duration.ZERO).until(() -> read().now() > now + 1);
	}

	private List<String> journal() {
		List<String> keys = new ArrayList<>();
		JournalPage page = this.store.journal("0-0", 700).join();
		while (!page.last().isEmpty()) {
			keys.addAll(page.keys());
			page = this.store.journal(page.last(), 700).join();
		}
		return keys;
	}

	private ControlRecord append(String... keys) {
		return append(this.store, keys);
	}

	private static ControlRecord append(RedisControlStore store, String... keys) {
		return store.append(List.of(keys), List.of()).join().record();
	}

	private static RedisControlStore newStore(String origin) {
		return newStore(new BackendSettings("products", origin, Duration.ZERO, HOUR, HOUR, 0));
	}

	private Generation begin(String token) {
		return begin(token, ORIGIN);
	}

	private Generation begin(String token, String origin) {
		Generation generation = newGeneration(origin);
		this.store.acquire(token, LEASE).join();
		assertThat(this.store.begin(token, generation, HOUR).join()).isTrue();
		return generation;
	}

	private Generation activate(String token) {
		return activate(token, ORIGIN);
	}

	private Generation activate(String token, String origin) {
		Generation generation = begin(token, origin);
		assertThat(this.store.goLive(token, generation.id(), "").join()).isTrue();
		assertThat(this.store.activate(token, generation.id(), read().journalSince()).join()).isTrue();
		return generation;
	}

	private static Generation newGeneration() {
		return newGeneration(ORIGIN);
	}

	private static Generation newGeneration(String origin) {
		return Generation.loading(new FilterSpecification("products", 1000, 0.01), 500, origin);
	}

	private Phase phase(Generation generation) {
		return read().generations()
			.stream()
			.filter((candidate) -> candidate.id().equals(generation.id()))
			.findFirst()
			.orElseThrow()
			.phase();
	}

	private ControlRecord read() {
		return this.store.read().join();
	}

}
