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

import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.CatalogueKeys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application over HTTP is guarded, and so are its Redis caches.
 */
class GuardedApplicationTests {

	/**
	 * Ids that are in the filter and of which there is no product.
	 */
	private static final AtomicLong gone = new AtomicLong(CatalogueKeys.PRODUCTS);

	private static final AtomicLong absent = new AtomicLong(1_000_000);

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	private static Catalogue catalogue;

	private static Web web;

	static Web web() {
		return web;
	}

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		context = CatalogueApplication.application(redis.properties()).run();
		catalogue = context.getBean(Catalogue.class);
		web = Web.of(context);
		BloomGuard guard = context.getBean(BloomGuard.class);
		Awaitility.await().until(() -> guard.membership("products", 1) == Membership.MAYBE);
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@Test
	void keysWereLoaded() {
		assertThat(redis.keys("bloom-guard:{products}:*")).contains("bloom-guard:{products}:control");
		BloomGuard guard = context.getBean(BloomGuard.class);
		for (long id = 1; id <= CatalogueKeys.KEYS; id++) {
			assertThat(guard.mightContain("products", id)).isTrue();
		}
	}

	@Test
	void definiteMissReachesNeitherTheServiceNorTheCache() {
		int before = catalogue.calls();
		long id = nextAbsent();
		assertThat(web.get("/products/" + id).statusCode()).isEqualTo(404);
		assertThat(catalogue.calls()).isEqualTo(before);
		assertThat(redis.command("EXISTS", "products::" + id)).isEqualTo("0");
	}

	@Test
	void existingProductIsFoundOnceAndThenCached() {
		int before = catalogue.calls();
		HttpResponse<String> first = web.get("/products/42");
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(first.body()).contains("Product 42");
		assertThat(web.get("/products/42").body()).isEqualTo(first.body());
		assertThat(catalogue.calls()).isEqualTo(before + 1);
		assertThat(redis.command("EXISTS", "products::42")).isEqualTo("1");
	}

	@Test
	void keyIsAddedWithItsProduct() {
		long id = nextAbsent();
		assertThat(web.get("/products/" + id).statusCode()).isEqualTo(404);
		assertThat(web.post("/products/" + id + "/Umbrella").statusCode()).isEqualTo(200);
		assertThat(web.get("/products/" + id).body()).contains("Umbrella");
	}

	@Test
	void absenceIsCachedForAShortTime() {
		long id = gone.incrementAndGet();
		int before = catalogue.calls();
		assertThat(web.get("/products/" + id).statusCode()).isEqualTo(404);
		assertThat(web.get("/products/" + id).statusCode()).isEqualTo(404);
		assertThat(catalogue.calls()).isEqualTo(before + 1);
		assertThat(Long.parseLong(redis.command("PTTL", "products::" + id))).isBetween(1L, 66_000L);
	}

	@Test
	void cachedAbsenceIsForgottenWhenTheKeyIsAdded() {
		long id = gone.incrementAndGet();
		assertThat(web.get("/products/" + id).statusCode()).isEqualTo(404);
		assertThat(web.post("/products/" + id + "/Kettle").statusCode()).isEqualTo(200);
		assertThat(web.get("/products/" + id).body()).contains("Kettle");
	}

	@Test
	void rebuiltFilterHasTheSameKeys() {
		BloomGuard guard = context.getBean(BloomGuard.class);
		String before = redis.command("HGET", "bloom-guard:{products}:control", "epoch");
		guard.rebuild("products");
		Awaitility.await()
			.until(() -> !before.equals(redis.command("HGET", "bloom-guard:{products}:control", "epoch"))
					&& guard.membership("products", nextAbsent()) == Membership.ABSENT);
		assertThat(guard.mightContain("products", CatalogueKeys.KEYS)).isTrue();
	}

	static TestRedis redis() {
		return redis;
	}

	/**
	 * Return an id that neither exists nor is taken for one that does.
	 */
	private static long nextAbsent() {
		BloomGuard guard = context.getBean(BloomGuard.class);
		long id = absent.incrementAndGet();
		while (guard.membership("products", id) == Membership.MAYBE) {
			id = absent.incrementAndGet();
		}
		return id;
	}

}
