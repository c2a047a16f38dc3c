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

package io.github.bloomguard.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for what operators see over HTTP, and for the meters.
 */
class ActuatorTests {

	private static final int LAST = 2000;

	private static final HttpClient http = HttpClient.newHttpClient();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static GuardApplication application;

	private static BloomGuard guard;

	private static long candidate = 1_000_000;

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis,
				List.of(new Keys("products", LAST), new Keys("watched", 10), Products.class),
				"spring.main.web-application-type=servlet", "server.port=0",
				"management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always",
				"bloom-guard.timeout=1s", "bloom-guard.filters.products.expected-insertions=3000",
				"bloom-guard.filters.products.false-positive-probability=0.1",
				"bloom-guard.filters.products.rebuild.max-false-positive-factor=0",
				"bloom-guard.filters.watched.mode=shadow", "bloom-guard.filters.watched.expected-insertions=100",
				"bloom-guard.filters.watched.verification.required-calls=0",
				"bloom-guard.filters.watched.rebuild.settle=0s",
				"bloom-guard.filters.watched.rebuild.longest-transaction=100ms");
		guard = application.guard();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		for (String filter : List.of("products", "watched")) {
			Awaitility.await().pollDelay(Duration.ZERO).until(() -> guard.membership(filter, 1) == Membership.MAYBE);
		}
		Awaitility.await()
			.until(() -> report("products").path("warmUp").path("status").asString("").equals("COMPLETED"));
	}

	@Test
	void reportHasEachFieldOfTheContract() {
		JsonNode report = report("products");
		assertThat(report.path("state").asString("")).isEqualTo("READY");
		assertThat(report.path("mode").asString("")).isEqualTo("ENFORCE");
		assertThat(report.path("methods").values()).extracting(JsonNode::asString)
			.containsExactly("ActuatorTests.Products.findById(long)");
		assertThat(report.path("type").asString("")).isEqualTo("redis");
		assertThat(report.path("generation").asString("")).matches("[0-9a-f]{24}");
		assertThat(report.path("expectedInsertions").isIntegralNumber()).isTrue();
		assertThat(report.path("expectedInsertions").asLong()).isEqualTo(3000);
		assertThat(report.path("falsePositiveProbability").asDouble()).isEqualTo(0.1);
		assertThat(report.path("estimatedInsertions").asLong()).isBetween(1900L, 2200L);
		assertThat(report.path("estimatedFalsePositiveProbability").asDouble()).isCloseTo(0.04, within(0.01));
		assertThat(report.path("observedFalsePositiveRate").isNumber()).isTrue();
		assertThat(report.path("sizeInBytes").asLong()).isEqualTo((14665 + 7) / 8);
		assertThat(report.path("fillRatio").asDouble()).isCloseTo(0.34, within(0.03));
		for (String count : List.of("absent", "maybe", "unknown", "falsePositive")) {
			assertThat(report.path("requests").path(count).isIntegralNumber()).as(count).isTrue();
		}
		JsonNode warmUp = report.path("warmUp");
		assertThat(warmUp.path("status").asString("")).isEqualTo("COMPLETED");
		assertThat(warmUp.path("loaded").asLong()).isEqualTo(LAST);
		assertThat(Instant.parse(warmUp.path("startedAt").asString(""))).isBefore(Instant.now());
		assertThat(Duration.parse(warmUp.path("duration").asString(""))).isPositive();
		assertThat(warmUp.has("error")).as("there as null").isTrue();
	}

	@Test
	void allFiltersAreReportedByTheirNames() {
		JsonNode filters = get("/actuator/bloomguard").path("filters");
		assertThat(filters.propertyNames()).containsExactlyInAnyOrder("products", "watched");
		assertThat(filters.path("watched").path("mode").asString("")).isEqualTo("SHADOW");
		assertThat(filters.path("products").path("generation")).isEqualTo(report("products").path("generation"));
	}

	@Test
	void trafficIsCountedInTheReportAndInTheMeters() {
		Map<String, Long> before = counts(report("products"));
		double absentBefore = meter("bloom.guard.requests", "absent");
		double maybeBefore = meter("bloom.guard.requests", "maybe");
		double unknownBefore = meter("bloom.guard.requests", "unknown");
		double rememberedBefore = meter("bloom.guard.requests", "remembered");
		double falsePositivesBefore = meter("bloom.guard.errors", "false_positive");
		GuardedFilter products = application.filter("products");
		for (int i = 0; i < 3; i++) {
			products.check(next(Membership.ABSENT)).await();
		}
		long falsePositive = next(Membership.MAYBE);
		products.loaded(falsePositive, products.check(falsePositive).await(), true, false);
		Awaitility.await().until(() -> !redis.command("KEYS", "*empty:" + falsePositive).isEmpty());
		assertThat(products.check(falsePositive).await()).isEqualTo(Decision.REMEMBERED);
		products.loaded(1, products.check(1).await(), false, false);
		products.unchecked();
		Map<String, Long> after = counts(report("products"));
		assertThat(after.get("absent") - before.get("absent")).isEqualTo(3);
		assertThat(after.get("maybe") - before.get("maybe")).isEqualTo(3);
		assertThat(after.get("unknown") - before.get("unknown")).isEqualTo(1);
		assertThat(after.get("falsePositive") - before.get("falsePositive")).isEqualTo(1);
		assertThat(report("products").path("observedFalsePositiveRate").asDouble()).isCloseTo(
				(double) after.get("falsePositive") / (after.get("absent") + after.get("falsePositive")), within(1e-9));
		assertThat(meter("bloom.guard.requests", "absent") - absentBefore).isEqualTo(3);
		assertThat(meter("bloom.guard.requests", "maybe") - maybeBefore).isEqualTo(2);
		assertThat(meter("bloom.guard.requests", "remembered") - rememberedBefore).isEqualTo(1);
		assertThat(meter("bloom.guard.requests", "unknown") - unknownBefore).isEqualTo(1);
		assertThat(meter("bloom.guard.errors", "false_positive") - falsePositivesBefore).isEqualTo(1);
		assertThat(meter("bloom.guard.errors", "false_negative")).isZero();
	}

	@Test
	void addedKeysAreCounted() {
		guard.add("products", next(Membership.ABSENT), next(Membership.ABSENT));
		double before = meter("bloom.guard.keys", "added");
		guard.add("products", next(Membership.ABSENT), List.of(next(Membership.ABSENT), 1));
		assertThat(meter("bloom.guard.keys", "added") - before).isEqualTo(2);
	}

	@Test
	void filtersAreMeasured() {
		assertThat(gauge("bloom.guard.ready", "products")).isOne();
		assertThat(gauge("bloom.guard.warm.up.loaded", "products")).isEqualTo(LAST);
		assertThat(gauge("bloom.guard.warm.up.loaded", "watched")).isEqualTo(10);
		Awaitility.await().until(() -> gauge("bloom.guard.insertions", "products") > 1900);
		assertThat(gauge("bloom.guard.false.positive.probability", "products")).isCloseTo(0.04, within(0.01));
		assertThat(get("/actuator/metrics/bloom.guard.ready?tag=filter:products").path("name").asString(""))
			.isEqualTo("bloom.guard.ready");
	}

	@Test
	void falseNegativeShowsUntilItIsAcknowledged() {
		GuardedFilter watched = application.filter("watched");
		Decision absent = Awaitility.await().until(() -> watched.check(-1).await(), Decision.LET_THROUGH::equals);
		watched.loaded(-1, absent, false, false);
		Awaitility.await().untilAsserted(() -> assertThat(report("watched").path("falseNegatives").asLong()).isOne());
		Awaitility.await().until(() -> !report("watched").path("verification").path("lastWrongAt").isNull());
		assertThat(report("watched").path("verification").path("wrong").asLong()).isOne();
		assertThat(report("watched").path("verification").path("beforeUntil").asString("")).isNotEmpty();
		assertThat(health().path("status").asString("")).isEqualTo("UNKNOWN");
		assertThat(health().path("details").path("falseNegatives").path("watched").asLong()).isOne();
		assertThat(post("/actuator/bloomguard/watched", "{\"action\": \"acknowledge\"}").statusCode()).isEqualTo(200);
		assertThat(report("watched").path("falseNegatives").asLong()).isZero();
		assertThat(report("watched").path("requests").path("falseNegative").asLong()).isOne();
		Awaitility.await().until(() -> health().path("status").asString("").equals("UP"));
	}

	@Test
	void healthIsUpWithTheStateOfEachFilter() {
		Awaitility.await().until(() -> health().path("status").asString("").equals("UP"));
		assertThat(health().path("details").path("products").asString("")).isEqualTo("READY");
		assertThat(health().path("details").path("watched").asString("")).isEqualTo("SHADOW");
	}

	@Test
	void unknownFilterIsNotFound() {
		assertThat(send("GET", "/actuator/bloomguard/nothing").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			nothing          | {"mode": "off"}           | filter 'nothing'. GET of the endpoint lists the filters
			nothing          | {"action": "acknowledge"} | filter 'nothing'. GET of the endpoint lists the filters
			nothing/key      | {"key": "1"}              | filter 'nothing'. GET of the endpoint lists the filters
			products/nothing | {"key": "1"}              | 'nothing' of a filter. POST to the filter's address and /key
			""", quoteCharacter = '"')
	void whoChangesAnUnknownFilterIsToldSo(String path, String body, String error) {
		HttpResponse<String> response = post("/actuator/bloomguard/" + path, body);
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).contains("{\"error\":\"There is no " + error);
	}

	@Test
	void postStartsARebuild() {
		String former = report("products").path("generation").asString("");
		HttpResponse<String> response = send("POST", "/actuator/bloomguard/products");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(JsonMapper.shared().readTree(response.body()).path("state").asString("")).isEqualTo("READY");
		Awaitility.await().until(() -> {
			String present = report("products").path("generation").asString("");
			return !present.isEmpty() && !present.equals(former);
		});
	}

	@Test
	void modeIsSwitchedByPostUntilItIsTakenBack() {
		Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		JsonNode shadow = JsonMapper.shared()
			.readTree(post("/actuator/bloomguard/products", "{\"mode\": \"shadow\"}").body());
		assertThat(shadow.path("mode").asString("")).isEqualTo("SHADOW");
		assertThat(shadow.path("state").asString("")).isEqualTo("SHADOW");
		assertThat(Instant.parse(shadow.path("switched").path("at").asString(""))).isAfterOrEqualTo(before);
		assertThat(health().path("status").asString("")).isEqualTo("UP");
		assertThat(gauge("bloom.guard.impaired", "products")).isZero();
		JsonNode off = JsonMapper.shared().readTree(post("/actuator/bloomguard", "{\"mode\": \"OFF\"}").body());
		assertThat(off.path("filters").path("products").path("state").asString("")).isEqualTo("OFF");
		assertThat(off.path("filters").path("watched").path("state").asString("")).isEqualTo("OFF");
		assertThat(post("/actuator/bloomguard", "{\"mode\": \"configured\"}").statusCode()).isEqualTo(200);
		application.awaitReady();
		assertThat(report("watched").path("mode").asString("")).isEqualTo("SHADOW");
		assertThat(report("watched").path("switched").isNull()).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			products     | {"mode": "on"}       | The mode is 'on'. Write enforce, shadow or off
			products     | {"mode": "off", "applications": "every"} | The applications are 'every'. Write all, or own
			products     | {"applications": "all"} | Write the mode to switch to, too
			products     | {"action": "delete"} | The action is 'delete'. Write rebuild or acknowledge
			products     | {"mod": "off"}       | There is no mod. Write mode or action
			products/key | {"kee": "1"}         | kee
			""")
	void wordsThatAreNotKnownAreRefusedAndStartNothing(String path, String body, String error) {
		String generation = report("products").path("generation").asString("");
		HttpResponse<String> response = post("/actuator/bloomguard/" + path, body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).contains(error);
		assertThat(report("products").path("warmUp").path("status").asString("")).isNotEqualTo("LOADING");
		assertThat(report("products").path("generation").asString("")).isEqualTo(generation);
	}

	@Test
	void outageIsReportedInTimeAndDoesNotTakeTheApplicationDown() {
		redis.freeze();
		try {
			application.awaitState(FilterState.UNREACHABLE);
			long start = System.nanoTime();
			assertThat(report("products").path("state").asString("")).isEqualTo("UNREACHABLE");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
			assertThat(health().path("status").asString("")).isEqualTo("UNKNOWN");
			assertThat(health().path("details").path("products").asString("")).isEqualTo("UNREACHABLE");
			assertThat(send("GET", "/actuator/health/bloomGuard").statusCode()).isEqualTo(200);
			assertThat(gauge("bloom.guard.ready", "products")).isZero();
			assertThat(gauge("bloom.guard.impaired", "products")).isOne();
			HttpResponse<String> switched = post("/actuator/bloomguard/products", "{\"mode\": \"off\"}");
			assertThat(switched.statusCode()).isEqualTo(503);
			assertThat(switched.body()).contains("Redis does not answer");
			HttpResponse<String> acknowledged = post("/actuator/bloomguard/products", "{\"action\": \"acknowledge\"}");
			assertThat(acknowledged.statusCode()).isEqualTo(503);
			assertThat(acknowledged.body()).contains("Redis does not answer");
			HttpResponse<String> added = post("/actuator/bloomguard/products/key", "{\"key\": \"1\", \"add\": true}");
			assertThat(added.statusCode()).isEqualTo(503);
			assertThat(added.body()).contains("Redis did not take them");
		}
		finally {
			redis.thaw();
		}
		// Redis may do it all the same when it answers again
		Awaitility.await()
			.until(() -> post("/actuator/bloomguard/products", "{\"mode\": \"configured\"}").statusCode() == 200);
	}

	private static Map<String, Long> counts(JsonNode report) {
		JsonNode requests = report.path("requests");
		return Map.of("absent", requests.path("absent").asLong(), "maybe", requests.path("maybe").asLong(), "unknown",
				requests.path("unknown").asLong(), "falsePositive", requests.path("falsePositive").asLong());
	}

	private static double meter(String name, String outcome) {
		return application.bean(MeterRegistry.class)
			.get(name)
			.tag("filter", "products")
			.tag("outcome", outcome)
			.functionCounter()
			.count();
	}

	private static double gauge(String name, String filter) {
		return application.bean(MeterRegistry.class).get(name).tag("filter", filter).gauge().value();
	}

	/**
	 * Return a key that the filter calls absent, or one that it lets pass although it
	 * does not exist. Membership is no request, so it is not counted.
	 */
	private static long next(Membership wanted) {
		while (guard.membership("products", ++candidate) != wanted) {
			assertThat(candidate).isLessThan(2_000_000);
		}
		return candidate;
	}

	private static JsonNode report(String filter) {
		return get("/actuator/bloomguard/" + filter);
	}

	private static JsonNode health() {
		return get("/actuator/health/bloomGuard");
	}

	private static JsonNode get(String path) {
		HttpResponse<String> response = send("GET", path);
		assertThat(response.statusCode()).as(path).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private static HttpResponse<String> send(String method, String path) {
		return send(method, path, BodyPublishers.noBody());
	}

	private static HttpResponse<String> post(String path, String body) {
		return send("POST", path, BodyPublishers.ofString(body), "Content-Type", "application/json");
	}

	private static HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers) {
		URI uri = URI
			.create("http://localhost:" + application.bean(Environment.class).getProperty("local.server.port") + path);
		try {
			HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, body);
			if (headers.length > 0) {
				request.headers(headers);
			}
			return http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	static class Products {

		@BloomGuarded("products")
		@Nullable String findById(long id) {
			return null;
		}

	}

}
