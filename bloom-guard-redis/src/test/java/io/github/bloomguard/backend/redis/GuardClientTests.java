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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSettings.Verification;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.RunningBloomGuard;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.NameMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardClient}.
 */
class GuardClientTests {

	private static final ThreadLocal<String> tenant = new ThreadLocal<>();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	@AfterEach
	void endThreads() {
		this.executor.shutdownNow();
		tenant.remove();
	}

	/**
	 * A mapper that back ends for several tenants have: another name on each thread.
	 */
	@Test
	void threadsOfSeveralTenantsHideNoRowFromAnotherInstance() throws Exception {
		Set<Long> rows = ConcurrentHashMap.newKeySet();
		LongStream.rangeClosed(1, 100).forEach(rows::add);
		RedissonClient first = RedissonClients.of(redis, (config) -> config.setNameMapper(new TenantMapper()));
		RedissonClient second = RedissonClients.of(redis, (config) -> config.setNameMapper(new TenantMapper()));
		try (RedisAccess one = new RedisAccess(first, this.executor);
				RedisAccess two = new RedisAccess(second, this.executor);
				RunningBloomGuard adding = start(one, rows);
				RunningBloomGuard asking = start(two, rows)) {
			Stream.of(adding, asking).forEach((guard) -> awaitAnswers(guard.guard()));
			assertThat(hidden(adding.guard(), asking.guard(), rows, 1000)).isEmpty();
			assertThat(redis.keys("*")).isNotEmpty().allMatch((key) -> key.startsWith("tenants:"));
		}
		finally {
			first.shutdown();
			second.shutdown();
		}
	}

	private static void awaitAnswers(BloomGuard guard) {
		Awaitility.await().until(() -> guard.membership("users", -1L) == Membership.ABSENT);
	}

	private static Set<Long> hidden(BloomGuard adding, BloomGuard asking, Set<Long> rows, int number) throws Exception {
		Set<Long> hidden = ConcurrentHashMap.newKeySet();
		AtomicInteger ids = new AtomicInteger(10_000);
		List<String> tenants = List.of("000000", "154726", "");
		ExecutorService threads = Executors.newFixedThreadPool(4);
		for (int row = 0; row < number; row++) {
			String of = tenants.get(row % tenants.size());
			threads.execute(() -> {
				tenant.set(of);
				long id = ids.incrementAndGet();
				adding.add("users", id);
				rows.add(id);
				tenant.set(tenants.get((int) id % tenants.size()));
				if (asking.membership("users", id) == Membership.ABSENT) {
					hidden.add(id);
				}
			});
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		assertThat(rows).hasSize(100 + number);
		return hidden;
	}

	private static RunningBloomGuard start(RedisAccess access, Set<Long> rows) {
		BloomGuardBuilder builder = new BloomGuardBuilder(
				new RedisBackend(() -> access, "tenants", Duration.ofSeconds(2)))
			.application("tenants")
			.addTimeout(Duration.ofSeconds(5));
		builder.filter("users", 100_000)
			.keys(rows::stream)
			.settle(Duration.ZERO)
			.verification(Verification.Mode.OFF, 10, 0);
		return builder.start();
	}

	@Test
	void mapperOfTheGuardsOwnClientIsRefused() {
		Config config = RedissonClients.config(redis).setNameMapper(new TenantMapper());
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> RedisAccess.owning(config, Runnable::run))
			.withMessageContaining("NameMapper " + TenantMapper.class.getName())
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("bloom-guard.key-prefix"));
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void clientBesideAnotherIsSmallLazyAndLeavesNames(Config application) {
		application.setNameMapper(new TenantMapper()).setPassword("secret").setThreads(16);
		Redisson client = (Redisson) Redisson.create(OwnConfig.like(application));
		try {
			assertThat(RedissonLine.nameMapper(client.getConfig(), RedissonLine.servers(client))).isNull();
			Config config = client.getConfig();
			assertThat(config.isLazyInitialization()).isTrue();
			assertThat(config.getThreads()).isOne();
			assertThat(config.getCodec()).isInstanceOf(StringCodec.class);
			assertThat(client.getServiceManager().getConfig().getMasterConnectionPoolSize()).isLessThanOrEqualTo(4);
			assertThat(config.getPassword()).isEqualTo("secret");
		}
		finally {
			client.shutdown();
		}
	}

	static Stream<Arguments> configurations() {
		Config single = new Config();
		single.useSingleServer().setAddress("redis://localhost:1");
		Config sentinel = new Config();
		sentinel.useSentinelServers().setMasterName("mymaster").addSentinelAddress("redis://localhost:1");
		Config cluster = new Config();
		cluster.useClusterServers().addNodeAddress("redis://localhost:1");
		Config replicated = new Config();
		replicated.useReplicatedServers().addNodeAddress("redis://localhost:1");
		Config replicas = new Config();
		replicas.useMasterSlaveServers().setMasterAddress("redis://localhost:1");
		return Stream.of(single, sentinel, cluster, replicated, replicas).map(Arguments::of);
	}

	private static final class TenantMapper implements NameMapper {

		@Override
		public String map(String name) {
			return prefix() + name;
		}

		@Override
		public String unmap(String name) {
			return name.substring(prefix().length());
		}

		private static String prefix() {
			return Objects.toString(tenant.get(), "") + ":";
		}

	}

}
