package com.acme;

import java.net.ServerSocket;
import java.time.Duration;

import com.acme.Products.Product;
import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

// of a database that others may write to, a filter begins carefully
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "spring.sql.init.mode=always",
		"bloom-guard.defaults.rebuild.settle=0s", "bloom-guard.defaults.verification.required-calls=3" })
class ProductsTests {

	private static RedisServer redis;

	private static EmbeddedPostgres postgres;

	@Autowired
	private BloomGuard guard;

	private WebTestClient client;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry properties) throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			redis = new RedisServer(free.getLocalPort());
		}
		redis.start();
		properties.add("spring.data.redis.port", () -> redis.ports().get(0));
		postgres = EmbeddedPostgres.start();
		properties.add("spring.r2dbc.url", () -> "r2dbc:postgresql://localhost:" + postgres.getPort() + "/postgres");
		properties.add("spring.r2dbc.username", () -> "postgres");
	}

	@AfterAll
	static void stop() throws Exception {
		redis.stop();
		postgres.close();
	}

	@BeforeEach
	void connect(@Autowired Environment environment) {
		this.client = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + environment.getProperty("local.server.port"))
			.responseTimeout(Duration.ofSeconds(30))
			.build();
	}

	@Test
	void productThatDoesNotExistIsAnsweredByTheFilter() {
		long created = create("kettle");
		// it proves itself: three keys that are not there, and one that is
		await().untilAsserted(() -> {
			assertThat(name(created)).isEqualTo("kettle");
			for (long id = 1001; id <= 1003; id++) {
				assertThat(name(id)).isNull();
			}
			assertThat(this.guard.membership("products", 1001)).isEqualTo(Membership.ABSENT);
		});
	}

	@Test
	void productIsFoundAsSoonAsItIsCreated() {
		assertThat(name(create("kettle"))).isEqualTo("kettle");
	}

	private long create(String name) {
		return this.client.post().uri("/products").bodyValue(name).exchange().expectBody(Product.class).returnResult()
			.getResponseBody()
			.id();
	}

	private String name(long id) {
		Product product = this.client.get()
			.uri("/products/{id}", id)
			.exchange()
			.expectBody(Product.class)
			.returnResult()
			.getResponseBody();
		return (product != null) ? product.name() : null;
	}

}
