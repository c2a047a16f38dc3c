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

package io.github.bloomguard.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.RunningBloomGuard;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What holds for a guarded route of each kind of gateway. One application has all routes,
 * and each test that changes what is known of a filter has a filter of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class GatewayContractTests {

	private final Catalogue catalogue = new Catalogue();

	private final HttpClient client = HttpClient.newHttpClient();

	private final RunningBloomGuard guard = guard();

	private ConfigurableApplicationContext gateway;

	abstract WebApplicationType kind();

	/**
	 * Return the class of the application, which has a route {@code /java/{id}} made in
	 * Java.
	 */
	abstract Class<?> application();

	/**
	 * Return what the properties of each route begin with.
	 */
	abstract String routes();

	private static RunningBloomGuard guard() {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		filter(builder, "products", Mode.OFF, 0);
		filter(builder, "added", Mode.OFF, 0);
		filter(builder, "rated", Mode.BEHIND, 3);
		filter(builder, "behind", Mode.BEHIND, 1000);
		filter(builder, "before", Mode.BEFORE, 1000);
		filter(builder, "failing", Mode.BEFORE, 1000);
		filter(builder, "batches", Mode.BEFORE, 1000);
		RunningBloomGuard guard = builder.start();
		guard.loaded().join();
		return guard;
	}

	private static void filter(BloomGuardBuilder builder, String name, Mode verification, double rate) {
		builder.filter(name, 1000)
			.keys("product.id", () -> LongStream.rangeClosed(1, 100).boxed())
			.falsePositiveProbability(1e-9)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(verification, rate, 0);
	}

	@BeforeAll
	void startAll() {
		this.gateway = start(application(),
				Map.ofEntries(Map.entry("products", "products, {id}"), Map.entry("gone", "products, {id}, 410, gone"),
						Map.entry("letters", "products, {id}, 410, größer als 100 €"),
						Map.entry("added", "added, {id}"), Map.entry("rated", "rated, {id}"),
						Map.entry("behind", "behind, {id}"), Map.entry("before", "before, {id}"),
						Map.entry("failing", "failing, {id}"), Map.entry("many", "products, {?ids}"),
						Map.entry("many-404", "products, {?ids}, 404"), Map.entry("batches", "batches, {?ids}")));
	}

	/**
	 * Start a gateway.
	 * @param routes the arguments of the guard, by the name and path of the route
	 */
	final ConfigurableApplicationContext start(Class<?> application, Map<String, String> routes) {
		List<String> properties = new ArrayList<>();
		routes.forEach((name, guarded) -> {
			String route = routes() + "[" + properties.size() / 4 + "].";
			properties.addAll(List.of(route + "id=" + name, route + "uri=" + this.catalogue.url(),
					route + "predicates[0]=Path=/" + name + "/{id}, /" + name,
					route + "filters[0]=BloomGuarded=" + guarded));
		});
		properties.add("catalogue=" + this.catalogue.url());
		properties.add("spring.cloud.gateway.server.webflux.enabled=" + (kind() == WebApplicationType.REACTIVE));
		properties.addAll(List.of("server.port=0", "spring.main.banner-mode=off"));
		return new SpringApplicationBuilder(application).web(kind())
			.properties(properties.toArray(String[]::new))
			.initializers((initialized) -> ((GenericApplicationContext) initialized).registerBean(GuardedFilters.class,
					this.guard::filters))
			.run();
	}

	@BeforeEach
	void forgetRequests() {
		this.catalogue.requests().clear();
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.guard.close();
		this.catalogue.close();
	}

	private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
		return send(this.gateway, method, path);
	}

	final HttpResponse<String> send(ConfigurableApplicationContext gateway, String method, String path)
			throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + gateway.getEnvironment().getProperty("local.server.port") + path);
		HttpRequest request = HttpRequest.newBuilder(uri)
			.method(method, BodyPublishers.noBody())
			.timeout(Duration.ofSeconds(60))
			.build();
		return this.client.send(request, BodyHandlers.ofString());
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return send("GET", path);
	}

	/**
	 * Return what has come to the catalogue through a route.
	 */
	private List<String> requests(String route) {
		return this.catalogue.requests()
			.stream()
			.filter((request) -> request.contains(" /" + route + "/") || request.contains(" /" + route + "?"))
			.map((request) -> request.replaceFirst("/" + route + "[/?]", ""))
			.toList();
	}

	private ManagedFilter filter(String name) {
		return StreamSupport.stream(this.guard.filters().spliterator(), false)
			.filter((filter) -> filter.settings().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void routeCanBeMadeInJava() throws Exception {
		assertThat(get("/java/-1").statusCode()).isEqualTo(404);
		assertThat(get("/java/1").body()).isEqualTo("product 1");
		assertThat(requests("java")).containsExactly("GET 1");
	}

	@Test
	void absentKeyIsAnsweredWithoutForwarding() throws Exception {
		assertThat(get("/products/-1").statusCode()).isEqualTo(404);
		assertThat(requests("products")).isEmpty();
	}

	@Test
	void existingKeyIsForwarded() throws Exception {
		assertThat(get("/products/1").body()).isEqualTo("product 1");
		assertThat(requests("products")).containsExactly("GET 1");
	}

	@Test
	void statusAndBodyCanBeSet() throws Exception {
		HttpResponse<String> response = get("/gone/-1");
		assertThat(response.statusCode()).isEqualTo(410);
		assertThat(response.body()).isEqualTo("gone");
	}

	@Test
	void requestThatWritesIsForwarded() throws Exception {
		assertThat(send("PUT", "/products/-1").statusCode()).isEqualTo(404);
		assertThat(requests("products")).containsExactly("PUT -1");
	}

	@Test
	void keyThatIsAddedIsForwarded() throws Exception {
		this.catalogue.insert(5000);
		assertThat(get("/added/5000").statusCode()).isEqualTo(404);
		filter("added").written().add(List.of(5000L));
		assertThat(get("/added/5000").body()).isEqualTo("product 5000");
	}

	@Test
	void absentAnswerIsVerifiedByTheRequestWithinTheRate() throws Exception {
		for (long id = -1; id >= -20; id--) {
			assertThat(get("/rated/" + id).statusCode()).isEqualTo(404);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(requests("rated")).isNotEmpty());
		assertThat(requests("rated")).hasSizeLessThan(15);
		assertThat(filter("rated").filter().standing().beforeUntil()).isNull();
	}

	@Test
	void rowThatTheRequestFindsMakesTheFilterLessBelieved() throws Exception {
		this.catalogue.insert(5000);
		get("/behind/5000");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(filter("behind").filter().standing().beforeUntil()).isNotNull());
		assertThat(get("/behind/5000").body()).isEqualTo("product 5000");
	}

	@Test
	void requestGoesFirstInModeBefore() throws Exception {
		this.catalogue.insert(5000);
		assertThat(get("/before/5000").body()).isEqualTo("product 5000");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(filter("before").filter().standing().beforeUntil()).isNotNull());
	}

	@Test
	void failureBehindTheGatewayProvesNothing() throws Exception {
		assertThat(get("/failing/500").statusCode()).isEqualTo(503);
		assertThat(filter("failing").statistics().count(Outcome.LOOKED_UP)).isZero();
	}

	@Test
	void lettersBeyondAsciiOfTheBodyArrive() throws Exception {
		assertThat(get("/letters/-1").body()).isEqualTo("größer als 100 €");
	}

	@Test
	void batchIsForwardedWithTheIdsThatMayExist() throws Exception {
		assertThat(get("/many?q=a%20%C3%A4%2Bb&ids=1,-1,3,-2&sort=name").body()).isEqualTo("products");
		assertThat(get("/many?ids=1&ids=-1&ids=3").body()).isEqualTo("products");
		assertThat(get("/many?ids=1%2C-1").body()).isEqualTo("products");
		assertThat(requests("many")).map(GatewayContractTests::parameters)
			.containsExactly("GET [ids=1,3, q=a ä+b, sort=name]", "GET [ids=1, ids=3]", "GET [ids=1]");
	}

	/**
	 * Return the parameters of a request in one order, decoded.
	 */
	private static String parameters(String request) {
		String[] methodAndQuery = request.split(" ", 2);
		return methodAndQuery[0] + " "
				+ Stream.of(methodAndQuery[1].split("&"))
					.map((parameter) -> URLDecoder.decode(parameter, StandardCharsets.UTF_8))
					.sorted()
					.toList();
	}

	@Test
	void batchOfAbsentIdsIsAnsweredByAnEmptyList() throws Exception {
		HttpResponse<String> response = get("/many?ids=-1,-2");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("[]");
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
		assertThat(requests("many")).isEmpty();
	}

	@Test
	void answerToABatchOfAbsentIdsCanBeSet() throws Exception {
		HttpResponse<String> response = get("/many-404?ids=-1&ids=-2");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).isEmpty();
	}

	@Test
	void queryThatIsNoBatchIsForwardedAsItIs() throws Exception {
		get("/many?q=-1");
		get("/many?ids=");
		get("/many?ids=-1,-2&ids=-3");
		assertThat(requests("many")).map(GatewayContractTests::parameters)
			.containsExactly("GET [q=-1]", "GET [ids=]", "GET [ids=-1,-2, ids=-3]");
	}

	@Test
	void batchWithRowsThatTheFilterLacksIsForwardedInModeBefore() throws Exception {
		get("/batches?ids=1,5000,5001");
		assertThat(requests("batches")).map(GatewayContractTests::parameters).containsExactly("GET [ids=1,5000,5001]");
	}

	@Test
	void parameterBesideAVariableIsSaidWhenRoutesAreMade() {
		assertThatThrownBy(() -> start(application(), Map.of("products", "products, {?ids}{id}")))
			.hasStackTraceContaining("names a query parameter beside something else");
	}

	@Test
	void unknownFilterIsSaidWhenRoutesAreMade() {
		assertThatThrownBy(() -> start(application(), Map.of("products", "prodcuts, {id}")))
			.hasStackTraceContaining("No filter 'prodcuts' is configured");
	}

}
