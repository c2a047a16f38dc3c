package com.acme.landscape;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LandscapeTests {

	private static final HttpClient client = HttpClient.newHttpClient();

	private static final int catalogue = freePort();

	private static final int orders = freePort();

	private static final int gateway = freePort();

	private static final AtomicLong absent = new AtomicLong(1_000_000);

	private static Landscape landscape;

	@BeforeAll
	static void start() throws Exception {
		landscape = Landscape.start(freePort(), catalogue, orders, gateway);
		for (int port : new int[] { catalogue, orders, gateway }) {
			await().atMost(Duration.ofMinutes(8)) // three applications start at once
				.ignoreExceptions()
				.untilAsserted(() -> assertThat(get(port, "/actuator/bloomguard/products").body())
					.contains("\"state\":\"READY\""));
		}
	}

	@AfterAll
	static void stop() {
		if (landscape != null) {
			landscape.close();
		}
	}

	@Test
	void absentIdIsAnsweredAtTheGateway() {
		for (String path : new String[] { "/products/", "/offers/", "/bills/" }) {
			// a call goes through if its answer is not known in time
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				HttpResponse<String> response = get(gateway, path + absent.incrementAndGet());
				assertThat(response.statusCode()).isEqualTo(404);
				assertThat(response.body()).isEqualTo("no such product");
			});
		}
	}

	@Test
	void absentIdIsAnsweredByOrdersWithoutTheCatalogue() {
		for (String path : new String[] { "/offers/", "/bills/" }) {
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
				long before = answered();
				assertThat(get(orders, path + absent.incrementAndGet()).statusCode()).isEqualTo(404);
				assertThat(answered()).isEqualTo(before + 1);
			});
		}
	}

	@Test
	void newIdIsFoundAtOnceEverywhere() throws Exception {
		for (int i = 0; i < 50; i++) {
			HttpResponse<String> created = send(gateway, "POST", "/products?name=kettle");
			assertThat(created.statusCode()).isEqualTo(201);
			String id = number("id", created.body());
			assertThat(get(gateway, "/products/" + id).body()).contains("kettle");
			assertThat(get(orders, "/offers/" + id).body()).isEqualTo("Order a kettle");
			assertThat(get(orders, "/bills/" + id).body()).isEqualTo("Pay 60");
			assertThat(get(gateway, "/offers/" + id).body()).isEqualTo("Order a kettle");
			assertThat(get(catalogue, "/products/" + id).body()).contains("kettle");
		}
	}

	/**
	 * Return how many calls the filter has answered in orders.
	 */
	private static long answered() throws Exception {
		return Long.parseLong(number("absent", get(orders, "/actuator/bloomguard/products").body()));
	}

	private static String number(String name, String json) {
		Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
		assertThat(found.find()).as(json).isTrue();
		return found.group(1);
	}

	private static HttpResponse<String> get(int port, String path) throws Exception {
		return send(port, "GET", path);
	}

	private static HttpResponse<String> send(int port, String method, String path) throws Exception {
		return client.send(
				HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
					.method(method, BodyPublishers.noBody())
					.timeout(Duration.ofSeconds(30))
					.build(),
				BodyHandlers.ofString());
	}

	private static int freePort() {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
