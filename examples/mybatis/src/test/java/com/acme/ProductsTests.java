package com.acme;

import java.net.ServerSocket;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
class ProductsTests {

	private static RedisServer redis;

	@Autowired
	private Products products;

	@Autowired
	private BloomGuard guard;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			redis = new RedisServer(free.getLocalPort());
		}
		redis.start();
		properties.add("spring.data.redis.port", () -> redis.ports().get(0));
	}

	@AfterAll
	static void stop() throws Exception {
		redis.stop();
	}

	@Test
	void productThatDoesNotExistIsAnsweredByTheFilter() {
		Product product = new Product();
		product.setName("kettle");
		this.products.save(product);
		long created = product.getId();
		// it proves itself: three keys that are not there, and one that is
		await().untilAsserted(() -> {
			assertThat(this.products.getById(created)).isNotNull();
			for (long id = 1001; id <= 1003; id++) {
				assertThat(this.products.nameOf(id)).isNull();
			}
			assertThat(this.guard.membership("products", 1001)).isEqualTo(Membership.ABSENT);
		});
	}

	@Test
	void productIsFoundAsSoonAsItIsCreated() {
		for (int i = 0; i < 100; i++) {
			Product product = new Product();
			product.setName("kettle");
			this.products.save(product);
			assertThat(this.products.nameOf(product.getId())).isEqualTo("kettle");
		}
	}

}
