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
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.cache.Cache;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EarlyRefresh}.
 */
@Tag("slow")
class EarlyRefreshTests {

	private static final Duration LOAD_TIME = Duration.ofMillis(300);

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static LettuceConnectionFactory connectionFactory;

	private final AtomicInteger loads = new AtomicInteger();

	@BeforeAll
	static void start() {
		connectionFactory = new LettuceConnectionFactory("127.0.0.1", redis.port());
		connectionFactory.afterPropertiesSet();
		connectionFactory.start();
	}

	@AfterAll
	static void stop() {
		connectionFactory.destroy();
	}

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
		redis.command("CONFIG", "RESETSTAT");
	}

	@Test
	void hotKeyIsLoadedAgainBeforeItExpiresAndNobodyWaits() {
		GuardedInstance instance = instance(20, Duration.ofSeconds(20));
		Cache products = instance.cache("products");
		Object first = products.get(7, this::loadSlowly);
		CountDownLatch release = new CountDownLatch(1);
		Callable<Object> held = () -> {
			release.await();
			return "new";
		};
		Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> {
			assertThat(products.get(7, held)).isEqualTo(first);
			return instance.listener.earlyRefreshes.get() > 0;
		});
		assertThat(products.get(7, held)).isEqualTo(first);
		release.countDown();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> "new".equals(products.get(7, held)));
	}

	@Test
	void valueThatLivesLongEnoughIsNotLoadedAgain() {
		GuardedInstance instance = instance(1, Duration.ofMinutes(1));
		Cache products = instance.cache("products");
		products.get(7, this::loadSlowly);
		redis.command("PEXPIRE", "products::7", "600000");
		for (int i = 0; i < 2_000; i++) {
			products.get(7, this::loadSlowly);
		}
		assertThat(this.loads).hasValue(1);
		assertThat(redis.calls("pttl")).isLessThan(10);
	}

	@Test
	void oneCallerRefreshesWhileTheOthersReadTheOldValue() {
		GuardedInstance instance = instance(1_000_000, Duration.ofMinutes(1));
		GuardedInstance other = instance(1_000_000, Duration.ofMinutes(1));
		Cache products = instance.cache("products");
		products.get(7, this::loadSlowly);
		other.cache("products").get(8, this::loadSlowly);
		CountDownLatch refreshing = new CountDownLatch(1);
		AtomicInteger refreshes = new AtomicInteger();
		for (int i = 0; i < 50; i++) {
			for (GuardedInstance each : new GuardedInstance[] { instance, other }) {
				assertThat((Object) each.cache("products").get(7, () -> {
					refreshes.incrementAndGet();
					refreshing.await(10, TimeUnit.SECONDS);
					return "new value";
				})).isEqualTo("value 1");
			}
		}
		refreshing.countDown();
		Awaitility.await()
			.untilAsserted(() -> assertThat((Object) products.get(7, String.class)).isEqualTo("new value"));
		assertThat(refreshes).hasValue(1);
		Awaitility.await().untilAsserted(() -> assertThat(redis.keys("bloom-guard:cache:lock*")).isEmpty());
	}

	@Test
	void failedRefreshLeavesTheValue() {
		GuardedInstance instance = instance(1_000_000, Duration.ofMinutes(1));
		Cache products = instance.cache("products");
		products.get(7, this::loadSlowly);
		// one that Redis does not answer in time refreshes nothing
		Awaitility.await().until(() -> {
			Object value = products.get(7, () -> {
				throw new IllegalStateException("no database");
			});
			assertThat(value).isEqualTo("value 1");
			return instance.listener.failedLoads.get() > 0;
		});
		assertThat((Object) products.get(7, String.class)).isEqualTo("value 1");
	}

	@Test
	void nothingIsRefreshedByDefault() {
		GuardedInstance instance = instance(0, Duration.ofMinutes(1));
		Cache products = instance.cache("products");
		products.get(7, this::loadSlowly);
		redis.command("PEXPIRE", "products::7", "150");
		for (int i = 0; i < 50; i++) {
			products.get(7, () -> "other");
		}
		assertThat(instance.listener.earlyRefreshes).hasValue(0);
		assertThat(redis.calls("pttl")).isZero();
	}

	private String loadSlowly() throws InterruptedException {
		int load = this.loads.incrementAndGet();
		new CountDownLatch(1).await(LOAD_TIME.toMillis(), TimeUnit.MILLISECONDS);
		return "value " + load;
	}

	private GuardedInstance instance(double beta, Duration ttl) {
		CacheRules rules = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30), SharedLoads.DEFAULT, beta,
				Duration.ZERO, true);
		return GuardedInstance.of(connectionFactory, rules, (config) -> config.entryTtl(ttl));
	}

}
