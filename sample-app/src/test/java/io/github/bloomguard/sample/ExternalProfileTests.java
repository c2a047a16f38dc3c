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
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.github.bloomguard.testsupport.Needed;
import io.github.bloomguard.testsupport.Needs;
import io.github.bloomguard.testsupport.TestRedis;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.embedded.RedisServer;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the sample with the profile {@code external}, against a Redis, a PostgreSQL or
 * both that it knows from the ordinary properties only.
 */
@Needs(Needed.POSTGRESQL)
@Tag("slow")
class ExternalProfileTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static EmbeddedPostgres postgres;

	private final ReentrantLock logging = new ReentrantLock();

	private String database;

	@BeforeAll
	static void startPostgres() throws IOException {
		postgres = EmbeddedPostgres.builder()
			.setPGStartupWait(Duration.ofMinutes(1))
			.setServerConfig("wal_level", "logical")
			.start();
	}

	@AfterAll
	static void stopPostgres() throws IOException {
		postgres.close();
	}

	@BeforeEach
	void emptyRedisAndCreateDatabase() {
		redis.reset("shadow");
		this.database = "catalogue_" + UUID.randomUUID().toString().replace("-", "");
		JdbcClient.create(postgres.getPostgresDatabase()).sql("create database " + this.database).update();
	}

	@Test
	void productsAreServedFromPostgresAndRedis() {
		try (ConfigurableApplicationContext application = start()) {
			assertThat(application.getBeansOfType(RedisServer.class)).isEmpty();
			SampleClient client = client(application);
			assertThat(client.json(client.get("/actuator/health")).at("/components/db/details/database").stringValue())
				.isEqualTo("PostgreSQL");
			assertThat(client.product(100_000).statusCode()).isEqualTo(200);
			HttpResponse<String> created = client.create("""
					{"name": "Umbrella", "price": 19.9}""");
			assertThat(created.headers().firstValue("Location")).hasValue("/products/100001");
			assertThat(client.product(100_001).body()).isEqualTo(created.body());
		}
	}

	@Test
	@Tag("proof")
	void redisOutsideAndTheDatabaseEmbedded() {
		redis.command("FLUSHALL");
		try (ConfigurableApplicationContext application = start(redisOutside())) {
			assertThat(application.getBeansOfType(RedisServer.class)).isEmpty();
			assertCatalogueIn(application, "H2");
			assertThat(redis.command("DBSIZE")).isNotEqualTo("0");
		}
	}

	@Test
	@Tag("proof")
	void postgresOutsideAndRedisEmbedded() {
		redis.command("FLUSHALL");
		try (ConfigurableApplicationContext application = start(postgresOutside())) {
			assertThat(application.getBeansOfType(RedisServer.class)).hasSize(1);
			assertCatalogueIn(application, "PostgreSQL");
			assertThat(redis.command("DBSIZE")).isEqualTo("0");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
			nothing  | nothing                       | false | false
			external | nothing                       | true  | true
			external | spring.data.redis.port        | true  | false
			external | SPRING_DATA_REDIS_HOST        | true  | false
			external | spring.datasource.url         | false | true
			external | SPRING_DATASOURCE_PASSWORD    | false | true
			nothing  | spring.data.redis.port        | false | false
			""")
	void whatIsNamedIsOutside(String profile, String property, boolean redis, boolean postgres) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							(property != null) ? Map.of(property, "1") : Map.of()));
		if (profile != null) {
			environment.setActiveProfiles(profile);
		}
		assertThat(ExternalServers.of(environment)).isEqualTo(new ExternalServers(redis, postgres));
	}

	@Test
	@Tag("proof")
	void restartedInstanceIsReadyAtOnceAndLoadsNothing() {
		JsonNode first;
		try (ConfigurableApplicationContext application = start()) {
			SampleClient client = client(application);
			client.awaitReady();
			first = client.filter();
			assertThat(first.at("/warmUp/loaded").longValue()).isEqualTo(100_000);
		}
		try (ConfigurableApplicationContext application = start()) {
			SampleClient client = client(application);
			client.awaitReady(Duration.ofSeconds(1));
			JsonNode second = client.filter();
			assertThat(second.at("/warmUp/loaded").longValue()).isZero();
			assertThat(second.get("generation")).isEqualTo(first.get("generation"));
			assertThat(second.get("estimatedInsertions")).isEqualTo(first.get("estimatedInsertions"));
			assertThat(client.product(42).statusCode()).isEqualTo(200);
			assertThat(client.product(999_999_999).statusCode()).isEqualTo(404);
		}
	}

	@Test
	@Tag("proof")
	void oneOfTwoInstancesThatStartTogetherLoads() {
		Executor threads = (task) -> new Thread(task).start();
		CompletableFuture<ConfigurableApplicationContext> one = CompletableFuture.supplyAsync(this::start, threads);
		CompletableFuture<ConfigurableApplicationContext> other = CompletableFuture.supplyAsync(this::start, threads);
		try (ConfigurableApplicationContext first = one.join(); ConfigurableApplicationContext second = other.join()) {
			List<SampleClient> clients = List.of(client(first), client(second));
			for (SampleClient client : clients) {
				assertThat(client.product(42).statusCode()).isEqualTo(200);
				client.awaitReady();
			}
			assertThat(clients).extracting((client) -> client.filter().at("/warmUp/loaded").longValue())
				.containsExactlyInAnyOrder(0L, 100_000L);
			assertThat(clients).extracting((client) -> client.filter().get("generation").asString())
				.containsOnly(clients.get(0).filter().get("generation").asString());
		}
	}

	@Test
	@Tag("proof")
	void productThatOneInstanceCreatesIsFoundByTheOther() {
		try (ConfigurableApplicationContext first = start(); ConfigurableApplicationContext second = start()) {
			SampleClient writer = client(first);
			SampleClient reader = client(second);
			writer.awaitReady();
			reader.awaitReady();
			for (int i = 0; i < 20; i++) {
				HttpResponse<String> created = writer.create("""
						{"name": "Umbrella", "price": 19.9}""");
				long id = writer.json(created).get("id").longValue();
				assertThat(reader.product(id).body()).isEqualTo(created.body());
				assertThat(reader.product(id + 1).statusCode()).isEqualTo(404);
			}
		}
	}

	/**
	 * Also if nobody can wait for the change log, so that calls go through the filter.
	 */
	@ParameterizedTest
	@CsvSource({ "10s, filter", "1ns, filter|database" })
	void productThatIsInsertedInSqlIsFoundAtOnce(String wait, String servedBy) {
		try (ConfigurableApplicationContext application = start(redisOutside(), postgresOutside(),
				"--spring.profiles.active=changes", "--bloom-guard.filters.products.changes.wait=" + wait)) {
			SampleClient client = client(application);
			client.awaitReady();
			JdbcClient sql = JdbcClient.create(postgres.getDatabase("postgres", this.database));
			for (long id = 100_001; id <= 100_020; id++) {
				HttpResponse<String> absent = client.product(id);
				assertThat(absent.statusCode()).isEqualTo(404);
				assertThat(SampleClient.servedBy(absent)).matches(servedBy);
				sql.sql("insert into product (name, price) values ('Umbrella', 19.90)").update();
				assertThat(client.product(id).statusCode()).isEqualTo(200);
			}
		}
	}

	/**
	 * Start an application. Boot sets up the logging of the whole JVM before it makes the
	 * context, which two applications can't do at the same moment.
	 */
	private ConfigurableApplicationContext start() {
		return start(redisOutside(), postgresOutside());
	}

	private String redisOutside() {
		return "--spring.data.redis.port=" + redis.port();
	}

	private String postgresOutside() {
		return "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", this.database);
	}

	private ConfigurableApplicationContext start(String... servers) {
		this.logging.lock();
		try {
			return new SpringApplicationBuilder(SampleApplication.class).profiles("external")
				.initializers((context) -> this.logging.unlock())
				.run(Stream
					.concat(Stream.of("--server.port=0", "--bloom-guard.timeout=10s", "--bloom-guard.cache.timeout=10s",
							"--logging.level.io.github.bloomguard=warn"), Stream.of(servers))
					.toArray(String[]::new));
		}
		finally {
			if (this.logging.isHeldByCurrentThread()) {
				this.logging.unlock();
			}
		}
	}

	private void assertCatalogueIn(ConfigurableApplicationContext application, String database) {
		SampleClient client = client(application);
		assertThat(client.json(client.get("/actuator/health")).at("/components/db/details/database").stringValue())
			.isEqualTo(database);
		client.awaitReady();
		assertThat(client.product(100_000).statusCode()).isEqualTo(200);
		assertThat(client.product(999_999_999).statusCode()).isEqualTo(404);
	}

	private static SampleClient client(ConfigurableApplicationContext application) {
		return new SampleClient(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

}
