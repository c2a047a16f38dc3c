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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Talks to a running sample as a user with {@code curl} does.
 */
class SampleClient {

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final JsonMapper json = new JsonMapper();

	private final String url;

	SampleClient(int port) {
		this.url = "http://localhost:" + port;
	}

	HttpResponse<String> get(String path) {
		return send(HttpRequest.newBuilder(URI.create(this.url + path)).build());
	}

	HttpResponse<String> product(long id) {
		return get("/products/" + id);
	}

	HttpResponse<String> create(String product) {
		return send(HttpRequest.newBuilder(URI.create(this.url + "/products"))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(product))
			.build());
	}

	HttpResponse<String> post(String path, String body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.url + path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body));
		return send((headers.length > 0) ? request.headers(headers).build() : request.build());
	}

	HttpResponse<String> rebuild(String credentials) {
		return send(HttpRequest.newBuilder(URI.create(this.url + "/actuator/bloomguard/products"))
			.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8)))
			.POST(HttpRequest.BodyPublishers.noBody())
			.build());
	}

	JsonNode json(HttpResponse<String> response) {
		return this.json.readTree(response.body());
	}

	long queries() {
		return json(get("/stats")).get("queries").longValue();
	}

	JsonNode filter() {
		return json(get("/actuator/bloomguard/products"));
	}

	void awaitReady() {
		awaitReady(Duration.ofSeconds(30));
	}

	void awaitReady(Duration atMost) {
		Awaitility.await()
			.atMost(atMost)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> filter().path("state").asString(""), "READY"::equals);
	}

	static String servedBy(HttpResponse<String> response) {
		return response.headers().firstValue("X-Served-By").orElse("nobody");
	}

	private HttpResponse<String> send(HttpRequest request) {
		try {
			return this.http.send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
