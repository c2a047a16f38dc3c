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

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.testsupport.TestRedisCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a client of the guard's own serves a filter of a cluster. How it is
 * connected to one depends on the version of Redisson.
 */
class OwnClientInClusterTests {

	@Test
	void filterIsLoadedAskedAndAddedTo() {
		try (TestRedisCluster cluster = TestRedisCluster.start(false);
				ConfigurableApplicationContext context = CatalogueApplication
					.application(cluster.property(), "bloom-guard.redis.own-client=true")
					.run()) {
			BloomGuard guard = context.getBean(BloomGuard.class);
			Awaitility.await().until(() -> guard.membership("products", 1_000_000L) == Membership.ABSENT);
			assertThat(guard.membership("products", 1L)).isEqualTo(Membership.MAYBE);
			guard.add("products", 1_000_000L);
			assertThat(guard.membership("products", 1_000_000L)).isEqualTo(Membership.MAYBE);
		}
	}

}
