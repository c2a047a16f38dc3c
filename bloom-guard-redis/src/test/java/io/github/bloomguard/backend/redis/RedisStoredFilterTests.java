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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
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

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		redisson = RedissonClients.of(redis, (config) -> config.setCodec(new Kryo5Codec()));
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
	}

	@Override
	protected FilterStore newStore() {
		return newStore(redisson);
	}

	private static FilterStore newStore(RedissonClient client) {
		return newStore(client, TIMEOUT, TIMEOUT);
	}

	private static FilterStore newStore(RedissonClient client, Duration readTimeout, Duration writeTimeout) {
		return new RedisFilterStore(new RedisAccess(client, Runnable::run), "test", readTimeout, writeTimeout);
	}

	private static String bits(GenerationId id) {
		return "test:{products}:bits:" + id.id();
	}

	private static String config(GenerationId id) {
		return bits(id) + ":config";
	}

	static Stream<Codec> codecs() {
		return Stream.of(new SerializationCodec(), LongCodec.INSTANCE, ByteArrayCodec.INSTANCE);
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void codecOfTheClientDoesNotMatter(Codec codec) {
		RedissonClient other = RedissonClients.of(redis, (config) -> config.setCodec(codec));
		try {
			GenerationId id = newId();
			StoredFilter filter = createSealed(id);
			assertIsIntact(open(newStore(other), id));
			open(newStore(other), id).add(List.of("added")).join();
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
				GenerationId id = newId();
				createSealed(id);
				lose(replica, bits(id), config(id));
				assertThatException().as("plain reads go to the replica")
					.isThrownBy(() -> client.getBloomFilter(bits(id)).getSize());
				assertIsIntact(open(newStore(client), id));
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
	void othersAreAnsweredWhileManyElementsAreAdded() {
		StoredFilter filter = createSealed(newId());
		long before = redis.scripts();
		filter.add(IntStream.range(0, 1000).mapToObj(String::valueOf).toList()).join();
		assertThat(redis.scripts() - before).isGreaterThanOrEqualTo(10);
	}

	@Test
	void lookupInAFrozenServerFailsInTime() {
		GenerationId id = newId();
		FilterStore store = newStore(redisson, Duration.ofMillis(200), TIMEOUT);
		createSealed(id);
		StoredFilter warm = open(store, id);
		assertIsIntact(warm);
		redis.freeze();
		try {
			for (StoredFilter filter : List.of(warm, open(store, id))) {
				// measured again if it takes longer, because the machine may be busy
				assertThat(IntStream.range(0, 3).anyMatch((time) -> failsWithin(Duration.ofMillis(1500), filter)))
					.isTrue();
			}
		}
		finally {
			redis.thaw();
		}
		assertIsIntact(warm);
	}

	private static boolean failsWithin(Duration limit, StoredFilter filter) {
		long start = System.nanoTime();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> filter.lookup("present").join())
			.satisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(RedisTimeoutException.class));
		return System.nanoTime() - start < limit.toNanos();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void elementsThatAFrozenServerDidNotTakeAreNotTakenForElementsOfALostFilter(boolean scriptCache) {
		GenerationId id = newId();
		createSealed(id);
		RedissonClient client = RedissonClients.of(redis, (config) -> {
			config.setUseScriptCache(scriptCache);
		});
		try {
			StoredFilter filter = open(newStore(client, TIMEOUT, Duration.ofMillis(200)), id);
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
	protected Map<String, Consumer<GenerationId>> damages() {
		return Map.of("bits deleted", (id) -> redis.command("DEL", bits(id)), "bits and config deleted",
				(id) -> redis.command("DEL", bits(id), config(id)), "everything flushed",
				(id) -> redis.command("FLUSHALL"), "bits of the wrong type", (id) -> {
					redis.command("DEL", bits(id));
					redis.command("LPUSH", bits(id), "x");
				}, "bits emptied", (id) -> redis.command("SET", bits(id), ""), "bits cut off",
				(id) -> redisson.getBucket(bits(id), StringCodec.INSTANCE).set("x".repeat(100)), "word overwritten",
				(id) -> redis.command("SETRANGE", bits(id), WORD_AT, "whatever"), "all bits set",
				(id) -> redis.command("SET", bits(id), "\u007f".repeat((int) LAYOUT.lengthInBytes())),
				"replaced by another filter", (id) -> {
					GenerationId other = newId();
					createSealed(other);
					redis.command("DEL", bits(id));
					redis.command("RENAME", bits(other), bits(id));
				}, "deleted and initialised anew", (id) -> {
					redis.command("DEL", bits(id), config(id));
					RBloomFilter<String> filter = redisson.getBloomFilter(bits(id), StringCodec.INSTANCE);
					filter.tryInit(1000, 0.01);
					filter.add("other");
				});
	}

	@Test
	void damagedFilterTakesNoElementsAndIsDeletedSoThatNobodyMissesThem() {
		damages().forEach((damage, consumer) -> {
			GenerationId id = newId();
			StoredFilter filter = createSealed(id);
			consumer.accept(id);
			assertIsGone(filter);
			assertThat(redis.command("EXISTS", bits(id))).as(damage).isEqualTo("0");
		});
	}

	@Test
	void filterDoesNotNeedTheConfigOfRedisson() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		redis.command("DEL", config(id));
		filter.add(List.of("added")).join();
		assertIsIntact(filter);
		assertThat(filter.lookup("added").join()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void plainRedissonReadsAndWritesTheSameBits() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		filter.add(IntStream.range(0, 900).mapToObj(String::valueOf).toList()).join();
		RBloomFilter<String> plain = redisson.getBloomFilter(bits(id), StringCodec.INSTANCE);
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
		GenerationId id = newId();
		StoredFilter filter = newStore().create(id, new FilterSpecification("products", 10_000_000, 0.01)).join();
		filter.add(List.of("1", "2", "3")).join();
		double counted = filter.occupancy().join().fillRatio();
		redis.command("SETRANGE", bits(id), String.valueOf(BitCount.PART), "\u007f".repeat(1000));
		assertThat(filter.occupancy().join().fillRatio()).isEqualTo(counted);
	}

	@Test
	void wordIsNotCountedAsBits() {
		StoredFilter filter = createSealed(newId());
		assertThat(Math.round(filter.occupancy().join().fillRatio() * LAYOUT.bits())).isBetween(1L,
				(long) LAYOUT.hashFunctions());
	}

	@Test
	void wholeStringIsThereFromTheBeginning() {
		GenerationId id = newId();
		create(id);
		assertThat(redis.command("STRLEN", bits(id))).isEqualTo(String.valueOf(LAYOUT.lengthInBytes()));
	}

	@Test
	void sealingTwiceIsSealingOnce() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		assertThat(filter.seal().join()).isTrue();
		assertIsIntact(filter);
	}

	@Test
	void lookupsThatWaitAtTheSameMomentTravelTogether() {
		StoredFilter filter = createSealed(newId());
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
		StoredFilter filter = createSealed(newId());
		redis.command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 50; i++) {
			filter.lookup("present").join();
		}
		assertThat(redis.calls("bitfield_ro")).isEqualTo(50);
		assertThat(redis.scripts() + redis.calls("eval")).isZero();
	}

}
