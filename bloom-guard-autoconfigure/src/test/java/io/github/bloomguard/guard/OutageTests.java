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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a Redis that hangs or is gone.
 */
class OutageTests {

	private static final int LAST = 200;

	private static final long TIMEOUT_MILLIS = 200;

	/**
	 * For a process that stands still meanwhile: less than Redisson waits by itself.
	 */
	private static final long MARGIN_MILLIS = 2000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static GuardApplication application;

	private static GuardedFilter products;

	private @Nullable Outage outage;

	@BeforeAll
	static void start() {
		application = startApplication();
		products = application.products().guard();
	}

	private static GuardApplication startApplication() {
		return GuardApplication.start(redis, new Keys("products", LAST), "bloom-guard.timeout=" + TIMEOUT_MILLIS + "ms",
				"bloom-guard.add-timeout=2s");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		Awaitility.await().pollDelay(Duration.ZERO).until(() -> products.membership(1) == Membership.MAYBE);
	}

	@AfterEach
	void endOutage() {
		if (this.outage != null) {
			this.outage.end(redis);
		}
	}

	private void begin(Outage outage) {
		this.outage = outage;
		outage.begin(redis);
	}

	@ParameterizedTest
	@EnumSource
	void callsGoThroughInTimeUntilRedisIsBack(Outage outage) {
		begin(outage);
		for (int id = 1; id <= LAST; id++) {
			Decision verdict = inTime(products, id);
			assertThat(verdict.membership()).isEqualTo(Membership.UNKNOWN);
			assertThat(verdict.answered()).isFalse();
		}
		assertThat(inTime(() -> products.possible(LongStream.rangeClosed(1, 3000).boxed().toList()).await()).positions()
			.cardinality()).isEqualTo(3000);
		assertThat(inTime(() -> products.membership(-1))).isEqualTo(Membership.UNKNOWN);
		application.awaitState(FilterState.UNREACHABLE);
		endOutage();
		this.outage = null;
		application.awaitReady();
		Awaitility.await().until(() -> products.check(-1).await().equals(Decision.ABSENT));
		assertThat(IntStream.rangeClosed(1, LAST)).noneMatch((id) -> products.membership(id) == Membership.ABSENT);
		// on a busy machine one of them may be told too late
		Awaitility.await()
			.until(() -> IntStream.rangeClosed(1, LAST).allMatch((id) -> products.membership(id) == Membership.MAYBE));
	}

	@ParameterizedTest
	@EnumSource
	void callsAtTheSameTimeDoNotWaitForEachOther(Outage outage) {
		begin(outage);
		List<CompletableFuture<Decision>> calls = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			CompletableFuture<Decision> call = new CompletableFuture<>();
			new Thread(() -> call.complete(inTime(products, 1))).start();
			calls.add(call.orTimeout(10, TimeUnit.SECONDS));
		}
		assertThat(calls.stream().map(CompletableFuture::join)).containsOnly(Decision.UNKNOWN);
	}

	@ParameterizedTest
	@EnumSource
	void asynchronousCallsDoNotBlockTheirCaller(Outage outage) {
		begin(outage);
		long waited = waitedMillis();
		CompletableFuture<Decision> verdict = products.check(1).future();
		CompletableFuture<?> possible = products.possible(List.of(1, 2)).future();
		products.loaded(1, Decision.maybe(1), true, false);
		assertThat(waitedMillis() - waited).isLessThan(TIMEOUT_MILLIS / 2);
		assertThat(inTime(verdict::join)).isEqualTo(Decision.UNKNOWN);
		assertThat(inTime(possible::join)).isEqualTo(products.possible(List.of(1, 2)).await());
	}

	/**
	 * Return for how long this thread has waited. How often is no measure: an appender or
	 * a queue has a lock, which others hold for a moment.
	 */
	private static long waitedMillis() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		threads.setThreadContentionMonitoringEnabled(true);
		return threads.getThreadInfo(Thread.currentThread().getId()).getWaitedTime();
	}

	@ParameterizedTest
	@EnumSource
	void addingFailsInTime(Outage outage) {
		begin(outage);
		long start = System.nanoTime();
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> application.written("products").add(List.of(1)));
		assertThat(millisSince(start)).isLessThan(2000 + MARGIN_MILLIS);
	}

	@ParameterizedTest
	@EnumSource
	void applicationStopsSoon(Outage outage) {
		GuardApplication other = startApplication().awaitReady();
		begin(outage);
		long start = System.nanoTime();
		other.close();
		assertThat(millisSince(start)).isLessThan(8000);
	}

	@Test
	void redisThatIsKnownToBeGoneIsNotWaitedFor() {
		begin(Outage.FROZEN);
		for (int i = 0; i < 10; i++) {
			products.check(1).await();
		}
		long start = System.nanoTime();
		for (int i = 0; i < 100; i++) {
			assertThat(products.check(1).await()).isEqualTo(Decision.UNKNOWN);
		}
		assertThat(millisSince(start)).isLessThan(TIMEOUT_MILLIS * 5 + MARGIN_MILLIS);
	}

	private static Decision inTime(GuardedFilter filter, Object key) {
		return inTime(() -> filter.check(key).await());
	}

	private static <T> T inTime(Supplier<T> call) {
		long start = System.nanoTime();
		T result = call.get();
		assertThat(millisSince(start)).isLessThan(TIMEOUT_MILLIS + MARGIN_MILLIS);
		return result;
	}

	private static long millisSince(long start) {
		return Duration.ofNanos(System.nanoTime() - start).toMillis();
	}

	private enum Outage {

		FROZEN {

			@Override
			void begin(TestRedis redis) {
				redis.freeze();
			}

			@Override
			void end(TestRedis redis) {
				redis.thaw();
			}

		},

		KILLED {

			@Override
			void begin(TestRedis redis) {
				redis.kill();
			}

			@Override
			void end(TestRedis redis) {
				redis.restart();
			}

		};

		abstract void begin(TestRedis redis);

		abstract void end(TestRedis redis);

	}

}
