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

import java.util.Locale;

import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application that caches in memory goes on to do so, and that the guard
 * has a connection to Redis all the same.
 */
class CaffeineTests {

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		context = CatalogueApplication.application(redis.properties())
			.properties("bloom-guard.filters.products.caches=")
			.run();
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@Test
	void guardIsConnectedByThePropertiesAlone() {
		assertThat(SelfCheck.run(context)).isEqualTo(SelfCheck.GUARDED);
		assertThat(redis.keys("*")).isNotEmpty().allMatch((key) -> key.startsWith("bloom-guard:"));
	}

	@Test
	void cachesStayInMemory() {
		assertThat(context.getBean(CacheManager.class)).isInstanceOf(CaffeineCacheManager.class);
		SelfCheck.run(context);
		Catalogue catalogue = context.getBean(Catalogue.class);
		int before = catalogue.calls();
		assertThat(catalogue.label(7)).isNotNull().isSameAs(catalogue.label(7));
		assertThat(catalogue.calls()).isEqualTo(before + 1);
	}

	@Test
	void thereIsNoConnectionOfSpring() {
		assertThat(context.getBeanDefinitionNames())
			.filteredOn((name) -> name.toLowerCase(Locale.ROOT).contains("redis"))
			.isNotEmpty()
			.allMatch((name) -> name.contains("bloomGuard") || name.contains("bloomguard"));
		assertThat(Web.of(context).get("/actuator/health").body()).contains("\"bloomGuard\"")
			.doesNotContain("\"redis\"");
	}

}
