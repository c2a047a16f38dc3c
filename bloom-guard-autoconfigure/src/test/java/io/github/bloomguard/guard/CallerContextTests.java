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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.core.task.TaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is bound to the caller's thread when a guarded method is called by
 * another one.
 */
class CallerContextTests {

	private static final ThreadLocal<@Nullable String> tenant = new ThreadLocal<>();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AfterEach
	void leave() {
		tenant.remove();
	}

	@Test
	void methodThatIsCalledWhenRedisHasAnsweredSeesWhatTheApplicationsTaskDecoratorBrings() throws Exception {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(new Keys("products", 3), new TenantDecorator(), Products.class))) {
			Products products = application.awaitReady().bean(Products.class);
			for (String name : List.of("one", "two")) {
				tenant.set(name);
				for (long id = 1; id <= 3; id++) {
					assertThat(products.tenant(id).get(20, TimeUnit.SECONDS)).isEqualTo(name);
				}
			}
		}
	}

	static class TenantDecorator implements TaskDecorator {

		@Override
		public Runnable decorate(Runnable task) {
			String bound = tenant.get();
			return () -> {
				String before = tenant.get();
				tenant.set(bound);
				try {
					task.run();
				}
				finally {
					tenant.set(before);
				}
			};
		}

	}

	static class Products {

		@BloomGuarded("products")
		public CompletableFuture<@Nullable String> tenant(long id) {
			return CompletableFuture.completedFuture(tenant.get());
		}

	}

}
