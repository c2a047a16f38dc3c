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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.serializer.SerializationException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SingleFlight}, with two instances of an application that have nothing
 * in common but Redis.
 */
@Timeout(60)
class SingleFlightTests {

	private static final Duration LOAD_TIME = Duration.ofMillis(200);

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient firstClient = client(redis);

	@AutoClose("shutdown")
	private static final RedissonClient secondClient = client(redis);

	private final List<GuardedInstance> instances = new ArrayList<>();

	private final List<LettuceConnectionFactory> factories = new ArrayList<>();

	private final AtomicInteger loads = new AtomicInteger();

	private GuardedInstance first;

	private GuardedInstance second;

	@BeforeEach
	void createInstances() {
		redis.command("FLUSHALL");
		this.first = instance(CacheRules.DEFAULT);
		this.second = instance(secondClient, CacheRules.DEFAULT);
	}

	@AfterEach
	void stop() {
		this.instances.forEach(GuardedInstance::close);
		this.factories.forEach(LettuceConnectionFactory::destroy);
	}

	@Test
	void callersOfTwoInstancesShareOneLoad() {
		List<Callable<?>> callers = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			callers.add(() -> this.first.cache("products").get(7, this::loadSlowly));
			callers.add(() -> this.second.cache("products").get(7, this::loadSlowly));
		}
		assertThat(Callers.callAtOnce(callers)).hasSize(200).containsOnly("value 1");
		assertThat(this.loads).hasValue(1);
		assertThat(this.first.listener.loads.get() + this.second.listener.loads.get()).isEqualTo(1);
		assertThat(this.first.listener.shared.get() + this.second.listener.shared.get()).isPositive();
		assertThat(redis.keys("bloom-guard*products*")).containsExactly("bloom-guard:cache:loads:{products}");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void callersMayBeVirtualThreads() {
		SimpleAsyncTaskExecutor virtualThreads = new SimpleAsyncTaskExecutor();
		virtualThreads.setVirtualThreads(true);
		List<CompletableFuture<String>> callers = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			callers.add(virtualThreads.submitCompletable(() -> this.first.cache("products").get(7, this::loadSlowly)));
			callers.add(virtualThreads.submitCompletable(() -> this.second.cache("products").get(7, this::loadSlowly)));
		}
		assertThat(callers)
			.allSatisfy((caller) -> assertThat(caller).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("value 1"));
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void loadsOfDifferentKeysDoNotWaitForEachOther() {
		for (int i = 0; i < 50; i++) {
			this.first.cache("warm").put(i, "value");
			this.second.cache("warm").get(i);
		}
		CountDownLatch allLoading = new CountDownLatch(50);
		List<Callable<?>> callers = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			String key = "key " + i;
			Callable<String> loader = () -> {
				allLoading.countDown();
				assertThat(allLoading.await(20, TimeUnit.SECONDS)).isTrue();
				return loadSlowly();
			};
			for (int j = 0; j < 2; j++) {
				callers.add(() -> this.first.cache("products").get(key, loader));
				callers.add(() -> this.second.cache("products").get(key, loader));
			}
		}
		assertThat(new HashSet<>(Callers.callAtOnce(callers))).hasSize(50);
		assertThat(this.loads).hasValue(50);
	}

	@Test
	void failureOfTheLoadIsSharedInOneInstance() {
		IllegalStateException failure = new IllegalStateException("no database");
		CountDownLatch allCalling = new CountDownLatch(20);
		List<Object> outcomes = Callers.callAtOnce(Collections.nCopies(20, () -> {
			allCalling.countDown();
			return this.first.cache("products").get(7, () -> {
				allCalling.await();
				loadSlowly();
				throw failure;
			});
		}));
		assertThat(this.loads).hasValue(1);
		assertThat(outcomes).allSatisfy((outcome) -> assertThat(outcome).isInstanceOf(ValueRetrievalException.class)
			.extracting((ex) -> ((Throwable) ex).getCause())
			.isSameAs(failure));
		assertThat((Object) this.second.cache("products").get(7, this::loadSlowly)).isEqualTo("value 2");
	}

	@Test
	void nullThatWasLoadedIsSharedWithThoseThatCameBefore() {
		Callable<Object> nothing = () -> {
			loadSlowly();
			return null;
		};
		List<Callable<?>> callers = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			callers.add(() -> this.first.cache("products").get(7, nothing));
			callers.add(() -> this.second.cache("products").get(7, nothing));
		}
		assertThat(Callers.callAtOnce(callers)).containsOnly("null");
		assertThat(this.loads.get()).as("one that some came too late for, and one more, in each instance")
			.isBetween(1, 4);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nullOfALoadThatBeganBeforeACallerCameIsNotSharedWithIt(boolean sameInstance) throws Exception {
		CountDownLatch committed = new CountDownLatch(1);
		CompletableFuture<Object> before = inAnotherThread(() -> this.first.cache("products").get(7, () -> {
			this.loads.incrementAndGet();
			committed.await();
			return null;
		}));
		Awaitility.await().untilAtomic(this.loads, org.hamcrest.Matchers.is(1));
		CompletableFuture<Object> after = new CompletableFuture<>();
		Thread caller = new Thread(
				() -> after.complete((sameInstance ? this.first : this.second).cache("products").get(7, () -> "row")));
		caller.start();
		awaitWaiting(caller);
		committed.countDown();
		assertThat(before).succeedsWithin(Duration.ofSeconds(5)).isNull();
		assertThat(after).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("row");
	}

	@Test
	void nullOfATransactionIsNotShared() throws Exception {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "another", "PX", "60000");
		Thread leader = new Thread(() -> {
			TransactionSynchronizationManager.setActualTransactionActive(true);
			this.first.cache("products").get(7, () -> null);
		});
		leader.start();
		awaitWaiting(leader);
		CompletableFuture<Object> found = new CompletableFuture<>();
		Thread follower = new Thread(() -> found.complete(this.first.cache("products").get(7, () -> "row")));
		follower.start();
		awaitWaiting(follower);
		redis.command("DEL", "bloom-guard:cache:lock:{products::7}");
		assertThat(found).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("row");
	}

	@Test
	void nullIsNotSharedWithATransaction() throws Exception {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "another", "PX", "60000");
		Thread leader = new Thread(() -> this.first.cache("products").get(7, () -> null));
		leader.start();
		awaitWaiting(leader);
		CompletableFuture<Object> found = new CompletableFuture<>();
		Thread follower = new Thread(() -> {
			TransactionSynchronizationManager.setActualTransactionActive(true);
			found.complete(this.first.cache("products").get(7, () -> "its own row"));
		});
		follower.start();
		awaitWaiting(follower);
		redis.command("DEL", "bloom-guard:cache:lock:{products::7}");
		assertThat(found).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("its own row");
	}

	/**
	 * Wait until a thread waits for the load of another.
	 */
	private static void awaitWaiting(Thread thread) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.until(() -> Arrays.stream(thread.getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(EntryLoad.class.getName())
						&& List.of("ask", "await").contains(frame.getMethodName())));
	}

	@Test
	void loaderMayAskForItsOwnKey() {
		Cache products = this.first.cache("products");
		Object value = products.get(7, () -> "outer " + products.get(7, () -> "inner"));
		assertThat(value).isEqualTo("outer inner");
		assertThat(this.first.listener.waits).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void loadsThatNeedEachOtherDoNotWaitForEachOther(int instances) {
		Duration patience = Duration.ofSeconds(50);
		List<Cache> caches = Stream.<Cache>generate(() -> instance(rules(patience, patience)).cache("products"))
			.limit(instances)
			.toList();
		int loads = 3;
		CountDownLatch begun = new CountDownLatch(loads);
		List<Callable<?>> callers = new ArrayList<>();
		for (int i = 0; i < loads; i++) {
			Cache cache = caches.get(i % instances);
			int id = i;
			callers.add(() -> cache.get(id, () -> {
				this.loads.incrementAndGet();
				begun.countDown();
				begun.await();
				return id + " needs " + cache.get((id + 1) % loads, () -> {
					this.loads.incrementAndGet();
					return "another one";
				});
			}));
		}
		assertThat(CompletableFuture.supplyAsync(() -> Callers.callAtOnce(callers)))
			.succeedsWithin(Duration.ofSeconds(10))
			.satisfies((values) -> assertThat(values).allMatch((value) -> value.toString().contains(" needs ")));
		assertThat(this.loads.get()).as("one of the cycle at least loads by itself").isBetween(loads + 1, 2 * loads);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callersThatDoNotWaitLoadThemselvesWhatNeedsThem(boolean sameKey) {
		Duration patience = Duration.ofSeconds(50);
		int other = sameKey ? 7 : 8;
		CountDownLatch begun = new CountDownLatch(sameKey ? 1 : 2);
		CachedProducts[] products = new CachedProducts[1];
		products[0] = CachedProducts.of(instance(rules(patience, patience)).manager, (id) -> {
			if (this.loads.incrementAndGet() > begun.getCount() && begun.getCount() == 0) {
				return id;
			}
			begun.countDown();
			Callers.await(begun);
			return 100 * id + products[0].findOnceNow((id == 7) ? other : 7).join();
		});
		List<CompletableFuture<Integer>> found = IntStream.of(7, other)
			.mapToObj((id) -> CompletableFuture.supplyAsync(() -> products[0].findOnceNow(id))
				.thenCompose((value) -> value))
			.toList();
		assertThat(found).allSatisfy((value) -> assertThat(value).succeedsWithin(Duration.ofSeconds(10)));
	}

	@Test
	void loaderThatHasDiedFreesTheOthersAfterItsLease() {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "dead", "PX", "300");
		long start = System.nanoTime();
		assertThat((Object) this.first.cache("products").get(7, () -> "value")).isEqualTo("value");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(200),
				Duration.ofMillis(4_500));
	}

	@Test
	void waiterThatHasWaitedLongEnoughLoadsByItself() {
		GuardedInstance impatient = instance(rules(Duration.ofMillis(300), Duration.ofMinutes(1)));
		CountDownLatch hanging = new CountDownLatch(1);
		CompletableFuture<Object> hung = inAnotherThread(() -> impatient.cache("products").get(7, () -> {
			this.loads.incrementAndGet();
			hanging.await();
			return "late";
		}));
		try {
			Awaitility.await().untilAtomic(this.loads, org.hamcrest.Matchers.is(1));
			assertThat((Object) impatient.cache("products").get(7, () -> "same instance")).isEqualTo("same instance");
			impatient.cache("products").evict(7);
			GuardedInstance other = instance(rules(Duration.ofMillis(300), Duration.ofMinutes(1)));
			assertThat((Object) other.cache("products").get(7, () -> "other instance")).isEqualTo("other instance");
			assertThat(impatient.listener.waits).hasValue(1);
			assertThat(impatient.listener.shared).hasValue(0);
		}
		finally {
			hanging.countDown();
		}
		assertThat(hung).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("late");
	}

	@Test
	void loaderWhoseLeaseHasPassedTakesNothingFromTheNext() {
		GuardedInstance slow = instance(rules(Duration.ofSeconds(5), Duration.ofMillis(50)));
		slow.cache("products").get(7, () -> {
			String lock = "bloom-guard:cache:lock:{products::7}";
			Awaitility.await().until(() -> "(nil)".equals(redis.command("GET", lock)));
			redis.command("SET", lock, "next", "PX", "60000");
			return "value";
		});
		assertThat(redis.command("GET", "bloom-guard:cache:lock:{products::7}")).isEqualTo("next");
	}

	@Test
	void callersThatComeDuringALoadWithoutRedisShareTheNextOne() throws Exception {
		TestRedis gone = TestRedis.start();
		RedissonClient client = client(gone);
		GuardedInstance instance = instance(client, CacheRules.DEFAULT);
		gone.close();
		CountDownLatch updated = new CountDownLatch(1);
		CompletableFuture<Object> before = inAnotherThread(() -> instance.cache("products").get(7, () -> {
			this.loads.incrementAndGet();
			updated.await();
			return "old";
		}));
		Awaitility.await().untilAtomic(this.loads, org.hamcrest.Matchers.is(1));
		List<CompletableFuture<Object>> found = new ArrayList<>();
		List<Thread> callers = new ArrayList<>();
		Callable<Object> loader = () -> {
			Awaitility.await().untilAtomic(instance.listener.waits, org.hamcrest.Matchers.is(20));
			callers.stream()
				.filter((caller) -> caller != Thread.currentThread())
				.forEach(SingleFlightTests::awaitWaiting);
			return "new " + this.loads.incrementAndGet();
		};
		for (int i = 0; i < 20; i++) {
			CompletableFuture<Object> after = new CompletableFuture<>();
			Thread caller = new Thread(() -> after.complete(instance.cache("products").get(7, loader)));
			caller.start();
			awaitWaiting(caller);
			callers.add(caller);
			found.add(after);
		}
		updated.countDown();
		assertThat(before).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("old");
		assertThat(found)
			.allSatisfy((after) -> assertThat(after).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("new 2"));
		client.shutdown(0, 1, TimeUnit.SECONDS);
	}

	@Test
	void expiredValueIsNotSharedWithACallerThatCameAfterItsEvictElsewhere() {
		CacheRules rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30), SharedLoads.DEFAULT, 0,
				Duration.ofMinutes(1), true);
		GuardedInstance instance = instance(rules);
		GuardedInstance other = instance(rules);
		Cache products = instance.cache("products");
		products.get(7, () -> "old");
		redis.command("DEL", "products::7");
		CompletableFuture<Object> after = new CompletableFuture<>();
		instance.listener.whenStale = () -> {
			other.cache("products").evict(7);
			Thread caller = new Thread(() -> after.complete(products.get(7, () -> "new")));
			caller.start();
			awaitWaiting(caller);
		};
		Object stale = products.get(7, () -> {
			throw new IllegalStateException("no database");
		});
		assertThat(stale).isEqualTo("old");
		assertThat(after).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("new");
	}

	@Test
	void valueThatAnEvictHasOvertakenIsNotStored() {
		Cache products = this.first.cache("products");
		assertThat((Object) products.get(7, () -> {
			products.evict(7);
			return "outdated";
		})).isEqualTo("outdated");
		assertThat(products.get(7)).isNull();
		products.get(8, () -> {
			products.clear();
			return "outdated";
		});
		assertThat(products.get(8)).isNull();
		products.get(9, () -> {
			products.put(9, "fresh");
			return "outdated";
		});
		assertThat((Object) products.get(9, String.class)).isEqualTo("fresh");
	}

	@Test
	void callerThatComesAfterAnEvictDoesNotShareTheLoadBeforeIt() {
		Cache products = instance(rules(Duration.ofSeconds(30), Duration.ofMillis(50))).cache("products");
		CountDownLatch evicted = new CountDownLatch(1);
		CompletableFuture<Object> before = inAnotherThread(() -> products.get(7, () -> {
			this.loads.incrementAndGet();
			evicted.await();
			return "before";
		}));
		Awaitility.await().untilAtomic(this.loads, org.hamcrest.Matchers.is(1));
		products.evict(7);
		CompletableFuture<Object> after = inAnotherThread(() -> products.get(7, () -> "after"));
		assertThat(after).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("after");
		evicted.countDown();
		assertThat(before).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("before");
		assertThat((Object) products.get(7, String.class)).isEqualTo("after");
	}

	@Test
	void callerThatComesAfterAnEvictElsewhereDoesNotShareTheLoadBeforeIt() throws Exception {
		CountDownLatch loading = new CountDownLatch(1);
		CountDownLatch updated = new CountDownLatch(1);
		Thread leader = new Thread(() -> this.first.cache("products").get(7, () -> {
			loading.countDown();
			updated.await();
			return "old";
		}));
		leader.start();
		loading.await();
		this.second.cache("products").evict(7);
		CompletableFuture<Object> found = new CompletableFuture<>();
		Thread follower = new Thread(() -> found.complete(this.first.cache("products").get(7, () -> "new")));
		follower.start();
		awaitWaiting(follower);
		updated.countDown();
		assertThat(found).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("new");
		assertThat(this.second.cache("products").get(7, String.class)).isEqualTo("new");
	}

	@Test
	void callerThatComesAfterTheValueWasStoredAndEvictedElsewhereDoesNotShareIt() {
		Flight flight = new Flight(null);
		flight.loads(null);
		long stored = System.nanoTime();
		flight.landed(new byte[1], stored);
		assertThat(flight.isSharedWith(stored - 1, new byte[1])).isTrue();
		assertThat(flight.isSharedWith(stored + 1, new byte[1])).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersThatDoNotWaitShareOneLoadToo(boolean mono) {
		CacheRules patient = rules(Duration.ofMinutes(1), Duration.ofMinutes(1));
		List<CachedProducts> products = Stream.of(lettuceInstance(patient), lettuceInstance(patient))
			.map((instance) -> CachedProducts.of(instance.manager, (id) -> this.loadSlowlyOnce()))
			.toList();
		List<CompletableFuture<Integer>> found = IntStream.range(0, 100)
			.mapToObj((i) -> products.get(i % 2))
			.map((instance) -> mono ? instance.findOnceMono(7).toFuture() : instance.findOnceLater(7))
			.toList();
		assertThat(found).allSatisfy((value) -> assertThat(value).succeedsWithin(Duration.ofSeconds(50)).isEqualTo(1));
		assertThat(this.loads).hasValue(1);
		Awaitility.await().untilAsserted(() -> assertThat(redis.keys("bloom-guard:cache:lock*")).isEmpty());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersDoNotWaitForAValueThatCannotBeSerialized(boolean mono) {
		LettuceConnectionFactory factory = factory();
		GuardedInstance instance = GuardedInstance.of(factory, rules(Duration.ofMinutes(1), Duration.ofMinutes(1)),
				(configuration) -> configuration
					.serializeValuesWith(SerializationPair.fromSerializer(new Unwritable())));
		this.instances.add(instance);
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> loadSlowlyOnce());
		List<CompletableFuture<Integer>> found = IntStream.range(0, 10)
			.mapToObj((i) -> mono ? products.findOnceMono(7).toFuture() : products.findOnceLater(7))
			.toList();
		assertThat(found).allSatisfy((value) -> assertThat(value).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withStackTraceContaining("not serializable"));
	}

	@Test
	void loadThatNeverEndsKeepsOthersFromLoadingNoLongerThanItsLease() {
		GuardedInstance instance = lettuceInstance(rules(Duration.ofMinutes(1), Duration.ofMillis(200)));
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> this.loads.get());
		assertThat(products.findNever(7)).isNotDone();
		assertThat(products.findOnceLater(7)).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(0);
	}

	@Test
	void failureOfALoadIsSharedWithCallersThatDoNotWait() {
		GuardedInstance instance = lettuceInstance();
		CountDownLatch joined = new CountDownLatch(1);
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> {
			if (this.loads.incrementAndGet() == 1) {
				Callers.await(joined);
				throw new IllegalStateException("once");
			}
			return 2;
		});
		CompletableFuture<Integer> leader = products.findOnceLater(7);
		Awaitility.await().until(() -> this.loads.get() == 1);
		CompletableFuture<byte[]> follower = join(instance);
		joined.countDown();
		assertThat(leader).failsWithin(Duration.ofSeconds(5)).withThrowableThat().withMessageContaining("once");
		assertThat(follower).failsWithin(Duration.ofSeconds(5)).withThrowableThat().withMessageContaining("once");
		assertThat(products.findOnceLater(7)).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(2);
	}

	@Test
	void callerThatDoesNotWaitAndComesAfterAnEvictElsewhereDoesNotShareTheLoadBeforeIt() {
		GuardedInstance instance = lettuceInstance();
		CountDownLatch joined = new CountDownLatch(1);
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> {
			int load = this.loads.incrementAndGet();
			Callers.await(joined);
			return load;
		});
		CompletableFuture<Integer> leader = products.findOnceLater(7);
		Awaitility.await().until(() -> this.loads.get() == 1);
		this.second.cache("products").evict(7);
		CompletableFuture<byte[]> follower = join(instance);
		joined.countDown();
		assertThat(leader).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(1);
		assertThat(follower).as("is to load").succeedsWithin(Duration.ofSeconds(5)).isNull();
		assertThat(redis.keys("products*")).isEmpty();
	}

	/**
	 * Come as another caller, who waits for the load when this returns.
	 */
	private static CompletableFuture<byte[]> join(GuardedInstance instance) {
		return new AsyncCaller(new EntryKey("products", "products::7".getBytes(StandardCharsets.UTF_8)),
				CacheRules.DEFAULT, System.nanoTime(), null, new CachedCall((method, type) -> List.of(), mock()),
				instance.guard.parts())
			.value();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callerThatIsInterruptedLoadsAtOnce(boolean follows) throws Exception {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "another", "PX", "60000");
		GuardedInstance patient = instance(rules(Duration.ofMinutes(1), Duration.ofMinutes(1)));
		Thread leader = new Thread(() -> patient.cache("products").get(7, () -> "led"));
		if (follows) {
			leader.start();
			awaitWaiting(leader);
		}
		CompletableFuture<Object> found = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			Object value = patient.cache("products").get(7, () -> "loaded");
			found.complete(value + " " + Thread.currentThread().isInterrupted());
		});
		caller.start();
		awaitWaiting(caller);
		caller.interrupt();
		assertThat(found).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("loaded true");
		redis.command("DEL", "bloom-guard:cache:lock:{products::7}");
		leader.join();
	}

	@Test
	void callerThatDoesNotWaitLoadsIfItsGuardIsClosed() {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "another", "PX", "60000");
		GuardedInstance instance = lettuceInstance(rules(Duration.ofMinutes(1), Duration.ofMinutes(1)));
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> 1);
		long asked = redis.calls("evalsha");
		CompletableFuture<Integer> waiting = products.findOnceLater(7);
		Awaitility.await().until(() -> redis.calls("evalsha") > asked + 2);
		instance.close();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(1);
	}

	@Test
	void callersThatDoNotWaitShareTheLoadOfOneThatHasWaitedForAnotherInstance() {
		redis.command("SET", "bloom-guard:cache:lock:{products::7}", "another", "PX", "60000");
		GuardedInstance instance = lettuceInstance(rules(Duration.ofSeconds(2), Duration.ofMinutes(1)));
		CachedProducts products = CachedProducts.of(instance.manager, (id) -> loadSlowlyOnce());
		List<CompletableFuture<Integer>> found = List.of(products.findOnceLater(7), products.findOnceLater(7));
		assertThat(found).allSatisfy((value) -> assertThat(value).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1));
		assertThat(instance.listener.waits).hasValue(2);
	}

	private GuardedInstance lettuceInstance() {
		return lettuceInstance(CacheRules.DEFAULT);
	}

	private GuardedInstance lettuceInstance(CacheRules rules) {
		return opened(factory(), rules);
	}

	private LettuceConnectionFactory factory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", redis.port());
		factory.afterPropertiesSet();
		factory.start();
		this.factories.add(factory);
		return factory;
	}

	private int loadSlowlyOnce() {
		int load = this.loads.incrementAndGet();
		pause(LOAD_TIME);
		return load;
	}

	@Test
	void valueThatAReplicaLacksIsFoundOnThePrimary() {
		try (TestRedis lagging = TestRedis.start()) {
			Config config = new Config();
			config.useMasterSlaveServers().setMasterAddress(redis.url()).addSlaveAddress(lagging.url());
			RedissonClient client = Redisson.create(config);
			Cache products = instance(client, CacheRules.DEFAULT).cache("products");
			assertThat((Object) products.get(7, this::loadSlowly)).isEqualTo("value 1");
			assertThat((Object) products.get(7, this::loadSlowly)).isEqualTo("value 1");
			assertThat(lagging.calls("get")).isGreaterThanOrEqualTo(2);
			assertThat(this.loads).hasValue(1);
			client.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	@Test
	void cacheWithoutSingleFlightLoadsForEachCaller() {
		CacheRules rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30),
				new SharedLoads(false, Duration.ofSeconds(5), Duration.ofSeconds(10)), 0, Duration.ZERO, true);
		GuardedInstance alone = instance(rules);
		Callers.callAtOnce(Collections.nCopies(5, () -> alone.cache("products").get(7, this::loadSlowly)));
		assertThat(this.loads).hasValue(5);
	}

	private static CompletableFuture<Object> inAnotherThread(Supplier<Object> call) {
		return CompletableFuture.supplyAsync(call, (task) -> new Thread(task).start());
	}

	private String loadSlowly() {
		pause(LOAD_TIME);
		return "value " + this.loads.incrementAndGet();
	}

	private static void pause(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private static CacheRules rules(Duration wait, Duration lease) {
		return new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30), new SharedLoads(true, wait, lease), 0,
				Duration.ZERO, true);
	}

	/**
	 * Return a client that has time, because the machine may be busy: a test opens up to
	 * 200 connections at once.
	 */
	private static RedissonClient client(TestRedis redis) {
		Config config = new Config();
		config.useSingleServer()
			.setAddress(redis.url())
			.setConnectionMinimumIdleSize(1)
			.setRetryAttempts(0)
			.setTimeout(20_000)
			.setConnectTimeout(20_000);
		return Redisson.create(config);
	}

	private GuardedInstance instance(CacheRules rules) {
		return instance(firstClient, rules);
	}

	private GuardedInstance instance(RedissonClient client, CacheRules rules) {
		return opened(new RedissonConnectionFactory(client), rules);
	}

	private GuardedInstance opened(RedisConnectionFactory factory, CacheRules rules) {
		GuardedInstance instance = GuardedInstance.of(factory, rules);
		this.instances.add(instance);
		return instance;
	}

	private static final class Unwritable implements RedisSerializer<Object> {

		@Override
		public byte[] serialize(Object value) {
			throw new SerializationException("not serializable");
		}

		@Override
		public Object deserialize(byte[] bytes) {
			return bytes;
		}

	}

}
