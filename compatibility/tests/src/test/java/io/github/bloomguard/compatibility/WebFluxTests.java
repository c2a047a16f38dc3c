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

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.compatibility.reactive.ReactiveApplication;
import io.github.bloomguard.compatibility.reactive.ReactiveCatalogue;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockHound;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that methods of a reactive application are guarded, and that no event loop waits
 * meanwhile: neither one of the web server nor one of Redisson.
 */
class WebFluxTests {

	private static final Queue<String> blocked = new ConcurrentLinkedQueue<>();

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	private static ReactiveCatalogue catalogue;

	private static Web web;

	@BeforeAll
	static void start() {
		BlockHound.builder()
			.nonBlockingThreadPredicate((isNonBlocking) -> isNonBlocking.or(WebFluxTests::isEventLoop))
			.blockingMethodCallback((method) -> blocked.add(Thread.currentThread().getName() + " " + method + " "
					+ List.of(Thread.currentThread().getStackTrace())))
			.install();
		redis = TestRedis.start();
		context = new SpringApplicationBuilder(ReactiveApplication.class).properties(redis.properties())
			.properties("bloom-guard.filters.products.expected-insertions=10000",
					"bloom-guard.filters.products.verification.required-calls=0",
					"bloom-guard.filters.products.verification.mode=off",
					"bloom-guard.filters.products.rebuild.settle=0s",
					"bloom-guard.filters.products.rebuild.longest-transaction=100ms", "bloom-guard.timeout=10s",
					"server.port=0", "spring.main.banner-mode=off",
					"management.endpoints.web.exposure.include=bloomguard")
			.run();
		catalogue = context.getBean(ReactiveCatalogue.class);
		web = Web.of(context);
		BloomGuard guard = context.getBean(BloomGuard.class);
		Awaitility.await().until(() -> guard.membership("products", 1) == Membership.MAYBE);
		// what is loaded when it is first used
		web.get("/products/1");
		web.get("/products?ids=1");
		web.post("/products/1");
		web.get("/products/1000000");
	}

	private static boolean isEventLoop(Thread thread) {
		return thread.getName().startsWith("redisson-netty") || thread.getName().startsWith("reactor-http");
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@BeforeEach
	void forget() {
		catalogue.drainThreads();
		blocked.clear();
	}

	@Test
	void waitingOnAnEventLoopIsNoticed() {
		assertThat(web.get("/block").statusCode()).isEqualTo(200);
		assertThat(blocked).isNotEmpty();
	}

	@Test
	void definiteMissIsAnsweredWithoutTheService() {
		assertThat(web.get("/products/1000001").statusCode()).isEqualTo(404);
		assertThat(catalogue.drainThreads()).isEmpty();
		assertThat(blocked).isEmpty();
	}

	@Test
	void existingProductIsFound() {
		assertThat(web.get("/products/42").body()).contains("Product 42");
		assertThat(catalogue.drainThreads()).hasSize(1);
		assertThat(blocked).isEmpty();
	}

	@Test
	void serviceIsAskedForWhatMayExist() {
		assertThat(web.get("/products?ids=42,1000002,43").body()).contains("Product 42", "Product 43");
		assertThat(catalogue.drainThreads()).hasSize(1);
		assertThat(web.get("/products?ids=1000003,1000004").body()).isEqualTo("[]");
		assertThat(catalogue.drainThreads()).isEmpty();
		assertThat(blocked).isEmpty();
	}

	@Test
	void addedProductIsFound() {
		assertThat(web.get("/products/1000005").statusCode()).isEqualTo(404);
		assertThat(web.post("/products/1000005").statusCode()).isEqualTo(200);
		assertThat(web.get("/products/1000005").body()).contains("Product 1000005");
		assertThat(blocked).isEmpty();
	}

	@Test
	void endpointShowsAPageToBrowsersAndJsonToOthers() {
		assertThat(web.get("/actuator/bloomguard", "text/html,application/xml;q=0.9,*/*;q=0.8").body())
			.startsWith("<!doctype html>");
		assertThat(web.get("/actuator/bloomguard", "*/*").body()).contains("\"state\":\"READY\"");
		assertThat(web.get("/actuator/bloomguard", "application/json").body()).contains("\"state\":\"READY\"");
		assertThat(web.post("/actuator/bloomguard/products/key", "{\"key\": \"42\"}").body())
			.startsWith("{\"membership\":\"MAYBE\",\"uncertain\":false,\"answered\":false,");
		assertThat(blocked).isEmpty();
	}

}
