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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that guarded and cached methods may be called by a great many virtual threads.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads")
class VirtualThreadTests {

	private static final int CALLERS = 10_000;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/**
	 * Long enough that what two busy cores can't do at once is not what is measured.
	 */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);

	/**
	 * What a call may take beside its waits, one for the filter and one for the cache:
	 * thousands of callers are woken at the same moment, on a machine that may have other
	 * work. If each held one of the few threads that carry them while it waits, they
	 * would take more than half an hour.
	 */
	private static final Duration SLACK = Duration.ofSeconds(30);

	@Test
	void noneOfManyVirtualThreadsWaitsLongerThanItMayWhileRedisIsFrozen() throws Exception {
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis,
						List.of(new Keys("products", 1000), Products.class, Caching.class),
						"spring.threads.virtual.enabled=true", "bloom-guard.timeout=" + TIMEOUT.toMillis() + "ms",
						"bloom-guard.cache.timeout=" + TIMEOUT.toMillis() + "ms")) {
			application.awaitReady();
			Products products = application.bean(Products.class);
			Callers callers = new Callers(products);
			callers.start();
			try {
				callers.awaitCalls(CALLERS);
				redis.freeze();
				Awaitility.await().until(() -> application.products().filter().state() == FilterState.UNREACHABLE);
				callers.awaitCalls(2 * CALLERS);
			}
			finally {
				redis.thaw();
			}
			application.awaitReady();
			callers.awaitCalls(CALLERS);
			callers.stop();
			assertThat(Duration.ofNanos(callers.longest.get())).isLessThan(TIMEOUT.multipliedBy(2).plus(SLACK));
			assertThat(products.find(999_999)).isNull();
			assertThat(products.find(7)).isEqualTo("Product 7");
		}
	}

	/**
	 * Those who call, each now and then.
	 */
	private static final class Callers {

		private final Products products;

		private final AtomicLong calls = new AtomicLong();

		private final AtomicLong longest = new AtomicLong();

		private final CountDownLatch ended = new CountDownLatch(CALLERS);

		private volatile boolean stopped;

		Callers(Products products) {
			this.products = products;
		}

		void start() {
			VirtualThreadTaskExecutor threads = new VirtualThreadTaskExecutor("caller-");
			for (int i = 0; i < CALLERS; i++) {
				threads.execute(this::call);
			}
		}

		private void call() {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			while (!this.stopped) {
				LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE.toNanos()));
				long start = System.nanoTime();
				this.products.find(random.nextLong(2000));
				this.longest.accumulateAndGet(System.nanoTime() - start, Math::max);
				this.calls.incrementAndGet();
			}
			this.ended.countDown();
		}

		void awaitCalls(int more) {
			long before = this.calls.get();
			Awaitility.await().until(() -> this.calls.get() >= before + more);
		}

		void stop() throws InterruptedException {
			this.stopped = true;
			assertThat(this.ended.await(30, TimeUnit.SECONDS)).as("all threads have ended").isTrue();
		}

	}

	static class Products {

		@BloomGuarded(filter = "products", key = "#id")
		@Cacheable("products")
		public @Nullable String find(long id) {
			return "Product " + id;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

}
