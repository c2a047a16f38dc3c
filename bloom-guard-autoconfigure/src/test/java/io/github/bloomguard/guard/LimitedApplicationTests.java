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

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that an application limits the loads of a filter that can't tell. Which calls
 * count, {@code bloom-guard-core} shows, and for how long, {@code bloom-guard-spring}.
 */
class LimitedApplicationTests {

	@Test
	void callsAboveTheLimitAreRejectedUntilOthersHaveEnded() {
		CountDownLatch warmUp = new CountDownLatch(1);
		Keys keys = new Keys("products", 100);
		keys.beforeRead(() -> {
			try {
				warmUp.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis, List.of(keys, Products.class),
						"bloom-guard.filters.products.fallback.max-concurrent-loads=1")) {
			Products products = application.bean(Products.class);
			assertThat(products.find(1, () -> assertThatExceptionOfType(LoadRejectedException.class)
				.isThrownBy(() -> products.find(2, () -> {
				})))).isEqualTo("product 1");
			assertThat(products.find(2, () -> {
			})).isEqualTo("product 2");
		}
		finally {
			warmUp.countDown();
		}
	}

	static class Products {

		@BloomGuarded(filter = "products", key = "#id")
		public String find(long id, Runnable meanwhile) {
			meanwhile.run();
			return "product " + id;
		}

	}

}
