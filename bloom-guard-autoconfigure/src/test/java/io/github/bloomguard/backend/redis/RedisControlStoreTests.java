package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
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

	private static final FilterKeys KEYS = new FilterKeys("test", "products");

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
		return new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS, Duration.ofSeconds(2),
				journalRetention, HOUR, 0);
	}

	@Test
	void recordThatDoesNotExistIsEmpty() {
		ControlRecord record = read();
		assertThat(record.epoch()).isZero();
		assertThat(record.generations()).isEmpty();
		assertThat(record.active()).isNull();
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
		assertThat(read().active()).extracting(Generation::id).isEqualTo(second.id());
		assertThat(read().live()).hasSize(2);
		this.store.drop(List.of(first.id())).join();
		assertThat(read().generations()).extracting(Generation::id).containsExactly(second.id());
	}

	@Test
	void loadingGenerationIsNotLive() {
		Generation generation = begin(ME);
		assertThat(read().live()).isEmpty();
		assertThat(this.store.goLive(ME, generation.id()).join()).isTrue();
		assertThat(read().live()).hasSize(1);
		assertThat(read().active()).isNull();
	}

	@Test
	void generationCanNotSkipAPhaseOrMoveBack() {
		Generation generation = begin(ME);
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(this.store.goLive(ME, generation.id()).join()).isTrue();
		assertThat(this.store.goLive(ME, generation.id()).join()).isFalse();
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isTrue();
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(this.store.goLive(ME, generation.id()).join()).isFalse();
		assertThat(this.store.goLive(ME, "unknown").join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
	}

	@Test
	void epochGrowsWithEachChangeAndOnlyThen() {
		List<Long> epochs = new ArrayList<>();
		epochs.add(read().epoch());
		this.store.append(List.of("a")).join();
		epochs.add(read().epoch());
		Generation generation = begin(ME);
		epochs.add(read().epoch());
		this.store.goLive(ME, generation.id()).join();
		epochs.add(read().epoch());
		this.store.activate(ME, generation.id(), read().journalSince()).join();
		epochs.add(read().epoch());
		this.store.drop(List.of(generation.id())).join();
		epochs.add(read().epoch());
		assertThat(epochs).isSortedAccordingTo(Comparator.naturalOrder()).doesNotHaveDuplicates();
		this.store.append(List.of("b")).join();
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
		long appended = this.store.append(List.of("a")).join().epoch();
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
		this.store.goLive(ME, generation.id()).join();
		assertThat(read().epoch()).isEqualTo(9000000000000002L);
	}

	@Test
	void lostJournalRaisesTheEpochWhenItIsBegunAnew() {
		long before = this.store.append(List.of("a")).join().epoch();
		redis.command("DEL", KEYS.journal());
		assertThat(read().journalSince()).isZero();
		ControlRecord after = this.store.append(List.of("b")).join();
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
		this.store.goLive(ME, loading.id()).join();
		redis.command("SET", KEYS.lease(), OTHER);
		assertThatMeChangesNothing(loading);
		redis.command("DEL", KEYS.lease());
		assertThatMeChangesNothing(loading);
	}

	private void assertThatMeChangesNothing(Generation mine) {
		ControlRecord before = read();
		assertThat(this.store.goLive(ME, mine.id()).join()).isFalse();
		assertThat(this.store.activate(ME, mine.id(), before.journalSince()).join()).isFalse();
		assertThat(this.store.begin(ME, newGeneration(), HOUR).join()).isFalse();
		assertThat(this.store.renew(ME, LEASE).join()).isFalse();
		this.store.release(ME).join();
		assertThat(read()).usingRecursiveComparison().ignoringFields("now").isEqualTo(before);
		assertThat(redis.command("GET", KEYS.lease())).isNotEqualTo(ME);
	}

	@Test
	void nextBuilderDropsWhatIsHalfBuiltAndKeepsTheRest() {
		Generation active = activate(ME);
		Generation loading = begin(ME);
		redis.command("DEL", KEYS.lease());
		Generation next = begin(OTHER);
		assertThat(read().generations()).extracting(Generation::id)
			.containsExactlyInAnyOrder(active.id(), next.id())
			.doesNotContain(loading.id());
		this.store.goLive(OTHER, next.id()).join();
		Generation third = begin(OTHER);
		assertThat(read().generations()).extracting(Generation::id).containsExactlyInAnyOrder(active.id(), third.id());
	}

	@Test
	void generationIsNotActivatedIfTheJournalWasLostMeanwhile() {
		Generation generation = begin(ME);
		long since = read().journalSince();
		this.store.goLive(ME, generation.id()).join();
		redis.command("DEL", KEYS.journal());
		assertThat(this.store.activate(ME, generation.id(), since).join()).isFalse();
		Awaitility.await().until(() -> read().now() > since);
		this.store.append(List.of("a")).join();
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
		this.store.append(List.of("a")).join();
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
		assertThat(this.store.goLive(ME, generation.id()).join()).isTrue();
		redis.command("HSET", KEYS.control(), "server", "0123456789");
		assertThat(this.store.activate(ME, generation.id(), read().journalSince()).join()).isFalse();
		assertThat(phase(generation)).isEqualTo(Phase.LIVE);
	}

	@Test
	void addedKeysAreNotedWithTheJournal() {
		this.store.append(List.of("a", "")).join();
		ControlRecord before = this.store.append(List.of("b", "a")).join();
		assertThat(redis.command("ZCARD", KEYS.added())).as("each key, and one that never goes").isEqualTo("4");
		assertThat(redis.command("ZSCORE", KEYS.added(), ":a")).isEqualTo(String.valueOf(before.now()));
		Awaitility.await().until(() -> read().now() > before.now());
		redis.command("DEL", KEYS.added());
		ControlRecord after = this.store.append(List.of("c")).join();
		assertThat(after.epoch()).isGreaterThan(before.epoch());
		assertThat(after.journalSince()).isGreaterThan(before.now());
		assertThat(journal()).containsExactly("a", "", "b", "a", "c");
	}

	@Test
	void addedKeysAreForgottenAfterTheirTime() {
		RedisControlStore brief = new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				Duration.ofSeconds(2), HOUR, Duration.ofMillis(1), 0);
		appendALot(brief);
		brief.append(List.of("a")).join();
		assertThat(redis.command("ZCARD", KEYS.added())).isEqualTo("2");
	}

	@Test
	void addIsConfirmedOnlyIfEnoughReplicasHaveIt() {
		RedisControlStore waiting = new RedisControlStore(new RedisAccess(redisson, Runnable::run), KEYS,
				Duration.ofMillis(300), HOUR, HOUR, 1);
		this.store.append(List.of("a")).join();
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
		this.store.append(List.of("a")).join();
		Generation generation = activate(ME);
		assertThat(phase(generation)).isEqualTo(Phase.ACTIVE);
		assertThat(journal()).containsExactly("a");
	}

	@Test
	void journalGivesTheKeysPageByPage() {
		List<String> keys = IntStream.range(0, 2500).mapToObj(String::valueOf).toList();
		this.store.append(keys.subList(0, 1000)).join();
		begin(ME);
		this.store.append(keys.subList(1000, 2500)).join();
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
		target.append(IntStream.range(0, 1000).mapToObj(String::valueOf).toList()).join();
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

	private Generation begin(String token) {
		Generation generation = newGeneration();
		this.store.acquire(token, LEASE).join();
		assertThat(this.store.begin(token, generation, HOUR).join()).isTrue();
		return generation;
	}

	private Generation activate(String token) {
		Generation generation = begin(token);
		assertThat(this.store.goLive(token, generation.id()).join()).isTrue();
		assertThat(this.store.activate(token, generation.id(), read().journalSince()).join()).isTrue();
		return generation;
	}

	private static Generation newGeneration() {
		return Generation.loading(new FilterSpecification("products", 1000, 0.01), 500);
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
