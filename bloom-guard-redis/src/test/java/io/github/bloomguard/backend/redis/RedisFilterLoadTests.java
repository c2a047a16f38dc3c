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
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisFilterLoad} through the store that makes it.
 */
class RedisFilterLoadTests {

	/** Takes 1.2 MB. */
	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1_000_000, 0.01);

	private static final long ENOUGH = 64 << 20;

	private static final long FOR_A_PIECE = 1 << 20;

	private static final String PREFIX = "é";

	private static final long FOR_EVER = -1;

	private static final List<String> KEYS = IntStream.range(0, 30_000).mapToObj(String::valueOf).toList();

	private static final List<String> ELEMENTS = KEYS.stream().map(PREFIX::concat).toList();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final GenerationId id = new GenerationId("products", UUID.randomUUID().toString());

	private final String name = "test:{products}:bits:" + this.id.id();

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	private FilterLoad load(long maxMemory) {
		return new RedisFilterStore(new RedisAccess(redisson, Runnable::run), "test", Duration.ofSeconds(10),
				Duration.ofSeconds(10))
			.load(this.id, SPECIFICATION, PREFIX, maxMemory)
			.join();
	}

	private StoredFilter loadAll(long maxMemory) throws InterruptedException {
		try (FilterLoad load = load(maxMemory)) {
			for (int pass = 0; pass < load.passes(); pass++) {
				load.add(KEYS);
				load.endPass();
			}
			return load.filter();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { ENOUGH, 2 << 20, FOR_A_PIECE })
	void plainRedissonFindsEachElement(long maxMemory) throws InterruptedException {
		loadAll(maxMemory);
		RBloomFilter<String> plain = redisson.getBloomFilter(this.name, StringCodec.INSTANCE);
		assertThat(plain.contains(ELEMENTS)).isEqualTo(ELEMENTS.size());
		assertThat(plain.count()).isBetween(29_700L, 30_300L);
	}

	@ParameterizedTest
	@ValueSource(longs = { ENOUGH, 2 << 20, FOR_A_PIECE })
	void bitsAreThoseThatAddingTheElementsWouldHaveSet(long maxMemory) throws InterruptedException {
		StoredFilter filter = loadAll(maxMemory);
		byte[] loaded = redisson.<byte[]>getBucket(this.name, ByteArrayCodec.INSTANCE).get();
		filter.add(ELEMENTS).join();
		assertThat(redisson.<byte[]>getBucket(this.name, ByteArrayCodec.INSTANCE).get()).isEqualTo(loaded);
		assertThat(loaded).hasSize((int) BloomLayout.of(SPECIFICATION).lengthInBytes());
	}

	@ParameterizedTest
	@ValueSource(longs = { ENOUGH, FOR_A_PIECE })
	void loadedFilterTakesMoreElementsAndIsSealed(long maxMemory) throws InterruptedException {
		StoredFilter filter = loadAll(maxMemory);
		assertThat(filter.lookup("é1").join()).isEqualTo(Membership.UNKNOWN);
		filter.add(List.of("more")).join();
		assertThat(filter.seal().join()).isTrue();
		assertThat(filter.lookup(List.of("é1", "more", "other")).join()).containsExactly(Membership.MAYBE,
				Membership.MAYBE, Membership.ABSENT);
	}

	@Test
	void redisIsNotGivenTheWholeStringAtOnceIfItCopiesItForReplicas() throws InterruptedException {
		long before = redis.calls("set");
		loadAll(ENOUGH);
		assertThat(redis.calls("set")).isEqualTo(before + 1);
		redis.command("FLUSHALL");
		try (TestRedis replica = redis.startReplica()) {
			StoredFilter filter = loadAll(ENOUGH);
			assertThat(filter.seal().join()).isTrue();
			assertThat(filter.lookup(ELEMENTS).join()).containsOnly(Membership.MAYBE);
			assertThat(redis.calls("set")).isEqualTo(before + 1);
			Awaitility.await().until(() -> redis.command("GET", this.name).equals(replica.command("GET", this.name)));
		}
		Awaitility.await().until(() -> redis.command("INFO", "replication").contains("connected_slaves:0"));
	}

	@Test
	void elementsAreReadOnceIfTheFilterFitsIntoTheMemory() {
		assertThat(load(ENOUGH).passes()).isOne();
	}

	@Test
	void elementsAreReadOncePerPieceIfItDoesNot() {
		assertThat(load(FOR_A_PIECE).passes()).isEqualTo(5);
	}

	@Test
	void elementsMayBeAddedByManyThreads() throws Exception {
		try (FilterLoad load = load(ENOUGH)) {
			CountDownLatch begin = new CountDownLatch(1);
			List<Thread> threads = Stream.of(0, 1, 2, 3).map((part) -> new Thread(() -> {
				awaitQuietly(begin);
				for (int i = part; i < KEYS.size(); i += 4) {
					load.add(List.of(KEYS.get(i)));
				}
			})).toList();
			threads.forEach(Thread::start);
			begin.countDown();
			for (Thread thread : threads) {
				thread.join();
			}
			load.endPass();
		}
		assertThat(redisson.<String>getBloomFilter(this.name, StringCodec.INSTANCE).contains(ELEMENTS))
			.isEqualTo(ELEMENTS.size());
	}

	@ParameterizedTest
	@ValueSource(strings = { "bits", "config", "size", "everything", "shorter" })
	void whatIsLostBetweenTwoPiecesMakesTheLoadFail(String loss) throws InterruptedException {
		try (FilterLoad load = load(FOR_A_PIECE)) {
			load.add(KEYS);
			load.endPass();
			lose(loss);
			load.add(KEYS);
			assertThatExceptionOfType(FilterGoneException.class).isThrownBy(load::endPass);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "config", "size", "everything" })
	void configThatIsLostBeforeTheBitsAreWrittenMakesTheLoadFail(String loss) {
		try (FilterLoad load = load(ENOUGH)) {
			load.add(KEYS);
			lose(loss);
			assertThatExceptionOfType(FilterGoneException.class).isThrownBy(load::endPass);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bits", "everything", "shorter" })
	void filterWhoseBitsAreLostAfterTheLoadIsNotSealed(String loss) throws InterruptedException {
		StoredFilter filter = loadAll(ENOUGH);
		lose(loss);
		assertThat(filter.seal().exceptionally((failure) -> false).join()).isFalse();
	}

	private void lose(String what) {
		switch (what) {
			case "bits" -> redis.command("DEL", this.name);
			case "config" -> redis.command("DEL", this.name + ":config");
			case "size" -> redis.command("HSET", this.name + ":config", "size", "12345");
			case "everything" -> redis.command("FLUSHALL");
			case "shorter" -> redis.command("SET", this.name, "x");
			default -> throw new IllegalArgumentException(what);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { ENOUGH, FOR_A_PIECE })
	void whatIsNotSealedGoesAwayUnlessItIsKeptAlive(long maxMemory) throws InterruptedException {
		try (FilterLoad load = load(maxMemory)) {
			assertThat(millisLeft(this.name + ":config")).isPositive();
			load.add(KEYS);
			load.endPass();
			assertThat(millisLeft(this.name)).isPositive();
			redis.command("PEXPIRE", this.name, "5000");
			redis.command("PEXPIRE", this.name + ":config", "5000");
			load.keepAlive();
			Awaitility.await().until(() -> millisLeft(this.name) > 5000 && millisLeft(this.name + ":config") > 5000);
		}
	}

	@Test
	void whatIsSealedStaysAlsoIfItIsKeptAliveAfterwards() throws InterruptedException {
		RedisStoredFilter filter = (RedisStoredFilter) loadAll(ENOUGH);
		assertThat(filter.seal().join()).isTrue();
		filter.keepAlive().join();
		assertThat(millisLeft(this.name)).isEqualTo(FOR_EVER);
		assertThat(millisLeft(this.name + ":config")).isEqualTo(FOR_EVER);
	}

	private static long millisLeft(String key) {
		return Long.parseLong(redis.command("PTTL", key));
	}

	@Test
	void nameCanNotBeLoadedTwice() throws InterruptedException {
		loadAll(ENOUGH);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> load(ENOUGH))
			.withMessageContaining(this.id.id());
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
