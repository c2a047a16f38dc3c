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
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.assembly.BloomGuardBuilder;
import io.github.bloomguard.assembly.ManagedFilter;
import io.github.bloomguard.assembly.RunningBloomGuard;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What holds for a guarded route of each kind of gateway.
 */
abstract class GatewayContractTests {

	private final Catalogue catalogue = new Catalogue();

	private final HttpClient client = HttpClient.newHttpClient();

	private final List<AutoCloseable> started = new ArrayList<>();

	private RunningBloomGuard guard;

	private String url;

	abstract WebApplicationType kind();

	/**
	 * Return the class of the application, which is configured as any.
	 */
	abstract Class<?> application();

	/**
	 * Return the properties of a route for {@code /products/{id}}.
	 * @param filters each with its arguments
	 */
	abstract List<String> route(String uri, String... filters);

	final void start(Mode verification, double rate, String... filters) {
		start(application(), verification, rate, filters);
	}

	/**
	 * @param filters of the configured route, none for no such route
	 */
	final void start(Class<?> application, Mode verification, double rate, String... filters) {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		builder.filter("products", 1000)
			.keys("product.id", () -> LongStream.rangeClosed(1, 100).boxed())
			.falsePositiveProbability(1e-9)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(verification, rate, 0);
		this.guard = builder.start();
		this.started.add(this.guard);
		this.guard.loaded().join();
		List<String> properties = new ArrayList<>();
		if (filters.length > 0) {
			properties.addAll(route(this.catalogue.url(), filters));
		}
		properties.add("catalogue=" + this.catalogue.url());
		properties.add("spring.cloud.gateway.server.webflux.enabled=" + (kind() == WebApplicationType.REACTIVE));
		properties.addAll(List.of("server.port=0", "spring.main.banner-mode=off"));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(application).web(kind())
			.properties(properties.toArray(String[]::new))
			.initializers((initialized) -> ((GenericApplicationContext) initialized).registerBean(GuardedFilters.class,
					this.guard::filters))
			.run();
		this.started.add(context);
		this.url = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/products";
	}

	@AfterEach
	void stop() throws Exception {
		for (int i = this.started.size() - 1; i >= 0; i--) {
			this.started.get(i).close();
		}
		this.catalogue.close();
	}

	private HttpResponse<String> send(String method, long id) throws IOException, InterruptedException {
		return send(method, "/" + id);
	}

	private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.url + path))
			.method(method, BodyPublishers.noBody())
			.timeout(Duration.ofSeconds(20))
			.build();
		return this.client.send(request, BodyHandlers.ofString());
	}

	final Catalogue catalogue() {
		return this.catalogue;
	}

	final HttpResponse<String> get(long id) throws IOException, InterruptedException {
		return send("GET", id);
	}

	private HttpResponse<String> getMany(String query) throws IOException, InterruptedException {
		return send("GET", "?" + query);
	}

	private ManagedFilter filter() {
		return this.guard.filters().iterator().next();
	}

	@Test
	void absentKeyIsAnsweredWithoutForwarding() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}");
		assertThat(get(-1).statusCode()).isEqualTo(404);
		assertThat(this.catalogue.requests()).isEmpty();
	}

	@Test
	void existingKeyIsForwarded() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}");
		assertThat(get(1).body()).isEqualTo("product 1");
		assertThat(this.catalogue.requests()).containsExactly("GET 1");
	}

	@Test
	void statusAndBodyCanBeSet() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}, 410, gone");
		HttpResponse<String> response = get(-1);
		assertThat(response.statusCode()).isEqualTo(410);
		assertThat(response.body()).isEqualTo("gone");
	}

	@Test
	void requestThatWritesIsForwarded() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}");
		assertThat(send("PUT", -1).statusCode()).isEqualTo(404);
		assertThat(this.catalogue.requests()).containsExactly("PUT -1");
	}

	@Test
	void keyThatIsAddedIsForwarded() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}");
		this.catalogue.insert(5000);
		assertThat(get(5000).statusCode()).isEqualTo(404);
		filter().written().add(List.of(5000L));
		assertThat(get(5000).body()).isEqualTo("product 5000");
	}

	@Test
	void absentAnswerIsVerifiedByTheRequestWithinTheRate() throws Exception {
		start(Mode.BEHIND, 3, "BloomGuarded=products, {id}");
		for (long id = -1; id >= -20; id--) {
			assertThat(get(id).statusCode()).isEqualTo(404);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.catalogue.requests()).isNotEmpty());
		assertThat(this.catalogue.requests()).hasSizeLessThan(15);
		assertThat(filter().filter().standing().beforeUntil()).isNull();
	}

	@Test
	void rowThatTheRequestFindsMakesTheFilterLessBelieved() throws Exception {
		start(Mode.BEHIND, 1000, "BloomGuarded=products, {id}");
		this.catalogue.insert(5000);
		get(5000);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(filter().filter().standing().beforeUntil()).isNotNull());
		assertThat(get(5000).body()).isEqualTo("product 5000");
	}

	@Test
	void requestGoesFirstInModeBefore() throws Exception {
		start(Mode.BEFORE, 1000, "BloomGuarded=products, {id}");
		this.catalogue.insert(5000);
		assertThat(get(5000).body()).isEqualTo("product 5000");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(filter().filter().standing().beforeUntil()).isNotNull());
	}

	@Test
	void failureBehindTheGatewayProvesNothing() throws Exception {
		start(Mode.BEFORE, 1000, "BloomGuarded=products, {id}");
		assertThat(get(500).statusCode()).isEqualTo(503);
		assertThat(filter().statistics().count(Outcome.LOOKED_UP)).isZero();
	}

	@Test
	void lettersBeyondAsciiOfTheBodyArrive() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {id}, 410, größer als 100 €");
		assertThat(get(-1).body()).isEqualTo("größer als 100 €");
	}

	@Test
	void batchIsForwardedWithTheIdsThatMayExist() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {?ids}");
		assertThat(getMany("q=a%20%C3%A4%2Bb&ids=1,-1,3,-2&sort=name").body()).isEqualTo("products");
		assertThat(getMany("ids=1&ids=-1&ids=3").body()).isEqualTo("products");
		assertThat(getMany("ids=1%2C-1").body()).isEqualTo("products");
		assertThat(this.catalogue.requests()).map(GatewayContractTests::parameters)
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
		start(Mode.OFF, 0, "BloomGuarded=products, {?ids}");
		HttpResponse<String> response = getMany("ids=-1,-2");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("[]");
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
		assertThat(this.catalogue.requests()).isEmpty();
	}

	@Test
	void answerToABatchOfAbsentIdsCanBeSet() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {?ids}, 404");
		HttpResponse<String> response = getMany("ids=-1&ids=-2");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).isEmpty();
	}

	@Test
	void queryThatIsNoBatchIsForwardedAsItIs() throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {?ids}");
		getMany("q=-1");
		getMany("ids=");
		getMany("ids=-1,-2&ids=-3");
		assertThat(this.catalogue.requests()).map(GatewayContractTests::parameters)
			.containsExactly("GET [q=-1]", "GET [ids=]", "GET [ids=-1,-2, ids=-3]");
	}

	@Test
	void batchWithRowsThatTheFilterLacksIsForwardedInModeBefore() throws Exception {
		start(Mode.BEFORE, 1000, "BloomGuarded=products, {?ids}");
		getMany("ids=1,5000,5001");
		assertThat(this.catalogue.requests()).map(GatewayContractTests::parameters)
			.containsExactly("GET [ids=1,5000,5001]");
	}

	@Test
	void parameterBesideAVariableIsSaidWhenRoutesAreMade() {
		assertThatThrownBy(() -> start(Mode.OFF, 0, "BloomGuarded=products, {?ids}{id}"))
			.hasStackTraceContaining("names a query parameter beside something else");
	}

	@Test
	void unknownFilterIsSaidWhenRoutesAreMade() {
		assertThatThrownBy(() -> start(Mode.OFF, 0, "BloomGuarded=prodcuts, {id}"))
			.hasStackTraceContaining("No filter 'prodcuts' is configured");
	}

}
