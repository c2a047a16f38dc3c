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

package io.github.bloomguard.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.RunningBloomGuard;

/**
 * Measures how many requests a second a gateway answers with the filter of another
 * application and without the guard, in turns: for ids that exist nowhere, and for those
 * that exist, whose requests are forwarded all the same. The gateway of
 * {@code examples/services} is started twice, each a process of its own. The service
 * behind it answers at once, so nothing hides what the gateway costs.
 */
public final class GatewayRunner {

	private static final long ROWS = 100_000;

	private static final int ROUNDS = Integer.getInteger("rounds", 5);

	private static final Duration TURN = Duration.ofMillis(Integer.getInteger("turn", 3_000));

	private static final HttpClient client = HttpClient.newHttpClient();

	private GatewayRunner() {
	}

	/**
	 * Measure.
	 * @param args the jar of the gateway, such as
	 * {@code examples/services/gateway/target/gateway-1.0.0.jar}; then how many callers
	 * ask at the same time, without any 8 and 64
	 */
	public static void main(String[] args) throws Exception {
		List<Integer> callers = (args.length > 1) ? Stream.of(args).skip(1).map(Integer::valueOf).toList()
				: List.of(8, 64);
		HttpServer catalogue = catalogue();
		ExecutorService executor = Executors.newCachedThreadPool();
		try (LocalRedis redis = LocalRedis.start();
				RunningBloomGuard owner = owner(redis, executor);
				Gateway before = new Gateway(args[0], redis, catalogue, false);
				Gateway guarded = new Gateway(args[0], redis, catalogue, true)) {
			owner.loaded().join();
			before.await("/products/1", "kettle");
			guarded.await("/actuator/bloomguard/products", "\"state\":\"READY\"");
			System.out.println(Machine.describe(redis));
			System.out.println();
			System.out.println("| requests for | callers | without the guard /s | with a filter /s | ratio |");
			System.out.println("| --- | ---: | ---: | ---: | ---: |");
			for (int number : callers) {
				measure("ids that exist", number, before, guarded,
						() -> 1 + ThreadLocalRandom.current().nextLong(ROWS));
				measure("absent ids", number, before, guarded,
						() -> -1 - ThreadLocalRandom.current().nextLong(Long.MAX_VALUE));
			}
		}
		finally {
			catalogue.stop(0);
			executor.shutdownNow();
		}
	}

	private static HttpServer catalogue() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setExecutor(Executors.newFixedThreadPool(16, (task) -> {
			Thread thread = new Thread(task, "catalogue");
			thread.setDaemon(true);
			return thread;
		}));
		server.createContext("/products/", GatewayRunner::answer);
		server.start();
		return server;
	}

	private static void answer(HttpExchange exchange) throws IOException {
		long id = Long.parseLong(exchange.getRequestURI().getPath().substring("/products/".length()));
		boolean found = id > 0 && id <= ROWS;
		byte[] body = (found ? "{\"id\":" + id + ",\"name\":\"kettle\"}" : "no such product")
			.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(found ? 200 : 404, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	private static RunningBloomGuard owner(LocalRedis redis, ExecutorService executor) {
		RedisAccess access = new RedisAccess(redis.client(), executor);
		BloomGuardBuilder builder = new BloomGuardBuilder(
				new RedisBackend(() -> access, "bloom-guard", Duration.ofSeconds(1)))
			.application("catalogue");
		builder.filter("products", ROWS)
			.keys("product.id", () -> LongStream.rangeClosed(1, ROWS).boxed())
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ZERO)
			.verification(Mode.OFF, 0, 0);
		return builder.start();
	}

	private static void measure(String what, int callers, Gateway before, Gateway guarded, LongSupplier ids)
			throws Exception {
		before.run(callers, ids);
		guarded.run(callers, ids);
		List<Double> without = new ArrayList<>();
		List<Double> with = new ArrayList<>();
		List<Double> ratios = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			without.add(before.run(callers, ids));
			with.add(guarded.run(callers, ids));
			ratios.add(with.get(round) / without.get(round));
		}
		System.out.printf(Locale.ROOT, "| %s | %d | %,.0f | %,.0f | %.2f |%n", what, callers, median(without),
				median(with), median(ratios));
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().toList().get(values.size() / 2);
	}

	/**
	 * A process of the gateway.
	 */
	private static final class Gateway implements AutoCloseable {

		private final int port = freePort();

		private final Process process;

		Gateway(String jar, LocalRedis redis, HttpServer catalogue, boolean guarded) throws IOException {
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx512m", "-jar", jar, "--server.port=" + this.port, "--spring.data.redis.port=" + redis.port(),
					"--catalogue.url=http://localhost:" + catalogue.getAddress().getPort(),
					"--bloom-guard.enabled=" + guarded)
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}

		private static int freePort() {
			try (ServerSocket free = new ServerSocket(0)) {
				return free.getLocalPort();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private HttpResponse<String> get(String path) throws IOException, InterruptedException {
			return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build(),
					BodyHandlers.ofString());
		}

		void await(String path, String body) throws InterruptedException {
			long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
			while (System.nanoTime() < end) {
				try {
					if (get(path).body().contains(body)) {
						return;
					}
				}
				catch (IOException ex) {
					// it is starting
				}
				Thread.sleep(100);
			}
			throw new IllegalStateException("The gateway has not started");
		}

		/**
		 * Return how many requests it has answered a second in one turn.
		 */
		double run(int callers, LongSupplier ids) throws InterruptedException, ExecutionException {
			ExecutorService threads = Executors.newFixedThreadPool(callers);
			long began = System.nanoTime();
			long end = began + TURN.toNanos();
			List<Future<Long>> tasks = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				tasks.add(threads.submit(() -> {
					long answered = 0;
					while (System.nanoTime() < end) {
						get("/products/" + ids.getAsLong());
						answered++;
					}
					return answered;
				}));
			}
			long answered = 0;
			for (Future<Long> task : tasks) {
				answered += task.get();
			}
			threads.shutdown();
			return answered / ((System.nanoTime() - began) / 1e9);
		}

		@Override
		public void close() {
			this.process.destroy();
		}

	}

}
