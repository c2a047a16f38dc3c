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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link RedisStoredFilter} with three strings.
 */
class ShardedFilterTests extends StoredFilterContractTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", KEYS, 0.01, 480);

	private static final Shards SHARDS = Shards.of(SPECIFICATION);

	private static final BloomLayout LAYOUT = SHARDS.layout();

	private static final String WORD_AT = String.valueOf(LAYOUT.sealOffset() / 8);

	private static final String STAMP_AT = String.valueOf(LAYOUT.stampOffset() / 8);

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final List<String> ELEMENTS = IntStream.range(0, 900).mapToObj(String::valueOf).toList();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static RedissonClient redisson;

	@BeforeAll
	static void start() {
		redisson = RedissonClients.of(redis);
		assertThat(SHARDS.count()).isEqualTo(3);
	}

	@AfterAll
	static void stop() {
		redisson.shutdown();
	}

	@Override
	protected FilterStore newStore() {
		return new RedisFilterStore(new RedisAccess(redisson, Runnable::run), "test", TIMEOUT, TIMEOUT);
	}

	@Override
	protected FilterSpecification specification(long keys) {
		return (keys == KEYS) ? SPECIFICATION : new FilterSpecification("products", keys, 0.01, 4 << 20);
	}

	@Override
	protected Map<String, Consumer<GenerationId>> damages() {
		return Map.of("deleted", (id) -> each(id, (key) -> redis.command("DEL", key)), "everything flushed",
				(id) -> redis.command("FLUSHALL"), "of the wrong type", (id) -> each(id, (key) -> {
					redis.command("DEL", key);
					redis.command("LPUSH", key, "x");
				}), "cut off",
				(id) -> each(id, (key) -> redisson.getBucket(key, ByteArrayCodec.INSTANCE).set(new byte[100])),
				"word overwritten", (id) -> each(id, (key) -> redis.command("SETRANGE", key, WORD_AT, "whatever")),
				"all bits set",
				(id) -> each(id, (key) -> redis.command("SET", key, "\u007f".repeat((int) LAYOUT.lengthInBytes()))),
				"exchanged with each other", (id) -> {
					redis.command("RENAME", key(id, 0), "test:spare");
					redis.command("RENAME", key(id, 1), key(id, 0));
					redis.command("RENAME", key(id, 2), key(id, 1));
					redis.command("RENAME", "test:spare", key(id, 2));
				});
	}

	private static void each(GenerationId id, Consumer<String> damage) {
		for (int shard = 0; shard < 3; shard++) {
			damage.accept(key(id, shard));
		}
	}

	private static String key(GenerationId id, int shard) {
		return "test:{products:" + shard + "}:bits:" + id.id();
	}

	@Test
	void oneCommandTellsThatNoShardIsLost() {
		StoredFilter filter = createSealed(newId());
		assertThat(filter.isIntact().join()).isTrue();
		long before = redis.scripts();
		assertThat(filter.isIntact().join()).isTrue();
		assertThat(redis.scripts()).isEqualTo(before + 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void lossOfOneShardIsTheLossOfTheFilter(int lost) {
		GenerationId id = newId();
		StoredFilter filter = createFull(id);
		redis.command("DEL", key(id, lost));
		assertThat(filter.isIntact().join()).isFalse();
		List<Membership> answers = filter.lookup(ELEMENTS).join();
		for (int i = 0; i < ELEMENTS.size(); i++) {
			Membership expected = (SHARDS.place(ELEMENTS.get(i)).shard() == lost) ? Membership.UNKNOWN
					: Membership.MAYBE;
			assertThat(answers.get(i)).isEqualTo(expected);
			assertThat(filter.lookup(ELEMENTS.get(i)).join()).isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void elementsThatAreNotOfALostShardAreStillAdded(int lost) {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		redis.command("DEL", key(id, lost));
		assertIsGone(filter, ELEMENTS);
		List<String> others = ELEMENTS.stream().filter((element) -> SHARDS.place(element).shard() != lost).toList();
		assertThat(filter.lookup(others).join()).containsOnly(Membership.MAYBE);
		assertThatNoException().isThrownBy(() -> filter.add(others).join());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void filterThatHasLostAShardIsNotSealed(int lost) {
		GenerationId id = newId();
		StoredFilter filter = create(id);
		filter.add(ELEMENTS).join();
		redis.command("DEL", key(id, lost));
		assertThat(filter.seal().join()).isFalse();
		assertThat(filter.isIntact().join()).isFalse();
	}

	/**
	 * What is lost when the replica of one server takes over is not seen by the others.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void shardThatAnotherServerHasTakenOverIsLost(int taken) {
		GenerationId id = newId();
		StoredFilter filter = createFull(id);
		assertThat(filter.isIntact().join()).isTrue();
		redis.command("SETRANGE", key(id, taken), STAMP_AT, "0".repeat(40));
		assertThat(filter.isIntact().join()).isFalse();
		assertThat(filter.seal().join()).isFalse();
	}

	@Test
	void collectionIsAskedForByOneCommandForEachShard() {
		StoredFilter filter = createFull(newId());
		redis.command("CONFIG", "RESETSTAT");
		assertThat(filter.lookup(ELEMENTS).join()).containsOnly(Membership.MAYBE);
		assertThat(redis.calls("bitfield_ro")).isEqualTo(3);
		filter.lookup("7").join();
		assertThat(redis.calls("bitfield_ro")).isEqualTo(4);
		assertThat(redis.calls("evalsha") + redis.calls("eval")).isZero();
	}

	@Test
	void nothingIsLeftOfADeletedFilter() {
		GenerationId id = newId();
		createFull(id);
		assertThat(redis.keys("test:*" + id.id() + "*")).hasSize(3);
		newStore().delete(id, SPECIFICATION).join();
		assertThat(redis.keys("test:*" + id.id() + "*")).isEmpty();
	}

	@Test
	void whatWasNotSealedGoesAwayByItself() {
		GenerationId id = newId();
		StoredFilter filter = create(id);
		each(id, (key) -> assertThat(Long.parseLong(redis.command("PTTL", key))).isPositive());
		filter.seal().join();
		each(id, (key) -> assertThat(redis.command("PTTL", key)).isEqualTo("-1"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1 << 20, 2000, 1000, 100 })
	void loadedFilterIsTheOneThatAddingMakes(long maxMemory) throws InterruptedException {
		GenerationId added = newId();
		create(added).add(ELEMENTS.stream().map("salt"::concat).toList()).join();
		GenerationId loaded = newId();
		StoredFilter filter = load(loaded, maxMemory);
		int bits = (int) (LAYOUT.stampOffset() / 8);
		for (int shard = 0; shard < 3; shard++) {
			assertThat(bytes(key(loaded, shard))).hasSize((int) LAYOUT.lengthInBytes())
				.startsWith(Arrays.copyOf(bytes(key(added, shard)), bits + 40));
		}
		assertThat(filter.lookup("salt1").join()).isEqualTo(Membership.UNKNOWN);
		filter.add(List.of("more")).join();
		assertThat(filter.seal().join()).isTrue();
		assertThat(filter.isIntact().join()).isTrue();
		assertThat(filter.lookup(List.of("salt1", "more")).join()).containsOnly(Membership.MAYBE);
		assertThat(filter.lookup("other").join()).isEqualTo(Membership.ABSENT);
	}

	@Test
	void asManyShardsAreFilledInOnePassAsThereIsMemoryFor() {
		long length = LAYOUT.lengthInBytes();
		assertThat(passes(4 * length)).isOne();
		assertThat(passes(4 * length - 1)).isEqualTo(2);
		assertThat(passes(3 * length - 1)).isEqualTo(3);
		assertThat(passes(2 * length)).isEqualTo(3);
	}

	private int passes(long maxMemory) {
		return newStore().load(newId(), SPECIFICATION, "salt", maxMemory).join().passes();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void loadThatHasLostAShardIsNotSealed(int lost) throws InterruptedException {
		GenerationId id = newId();
		StoredFilter filter = load(id, 1 << 20);
		redis.command("DEL", key(id, lost));
		assertThat(filter.seal().join()).isFalse();
	}

	private StoredFilter load(GenerationId id, long maxMemory) throws InterruptedException {
		try (FilterLoad load = newStore().load(id, SPECIFICATION, "salt", maxMemory).join()) {
			for (int pass = 0; pass < load.passes(); pass++) {
				load.add(ELEMENTS);
				load.endPass();
			}
			return load.filter();
		}
	}

	@Test
	void copyHasAllShards() {
		GenerationId id = newId();
		StoredFilter filter = createFull(id);
		FilterCopy copy = filter.copy("").orElseThrow();
		assertThat(copy.load().join()).isTrue();
		assertThat(ELEMENTS).allMatch(copy::mightContain);
		for (int i = 1000; i < 3000; i++) {
			String other = String.valueOf(i);
			assertThat(copy.mightContain(other)).isEqualTo(filter.lookup(other).join() == Membership.MAYBE);
		}
		assertThat(copy.add("another")).isTrue();
		assertThat(copy.mightContain("another")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void filterThatHasLostAShardIsNotCopied(int lost) {
		GenerationId id = newId();
		StoredFilter filter = createFull(id);
		redis.command("DEL", key(id, lost));
		assertThat(filter.copy("").orElseThrow().load().join()).isFalse();
	}

	private StoredFilter createFull(GenerationId id) {
		StoredFilter filter = createSealed(id);
		filter.add(ELEMENTS).join();
		return filter;
	}

	private static byte[] bytes(String key) {
		return redisson.<byte[]>getBucket(key, ByteArrayCodec.INSTANCE).get();
	}

}
