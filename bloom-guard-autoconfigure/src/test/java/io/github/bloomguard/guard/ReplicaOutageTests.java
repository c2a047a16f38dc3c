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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a Redis whose replicas are gone although keys must be on one of them.
 */
@Tag("slow")
class ReplicaOutageTests {

	private static final int ADDERS = 16;

	@Test
	void readersAreAnsweredWhileNoReplicaTakesWhatIsAdded() throws Exception {
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis, new Keys("products", 100),
						"bloom-guard.filters.products.add-replicas=1", "bloom-guard.timeout=500ms",
						"bloom-guard.add-timeout=500ms")) {
			application.awaitReady();
			BloomGuard guard = application.bean(BloomGuard.class);
			AtomicBoolean stopped = new AtomicBoolean();
			AtomicInteger failed = new AtomicInteger();
			ExecutorService adders = Executors.newFixedThreadPool(ADDERS);
			for (int i = 0; i < ADDERS; i++) {
				long key = 1000 + i;
				adders.execute(() -> {
					while (!stopped.get()) {
						try {
							guard.add("products", key);
						}
						catch (KeyNotAddedException ex) {
							failed.incrementAndGet();
						}
					}
				});
			}
			try {
				Awaitility.await().until(() -> failed.get() >= ADDERS);
				// again where the process or Redis stood still, and nobody was answered
				Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
					int before = failed.get();
					while (failed.get() < before + 2 * ADDERS) {
						assertThat(guard.membership("products", "absent")).isEqualTo(Membership.ABSENT);
					}
				});
			}
			finally {
				stopped.set(true);
			}
			adders.shutdown();
			assertThat(adders.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		}
	}

}
