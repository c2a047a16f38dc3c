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

package io.github.bloomguard;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.instance.MirrorStatus.State;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for mirrors of instances that share a Redis.
 */
@Tag("slow")
class MirrorTests {

	private static final int CALLS = 500;

	/**
	 * What refreshes ask meanwhile.
	 */
	private static final int BACKGROUND = 100;

	@Test
	void keyThatIsAddedElsewhereIsFoundAtOnceAndNothingIsAsked() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = start(redis);
				GuardApplication other = start(redis)) {
			awaitMirror(one);
			awaitMirror(other);
			redis.command("CONFIG", "RESETSTAT");
			for (int i = 0; i < CALLS; i++) {
				int key = 1_000_000 + i;
				assertThat(other.guard().mightContain("products", key)).isFalse();
				one.guard().add("products", key);
				assertThat(told(other, key)).isEqualTo(Membership.MAYBE);
				assertThat(told(one, key)).isEqualTo(Membership.MAYBE);
				assertThat(told(other, -key)).isEqualTo(Membership.ABSENT);
			}
			assertThat(redis.calls("bitfield_ro")).isLessThan(BACKGROUND);
			assertThat(other.guard().membership("products", 500)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void callThatTheMirrorDecidesIsAnsweredAtOnceAndOnTheCallersThread() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			awaitMirror(one);
			GuardedFilter filter = one.filter("products");
			List<Integer> keys = IntStream.range(500, 5_000).boxed().toList();
			assertThat(filter.check("absent").future()).isCompletedWithValue(Decision.ABSENT);
			assertThat(filter.possible(keys).future()).isCompleted();
			assertThat(filter.possible(keys).await().positions().cardinality()).isBetween(501, 700);
			assertThat(filter.check("absent").await()).isEqualTo(Decision.ABSENT);
			FilterStatistics statistics = one.products().statistics();
			assertThat(statistics.lookups(Source.MIRROR)).isGreaterThan(9_000);
			assertThat(one.products().filter().mirrorStatus()).satisfies((status) -> {
				assertThat(status.state()).isEqualTo(State.ANSWERING);
				assertThat(status.sizeInBytes()).isPositive();
				assertThat(status.position()).isNotNull();
				assertThat(status.problem()).isNull();
			});
		}
	}

	@Test
	void instanceThatIsShutDownSignsOff() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			GuardApplication other = start(redis);
			awaitMirror(one);
			awaitMirror(other);
			assertThat(holders(redis)).isEqualTo(2);
			one.guard().add("products", "when the record is new, the first add waits");
			other.close();
			assertThat(holders(redis)).isEqualTo(1);
			assertThat(timeOfAdd(one, "new")).isLessThan(ControlRecord.LEASE);
		}
	}

	@Test
	void instanceThatDiedHoldsAddsUpOnceAndNotForLong() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			awaitMirror(one);
			one.guard().add("products", "when the record is new, the first add waits");
			redis.command("HSET", "bloom-guard:{products}:control", "holder:dead", "incarnation|0-0");
			// longer, where this process stood still meanwhile
			assertThat(timeOfAdd(one, "first")).isBetween(ControlRecord.LEASE,
					ControlRecord.LEASE_ENDS.multipliedBy(3));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> timeOfAdd(one, "next").compareTo(ControlRecord.LEASE) < 0);
			assertThat(holders(redis)).isEqualTo(1);
		}
	}

	@Test
	void mirrorThatWasRevokedIsGivenUpAndMadeAnew() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			awaitMirror(one);
			redis.command("EVAL",
					"for _, f in ipairs(redis.call('hkeys', KEYS[1])) do if string.sub(f, 1, 7) == 'holder:' then redis.call('hdel', KEYS[1], f) end end return redis.call('hincrby', KEYS[1], 'changes', 1)",
					"1", "bloom-guard:{products}:control");
			Awaitility.await().until(() -> holders(redis) == 1);
			awaitMirror(one);
		}
	}

	@Test
	void mirrorEndsWithTheGenerationAndFollowsTheNext() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			awaitMirror(one);
			String active = one.products().filter().active().id();
			one.guard().rebuild("products").join();
			Awaitility.await().until(() -> !one.products().filter().active().id().equals(active));
			awaitMirror(one);
			redis.command("FLUSHALL");
			Awaitility.await().until(() -> here(one, "absent") == Membership.UNKNOWN);
			one.awaitReady();
			awaitMirror(one);
			assertThat(told(one, 500)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void filterThatIsTooLargeHasNoMirror() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = GuardApplication.start(redis, new Keys("products", 1000),
						"bloom-guard.filters.products.mirror.enabled=true",
						"bloom-guard.filters.products.mirror.max-memory=1KB")) {
			one.awaitReady();
			one.products().filter().refresh().join();
			one.products().filter().refresh().join();
			assertThat(here(one, "absent")).isEqualTo(Membership.UNKNOWN);
			assertThat(one.guard().mightContain("products", "absent")).isFalse();
			assertThat(holders(redis)).isZero();
		}
	}

	private static GuardApplication start(TestRedis redis) {
		return GuardApplication.start(redis, new Keys("products", 1000),
				"bloom-guard.filters.products.mirror.enabled=true");
	}

	private static void awaitMirror(GuardApplication application) {
		Awaitility.await().until(() -> here(application, "absent") == Membership.ABSENT);
	}

	private static Membership here(GuardApplication application, Object key) {
		return application.products()
			.filter()
			.lookupInMemory(application.products().filter().snapshot(), key.toString());
	}

	private static Membership told(GuardApplication application, Object key) {
		return GuardApplication.answer(() -> here(application, key));
	}

	private static Duration timeOfAdd(GuardApplication application, String key) {
		long begun = System.nanoTime();
		application.guard().add("products", key);
		return Duration.ofNanos(System.nanoTime() - begun);
	}

	private static long holders(TestRedis redis) {
		return redis.command("HKEYS", "bloom-guard:{products}:control")
			.lines()
			.filter((field) -> field.contains("holder:"))
			.count();
	}

}
