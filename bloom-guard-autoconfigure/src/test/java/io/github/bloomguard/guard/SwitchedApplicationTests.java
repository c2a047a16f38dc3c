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
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the mode of a filter can be switched at run time.
 */
class SwitchedApplicationTests {

	@Test
	void switchIsSeenByAllInstancesUntilItIsTakenBack() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = start(redis).awaitReady();
				GuardApplication other = start(redis, "bloom-guard.filters.products.mirror.enabled=true")
					.awaitReady()) {
			assertThat(other.filter("products").check(-1).await()).isEqualTo(Decision.ABSENT);
			switchTo(one, FilterMode.SHADOW);
			assertThat(one.products().filter().state()).isEqualTo(FilterState.SHADOW);
			assertThat(one.filter("products").check(-1).await()).isEqualTo(Decision.LET_THROUGH);
			other.awaitState(FilterState.SHADOW);
			assertThat(other.filter("products").check(-1).await()).isEqualTo(Decision.LET_THROUGH);
			switchTo(other, FilterMode.OFF);
			one.awaitState(FilterState.OFF);
			assertThat(one.filter("products").check(-1).await()).isEqualTo(Decision.UNKNOWN);
			one.guard().add("products", -1);
			takeBack(one).join();
			one.awaitReady();
			other.awaitReady();
			assertThat(other.guard().membership("products", -1)).isEqualTo(Membership.MAYBE);
			Awaitility.await().until(() -> other.filter("products").check(-2).await().equals(Decision.ABSENT));
		}
	}

	@Test
	@Tag("slow")
	void switchOutlivesAFlushAndAnOutageAndNoInstanceBringsBackWhatWasTakenBack() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = start(redis, "bloom-guard.timeout=1s").awaitReady();
				GuardApplication other = start(redis, "bloom-guard.timeout=1s").awaitReady()) {
			switchTo(one, FilterMode.OFF);
			other.awaitState(FilterState.OFF);
			redis.command("FLUSHALL");
			Awaitility.await().until(() -> !redis.command("KEYS", "*products*").isEmpty());
			try (GuardApplication late = start(redis)) {
				late.awaitState(FilterState.OFF);
			}
			redis.freeze();
			try {
				Awaitility.await()
					.during(Duration.ofSeconds(3))
					.until(() -> one.products().filter().state() == FilterState.OFF);
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> takeBack(one).orTimeout(5, TimeUnit.SECONDS).join());
			}
			finally {
				redis.thaw();
			}
			takeBack(one).join();
			one.awaitReady();
			other.awaitReady();
		}
	}

	private static GuardApplication start(TestRedis redis, String... properties) {
		return GuardApplication.start(redis, List.of(new Keys("products", 100)), properties);
	}

	private static void switchTo(GuardApplication application, FilterMode mode) {
		application.products().filter().switchTo(new ModeSwitch(mode, Instant.now(), null)).join();
	}

	private static CompletableFuture<Void> takeBack(GuardApplication application) {
		return application.products().filter().switchTo(null);
	}

}
