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

package io.github.bloomguard.sample;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Attacks the sample as it is started out of the box. The guard may take its time, so
 * that a busy machine does not make it let calls pass, or forget what was not found.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "bloom-guard.timeout=10s", "bloom-guard.cache.timeout=10s",
				"bloom-guard.filters.products.empty-ttl=1h", "spring.security.user.password=secret",
				"logging.level.io.github.bloomguard=warn" })
class SampleApplicationTests {

	private static final int ATTACKERS = 8;

	private static final int ATTACKS = 2_000;

	@Value("${local.server.port}")
	private int port;

	@Autowired
	private RedisConnectionFactory connectionFactory;

	private SampleClient client;

	@BeforeEach
	void connect() {
		this.client = new SampleClient(this.port);
	}

	/**
	 * The sample names the guard's starter first, and with it whatever that excludes.
	 */
	@Test
	void driverIsThatOfSpringBootsStarter() {
		assertThat(this.connectionFactory).isInstanceOf(LettuceConnectionFactory.class);
	}

	@Test
	void existingProductIsServedByDatabaseAndThenByCache() {
		this.client.awaitReady();
		long queries = this.client.queries();
		HttpResponse<String> first = this.client.product(42);
		HttpResponse<String> second = this.client.product(42);
		assertThat(first.statusCode()).isEqualTo(200);
		assertThat(SampleClient.servedBy(first)).isEqualTo("database");
		assertThat(this.client.json(first).get("name").stringValue()).isEqualTo("Product 42");
		assertThat(second.statusCode()).isEqualTo(200);
		assertThat(SampleClient.servedBy(second)).isEqualTo("cache");
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(this.client.queries() - queries).isEqualTo(1);
	}

	@Test
	void everyProductThatWasThereAtTheStartIsFound() {
		this.client.awaitReady();
		for (long id : new long[] { 1, 2, 50_000, 99_999, 100_000 }) {
			assertThat(this.client.product(id).statusCode()).as("product %d", id).isEqualTo(200);
		}
	}

	@Test
	void absentProductIsServedByFilter() {
		this.client.awaitReady();
		List<HttpResponse<String>> responses = LongStream.rangeClosed(999_999_990, 999_999_999)
			.mapToObj(this.client::product)
			.toList();
		assertThat(responses).extracting(HttpResponse::statusCode).containsOnly(404);
		// each of them is a false positive once in 800 times
		assertThat(responses).extracting(SampleClient::servedBy)
			.filteredOn("filter"::equals)
			.hasSizeGreaterThanOrEqualTo(8);
	}

	@Test
	void attackWithAbsentIdsStopsAtTheFilter() throws Exception {
		this.client.awaitReady();
		long[] ids = new Random(42).longs(1_000_000_000, Long.MAX_VALUE).distinct().limit(ATTACKS).toArray();

		long before = this.client.queries();
		Map<String, Long> first = attack(ids);
		long passed = this.client.queries() - before;
		assertThat(passed).isLessThanOrEqualTo(ATTACKS / 200);
		assertThat(first.getOrDefault("database", 0L)).isEqualTo(passed);
		assertThat(first.getOrDefault("filter", 0L)).isEqualTo(ATTACKS - passed);

		// again where the process stood still, in which a filter can't tell for a moment
		Awaitility.await().untilAsserted(() -> {
			long queries = this.client.queries();
			Map<String, Long> second = attack(ids);
			assertThat(this.client.queries()).isEqualTo(queries);
			assertThat(second.getOrDefault("filter", 0L)).isGreaterThanOrEqualTo(ATTACKS - passed);
			assertThat(second.getOrDefault("sentinel", 0L)).isEqualTo(ATTACKS - second.getOrDefault("filter", 0L));
		});

		JsonNode filter = this.client.filter();
		assertThat(filter.at("/requests/absent").longValue()).isGreaterThanOrEqualTo(2 * (ATTACKS - passed));
		assertThat(filter.get("observedFalsePositiveRate").doubleValue()).isBetween(0.0, 0.01);
	}

	@Test
	void newProductIsFoundAtOnce() {
		this.client.awaitReady();
		for (int i = 0; i < 20; i++) {
			HttpResponse<String> created = this.client.create("""
					{"name": "Umbrella", "price": 19.9}""");
			assertThat(created.statusCode()).isEqualTo(201);
			assertThat(SampleClient.servedBy(created)).isEqualTo("database");
			long id = this.client.json(created).get("id").longValue();
			assertThat(created.headers().firstValue("Location")).hasValue("/products/" + id);
			HttpResponse<String> found = this.client.product(id);
			assertThat(found.statusCode()).isEqualTo(200);
			assertThat(found.body()).isEqualTo(created.body());
			// asked for before it exists, and created in the next round
			assertThat(this.client.product(id + 1).statusCode()).isEqualTo(404);
		}
	}

	@Test
	void listHoldsTheProductsThatExist() {
		this.client.awaitReady();
		HttpResponse<String> response = this.client.get("/products?ids=3,999999999,1,2,1");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(SampleClient.servedBy(response)).isEqualTo("database");
		assertThat(this.client.json(response)).extracting((product) -> product.get("id").longValue())
			.containsExactly(1L, 2L, 3L);
	}

	@Test
	void listOfAbsentProductsIsServedByFilter() {
		this.client.awaitReady();
		List<HttpResponse<String>> responses = new ArrayList<>();
		for (long id = 2_000_000_000; id < 2_000_000_015; id += 3) {
			responses.add(this.client.get("/products?ids=%d,%d,%d".formatted(id, id + 1, id + 2)));
		}
		assertThat(responses).extracting(HttpResponse::statusCode).containsOnly(200);
		assertThat(responses).extracting(HttpResponse::body).containsOnly("[]");
		// there may be a false positive in one of them
		assertThat(responses).extracting(SampleClient::servedBy)
			.filteredOn("filter"::equals)
			.hasSizeGreaterThanOrEqualTo(3);
	}

	@Test
	void badRequestsAreRefused() {
		assertThat(this.client.get("/products/abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get("/products?ids=1,abc").statusCode()).isEqualTo(400);
		assertThat(this.client.get("/products").statusCode()).isEqualTo(400);
		assertThat(this.client.create("{").statusCode()).isEqualTo(400);
		assertThat(this.client.create("{}").statusCode()).isEqualTo(400);
	}

	@Test
	void actuatorShowsTheFilter() {
		this.client.awaitReady();
		JsonNode filter = this.client.filter();
		assertThat(filter.get("mode").stringValue()).isEqualToIgnoringCase("enforce");
		assertThat(filter.get("expectedInsertions").longValue()).isEqualTo(150_000);
		assertThat(filter.get("falsePositiveProbability").doubleValue()).isEqualTo(0.001);
		assertThat(filter.get("estimatedInsertions").longValue()).isCloseTo(100_000, within(3_000L));
		assertThat(filter.get("estimatedFalsePositiveProbability").doubleValue()).isGreaterThan(0.0)
			.isLessThanOrEqualTo(0.001);
		assertThat(filter.has("observedFalsePositiveRate")).isTrue();
		assertThat(filter.at("/warmUp/loaded").longValue()).isEqualTo(100_000);
		JsonNode all = this.client.json(this.client.get("/actuator/bloomguard"));
		assertThat(all.at("/filters/products/state").stringValue()).isEqualTo("READY");
	}

	@Test
	void onlyAnOperatorStartsARebuild() {
		this.client.awaitReady();
		String generation = this.client.filter().get("generation").stringValue();
		assertThat(this.client.rebuild("nobody:").statusCode()).isEqualTo(401);
		assertThat(this.client.rebuild("operator:guessed").statusCode()).isEqualTo(401);
		assertThat(this.client.filter().get("generation").stringValue()).isEqualTo(generation);
		assertThat(this.client.rebuild("operator:secret").statusCode()).isEqualTo(200);
		Awaitility.await().until(() -> !this.client.filter().get("generation").stringValue().equals(generation));
	}

	@Test
	void pageOfAnotherSiteStartsNothing() {
		assertThat(this.client
			.post("/actuator/bloomguard/products", "{}", "Authorization", "Basic b3BlcmF0b3I6c2VjcmV0", "Origin",
					"http://elsewhere.example")
			.statusCode()).isEqualTo(403);
		assertThat(this.client.post("/demo/attack", "{}", "Origin", "http://elsewhere.example").statusCode())
			.isEqualTo(403);
	}

	@Test
	void attackHasALimit() {
		assertThat(this.client.post("/demo/attack", "{\"rate\": 2001, \"guarded\": true}").statusCode()).isEqualTo(400);
		assertThat(this.client.json(this.client.get("/demo")).path("rate").isNull()).isTrue();
	}

	@Test
	void healthIsUp() {
		this.client.awaitReady();
		JsonNode health = this.client.json(this.client.get("/actuator/health"));
		assertThat(health.get("status").stringValue()).isEqualTo("UP");
		assertThat(health.at("/components/bloomGuard/status").stringValue()).isEqualTo("UP");
		assertThat(this.client.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
	}

	private Map<String, Long> attack(long[] ids) throws InterruptedException, ExecutionException {
		ExecutorService attackers = Executors.newFixedThreadPool(ATTACKERS);
		try {
			List<Callable<List<String>>> tasks = new ArrayList<>();
			for (int i = 0; i < ATTACKERS; i++) {
				int attacker = i;
				tasks.add(() -> {
					List<String> servedBy = new ArrayList<>();
					for (int j = attacker; j < ids.length; j += ATTACKERS) {
						HttpResponse<String> response = this.client.product(ids[j]);
						assertThat(response.statusCode()).isEqualTo(404);
						servedBy.add(SampleClient.servedBy(response));
					}
					return servedBy;
				});
			}
			List<String> servedBy = new ArrayList<>();
			for (Future<List<String>> result : attackers.invokeAll(tasks)) {
				servedBy.addAll(result.get());
			}
			return servedBy.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		}
		finally {
			attackers.shutdownNow();
		}
	}

}
