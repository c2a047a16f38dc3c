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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.env.Environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who gets the page, who gets JSON, and for what becomes of a key.
 */
@Tag("slow")
class PageTests {

	private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

	private static final String ENDPOINT = "/actuator/bloomguard";

	private static final HttpClient http = HttpClient.newHttpClient();

	private static GuardApplication application;

	@BeforeAll
	static void start() {
		application = start("bloom-guard.page.enabled=true");
	}

	private static GuardApplication start(String property) {
		return GuardApplication
			.start(List.of(new Keys("products", 1000)), "spring.main.web-application-type=servlet", "server.port=0",
					"management.endpoints.web.exposure.include=bloomguard", "bloom-guard.filters.products.type=memory",
					property)
			.awaitReady();
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			text/html
			text/html, application/json;q=0.5
			text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
			""")
	void whoPrefersHtmlGetsThePage(String accept) {
		HttpResponse<String> response = get(application, accept);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		assertThat(response.body()).startsWith("<!doctype html>");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
			nothing
			*/*
			application/json
			application/json, text/plain, */*
			application/*
			application/vnd.spring-boot.actuator.v3+json
			application/json, text/html;q=0.5
			""")
	void everybodyElseGetsJson(String accept) {
		HttpResponse<String> response = get(application, accept);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(json(response).at("/filters/products/state").asString("")).isEqualTo("READY");
	}

	private static final String REST = ",\"remembered\":false,\"nullEntries\":[],\"source\":\"UNKNOWN\"}";

	@Test
	void oneFilterIsJsonInAnyCase() {
		assertThat(json(send(application, "GET", ENDPOINT + "/products", BROWSER, null)).path("state").asString(""))
			.isEqualTo("READY");
	}

	@Test
	void pageThatIsDisabledIsNotThere() {
		try (GuardApplication disabled = start("bloom-guard.page.enabled=false")) {
			assertThat(json(get(disabled, BROWSER)).path("filters").has("products")).isTrue();
			assertThat(get(disabled, "text/html").statusCode()).isEqualTo(406);
		}
	}

	@ParameterizedTest
	@CsvSource({ "bloom-guard.page.read-only=false, false", "bloom-guard.page.read-only=true, true",
			"management.endpoint.bloomguard.access=read-only, true" })
	void pageKnowsWhetherItMayChangeSomething(String property, boolean readOnly) {
		try (GuardApplication other = start(property)) {
			assertThat(get(other, "text/html").body()).contains("data-read-only=\"" + readOnly + "\"");
		}
	}

	@Test
	void policyAllowsThePagesOwnScriptAndStyleAlone() throws Exception {
		String html = get(application, "text/html").body();
		String policy = group("Content-Security-Policy\" content=\"([^\"]*)\"", html);
		assertThat(policy).contains("default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'")
			.contains("script-src " + hash(group("<script>(.*?)</script>", html)) + ";")
			.contains("style-src " + hash(group("<style>(.*?)</style>", html)) + ";")
			.doesNotContain("unsafe", "http", "*", "{");
		assertThat(html).doesNotContainPattern("<[^>]* (style|on[a-z]+)=")
			.doesNotContainPattern("(src|href)=\"(?!#|data:)");
	}

	@Test
	void nativeImageBringsThePageAlong() {
		RuntimeHints hints = new RuntimeHints();
		new FilterPage.Hints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/bloomguard/endpoint/page.html"))
			.accepts(hints);
	}

	@Test
	void keyIsPreviewedWithoutBeingCounted() {
		JsonNode before = json(get(application, "application/json")).at("/filters/products/requests");
		assertThat(preview("{\"key\": \"42\"}"))
			.isEqualTo("{\"membership\":\"MAYBE\",\"uncertain\":false,\"answered\":false" + REST);
		assertThat(preview("{\"key\": 42}"))
			.isEqualTo("{\"membership\":\"MAYBE\",\"uncertain\":false,\"answered\":false" + REST);
		assertThat(preview("{\"key\": \"4711,a\", \"composite\": true}"))
			.isEqualTo("{\"membership\":\"ABSENT\",\"uncertain\":false,\"answered\":true" + REST);
		assertThat(json(get(application, "application/json")).at("/filters/products/requests")).isEqualTo(before);
	}

	@Test
	void partsOfAKeyAreOneKey() {
		application.guard().add("products", List.of(7, "blue"));
		assertThat(preview("{\"key\": \"7,blue\", \"composite\": true}")).contains("MAYBE");
		assertThat(preview("{\"key\": \"7,blue\", \"composite\": false}")).contains("ABSENT");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			POST | /products/key     | {}             | 400
			POST | /products/key     | {"composite":1} | 400
			POST | /nothing/key      | {"key": "42"}  | 404
			POST | /products/nothing | {"key": "42"}  | 404
			GET  | /products/key     |                | 405
			""")
	void whatIsNotAskedProperlyIsRefused(String method, String path, String body, int status) {
		String former = application.products().filter().active().id();
		assertThat(send(application, method, ENDPOINT + path, "application/json", body).statusCode()).isEqualTo(status);
		assertThat(application.products().filter().active().id()).isEqualTo(former);
	}

	@Test
	void keyOfTooManyPartsIsRefused() {
		String parts = ",".repeat(10_001);
		assertThat(send(application, "POST", ENDPOINT + "/products/key", "application/json",
				"{\"key\": \"" + parts + "\", \"composite\": true}")
			.statusCode()).isEqualTo(400);
	}

	@Test
	void whoMayOnlyReadLearnsNothingOfKeys() {
		try (GuardApplication readOnly = start("management.endpoint.bloomguard.access=read-only")) {
			assertThat(send(readOnly, "POST", ENDPOINT + "/products/key", "application/json", "{\"key\": \"42\"}")
				.statusCode()).isGreaterThanOrEqualTo(400).isLessThan(500);
		}
	}

	@Test
	void reportTellsWhoseItIs() {
		JsonNode first = json(get(application, "application/json")).at("/filters/products/instance");
		JsonNode second = json(get(application, "application/json")).at("/filters/products/instance");
		assertThat(first.path("id").asString("")).matches("[0-9a-f]{8}");
		assertThat(second.path("id")).isEqualTo(first.path("id"));
		assertThat(second.path("startedAt")).isEqualTo(first.path("startedAt"));
		assertThat(second.path("time").asString("")).isGreaterThanOrEqualTo(first.path("time").asString(""));
	}

	@Test
	void reportTellsSinceWhenAFilterIsInItsState() {
		JsonNode report = json(get(application, "application/json")).at("/filters/products");
		assertThat(report.path("since").asString("")).matches("20.*Z");
		assertThat(report.path("reason").isNull()).isTrue();
		assertThat(report.path("generationCreatedAt").asString("")).isLessThan(report.path("since").asString(""));
		assertThat(report.at("/proof/required").asLong(-1)).isZero();
	}

	private static String preview(String body) {
		HttpResponse<String> response = send(application, "POST", ENDPOINT + "/products/key", "application/json", body);
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	private static String group(String pattern, String text) {
		Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
		assertThat(matcher.find()).as(pattern).isTrue();
		return matcher.group(1);
	}

	private static String hash(String text) throws Exception {
		byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
		return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
	}

	private static JsonNode json(HttpResponse<String> response) {
		assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/")
			.contains("json");
		return JsonMapper.shared().readTree(response.body());
	}

	private static HttpResponse<String> get(GuardApplication application, String accept) {
		return send(application, "GET", ENDPOINT, accept, null);
	}

	private static HttpResponse<String> send(GuardApplication application, String method, String path, String accept,
			String body) {
		String port = application.bean(Environment.class).getProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.header("Content-Type", "application/json")
			.method(method, (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody());
		if (accept != null) {
			request.header("Accept", accept);
		}
		try {
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

}
