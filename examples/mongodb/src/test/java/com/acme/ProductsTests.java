package com.acme;

import java.net.ServerSocket;
import java.util.List;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
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

// of a database that others may write to, a filter begins carefully
@SpringBootTest(properties = { "bloom-guard.defaults.rebuild.settle=0s",
		"bloom-guard.defaults.verification.required-calls=3" })
class ProductsTests {

	private static final List<String> ABSENT = List.of("0123456789abcdef01234567", "0123456789ABCDEF01234568",
			"no ObjectId");

	private static final MongoServer mongo = new MongoServer(new MemoryBackend());

	private static RedisServer redis;

	@Autowired
	private Products products;

	@Autowired
	private BloomGuard guard;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry properties) throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			redis = new RedisServer(free.getLocalPort());
		}
		redis.start();
		properties.add("spring.data.redis.port", () -> redis.ports().get(0));
		mongo.bind();
		String address = mongo.getConnectionString() + "/shop";
		properties.add("spring.mongodb.uri", () -> address);
		// up to Spring Boot 3.5
		properties.add("spring.data.mongodb.uri", () -> address);
	}

	@AfterAll
	static void stop() throws Exception {
		redis.stop();
		mongo.shutdownNow();
	}

	@Test
	void productThatDoesNotExistIsAnsweredByTheFilter() {
		String created = this.products.save(new Product(null, "kettle")).id();
		// it proves itself: three keys that are not there, and one that is
		await().untilAsserted(() -> {
			assertThat(this.products.findById(created)).isPresent();
			for (String id : ABSENT) {
				assertThat(this.products.findById(id)).isEmpty();
			}
			assertThat(this.guard.membership("products", ABSENT.get(0))).isEqualTo(Membership.ABSENT);
		});
	}

	@Test
	void productIsFoundAsSoonAsItIsCreated() {
		String created = this.products.save(new Product(null, "kettle")).id();
		assertThat(this.products.findById(created)).isPresent();
	}

}
