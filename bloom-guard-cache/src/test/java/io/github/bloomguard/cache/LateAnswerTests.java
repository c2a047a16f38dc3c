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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.cache.Cache;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * What is loaded while Redis answers, but not in time.
 */
@Timeout(60)
class LateAnswerTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static LettuceConnectionFactory connections;

	private final AtomicInteger commands = new AtomicInteger();

	private final AtomicInteger loads = new AtomicInteger();

	@BeforeAll
	static void connect() {
		connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connections.afterPropertiesSet();
		connections.start();
	}

	@AfterAll
	static void disconnect() {
		connections.destroy();
	}

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	@Test
	void valueWhoseReadWasLateIsStored() {
		try (GuardedInstance instance = instance(Duration.ofSeconds(20), "get", LateAnswerTests::fail)) {
			assertThat(products(instance).find(7)).isEqualTo(1);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys("products*")).hasSize(1));
			assertThat(products(instance).find(7)).isEqualTo(1);
			assertThat(instance.listener.dropped).hasValue(0);
		}
	}

	@Test
	void valueWhoseTokenWasLateIsStoredUnderTheEpochOfBefore() {
		try (GuardedInstance instance = instanceThatIsToldNoToken()) {
			assertThat(products(instance).find(7)).isEqualTo(1);
			assertThat(products(instance).findOnce(8)).isEqualTo(2);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys("products*")).hasSize(2));
			assertThat(products(instance).find(7)).isEqualTo(1);
			assertThat(products(instance).findOnce(8)).isEqualTo(2);
		}
	}

	@Test
	void nullWhoseTokenWasLateIsNotStored() {
		try (GuardedInstance instance = instanceThatIsToldNoToken()) {
			instance.cache("products").get(7, () -> null);
			CountDownLatch late = new CountDownLatch(1);
			instance.guard.parts().late().add(0, (scripts) -> true, (done) -> late.countDown());
			Callers.await(late);
			assertThat(redis.keys("products*")).isEmpty();
		}
	}

	@Test
	void valueIsNotStoredUnderAnEpochThatANullValueHasEnded() {
		try (GuardedInstance instance = instanceThatIsToldNoToken();
				GuardedInstance other = GuardedInstance.of(connections)) {
			CachedProducts products = CachedProducts.of(instance.manager, (id) -> {
				CompletableFuture.runAsync(() -> other.cache("products").put(id, null)).join();
				return id;
			});
			assertThat(products.find(7)).isEqualTo(7);
			Awaitility.await().untilAsserted(() -> assertThat(instance.listener.dropped).hasValue(1));
			assertThat(other.cache("products").get(7).get()).isNull();
		}
	}

	@Test
	void valueThatIsThereIsFoundAlthoughItsReadWasLate() {
		redis.command("SET", "products::7", "there");
		try (GuardedInstance instance = instance(Duration.ofSeconds(20), "get", LateAnswerTests::fail)) {
			CachedCall call = new CachedCall((method, type) -> List.of(), mock());
			byte[] key = "products::7".getBytes(StandardCharsets.UTF_8);
			call.run(() -> assertThat(instance.cache("products").getNativeCache().get("products", key)).asString()
				.isEqualTo("there"));
		}
	}

	@Test
	void rightToLoadThatIsGrantedLateIsHadByTheCallerThatHasAskedForIt() {
		CountDownLatch askedAgain = new CountDownLatch(2);
		try (GuardedInstance instance = instance(Duration.ofSeconds(1), "evalSha", (times) -> {
			askedAgain.countDown();
			Callers.await(askedAgain);
			if (times == 1) {
				Awaitility.await().until(() -> !redis.keys("bloom-guard:cache:lock*").isEmpty());
			}
		})) {
			assertThat(products(instance).findOnce(7)).isEqualTo(1);
			assertThat(instance.listener.waits).hasValue(0);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys("products*")).hasSize(1));
			assertThat(products(instance).findOnce(7)).isEqualTo(1);
			assertThat(instance.listener.dropped).hasValue(0);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys("bloom-guard:cache:lock*")).isEmpty());
		}
	}

	@Test
	void silentRedisIsAskedForNothing() {
		try (GuardedInstance instance = instance(Duration.ofSeconds(20), "none", (times) -> {
		})) {
			assertThat(products(instance).find(1)).isEqualTo(1);
			redis.freeze();
			try {
				instance.guard.breaker().open(new TimeoutException());
				int before = this.commands.get();
				assertThat(products(instance).find(7)).isEqualTo(2);
				assertThat(products(instance).findOnce(8)).isEqualTo(3);
				assertThat(this.commands).hasValue(before);
			}
			finally {
				redis.thaw();
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void whatCouldNotBeRemovedIsRemovedWhenRedisAnswersAgain(Removal removal) {
		AtomicBoolean silent = new AtomicBoolean();
		CountDownLatch triedAgain = new CountDownLatch(1);
		try (GuardedInstance instance = GuardedInstance
			.impatient(SteppedRedis.of(connections, (sent, arguments, proceed) -> {
				if (silent.get()) {
					if (StaleSetTests.isLate()) {
						triedAgain.countDown();
					}
					throw new QueryTimeoutException("silent");
				}
				return proceed.call();
			}), Duration.ofSeconds(20))) {
			CachedProducts products = products(instance);
			products.find(7);
			AtomicBoolean failed = new AtomicBoolean();
			try {
				removal.step.accept(products, instance.cache("products"), () -> silent.set(true));
			}
			catch (QueryTimeoutException ex) {
				failed.set(true);
			}
			Callers.await(triedAgain);
			assertThat(redis.keys("products*")).hasSize(1);
			silent.set(false);
			Awaitility.await().untilAsserted(() -> assertThat(redis.keys("products*")).isEmpty());
			assertThat(failed.get()).as("told").isEqualTo(removal.isTold());
		}
	}

	@Test
	void clearThatIsMadeLaterIsThatOfItsTenant() {
		AtomicBoolean silent = new AtomicBoolean();
		ThreadLocal<String> tenant = new ThreadLocal<>();
		tenant.set("a:");
		try (GuardedInstance instance = GuardedInstance
			.impatient(SteppedRedis.of(connections, (sent, arguments, proceed) -> {
				if (silent.get()) {
					throw new QueryTimeoutException("silent");
				}
				return proceed.call();
			}), Duration.ofSeconds(20),
					(configuration) -> configuration.computePrefixWith((name) -> Objects.requireNonNull(tenant.get())),
					UnaryOperator.identity())) {
			products(instance).find(7);
			CachedProducts overtaken = CachedProducts.of(instance.manager, (id) -> {
				silent.set(true);
				assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(instance.cache("products")::clear);
				silent.set(false);
				Awaitility.await().untilAsserted(() -> assertThat(redis.keys("a:7")).isEmpty());
				return this.loads.incrementAndGet();
			});
			overtaken.find(8);
			assertThat(redis.keys("a:*")).isEmpty();
			products(instance).find(8);
			assertThat(redis.keys("a:*")).hasSize(1);
		}
	}

	private GuardedInstance instanceThatIsToldNoToken() {
		GuardedInstance instance = GuardedInstance
			.impatient(SteppedRedis.of(connections, (sent, arguments, proceed) -> {
				if (sent.equals("evalSha") && Stream.of((byte[][]) arguments[3])
					.anyMatch((argument) -> List.of("miss", "claim").contains(new String(argument)))) {
					throw new QueryTimeoutException("late");
				}
				return proceed.call();
			}), Duration.ofSeconds(20));
		Awaitility.await().until(() -> instance.guard.parts().epoch().token() != LoadToken.INVALID);
		return instance;
	}

	private CachedProducts products(GuardedInstance instance) {
		return CachedProducts.of(instance.manager, (id) -> this.loads.incrementAndGet());
	}

	/**
	 * Return an instance that is late with a command.
	 * @param late is run before the command is sent, with how often it was sent before
	 */
	private GuardedInstance instance(Duration timeout, String command, IntConsumer late) {
		AtomicInteger times = new AtomicInteger();
		return GuardedInstance.impatient(SteppedRedis.of(connections, (sent, arguments, proceed) -> {
			if (!StaleSetTests.isLate()) {
				this.commands.incrementAndGet();
			}
			if (sent.equals(command)) {
				late.accept(times.getAndIncrement());
			}
			return proceed.call();
		}), timeout);
	}

	private static void fail(int times) {
		if (times == 0) {
			throw new QueryTimeoutException("late");
		}
	}

	/**
	 * How an entry is removed. Redis falls silent meanwhile.
	 */
	enum Removal {

		EVICT((products, cache, silence) -> products.update(7, silence)),

		EVICT_NOW((products, cache, silence) -> {
			silence.run();
			cache.evictIfPresent(7);
		}),

		CLEAR((products, cache, silence) -> products.updateAll(silence)),

		INVALIDATE((products, cache, silence) -> {
			silence.run();
			cache.invalidate();
		}),

		PUT((products, cache, silence) -> products.replace(7, silence)),

		EVICT_BEFORE((products, cache, silence) -> products.evictAndUpdate(7, () -> {
			products.find(7);
			silence.run();
		}));

		private final Step step;

		Removal(Step step) {
			this.step = step;
		}

		boolean isTold() {
			return this != PUT && this != EVICT_BEFORE;
		}

	}

	@FunctionalInterface
	interface Step {

		void accept(CachedProducts products, Cache cache, Runnable silence);

	}

}
