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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.compatibility.gateway.GatewayApplication;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.RunningBloomGuard;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RedissonClient;
import reactor.blockhound.BlockHound;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a gateway of each kind answers for keys that the owner of a filter does not
 * have, with a mirror and without, and that no event loop waits meanwhile.
 */
class GatewayTests {

	private static final Queue<String> blocked = new ConcurrentLinkedQueue<>();

	private static final Queue<String> forwarded = new ConcurrentLinkedQueue<>();

	private static TestRedis redis;

	private static RedissonClient client;

	private static RunningBloomGuard owner;

	private static HttpServer catalogue;

	private ConfigurableApplicationContext context;

	private Web web;

	@BeforeAll
	static void start() throws IOException {
		BlockHound.builder()
			.nonBlockingThreadPredicate((isNonBlocking) -> isNonBlocking.or(GatewayTests::isEventLoop))
			.blockingMethodCallback((method) -> {
				List<StackTraceElement> stack = List.of(Thread.currentThread().getStackTrace());
				if (stack.stream().anyMatch(GatewayTests::isOfTheGuard)) {
					blocked.add(Thread.currentThread().getName() + " " + method + " " + stack);
				}
			})
			.install();
		redis = TestRedis.start();
		client = RedissonClients.of(redis);
		RedisAccess access = new RedisAccess(client, Executors.newCachedThreadPool());
		BloomGuardBuilder builder = new BloomGuardBuilder(
				new RedisBackend(() -> access, "bloom-guard", Duration.ofSeconds(5)))
			.timeout(Duration.ofSeconds(5))
			.application("catalogue");
		builder.filter("products", 1000)
			.keys("product.id", () -> LongStream.rangeClosed(1, 100).boxed())
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 0, 0);
		owner = builder.start();
		owner.loaded().join();
		catalogue = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		catalogue.createContext("/", GatewayTests::answer);
		catalogue.start();
	}

	/**
	 * The server of the gateway has locks of its own, for which an event loop may wait.
	 */
	private static boolean isOfTheGuard(StackTraceElement frame) {
		return frame.getClassName().startsWith("io.github.bloomguard.")
				&& !frame.getClassName().startsWith(GatewayTests.class.getName());
	}

	private static boolean isEventLoop(Thread thread) {
		return thread.getName().startsWith("redisson-netty") || thread.getName().startsWith("reactor-http");
	}

	private static void answer(HttpExchange exchange) throws IOException {
		String query = exchange.getRequestURI().getQuery();
		forwarded.add(exchange.getRequestURI().getPath() + ((query != null) ? "?" + query : ""));
		byte[] body = "found".getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	@AfterAll
	static void stop() {
		owner.close();
		catalogue.stop(0);
		client.shutdown();
		redis.close();
	}

	private void start(WebApplicationType kind, boolean mirror) {
		String server = "spring.cloud.gateway.server." + ((kind == WebApplicationType.REACTIVE) ? "webflux" : "webmvc");
		List<String> properties = new ArrayList<>(List.of("spring.application.name=gateway",
				"bloom-guard.filters.products.owner=catalogue", "bloom-guard.filters.products.mirror.enabled=" + mirror,
				"bloom-guard.filters.products.verification.mode=off", "bloom-guard.timeout=10s", "server.port=0",
				"spring.main.banner-mode=off",
				"spring.cloud.gateway.server.webflux.enabled=" + (kind == WebApplicationType.REACTIVE)));
		for (String route : List.of("{id}", "{?ids}")) {
			String prefix = server + ".routes[" + (route.equals("{id}") ? 0 : 1) + "].";
			properties.addAll(List.of(prefix + "id=" + (route.equals("{id}") ? "one" : "many"),
					prefix + "uri=http://127.0.0.1:" + catalogue.getAddress().getPort(),
					prefix + "predicates[0]=Path=" + (route.equals("{id}") ? "/products/{id}" : "/products"),
					prefix + "filters[0]=BloomGuarded=products, " + route));
		}
		this.context = new SpringApplicationBuilder(GatewayApplication.class).web(kind)
			.properties(redis.properties())
			.properties(properties.toArray(String[]::new))
			.initializers((context) -> {
				// the configuration of the other kind needs it, and Spring Boot 3.5 has
				// none here
				if (kind == WebApplicationType.REACTIVE) {
					((GenericApplicationContext) context).registerBean(RestClient.Builder.class,
							() -> RestClient.builder());
				}
			})
			.run();
		this.web = Web.of(this.context);
		BloomGuard guard = this.context.getBean(BloomGuard.class);
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> guard.membership("products", -1) == Membership.ABSENT);
		// what is loaded when it is first used
		this.web.get("/products/1");
		this.web.get("/products/-1");
		this.web.get("/products?ids=1,-1");
		forwarded.clear();
		blocked.clear();
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest(name = "{0}, with a mirror: {1}")
	@CsvSource({ "REACTIVE, true", "REACTIVE, false", "SERVLET, true", "SERVLET, false" })
	void absentKeysAreAnsweredAndOthersForwarded(WebApplicationType kind, boolean mirror) {
		start(kind, mirror);
		assertThat(this.web.get("/products/-2").statusCode()).isEqualTo(404);
		assertThat(this.web.get("/products?ids=-2,-3").body()).isEqualTo("[]");
		assertThat(forwarded).isEmpty();
		assertThat(this.web.get("/products/2").body()).isEqualTo("found");
		assertThat(this.web.get("/products?ids=2,-3,4").body()).isEqualTo("found");
		assertThat(forwarded).containsExactly("/products/2", "/products?ids=2,4");
		long added = 1000 + kind.ordinal() * 10 + (mirror ? 1 : 0);
		assertThat(this.web.get("/products/" + added).statusCode()).isEqualTo(404);
		owner.guard().add("products", added);
		assertThat(this.web.get("/products/" + added).body()).isEqualTo("found");
		assertThat(blocked).isEmpty();
	}

}
