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

package io.github.bloomguard.cache;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.cache.AbstractGuardedCacheTests.Connected;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link NullEntries}.
 */
class NullEntriesTests {

	private final ConcurrentMapCacheManager manager = new ConcurrentMapCacheManager("products");

	private final Cache cache = cache();

	private final NullEntries nullEntries = new NullEntries(() -> Stream.of(this.manager), () -> FilterCaches.NONE);

	private Cache cache() {
		Cache cache = this.manager.getCache("products");
		assertThat(cache).isNotNull();
		return cache;
	}

	@Test
	void nullIsClearedAndAnythingElseStays() {
		this.cache.put(7, null);
		this.cache.put(8, "eight");
		this.nullEntries.clear(List.of("products"), List.of(7)).join();
		this.nullEntries.clear(List.of("products"), List.of(8)).join();
		this.nullEntries.clear(List.of("unknown"), List.of(8)).join();
		assertThat(this.cache.get(7)).isNull();
		assertThat(this.cache.get(8)).isNotNull();
	}

	@Test
	void nullThatAReaderStoresRightAfterTheCommitIsClearedLater() {
		NullEntries nulls = clearing(this.manager);
		nulls.onKeysCommitted("products", List.of(7));
		this.cache.put(7, null);
		Awaitility.await().untilAsserted(() -> assertThat(this.cache.get(7)).isNull());
	}

	private static NullEntries clearing(CacheManager manager) {
		return new NullEntries(() -> Stream.of(manager), () -> new FilterCaches(Map.of("products", List.of("products")),
				(filter, key) -> null, Duration.ofSeconds(1)));
	}

	@Test
	void nullThatIsStoredBeforeTheCommitIsClearedAfterIt() {
		NullEntries nulls = clearing(this.manager);
		this.cache.put(7, null);
		nulls.onKeysAdded("products", List.of(7));
		assertThat(this.cache.get(7)).isNull();
		this.cache.put(7, null);
		nulls.onKeysCommitted("products", List.of(7));
		assertThat(this.cache.get(7)).isNull();
	}

	static Stream<Arguments> composites() {
		return Stream.<Object>of(List.of(7L, "a"), new Pair(7L, "a"), new Object[] { 7L, "a" })
			.map((key) -> Arguments.of(key));
	}

	@ParameterizedTest
	@MethodSource("composites")
	void keyOfSeveralPartsIsClearedWhateverTheCacheMakesOfThem(Object key) {
		List<Object> others = List.of(7L, "a", new SimpleKey("a", 7L), List.of("a", 7L));
		List<Object> same = List.of(key, List.of(7L, "a"), new SimpleKey(7L, "a"));
		Stream.concat(others.stream(), same.stream()).forEach((each) -> this.cache.put(each, null));
		this.nullEntries.clear(List.of("products"), List.of(key)).join();
		assertThat(same).allSatisfy((each) -> assertThat(this.cache.get(each)).isNull());
		assertThat(others).allSatisfy((each) -> assertThat(this.cache.get(each)).isNotNull());
	}

	@Test
	void partsMayBeNullAndPrimitive() {
		SimpleKey half = new SimpleKey(7L, null);
		SimpleKey primitives = new SimpleKey(7L, 8L);
		this.cache.put(half, null);
		this.cache.put(primitives, null);
		this.nullEntries.clear(List.of("products"), List.of(new ArrayList<@Nullable Object>(Arrays.asList(7L, null))))
			.join();
		this.nullEntries.clear(List.of("products"), List.of(new long[] { 7, 8 })).join();
		assertThat(this.cache.get(half)).isNull();
		assertThat(this.cache.get(primitives)).isNull();
	}

	@Test
	@Tag("slow")
	void anAddOfManyKeysWaitsForTheirNullValuesAsLongAsRedisGoesOnAnswering() {
		try (TestRedis redis = TestRedis.start();
				Connected connected = new LettuceGuardedCacheTests().connect(redis);
				GuardedInstance instance = GuardedInstance
					.of(SteppedRedis.of(connected.factory(), NullEntriesTests::slowly))) {
			instance.cache("products").put(7999, null);
			NullEntries nulls = new NullEntries(() -> Stream.of(instance.manager),
					() -> new FilterCaches(Map.of("products", List.of("products")), (filter, key) -> null,
							Duration.ofMillis(500)));
			nulls.onKeysAdded("products", IntStream.range(0, 8000).boxed().toList());
			assertThat(instance.cache("products").get(7999)).isNull();
		}
	}

	@Test
	void nullOfAGuardedCallIsStoredOnlyIfTheSourceHasNoSuchRowEither() {
		List<Object> asked = new ArrayList<>();
		AtomicBoolean confirmed = new AtomicBoolean(true);
		RedisCacheManager manager = RedisCacheManager.create(new LettuceConnectionFactory("127.0.0.1", 1));
		NullEntries nulls = new NullEntries(() -> Stream.of(manager),
				() -> new FilterCaches(Map.of("products", List.of("products")), (filter, key) -> key, (filter, key) -> {
					asked.add(filter + " " + key);
					return Answer.of(confirmed.get());
				}, Duration.ofSeconds(1)));
		byte[] key = "products::7".getBytes(StandardCharsets.UTF_8);
		Supplier<Answer<Boolean>> question = inGuardedCall(7, () -> nulls.mayBeStored("products", key));
		assertThat(asked).as("asked where the caller may not wait").isEmpty();
		assertThat(question.get().await()).isTrue();
		confirmed.set(false);
		assertThat(question.get().await()).isFalse();
		assertThat(asked).containsExactly("products 7", "products 7");
		assertThat(inGuardedCall(8, () -> nulls.mayBeStored("products", key)).get().await()).isFalse();
		assertThat(nulls.mayBeStored("products", key).get().await()).isFalse();
		assertThat(nulls.mayBeStored("others", key).get().await()).isTrue();
		assertThat(asked).hasSize(2);
	}

	private static <T> T inGuardedCall(Object key, Supplier<T> call) {
		GuardedFilter filter = mock();
		given(filter.name()).willReturn("products");
		given(filter.remembersAbsence()).willReturn(true);
		GuardedCall guarded = new GuardedCall();
		guarded.passed(new GuardedCall.CheckOutcome(filter, Decision.MAYBE) {

			@Override
			protected Object key() {
				return key;
			}

		});
		return guarded.load(() -> {
			CachedCall cached = new CachedCall((method, type) -> List.of(), mock());
			CachedCall outer = cached.begin();
			try {
				return call.get();
			}
			finally {
				cached.end(outer);
			}
		});
	}

	private static Object slowly(String command, Object[] arguments, Callable<Object> proceed) throws Exception {
		LockSupport.parkNanos(Duration.ofMillis(40).toNanos());
		return proceed.call();
	}

	private record Pair(long id, String shop) {

	}

}
