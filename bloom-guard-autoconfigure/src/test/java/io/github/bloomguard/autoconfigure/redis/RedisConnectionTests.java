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

package io.github.bloomguard.autoconfigure.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestRedisCluster;
import io.lettuce.core.RedisCredentialsProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that the guard finds the Redis that the application uses, and is connected to it
 * as the application is.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = "threads", mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@Tag("slow")
class RedisConnectionTests {

	private static final String CONTROL = "bloom-guard:{products}:control";

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	@AutoClose
	private final TestRedis secret = TestRedis.start("--requirepass", "s3cret/1");

	@BeforeEach
	void addUser() {
		this.secret.command("ACL", "SETUSER", "shop", "on", ">p:ssw@rd", "~*", "&*", "+@all");
	}

	private static Keys keys() {
		return new Keys("products", 100);
	}

	private static void assertThatItGuards(GuardApplication application) {
		application.awaitReady();
		assertThat(application.guard().mightContain("products", 100)).isTrue();
		assertThat(application.guard().mightContain("products", 101)).isFalse();
	}

	@Test
	@ResourceLock("threads")
	void fewConnectionsAndThreadsServeManyCallers() throws Exception {
		try (GuardApplication application = GuardApplication.start(this.redis, keys(),
				"spring.data.redis.client-name=shop")) {
			assertThatItGuards(application);
			BloomGuard guard = application.guard();
			ExecutorService callers = Executors.newFixedThreadPool(32);
			for (int i = 0; i < 32; i++) {
				int caller = i;
				callers.execute(() -> {
					for (int call = 0; call < 200; call++) {
						guard.mightContain("products", "absent-" + caller + "-" + call);
						if (call % 20 == 0) {
							guard.add("products", 1000 + caller * 200 + call);
						}
					}
				});
			}
			callers.shutdown();
			assertThat(callers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
			assertThat(clients("name=shop")).isBetween(1L, 4L);
			assertThat(threads((name) -> name.startsWith("redisson") || name.startsWith("bloom-guard"))).isBetween(1L,
					8L);
		}
	}

	private long clients(String text) {
		return this.redis.command("CLIENT", "LIST").lines().filter((client) -> client.contains(text)).count();
	}

	private static long threads(Predicate<String> name) {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).filter(name).count();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis://:s3cret%2F1@127.0.0.1:{port}", "redis://default:s3cret%2F1@127.0.0.1:{port}/3",
			"redis://shop:p%3Assw%40rd@127.0.0.1:{port}/2" })
	void urlIsReadAsSpringBootDoes(String url) {
		try (GuardApplication application = GuardApplication.start(List.of(keys()),
				"spring.data.redis.url=" + url.replace("{port}", String.valueOf(this.secret.port())))) {
			assertThatItGuards(application);
			String database = url.endsWith("/3") ? "db3:" : url.endsWith("/2") ? "db2:" : "db0:";
			assertThat(this.secret.command("INFO", "keyspace")).contains(database);
		}
	}

	@Test
	void userAndPasswordMayBeProperties() {
		try (GuardApplication application = GuardApplication.start(this.secret, keys(),
				"spring.data.redis.username=shop", "spring.data.redis.password=p:ssw@rd",
				"spring.data.redis.database=5")) {
			assertThatItGuards(application);
			assertThat(this.secret.command("INFO", "keyspace")).contains("db5:");
		}
	}

	@Test
	void primaryIsFoundAmongTheNodes() {
		try (TestRedis replica = this.redis.startReplica();
				GuardApplication application = GuardApplication.start(List.of(keys()),
						"spring.data.redis.masterreplica.nodes=127.0.0.1:%d,127.0.0.1:%d".formatted(replica.port(),
								this.redis.port()))) {
			assertThatItGuards(application);
			application.guard().add("products", "new");
			assertThat(application.guard().mightContain("products", "new")).isTrue();
		}
	}

	@Test
	void oneSentinelIsEnough() {
		try (TestRedis sentinel = this.secret.startSentinel();
				GuardApplication application = GuardApplication.start(List.of(keys()),
						"spring.data.redis.sentinel.master=shop",
						"spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port(),
						"spring.data.redis.password=s3cret/1")) {
			assertThatItGuards(application);
		}
	}

	@Test
	void clusterHasThreeConnectionsToEachNodeAtMost() {
		try (TestRedisCluster cluster = TestRedisCluster.start(true);
				GuardApplication application = GuardApplication.start(List.of(keys()), cluster.property(),
						"spring.data.redis.client-name=shop")) {
			assertThatItGuards(application);
			assertThat(cluster.primaryOf(CONTROL).command("EXISTS", CONTROL)).isEqualTo("1");
			application.guard().add("products", "new");
			assertThat(application.guard().mightContain("products", "new")).isTrue();
			assertThat(cluster.nodes()).allSatisfy((node) -> assertThat(
					node.command("CLIENT", "LIST").lines().filter((client) -> client.contains("name=shop")).count())
				.isLessThanOrEqualTo(3));
		}
	}

	@Test
	void ownConnectionFactoryTellsWhereRedisIs() {
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory("127.0.0.1", this.redis.port());
		try (GuardApplication application = GuardApplication.start(List.of(keys(), lettuce))) {
			assertThatItGuards(application);
			assertThat(this.redis.command("EXISTS", CONTROL)).isEqualTo("1");
		}
		this.redis.command("FLUSHALL");
		JedisConnectionFactory jedis = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()));
		try (GuardApplication application = GuardApplication.start(List.of(keys(), jedis))) {
			assertThatItGuards(application);
		}
	}

	@Test
	void ownConnectionFactoryMayKnowPrimaryAndReplicas() {
		try (TestRedis replica = this.redis.startReplica()) {
			RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration("127.0.0.1",
					replica.port());
			nodes.addNode("127.0.0.1", this.redis.port());
			try (GuardApplication application = GuardApplication
				.start(List.of(keys(), new LettuceConnectionFactory(nodes)))) {
				assertThatItGuards(application);
			}
		}
	}

	@Test
	void clientOfTheApplicationIsUsedAndLeftOpen() {
		RedissonClient client = RedissonClients.of(this.redis);
		try {
			try (RedisAccess access = new RedisAccess(client, Runnable::run)) {
				assertThat(access).isNotNull();
			}
			assertThat(client.isShutdown()).isFalse();
			try (GuardApplication application = GuardApplication.start(List.of(keys(), client),
					"spring.data.redis.port=1")) {
				assertThatItGuards(application);
			}
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	void ownClientStandsBesideThatOfTheApplication() {
		RedissonClient client = RedissonClients.of(this.redis,
				(config) -> config.useSingleServer().setClientName("application"));
		try {
			Redisson own;
			try (GuardApplication application = GuardApplication.start(List.of(keys(), client),
					"bloom-guard.redis.own-client=true")) {
				assertThatItGuards(application);
				own = application.bean(RedisAccess.class).client();
				assertThat(own).isNotSameAs(client);
				assertThat(own.getServiceManager().getConfig().getClientName()).isEqualTo("application");
			}
			assertThat(own.isShutdown()).isTrue();
			assertThat(client.isShutdown()).isFalse();
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	@ResourceLock("threads")
	void ownClientIsNoBeanAndIsClosedWithTheContext() {
		RedissonClient own;
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(keys(), Injected.class))) {
			assertThatItGuards(application);
			own = application.bean(RedisAccess.class).client();
			assertThat(application.context().getBeansOfType(RedissonClient.class)).isEmpty();
			assertThat(application.bean(Injected.class).clients()).isEmpty();
		}
		assertThat(own.isShutdown()).isTrue();
		Awaitility.await().until(() -> threads((name) -> name.startsWith("redisson")) == 0);
	}

	@Test
	void configurationOfTheOwnClientCanBeChanged() {
		RedissonConfigCustomizer customizer = (config) -> config.useSingleServer().setClientName("changed");
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(keys(), customizer))) {
			assertThatItGuards(application);
			assertThat(clients("name=changed")).isPositive();
		}
	}

	@Test
	void whatRedissonCanNotDoStopsTheStart() {
		assertThatItIsRefused(new LettuceConnectionFactory(new RedisSocketConfiguration("/tmp/this.redis.sock")),
				"RedisSocketConfiguration");
		assertThatItIsRefused(new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
				LettuceClientConfiguration.builder().useSsl().startTls().build()), "StartTLS");
		assertThatItIsRefused(new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
				LettuceClientConfiguration.builder()
					.redisCredentialsProviderFactory(
							new org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory() {

								@Override
								public RedisCredentialsProvider createCredentialsProvider(
										org.springframework.data.redis.connection.RedisConfiguration configuration) {
									return RedisCredentialsProvider.from(() -> null);
								}

							})
					.build()),
				"RedisCredentialsProviderFactory");
	}

	private static void assertThatItIsRefused(RedisConnectionFactory factory, String what) {
		assertThatException().isThrownBy(() -> GuardApplication.start(List.of(keys(), factory)))
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
				assertThat(ex.getProblem()).contains(what);
				assertThat(ex.getRemedy()).contains("RedissonClient");
			});
	}

	@Test
	void severalClientsWithoutAPrimaryOneStopTheStart() {
		RedissonClient one = RedissonClients.of(this.redis);
		RedissonClient other = RedissonClients.of(this.redis);
		try {
			assertThatException().isThrownBy(() -> GuardApplication.start(this.redis, List.of(keys(), one, other)))
				.havingRootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class,
						(ex) -> assertThat(ex.getRemedy()).contains("@Primary"));
		}
		finally {
			one.shutdown();
			other.shutdown();
		}
	}

	@Test
	@ResourceLock("threads")
	void applicationWithoutFiltersHasNeitherClientNorThread() {
		try (GuardApplication application = GuardApplication.startWithoutFilters(this.redis)) {
			assertThat(application.context().getBeanFactory().containsSingleton("bloomGuardRedisAccess")).isFalse();
			assertThat(threads((name) -> name.startsWith("redisson") || name.startsWith("bloom-guard"))).isZero();
		}
	}

	@Test
	void filterIsLoadedByItselfWhenRedisComesLater() {
		TestRedis later = TestRedis.start();
		try {
			later.kill();
			try (GuardApplication application = GuardApplication.start(later, keys())) {
				application.awaitState(FilterState.UNREACHABLE);
				assertThat(application.guard().mightContain("products", 101)).isTrue();
				later.restart();
				assertThatItGuards(application);
			}
		}
		finally {
			later.close();
		}
	}

	/**
	 * Is given clients as any bean of an application is.
	 *
	 * @param clients the clients
	 */
	record Injected(List<RedissonClient> clients) {

		@Autowired
		Injected(ObjectProvider<RedissonClient> clients) {
			this(clients.stream().toList());
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.password=wrong", "spring.data.redis.host=no-such-host.invalid",
			"spring.data.redis.port=1" })
	void redisThatCanNotBeReachedDelaysNeitherTheStartNorACallNorTheEnd(String property) {
		long start = System.nanoTime();
		GuardApplication application = GuardApplication.start(this.secret, keys(), property,
				"bloom-guard.timeout=100ms");
		long started = System.nanoTime();
		application.awaitState(FilterState.UNREACHABLE);
		long called = System.nanoTime();
		assertThat(application.guard().mightContain("products", 101)).isTrue();
		long closing = System.nanoTime();
		application.close();
		assertThat(Duration.ofNanos(started - start)).isLessThan(Duration.ofSeconds(10));
		assertThat(Duration.ofNanos(closing - called)).isLessThan(Duration.ofMillis(500));
		assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(Duration.ofSeconds(2));
	}

}
