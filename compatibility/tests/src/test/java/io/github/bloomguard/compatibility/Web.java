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
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import org.springframework.context.ApplicationContext;

/**
 * Asks an application over HTTP, with what the JDK has, and each time on a connection of
 * its own: Reactor Netty 1.3.7 may stop to read one on which it was asked again right
 * after another thread had answered (reactor/reactor-netty#4361).
 */
final class Web {

	private final String url;

	private Web(String url) {
		this.url = url;
	}

	static Web of(ApplicationContext context) {
		return new Web("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
	}

	HttpResponse<String> get(String path) {
		return send(request(path).GET());
	}

	HttpResponse<String> get(String path, String accept) {
		return send(request(path).GET().header("Accept", accept));
	}

	HttpResponse<String> post(String path) {
		return send(request(path).POST(BodyPublishers.noBody()));
	}

	HttpResponse<String> post(String path, String json) {
		return send(request(path).POST(BodyPublishers.ofString(json)).header("Content-Type", "application/json"));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path)).timeout(Duration.ofSeconds(30));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
