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

package io.github.bloomguard.compatibility;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no existing key is reported as absent while Redis Cluster or Sentinel moves
 * the filter to another server, and that it is answered from there.
 */
class FailoverTests {

	private static final String CONTROL = "bloom-guard:{products}:control";

	private static GuardApplication start(Customers customers, String... properties) {
		GuardApplication application = GuardApplication.start(List.of(customers), Stream.concat(
				Stream.of(GuardApplication.WHOLE, "bloom-guard.filters.products.expected-insertions=200000",
						"bloom-guard.filters.products.rebuild.longest-transaction=1s", "bloom-guard.timeout=300ms"),
				Stream.of(properties))
			.toArray(String[]::new));
		return application.awaitReady();
	}

	private static void awaitReadyAgain(GuardApplication application) {
		awaitAnswers(application, Duration.ofSeconds(60));
	}

	private static void awaitAnswers(GuardApplication application, Duration atMost) {
		Awaitility.await("the filter answers")
			.atMost(atMost)
			.until(() -> application.products().filter().state() == FilterState.READY
					&& !application.guard().mightContain("products", "absent"));
	}

	private static void awaitLookups(Customers customers) {
		int lookups = customers.lookups();
		Awaitility.await("rows are read").until(() -> customers.lookups() > lookups + 500);
	}

	private static void awaitTraffic(Customers customers) {
		int lookups = customers.lookups();
		int rows = customers.rows();
		Awaitility.await("rows are read and inserted")
			.atMost(Duration.ofSeconds(30))
			.until(() -> customers.lookups() > lookups + 500 && customers.rows() > rows + 50);
	}

	@Test
	void clusterServesAFilter() {
		try (TestRedisCluster cluster = TestRedisCluster.start(false); Customers customers = new Customers()) {
			try (GuardApplication application = start(customers, cluster.property())) {
				BloomGuard guard = application.bean(BloomGuard.class);
				assertThat(guard.mightContain("products", 1000)).isTrue();
				awaitAnswers(application, Duration.ofSeconds(10));
				guard.add("products", "new");
				assertThat(guard.mightContain("products", "new")).isTrue();
				String before = cluster.primaryOf(CONTROL).command("HGET", CONTROL, "epoch");
				guard.rebuild("products").join();
				assertThat(cluster.primaryOf(CONTROL).command("HGET", CONTROL, "epoch")).isNotEqualTo(before);
				awaitAnswers(application, Duration.ofSeconds(10));
				assertThat(guard.mightContain("products", 1000)).isTrue();
				customers.start(guard);
				awaitTraffic(customers);
				TestRedis target = cluster.moveSlotOf(CONTROL, () -> awaitLookups(customers));
				long moved = System.nanoTime();
				awaitReadyAgain(application);
				System.out.printf("Slot moved: READY after %.1f s, %s%n", (System.nanoTime() - moved) / 1e9, customers);
				awaitTraffic(customers);
				customers.stop();
				assertThat(target.keys("bloom-guard:*")).contains(CONTROL);
				assertThat(customers.missed()).isEmpty();
			}
		}
	}

	@Test
	void existingKeysAreFoundWhileAPrimaryOfAClusterFailsOver() {
		try (TestRedisCluster cluster = TestRedisCluster.start(true); Customers customers = new Customers()) {
			try (GuardApplication application = start(customers, cluster.property(),
					"bloom-guard.filters.products.add-replicas=1")) {
				customers.start(application.bean(BloomGuard.class));
				awaitTraffic(customers);
				long failed = System.nanoTime();
				cluster.primaryOf(CONTROL).kill();
				Awaitility.await().until(() -> application.products().filter().state() != FilterState.READY);
				awaitReadyAgain(application);
				customers.stop();
				System.out.printf("Cluster failed over: READY after %.1f s, %s%n", (System.nanoTime() - failed) / 1e9,
						customers);
				assertThat(customers.missed()).isEmpty();
			}
		}
	}

	@Test
	void existingKeysAreFoundWhileSentinelFailsOver() {
		try (TestRedis primary = TestRedis.start();
				TestRedis replica = primary.startReplica();
				TestRedis sentinel = primary.startSentinel();
				Customers customers = new Customers()) {
			Awaitility.await()
				.until(() -> sentinel.command("SENTINEL", "REPLICAS", "shop").contains(String.valueOf(replica.port())));
			try (GuardApplication application = start(customers, "spring.data.redis.sentinel.master=shop",
					"spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port(),
					"bloom-guard.filters.products.add-replicas=1")) {
				customers.start(application.bean(BloomGuard.class));
				awaitTraffic(customers);
				long failed = System.nanoTime();
				primary.kill();
				Awaitility.await().until(() -> application.products().filter().state() != FilterState.READY);
				awaitReadyAgain(application);
				customers.stop();
				System.out.printf("Sentinel failed over: READY after %.1f s, %s%n", (System.nanoTime() - failed) / 1e9,
						customers);
				assertThat(replica.keys("bloom-guard:*")).contains(CONTROL);
				assertThat(customers.missed()).isEmpty();
			}
		}
	}

}
