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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.cache.Cache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.data.redis.cache.CacheStatistics;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What holds for a guarded cache, whatever driver is used.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractGuardedCacheTests {

	private static final String NULL_MARK = "NullValue";

	private TestRedis redis;

	private Connected connected;

	private RedisConnectionFactory connectionFactory;

	private GuardedInstance instance;

	private RedisCache cache;

	abstract Connected connect(TestRedis redis);

	/**
	 * Return whether the driver has an asynchronous side.
	 */
	boolean isAsynchronous() {
		return true;
	}

	@BeforeAll
	void start() {
		this.redis = TestRedis.start();
		this.connected = connect(this.redis);
		this.connectionFactory = this.connected.factory();
	}

	@AfterAll
	void stop() {
		this.connected.close();
		this.redis.close();
	}

	@BeforeEach
	void createInstance() {
		this.redis.command("FLUSHALL");
		this.instance = GuardedInstance.of(this.connectionFactory);
		this.cache = this.instance.cache("products");
	}

	@AfterEach
	void closeInstance() {
		this.instance.close();
	}

	@Test
	void putValueIsReadBack() {
		this.cache.put(7, "seven");
		assertThat(this.cache.get(7, String.class)).isEqualTo("seven");
		assertThat(this.cache.get(8)).isNull();
	}

	@Test
	void connectionIsOpenedBeforeTheFirstCall() {
		assertThat(this.cache.get(8)).isNull();
		long pings = this.redis.calls("ping");
		try (GuardedInstance other = GuardedInstance.of(this.connectionFactory)) {
			Awaitility.await().untilAsserted(() -> assertThat(this.redis.calls("ping")).isGreaterThan(pings));
			assertThat(other.cache("products").get(8)).isNull();
		}
	}

	@Test
	void readsRightAfterAPutAllHit() {
		for (int i = 0; i < 2_000; i++) {
			this.cache.put(i, "value");
			assertThat(this.cache.get(i)).as("read %d", i).isNotNull();
		}
	}

	@Test
	void putIfAbsentKeepsTheFirstValue() {
		assertThat(this.cache.putIfAbsent(7, "first")).isNull();
		assertThat(valueOf(this.cache.putIfAbsent(7, "second"))).isEqualTo("first");
		assertThat(this.cache.get(7, String.class)).isEqualTo("first");
		assertThat(ttl("products::7")).isBetween(540_000L, 660_000L);
	}

	@Test
	void putIfAbsentStoresANullValueOnceAndSaysWhatIsThere() {
		assertThat(this.cache.putIfAbsent(7, null)).isNull();
		Cache.ValueWrapper present = this.cache.putIfAbsent(7, null);
		assertThat(present).isNotNull();
		assertThat(present.get()).isNull();
		this.cache.put(8, "eight");
		assertThat(valueOf(this.cache.putIfAbsent(8, null))).isEqualTo("eight");
	}

	@Test
	void evictRemovesOneEntry() {
		this.cache.put(7, "seven");
		this.cache.put(8, "eight");
		this.cache.evict(7);
		assertThat(this.cache.get(7)).isNull();
		assertThat(this.cache.get(8)).isNotNull();
		this.cache.put(7, "seven again");
		assertThat(this.cache.get(7, String.class)).isEqualTo("seven again");
	}

	@Test
	void evictIfPresentTellsWhetherAnEntryWasThere() {
		this.cache.put(7, "seven");
		assertThat(this.cache.evictIfPresent(7)).isTrue();
		assertThat(this.cache.evictIfPresent(7)).isFalse();
	}

	@Test
	void putIfAbsentWritesRightAfterAnEvict() {
		this.cache.put(7, "seven");
		this.cache.evict(7);
		assertThat(this.cache.putIfAbsent(7, "seven again")).isNull();
		assertThat(this.cache.get(7, String.class)).isEqualTo("seven again");
	}

	@Test
	void clearRemovesTheEntriesOfOneCache() {
		this.cache.put(7, "seven");
		this.cache.put(8, "eight");
		this.instance.cache("orders").put(7, "order");
		this.cache.clear();
		assertThat(this.cache.get(7)).isNull();
		assertThat(this.cache.get(8)).isNull();
		assertThat(this.instance.cache("orders").get(7)).isNotNull();
	}

	@Test
	void clearOfACacheWithoutPrefixLeavesTheGuardsOwnKeysAlone() {
		CacheRules rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30), SharedLoads.DEFAULT, 0,
				Duration.ofMinutes(10), true);
		try (GuardedInstance without = GuardedInstance.of(this.connectionFactory, rules,
				RedisCacheConfiguration::disableKeyPrefix)) {
			for (String name : new String[] { "products", "unguarded" }) {
				this.redis.command("SET", "bloom-guard:{products}:control", "what all instances agree on");
				for (Predicate<RedisCache> clear : List.<Predicate<RedisCache>>of((cache) -> {
					cache.clear();
					return true;
				}, RedisCache::invalidate)) {
					RedisCache cache = without.cache(name);
					cache.put(7, "seven");
					cache.put("bloom", "eight");
					assertThat(clear.test(cache)).isTrue();
					assertThat(this.redis.keys("*")).contains("bloom-guard:{products}:control")
						.doesNotContain("7", "bloom")
						.noneMatch((key) -> key.contains(":stale:"));
				}
			}
		}
	}

	@Test
	void invalidateTellsWhetherEntriesWereThere() {
		this.cache.put(7, "seven");
		this.cache.evict(8);
		assertThat(this.cache.invalidate()).isTrue();
		assertThat(this.cache.invalidate()).isFalse();
	}

	@Test
	void whatTheGuardAddsIsNoKeyOfTheCache() {
		this.cache.put(7, "seven");
		this.cache.evict(8);
		this.instance.nullEntries.clear(List.of("products"), List.of(9)).join();
		assertThat(this.redis.keys("products*")).containsExactly("products::7");
		assertThat(this.redis.keys("*"))
			.allMatch((key) -> key.startsWith("products::") || key.startsWith("bloom-guard:"));
	}

	@Test
	void partWithoutATextFormIsNoReasonNotToClear() {
		Handle handle = new Handle(new Object() {
		}, 7);
		this.cache.put(handle, null);
		this.instance.nullEntries.clear(List.of("products"), List.of(handle)).join();
		assertThat(this.cache.get(handle)).isNull();
	}

	@Test
	void statisticsCountWhatTheyCountWithoutAGuard() {
		GuardedInstance counted = GuardedInstance.of(this.connectionFactory, CacheRules.DEFAULT, (config) -> config,
				RedisCacheManagerBuilder::enableStatistics);
		RedisCache products = counted.cache("products");
		products.get(7);
		products.put(7, "seven");
		products.get(7);
		products.get(8, () -> "eight");
		products.get(9, () -> null);
		products.get(9);
		products.evict(7);
		products.get(7);
		CacheStatistics statistics = products.getStatistics();
		assertThat(statistics.getGets()).isEqualTo(6);
		assertThat(statistics.getHits()).isEqualTo(2);
		assertThat(statistics.getMisses()).isEqualTo(4);
		assertThat(statistics.getPuts()).isEqualTo(3);
		assertThat(statistics.getDeletes()).isEqualTo(1);
		products.clearStatistics();
		assertThat(products.getStatistics().getGets()).isZero();
	}

	@Test
	void transactionAwareCacheWritesAfterTheCommit() {
		GuardedInstance transactional = GuardedInstance.of(this.connectionFactory, CacheRules.DEFAULT,
				(config) -> config, RedisCacheManagerBuilder::transactionAware);
		Cache products = transactional.manager.getCache("products");
		assertThat(products).isNotNull();
		TransactionSynchronizationManager.initSynchronization();
		try {
			products.put(7, "seven");
			assertThat(this.cache.get(7)).isNull();
			TransactionSynchronizationManager.getSynchronizations().forEach(TransactionSynchronization::afterCommit);
			assertThat(this.cache.get(7, String.class)).isEqualTo("seven");
		}
		finally {
			TransactionSynchronizationManager.clearSynchronization();
		}
	}

	@Test
	void valueIsRetrievedAndLoadedAsynchronously() {
		assumeThat(isAsynchronous()).isTrue();
		assertThat(this.cache.retrieve(7)).succeedsWithin(Duration.ofSeconds(5)).isNull();
		assertThat(this.cache.retrieve(7, () -> CompletableFuture.completedFuture("seven")))
			.succeedsWithin(Duration.ofSeconds(5))
			.isEqualTo("seven");
		assertThat(this.cache.get(7, String.class)).isEqualTo("seven");
		assertThat(ttl("products::7")).isBetween(540_000L, 660_000L);
	}

	@Test
	void cacheWithoutRulesIsLeftAsItIs() {
		RedisCache unguarded = this.instance.cache("unguarded");
		unguarded.put(7, null);
		assertThat(ttl("unguarded::7")).isBetween(590_000L, 600_000L);
		unguarded.evict(7);
		unguarded.put(7, null);
		assertThat(unguarded.get(7)).isNotNull();
		assertThat(this.redis.keys("bloom-guard*unguarded*")).isEmpty();
	}

	@Test
	void eachTimeToLiveIsDrawnAnew() {
		List<Long> ttls = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			this.cache.put(i, "value");
			ttls.add(ttl("products::" + i));
		}
		assertThat(ttls).allMatch((ttl) -> ttl > 538_000 && ttl <= 660_000);
		assertThat(ttls).anyMatch((ttl) -> ttl < 580_000).anyMatch((ttl) -> ttl > 620_000);
	}

	@Test
	void entryWithoutTimeToLiveStaysEternal() {
		GuardedInstance eternal = GuardedInstance.of(this.connectionFactory, CacheRules.DEFAULT,
				(config) -> RedisCacheConfiguration.defaultCacheConfig());
		eternal.cache("eternal").put(7, "seven");
		assertThat(ttl("eternal::7")).isEqualTo(-1);
		eternal.cache("eternal").put(8, null);
		assertThat(ttl("eternal::8")).isBetween(50_000L, 66_000L);
	}

	@Test
	void timeToIdleIsRenewedWithJitter() {
		RedisCache idle = GuardedInstance
			.of(this.connectionFactory, CacheRules.DEFAULT, RedisCacheConfiguration::enableTimeToIdle)
			.cache("idle");
		List<Long> ttls = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			idle.put(i, "value");
			this.redis.command("PEXPIRE", "idle::" + i, "5000");
			switch (i % 3) {
				case 0 -> idle.get(i);
				case 1 -> idle.get(i, () -> "other");
				default -> read(idle, i);
			}
			ttls.add(ttl("idle::" + i));
		}
		assertThat(ttls).allMatch((ttl) -> ttl > 538_000 && ttl <= 660_000);
		assertThat(ttls).anyMatch((ttl) -> ttl < 590_000).anyMatch((ttl) -> ttl > 610_000);
	}

	@Test
	void timeToIdleOfANullValueIsNotRenewed() {
		RedisCache idle = GuardedInstance
			.of(this.connectionFactory, CacheRules.DEFAULT, RedisCacheConfiguration::enableTimeToIdle)
			.cache("idle");
		idle.put(7, null);
		this.redis.command("PEXPIRE", "idle::7", "5000");
		assertThat(idle.get(7)).isNotNull();
		assertThat(load(idle, 7, () -> "other")).isNull();
		read(idle, 7);
		assertThat(ttl("idle::7")).isBetween(1L, 5_000L);
	}

	@Test
	void nullValueHasTheEmptyTtlOnEachPath() {
		this.cache.put(1, null);
		this.cache.get(2, () -> null);
		retrieveNothing(3);
		this.cache.putIfAbsent(4, null);
		for (int i = 1; i <= 4; i++) {
			assertThat(this.redis.command("GET", "products::" + i)).as("path %d", i).contains(NULL_MARK);
			assertThat(ttl("products::" + i)).as("path %d", i).isBetween(50_000L, 66_000L);
			assertThat(load(this.cache, i, () -> "other")).as("path %d", i).isNull();
		}
		assertThat(this.instance.listener.nullHits).hasValue(4);
	}

	@Test
	void nullValueHasTheEmptyTtlWhateverTheSerializer() {
		RedisCache json = GuardedInstance
			.of(this.connectionFactory, CacheRules.DEFAULT,
					(config) -> config.serializeValuesWith(SerializationPair.fromSerializer(RedisSerializer.json())))
			.cache("json");
		json.put(7, null);
		assertThat(ttl("json::7")).isBetween(50_000L, 66_000L);
		Cache.ValueWrapper wrapper = json.get(7);
		assertThat(wrapper).isNotNull();
		assertThat(wrapper.get()).isNull();
	}

	@Test
	void nullValueLivesNoLongerThanOthers() {
		RedisCache brief = GuardedInstance
			.of(this.connectionFactory, CacheRules.DEFAULT, (config) -> config.entryTtl(Duration.ofSeconds(30)))
			.cache("brief");
		brief.put(7, null);
		assertThat(ttl("brief::7")).isBetween(20_000L, 33_000L);
	}

	@Test
	void nullValueDoesNotTakeThePlaceOfAValue() {
		AtomicInteger loads = new AtomicInteger();
		assertThat(load(this.cache, 7, () -> {
			loads.incrementAndGet();
			this.redis.command("SET", "products::7", "written meanwhile");
			return null;
		})).isNull();
		assertThat(this.redis.command("GET", "products::7")).isEqualTo("written meanwhile");
		assertThat(loads).hasValue(1);
	}

	@Test
	void putOfANullValueMakesAnOlderValueGo() {
		this.cache.put(7, "seven");
		this.cache.put(7, null);
		assertThat(this.cache.get(7)).isNull();
		this.cache.put(7, null);
		assertThat(this.cache.get(7)).isNotNull();
	}

	/**
	 * Reads that took too long must not keep a key from being added.
	 */
	@Test
	void nullValuesAreRemovedAndEntriesEvictedAlthoughReadsAreNotAnsweredAnyMore() {
		this.cache.put(7, null);
		this.cache.put(8, "eight");
		try (GuardedInstance impatient = GuardedInstance.impatient(this.connectionFactory, Duration.ofMillis(100))) {
			RedisCache hurried = impatient.cache("products");
			hurried.get(1);
			CompletableFuture<Void> removed;
			CompletableFuture<Void> evicted;
			this.redis.freeze();
			try {
				Awaitility.await().until(() -> {
					hurried.get(1);
					return !impatient.guard.breaker().permits();
				});
				removed = impatient.nullEntries.clear(List.of("products"), List.of(7));
				evicted = CompletableFuture.runAsync(() -> hurried.evict(8));
			}
			finally {
				this.redis.thaw();
			}
			removed.join();
			assertThat(this.cache.get(7)).isNull();
			if (isAsynchronous()) {
				// any other driver has a deadline for each command
				evicted.join();
				assertThat(this.cache.get(8)).isNull();
			}
		}
	}

	@Test
	void valueThatRedisDidNotTakeInTimeIsStoredWhenItAnswersAgain() {
		readWhileRedisFallsSilent(() -> {
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.instance.listener.storedLate).hasValue(1));
		Awaitility.await().untilAsserted(() -> assertThat(this.cache.get(7, Integer.class)).isEqualTo(70));
		assertThat(this.instance.listener.dropped).hasValue(0);
	}

	@Test
	void valueThatRedisDidNotTakeInTimeIsDroppedIfItWasEvictedMeanwhile() {
		readWhileRedisFallsSilent(() -> this.cache.evict(7));
		Awaitility.await().untilAsserted(() -> assertThat(this.instance.listener.dropped).hasValue(1));
		assertThat(this.cache.get(7)).isNull();
		assertThat(this.instance.listener.storedLate).hasValue(0);
	}

	@Test
	void valueThatRedisDidNotReplaceInTimeIsRemoved() {
		this.cache.put(7, 69);
		CachedProducts products = CachedProducts.of(this.instance.manager, (id) -> 10 * id);
		try {
			products.replace(7, this::silence);
		}
		finally {
			this.redis.thaw();
		}
		Awaitility.await().untilAsserted(() -> assertThat(this.instance.listener.dropped).hasValue(1));
		assertThat(this.cache.get(7)).isNull();
	}

	private void readWhileRedisFallsSilent(Runnable duringTheLoad) {
		CachedProducts products = CachedProducts.of(this.instance.manager, (id) -> {
			duringTheLoad.run();
			silence();
			return 10 * id;
		});
		try {
			assertThat(products.find(7)).isEqualTo(70);
		}
		finally {
			this.redis.thaw();
		}
	}

	private void silence() {
		this.redis.freeze();
		this.instance.guard.breaker().open(new TimeoutException());
	}

	@Test
	void nullValueIsStoredInOneRoundTrip() {
		this.cache.get(6);
		this.redis.command("CONFIG", "RESETSTAT");
		this.cache.put(7, null);
		assertThat(this.redis.calls("evalsha")).isOne();
		assertThat(this.redis.keys("products::*")).hasSize(1);
	}

	@Test
	void nullValuesOfManyKeysAndCachesAreRemovedInOneRoundTrip() {
		RedisCache others = this.instance.cache("others");
		IntStream.range(0, 100).forEach((key) -> {
			this.cache.put(key, null);
			others.put(key, (key % 2 == 0) ? "even" : null);
		});
		this.redis.command("CONFIG", "RESETSTAT");
		this.instance.nullEntries.clear(List.of("products", "others"), IntStream.range(0, 100).boxed().toList()).join();
		assertThat(this.redis.calls("evalsha")).isOne();
		assertThat(this.redis.keys("products::*")).isEmpty();
		assertThat(this.redis.keys("others::*")).hasSize(50);
		this.cache.put(99, null);
		assertThat(this.redis.keys("products::*")).as("held off").isEmpty();
	}

	@Test
	void nullValueThatWasReadBeforeAnAddIsNotStoredAfterIt() {
		assertThat(load(this.cache, 1, () -> {
			this.instance.nullEntries.clear(List.of("products"), List.of(1)).join();
			return null;
		})).isNull();
		this.instance.nullEntries.clear(List.of("products"), List.of(2L)).join();
		this.cache.put(2, null);
		this.instance.nullEntries.clear(List.of("products"), List.of("3")).join();
		retrieveNothing(3);
		this.instance.nullEntries.clear(List.of("products"), List.of(4)).join();
		this.cache.putIfAbsent(4, null);
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@Test
	void nullValueThatWasReadBeforeAnEvictIsNotStoredAfterIt() {
		this.cache.get(1, () -> {
			this.cache.evict(1);
			return null;
		});
		this.cache.evictIfPresent(2);
		this.cache.put(2, null);
		assertThat(this.redis.keys("products*")).isEmpty();
	}

	@Test
	void nullValueThatWasReadBeforeAClearIsNotStoredAfterIt() {
		this.cache.get(1, () -> {
			this.cache.clear();
			return null;
		});
		this.cache.invalidate();
		this.cache.put(2, null);
		assertThat(this.redis.keys("products*")).isEmpty();
		this.instance.cache("orders").put(2, null);
		assertThat(this.redis.keys("orders*")).hasSize(1);
	}

	@Test
	void valueThatWasLoadedBeforeAnEvictElsewhereIsNotStoredAfterIt() {
		try (GuardedInstance elsewhere = GuardedInstance.of(this.connectionFactory)) {
			RedisCache same = elsewhere.cache("products");
			load(this.cache, 1, () -> {
				same.evict(1);
				return "old";
			});
			load(this.cache, 2, () -> {
				same.clear();
				return "old";
			});
			load(this.cache, 3, () -> {
				elsewhere.nullEntries.clear(List.of("products"), List.of(3)).join();
				return "old";
			});
			assertThat(this.redis.keys("products*")).isEmpty();
			load(this.cache, 4, () -> {
				same.put(4, "new");
				return "old";
			});
			assertThat(this.cache.get(4, String.class)).isEqualTo("new");
			load(this.cache, 5, () -> "five");
			assertThat(this.cache.get(5, String.class)).isEqualTo("five");
		}
	}

	@Test
	void scriptIsSentOnceToAServerAndThenAskedForByItsDigest() {
		this.redis.command("SCRIPT", "FLUSH");
		this.redis.command("CONFIG", "RESETSTAT");
		for (int i = 0; i < 10; i++) {
			this.cache.put(i, "value");
			this.cache.evict(i);
		}
		assertThat(this.redis.calls("eval")).isEqualTo(2);
		assertThat(this.redis.calls("evalsha")).isEqualTo(20);
		assertThat(this.cache.get(7)).isNull();
	}

	@Test
	void nullValueIsStoredAgainAfterTheHoldOff() {
		CacheRules rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofMillis(50), SharedLoads.DEFAULT, 0,
				Duration.ZERO, true);
		RedisCache products = GuardedInstance.of(this.connectionFactory, rules).cache("products");
		products.evict(7);
		Awaitility.await().untilAsserted(() -> {
			products.put(7, null);
			assertThat(this.redis.keys("products*")).hasSize(1);
		});
	}

	@Test
	void addRemovesANullValueAndNothingElse() {
		this.cache.put(7, null);
		this.cache.put(8, "eight");
		this.instance.nullEntries.clear(List.of("products"), List.of(7)).join();
		this.instance.nullEntries.clear(List.of("products"), List.of(8)).join();
		assertThat(this.cache.get(7)).isNull();
		assertThat(this.cache.get(8, String.class)).isEqualTo("eight");
	}

	@Test
	void addFindsTheKeyAsTheCacheWritesIt() {
		UUID id = UUID.randomUUID();
		GuardedInstance prefixed = GuardedInstance.of(this.connectionFactory, CacheRules.DEFAULT, (config) -> {
			RedisCacheConfiguration own = config.prefixCacheNameWith("shop:");
			own.addCacheKeyConverter(new org.springframework.core.convert.converter.Converter<UUID, String>() {
				@Override
				public String convert(UUID source) {
					return "uuid-" + source;
				}
			});
			return own;
		}, RedisCacheManagerBuilder::transactionAware);
		Cache products = prefixed.manager.getCache("products");
		assertThat(products).isNotNull();
		products.put(id, null);
		assertThat(this.redis.keys("*products*")).containsExactly("shop:products::uuid-" + id);
		prefixed.nullEntries.clear(List.of("products"), List.of(id)).join();
		assertThat(products.get(id)).isNull();
	}

	@Test
	void addRemovesANullValueFromACacheThatIsNotGuarded() {
		RedisCache unguarded = this.instance.cache("unguarded");
		unguarded.put(7, null);
		unguarded.put(8, "eight");
		ConcurrentMapCacheManager maps = new ConcurrentMapCacheManager("unguarded");
		Cache map = maps.getCache("unguarded");
		assertThat(map).isNotNull();
		map.put(7, null);
		NullEntries nullEntries = new NullEntries(() -> java.util.stream.Stream.of(this.instance.manager, maps),
				() -> FilterCaches.NONE);
		nullEntries.clear(List.of("unguarded"), List.of(7)).join();
		nullEntries.clear(List.of("unguarded"), List.of(8)).join();
		assertThat(unguarded.get(7)).isNull();
		assertThat(map.get(7)).isNull();
		assertThat(unguarded.get(8)).isNotNull();
	}

	@Test
	void frozenRedisHoldsACallerNoLongerThanTheTimeoutAndNotAtAllOnceThatIsKnown() {
		Duration timeout = Duration.ofMillis(250);
		try (TestRedis server = TestRedis.start()) {
			try (Connected connected = connect(server);
					GuardedInstance impatient = GuardedInstance.impatient(connected.factory(), timeout)) {
				RedisCache products = impatient.cache("products");
				assertThatTakesLessThan(timeout.multipliedBy(4), () -> {
					server.thaw();
					awaitHit(products);
					server.freeze();
					return longestRead(products, impatient.guard.breaker());
				});
				assertThatTakesLessThan(Duration.ofSeconds(1), () -> {
					long known = System.nanoTime();
					for (int i = 0; i < 1000; i++) {
						products.get(7);
						products.put(7, "seven");
					}
					return System.nanoTime() - known;
				});
				server.thaw();
				awaitHit(products);
			}
		}
	}

	@Test
	void futureOfAReadIsHeldNoLongerEither() {
		assumeThat(isAsynchronous()).isTrue();
		try (GuardedInstance impatient = GuardedInstance.impatient(this.connectionFactory, Duration.ofMillis(250))) {
			CachedProducts products = CachedProducts.of(impatient.manager, (id) -> 10 * id);
			awaitHit(impatient.cache("products"));
			this.redis.freeze();
			try {
				Stream.of(products.findLater(8), products.findOnceLater(8))
					.forEach((found) -> assertThat(found).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(80));
			}
			finally {
				this.redis.thaw();
			}
		}
	}

	@Test
	void cacheWithoutRulesWaitsForAsLongAsItsDriver() {
		try (GuardedInstance impatient = GuardedInstance.impatient(this.connectionFactory, Duration.ofMillis(50))) {
			RedisCache unguarded = impatient.cache("unguarded");
			unguarded.put(7, "seven");
			awaitHit(impatient.cache("products"));
			this.redis.freeze();
			CompletableFuture<Object> found;
			try {
				impatient.guard.breaker().open(new TimeoutException());
				found = CompletableFuture.supplyAsync(() -> valueOf(unguarded.get(7)));
				Awaitility.await().until(() -> found.isDone() || impatient.cache("products").get(7) == null);
			}
			finally {
				this.redis.thaw();
			}
			assertThat(found).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("seven");
		}
	}

	@Test
	void manyFuturesAtOnceDoNotWaitForEachOther() {
		assumeThat(isAsynchronous()).isTrue();
		CachedProducts products = CachedProducts.of(this.instance.manager, (id) -> 10 * id);
		List<CompletableFuture<Integer>> found = IntStream.range(0, 100).mapToObj(products::findLater).toList();
		assertThat(found).allSatisfy((future) -> assertThat(future).succeedsWithin(Duration.ofSeconds(5)));
		assertThat(this.redis.keys("products*")).hasSize(100);
	}

	private static void awaitHit(RedisCache products) {
		Awaitility.await().until(() -> {
			products.put(7, "seven");
			return products.get(7) != null;
		});
	}

	@Test
	void firstReadOfAllWaitsNoLongerThanTheTimeoutEither() {
		Duration timeout = Duration.ofSeconds(1);
		try (TestRedis server = TestRedis.start()) {
			assertThatTakesLessThan(timeout.multipliedBy(2), () -> {
				try (Connected connected = connect(server);
						GuardedInstance impatient = GuardedInstance.impatient(connected.factory(), timeout)) {
					server.freeze();
					long start = System.nanoTime();
					assertThat(impatient.cache("products").get(7)).isNull();
					long read = System.nanoTime();
					server.thaw();
					return read - start;
				}
			});
		}
	}

	/**
	 * Read until it is known that nothing is answered.
	 */
	private static long longestRead(RedisCache products, CircuitBreaker breaker) {
		long longest = 0;
		while (breaker.permits()) {
			long called = System.nanoTime();
			assertThat(products.get(7)).isNull();
			longest = Math.max(longest, System.nanoTime() - called);
		}
		return longest;
	}

	/**
	 * Measures again if it takes longer, because the machine may be busy: what waits for
	 * longer does so each time.
	 */
	private static void assertThatTakesLessThan(Duration limit, LongSupplier nanos) {
		long shortest = nanos.getAsLong();
		for (int again = 0; again < 3 && shortest >= limit.toNanos(); again++) {
			shortest = Math.min(shortest, nanos.getAsLong());
		}
		assertThat(Duration.ofNanos(shortest)).isLessThan(limit);
	}

	@Test
	void nullValueIsRefusedWhereNoneIsAllowed() {
		RedisCache strict = GuardedInstance
			.of(this.connectionFactory, CacheRules.DEFAULT, RedisCacheConfiguration::disableCachingNullValues)
			.cache("strict");
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> strict.put(7, null));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> strict.get(7, () -> null));
	}

	private void read(RedisCache cache, Object key) {
		if (isAsynchronous()) {
			cache.retrieve(key).join();
		}
		else {
			cache.get(key);
		}
	}

	private void retrieveNothing(Object key) {
		if (isAsynchronous()) {
			this.cache.retrieve(key, () -> CompletableFuture.completedFuture(null)).join();
		}
		else {
			this.cache.put(key, null);
		}
	}

	private long ttl(String key) {
		return Long.parseLong(this.redis.command("PTTL", key));
	}

	private static Object valueOf(Cache.ValueWrapper wrapper) {
		assertThat(wrapper).isNotNull();
		return wrapper.get();
	}

	private static Object load(Cache cache, Object key, Callable<Object> loader) {
		return cache.get(key, loader);
	}

	/**
	 * A driver that is connected to a server.
	 *
	 * @param factory gives connections
	 * @param disconnect closes them
	 */
	record Connected(RedisConnectionFactory factory, Runnable disconnect) implements AutoCloseable {

		@Override
		public void close() {
			this.disconnect.run();
		}

	}

	private record Handle(Object part, long id) {

	}

}
