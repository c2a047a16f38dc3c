package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.Kryo5Codec;
import org.redisson.codec.SerializationCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisStoredFilter}.
 */
class RedisStoredFilterTests extends StoredFilterContractTests {

	private static final BloomLayout LAYOUT = BloomLayout.of(new FilterSpecification("products", 1000, 0.01));

	private static final String WORD_AT = String.valueOf(LAYOUT.sealOffset() / 8);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static TestRedis redis;

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		redisson = RedissonClients.of(redis, (config) -> config.setCodec(new Kryo5Codec()));
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
		redis.close();
	}

	@Override
	protected FilterStore newStore() {
		return newStore(redisson);
	}

	private static FilterStore newStore(RedissonClient client) {
		return newStore(client, TIMEOUT, TIMEOUT);
	}

	private static FilterStore newStore(RedissonClient client, Duration readTimeout, Duration writeTimeout) {
		return new RedisFilterStore(new RedisAccess(client, Runnable::run), readTimeout, writeTimeout);
	}

	private static String config(String key) {
		return key + ":config";
	}

	static Stream<Codec> codecs() {
		return Stream.of(new SerializationCodec(), LongCodec.INSTANCE, ByteArrayCodec.INSTANCE);
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void codecOfTheClientDoesNotMatter(Codec codec) {
		RedissonClient other = RedissonClients.of(redis, (config) -> config.setCodec(codec));
		try {
			String name = newName();
			StoredFilter filter = createSealed(name);
			assertIsIntact(open(newStore(other), name));
			open(newStore(other), name).add(List.of("added")).join();
			assertThat(filter.lookup("added").join()).isEqualTo(filter.lookup("present").join());
		}
		finally {
			other.shutdown();
		}
	}

	@Test
	void replicaThatHasNothingIsNotAsked() {
		try (TestRedis replica = redis.startReplica()) {
			RedissonClient client = RedissonClients.readingFrom(redis, replica);
			try {
				String name = newName();
				createSealed(name);
				lose(replica, name, config(name));
				assertThatException().as("plain reads go to the replica")
					.isThrownBy(() -> client.getBloomFilter(name).getSize());
				assertIsIntact(open(newStore(client), name));
			}
			finally {
				client.shutdown();
			}
		}
	}

	private static void lose(TestRedis replica, String... keys) {
		replica.command("CONFIG", "SET", "replica-read-only", "no");
		for (String key : keys) {
			Awaitility.await().until(() -> "1".equals(replica.command("DEL", key)));
		}
	}

	@Test
	void lookupInAFrozenServerFailsInTime() {
		String name = newName();
		FilterStore store = newStore(redisson, Duration.ofMillis(200), TIMEOUT);
		createSealed(name);
		StoredFilter warm = open(store, name);
		assertIsIntact(warm);
		redis.freeze();
		try {
			for (StoredFilter filter : List.of(warm, open(store, name))) {
				long start = System.nanoTime();
				assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.lookup("present").join())
					.satisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(RedisTimeoutException.class));
				assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(1500);
			}
		}
		finally {
			redis.thaw();
		}
		assertIsIntact(warm);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void elementsThatAFrozenServerDidNotTakeAreNotTakenForElementsOfALostFilter(boolean scriptCache) {
		String name = newName();
		createSealed(name);
		RedissonClient client = RedissonClients.of(redis, (config) -> {
			config.setUseScriptCache(scriptCache);
		});
		try {
			StoredFilter filter = open(newStore(client, TIMEOUT, Duration.ofMillis(200)), name);
			filter.add(List.of("added")).join();
			redis.freeze();
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.add(List.of("other")).join())
				.satisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(RedisTimeoutException.class));
		}
		finally {
			redis.thaw();
			client.shutdown();
		}
	}

	@Override
	protected Map<String, Consumer<String>> damages() {
		return Map.of("bits deleted", (name) -> redis.command("DEL", name), "bits and config deleted",
				(name) -> redis.command("DEL", name, config(name)), "everything flushed",
				(name) -> redis.command("FLUSHALL"), "bits of the wrong type", (name) -> {
					redis.command("DEL", name);
					redis.command("LPUSH", name, "x");
				}, "bits emptied", (name) -> redis.command("SET", name, ""), "bits cut off",
				(name) -> redisson.getBucket(name, StringCodec.INSTANCE).set("x".repeat(100)), "word overwritten",
				(name) -> redis.command("SETRANGE", name, WORD_AT, "whatever"), "all bits set",
				(name) -> redis.command("SET", name, "\u007f".repeat((int) LAYOUT.lengthInBytes())),
				"replaced by another filter", (name) -> {
					String other = newName();
					createSealed(other);
					redis.command("DEL", name);
					redis.command("RENAME", other, name);
				}, "deleted and initialised anew", (name) -> {
					redis.command("DEL", name, config(name));
					RBloomFilter<String> filter = redisson.getBloomFilter(name, StringCodec.INSTANCE);
					filter.tryInit(1000, 0.01);
					filter.add("other");
				});
	}

	@Test
	void damagedFilterTakesNoElements() {
		damages().forEach((damage, consumer) -> {
			String name = newName();
			StoredFilter filter = createSealed(name);
			consumer.accept(name);
			assertIsGone(filter);
		});
	}

	@Test
	void filterDoesNotNeedTheConfigOfRedisson() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		redis.command("DEL", config(name));
		filter.add(List.of("added")).join();
		assertIsIntact(filter);
		assertThat(filter.lookup("added").join()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void plainRedissonReadsAndWritesTheSameBits() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		filter.add(IntStream.range(0, 900).mapToObj(String::valueOf).toList()).join();
		RBloomFilter<String> plain = redisson.getBloomFilter(name, StringCodec.INSTANCE);
		for (int i = 0; i < 900; i++) {
			assertThat(plain.contains(String.valueOf(i))).isTrue();
		}
		for (int i = 1000; i < 2000; i++) {
			assertThat(filter.lookup(String.valueOf(i)).join())
				.isEqualTo(plain.contains(String.valueOf(i)) ? Membership.MAYBE : Membership.ABSENT);
		}
		plain.add("added by Redisson");
		assertThat(filter.lookup("added by Redisson").join()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void redisIsNotStoppedToCountTheBitsOfALargeFilter() {
		String name = newName();
		StoredFilter filter = newStore().create(name, new FilterSpecification("products", 10_000_000, 0.01)).join();
		filter.add(List.of("1", "2", "3")).join();
		long counted = filter.bitsSet().join();
		redis.command("SETRANGE", name, String.valueOf(BitCount.PART), "\u007f".repeat(1000));
		assertThat(filter.bitsSet().join()).isEqualTo(counted);
	}

	@Test
	void wordIsNotCountedAsBits() {
		StoredFilter filter = createSealed(newName());
		assertThat(filter.bitsSet().join()).isBetween(1L, (long) LAYOUT.hashFunctions());
	}

	@Test
	void wholeStringIsThereFromTheBeginning() {
		String name = newName();
		create(name);
		assertThat(redis.command("STRLEN", name)).isEqualTo(String.valueOf(LAYOUT.lengthInBytes()));
	}

	@Test
	void sealingTwiceIsSealingOnce() {
		String name = newName();
		StoredFilter filter = createSealed(name);
		assertThat(filter.seal().join()).isTrue();
		assertIsIntact(filter);
	}

	@Test
	void lookupsThatWaitAtTheSameMomentTravelTogether() {
		StoredFilter filter = createSealed(newName());
		filter.lookup("warm").join();
		filter.add(IntStream.range(0, 500).mapToObj(String::valueOf).toList()).join();
		redis.command("CONFIG", "RESETSTAT");
		List<CompletableFuture<Membership>> answers = new ArrayList<>();
		redis.freeze();
		try {
			for (int i = 0; i < 1000; i++) {
				answers.add(filter.lookup(String.valueOf(i)));
			}
		}
		finally {
			redis.thaw();
		}
		for (int i = 0; i < 500; i++) {
			assertThat(answers.get(i).join()).isEqualTo(Membership.MAYBE);
		}
		assertThat(answers.subList(500, 1000).stream().filter((answer) -> answer.join() == Membership.ABSENT).count())
			.isGreaterThan(450);
		assertThat(redis.calls("bitfield_ro")).isBetween(2L, 20L);
	}

	@Test
	void lookupThatIsAloneIsSentAtOnceAndByOneCommand() {
		StoredFilter filter = createSealed(newName());
		redis.command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 50; i++) {
			filter.lookup("present").join();
		}
		assertThat(redis.calls("bitfield_ro")).isEqualTo(50);
		assertThat(redis.calls("evalsha") + redis.calls("eval")).isZero();
	}

}
