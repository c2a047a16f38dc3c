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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.bloomguard.cache.EntryScripts.HeldToken;
import io.github.bloomguard.cache.client.LuaScript;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestTransactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link TokenReturns}: what loads leave in Redis that store nothing.
 */
@Timeout(30)
@Tag("slow")
class TokenReturnsTests {

	private static final String TOKENS = "bloom-guard:cache:load:*";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("destroy")
	private static final LettuceConnectionFactory connections = connect();

	private GuardedInstance instance;

	private GuardedInstance elsewhere;

	private Runnable duringTheLoad = () -> {
	};

	private int row = -1;

	private CachedProducts products;

	private static LettuceConnectionFactory connect() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	@BeforeEach
	void createInstances() {
		redis.command("FLUSHALL");
		this.instance = GuardedInstance.of(connections);
		this.elsewhere = GuardedInstance.of(connections);
		this.products = products(this.instance);
	}

	private CachedProducts products(GuardedInstance instance) {
		return CachedProducts.of(instance.manager, (id) -> {
			int read = this.row;
			this.duringTheLoad.run();
			if (read < -1) {
				throw new IllegalStateException("The database does not answer");
			}
			return read;
		});
	}

	@AfterEach
	void closeInstances() {
		this.instance.close();
		this.elsewhere.close();
	}

	@ParameterizedTest
	@EnumSource
	void loadThatEndsWithoutAPutLeavesNothing(Load load) {
		this.row = load.row;
		IntStream.range(0, 10).forEach((id) -> load.run(this.products, id));
		Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
		assertThat(redis.keys("*")).allMatch(
				(key) -> key.equals("bloom-guard:cache:loads:{products}") || key.equals("bloom-guard:cache:epoch"));
	}

	@Test
	void floodOfAbsentKeysLeavesAsMuchAsWithoutTheGuard() {
		List<Callable<?>> callers = new ArrayList<>();
		for (int caller = 0; caller < 8; caller++) {
			int first = caller * 500;
			callers.add(() -> IntStream.range(first, first + 500).map(this.products::findPositive).sum());
		}
		Callers.callAtOnce(callers);
		Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
		assertThat(redis.calls("evalsha")).as("tokens, and few that give them back").isLessThan(6000);
	}

	@Test
	void missInOneCacheOfWhatAnotherOneHasLeavesNothing() {
		this.instance.cache("others").put(1, 11);
		assertThat(this.products.findInTwo(1)).isEqualTo(11);
		Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
	}

	@Test
	void nullThatIsStoredUsesItsTokenUp() {
		assertThat(this.instance.cache("products").<Object>get(7, () -> null)).isNull();
		assertThat(redis.keys("products::7")).hasSize(1);
		assertThat(redis.keys(TOKENS)).isEmpty();
	}

	@Test
	void nullThatMayNotBeStoredGivesItsTokenBackAndAValueAsksNothing() {
		AtomicInteger asked = new AtomicInteger();
		try (CacheGuard guard = new CacheGuard(connections, "bloom-guard", (name) -> CacheRules.DEFAULT, List.of(),
				Runnable::run, Duration.ofSeconds(10), (name, key) -> () -> Answer.of(asked.incrementAndGet() > 2),
				Stream::empty)) {
			Cache cache = RedisCacheManager.builder(guard.writer()).build().getCache("products");
			assertThat(cache.<Object>get(7, () -> null)).isNull();
			assertThat(cache.<Object>get(7, () -> null)).isNull();
			assertThat(redis.keys("products::*")).isEmpty();
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
			assertThat(cache.<Object>get(7, () -> null)).isNull();
			assertThat(cache.get(8, () -> 8)).isEqualTo(8);
			assertThat(redis.keys("products::*")).hasSize(2);
			assertThat(asked).hasValue(3);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callerDoesNotWaitForTheSourceOfANullThatIsStoredWhenItHasTold(boolean absent) {
		CompletableFuture<Boolean> told = new CompletableFuture<Boolean>().completeOnTimeout(absent, 5,
				TimeUnit.SECONDS);
		try (CacheGuard guard = new CacheGuard(connections, "bloom-guard", (name) -> CacheRules.DEFAULT, List.of(),
				Runnable::run, Duration.ofSeconds(10), (name, key) -> () -> Answer.from(told), Stream::empty)) {
			CachedProducts products = CachedProducts.of(RedisCacheManager.builder(guard.writer()).build(),
					IntUnaryOperator.identity());
			assertThat(products.findNone(7)).isNull();
			assertThat(redis.keys("products::7")).isEmpty();
			assertThat(redis.keys(TOKENS)).hasSize(1);
			told.complete(absent);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
			assertThat(redis.keys("products::7")).hasSize(absent ? 1 : 0);
		}
	}

	@Test
	void valueThatIsNotStoredAfterAClearUsesItsTokenUpToo() {
		this.row = 1;
		this.duringTheLoad = () -> this.elsewhere.cache("products").clear();
		this.products.find(7);
		assertThat(redis.keys("products::7")).isEmpty();
		assertThat(redis.keys(TOKENS)).isEmpty();
	}

	@Test
	void loadStoresUnderATokenThatAnotherOneHasGivenBackMeanwhile() {
		this.row = 1;
		this.duringTheLoad = () -> {
			this.duringTheLoad = () -> {
			};
			this.row = -2;
			assertThatException().isThrownBy(() -> products(this.elsewhere).find(7));
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(holders(7)).isEqualTo("1"));
		};
		this.products.find(7);
		assertThat(this.instance.cache("products").get(7, Integer.class)).isOne();
		assertThat(redis.keys(TOKENS)).isEmpty();
	}

	@Test
	void tokenIsNotTakenFromLoadsThatHoldAnotherOne() {
		this.row = 1;
		byte[] key = "products::7".getBytes(StandardCharsets.UTF_8);
		this.duringTheLoad = () -> this.elsewhere.guard.parts()
			.scripts()
			.giveBack(List.of(new HeldToken(key, new byte[16])));
		this.products.find(7);
		assertThat(this.instance.cache("products").get(7, Integer.class)).isOne();
	}

	@Test
	void whatMayBePutAfterTheCommitIsGivenBackWhenTheTransactionIsOver() {
		try (GuardedInstance sharing = GuardedInstance.of(connections, CacheRules.DEFAULT, (config) -> config,
				RedisCacheManagerBuilder::transactionAware)) {
			CachedProducts products = products(sharing);
			new TransactionTemplate(new TestTransactions()).executeWithoutResult((status) -> {
				products.findPositive(7);
				this.row = 1;
				products.findPositive(8);
				assertThat(redis.keys(TOKENS)).hasSize(2);
			});
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys(TOKENS)).isEmpty());
			assertThat(redis.keys("products::*")).containsExactly("products::8");
		}
	}

	@Test
	void instanceThatWaitsForTheLoadOfAnotherOneTakesNoToken() {
		this.row = 1;
		Cache other = this.elsewhere.cache("products");
		FutureTask<Integer> waiting = new FutureTask<>(() -> other.get(7, () -> 2));
		this.duringTheLoad = () -> {
			long scripts = redis.calls("evalsha");
			new Thread(waiting).start();
			Awaitility.await().until(() -> redis.calls("evalsha") > scripts + 3);
			assertThat(holders(7)).isEqualTo("1");
		};
		assertThat(this.products.findOnce(7)).isOne();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(1);
	}

	@Test
	void tokensThatAreTooManyOrThatRedisDoesNotTakeAreLeftToExpire() {
		Queue<Runnable> tasks = new ArrayDeque<>();
		List<Integer> sent = new ArrayList<>();
		TokenReturns returns = new TokenReturns(new EntryScripts(new EntryScripts.Runner() {

			@Override
			public <T> T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments) {
				sent.add(keys);
				throw new IllegalStateException("Redis does not answer");
			}

		}, new CompanionKeys("bloom-guard", (cache) -> cache)), (task) -> {
			if (!tasks.isEmpty()) {
				throw new RejectedExecutionException();
			}
			tasks.add(task);
		});
		LoadToken token = LoadToken.of(new byte[33], new byte[0]);
		for (int id = 0; id < TokenReturns.MOST + 10; id++) {
			returns.add(new EntryKey("products", String.valueOf(id).getBytes(StandardCharsets.UTF_8)), token);
		}
		returns.add(new EntryKey("products", new byte[1]), null);
		returns.add(new EntryKey("products", new byte[1]), LoadToken.INVALID);
		tasks.remove().run();
		assertThat(sent.stream().mapToInt(Integer::intValue).sum()).isEqualTo(TokenReturns.MOST);
		returns.add(new EntryKey("products", new byte[1]), token);
		assertThat(tasks).as("begins anew").hasSize(1);
	}

	private static String holders(int id) {
		return redis
			.command("EVAL", "return string.sub(redis.call('GET', KEYS[1]), 17)", "1",
					"bloom-guard:cache:load:{products::" + id + "}")
			.strip();
	}

	/**
	 * How a load ends without a put.
	 */
	enum Load {

		UNLESS(-1, CachedProducts::findPositive),

		FAILS(-2, CachedProducts::find),

		FAILS_ONCE(-2, CachedProducts::findOnce),

		UNLESS_LATER(-1, (products, id) -> products.findPositiveLater(id).join()),

		FAILS_LATER(-2, (products, id) -> products.findLater(id).join()),

		FAILS_ONCE_LATER(-2, (products, id) -> products.findOnceLater(id).join()),

		UNLESS_MONO(-1, (products, id) -> products.findPositiveMono(id).block()),

		FAILS_ONCE_MONO(-2, (products, id) -> products.findOnceMono(id).block()),

		UNLESS_FLUX(-1, (products, id) -> products.findPositiveFlux(id).blockLast()),

		FAILS_FLUX(-2, (products, id) -> products.findFlux(id).blockLast());

		private final int row;

		private final StaleSetTests.Read read;

		Load(int row, StaleSetTests.Read read) {
			this.row = row;
			this.read = read;
		}

		void run(CachedProducts products, int id) {
			if (this.row == -1) {
				this.read.read(products, id);
			}
			else {
				assertThatException().isThrownBy(() -> this.read.read(products, id));
			}
		}

	}

}
