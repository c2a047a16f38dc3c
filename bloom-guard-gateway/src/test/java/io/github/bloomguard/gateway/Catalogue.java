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
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * The service behind a gateway, which has, by whatever path, the products 1 to 100, those
 * that a test inserts, and is ill for ids from 500 to 599.
 */
final class Catalogue implements AutoCloseable {

	private final HttpServer server;

	private final Set<Long> products = ConcurrentHashMap.newKeySet();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	Catalogue() {
		LongStream.rangeClosed(1, 100).forEach(this.products::add);
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		this.requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
		String path = exchange.getRequestURI().getPath();
		int name = path.lastIndexOf('/') + 1;
		if (name == 1) {
			answer(exchange, 200, "products");
			return;
		}
		long id = Long.parseLong(path.substring(name));
		boolean found = this.products.contains(id);
		answer(exchange, (id >= 500 && id < 600) ? 503 : found ? 200 : 404, found ? "product " + id : "nothing");
	}

	private static void answer(HttpExchange exchange, int status, String text) throws IOException {
		byte[] body = text.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	void insert(long id) {
		this.products.add(id);
	}

	/**
	 * Return the methods, paths and queries of the requests that have come.
	 */
	List<String> requests() {
		return this.requests;
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
