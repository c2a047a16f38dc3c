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

package io.github.bloomguard.cache;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.cache.Cache;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.bloomguard.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a node of a Redis Cluster, which refuses scripts about keys of different
 * slots.
 */
class ClusterNodeTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start("--cluster-enabled", "yes", "--cluster-config-file",
			"nodes-" + UUID.randomUUID(), "--cluster-announce-ip", "127.0.0.1");

	@BeforeAll
	static void start() {
		redis.command(
				Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, 16_384).mapToObj(String::valueOf))
					.toArray(String[]::new));
		Awaitility.await().until(() -> redis.command("CLUSTER", "INFO").contains("cluster_state:ok"));
	}

	@BeforeEach
	void clear() {
		redis.command("FLUSHALL");
	}

	@ParameterizedTest
	@EnumSource
	void nullValuesAndLoadsWorkOnACluster(Driver driver) throws Exception {
		RedisConnectionFactory factory = driver.factory.get();
		((InitializingBean) factory).afterPropertiesSet();
		((SmartLifecycle) factory).start();
		try (GuardedInstance instance = GuardedInstance.of(factory)) {
			for (String key : List.of("7", "{tag}7", "{id=7}", "SimpleKey [1,2]", "a}b", "{}7")) {
				nullValuesAndLoadsWork(instance, key);
			}
		}
		finally {
			((DisposableBean) factory).destroy();
		}
	}

	@ParameterizedTest
	@EnumSource
	void olderValueIsNotStoredOnAClusterEither(Driver driver) throws Exception {
		RedisConnectionFactory factory = driver.factory.get();
		((InitializingBean) factory).afterPropertiesSet();
		((SmartLifecycle) factory).start();
		try (GuardedInstance instance = GuardedInstance.of(factory);
				GuardedInstance elsewhere = GuardedInstance.of(factory)) {
			Cache same = elsewhere.cache("products");
			for (String key : List.of("7", "{tag}7")) {
				assertOlderValueIsNotStored(instance.cache("products"), key, () -> same.evict(key));
				assertOlderValueIsNotStored(instance.cache("products"), key, same::clear);
				assertOlderValueIsNotStored(instance.cache("products"), key,
						() -> elsewhere.nullEntries.clear(List.of("products"), List.of(key)).join());
				assertThat(load(instance.cache("products"), key, "value")).isEqualTo("value");
				assertThat(instance.cache("products").get(key)).isNotNull();
				same.evict(key);
			}
		}
		finally {
			((DisposableBean) factory).destroy();
		}
	}

	/**
	 * What evicts there does not delete it.
	 */
	@ParameterizedTest
	@EnumSource
	void noEpochIsKnownOnACluster(Driver driver) throws Exception {
		RedisConnectionFactory factory = driver.factory.get();
		((InitializingBean) factory).afterPropertiesSet();
		((SmartLifecycle) factory).start();
		try (GuardedInstance instance = GuardedInstance.of(factory)) {
			instance.guard.parts().epoch().ask();
			assertThat(instance.guard.parts().epoch().token()).isSameAs(LoadToken.INVALID);
			assertThat(redis.keys("*epoch*")).isEmpty();
		}
		finally {
			((DisposableBean) factory).destroy();
		}
	}

	private static void assertOlderValueIsNotStored(Cache products, String key, Runnable invalidation) {
		for (String value : new String[] { "old", null }) {
			products.get(key, () -> {
				invalidation.run();
				return value;
			});
			assertThat(products.get(key)).isNull();
		}
	}

	private void nullValuesAndLoadsWork(GuardedInstance instance, String key) {
		Cache products = instance.cache("products");
		assertThat(load(products, key, null)).isNull();
		assertThat(products.get(key)).isNotNull();
		instance.nullEntries.clear(List.of("products"), List.of(key)).join();
		assertThat(products.get(key)).isNull();
		products.put(key, null);
		assertThat(products.get(key)).isNull();
		assertThat(load(products, key, "value")).isEqualTo("value");
		assertThat(load(products, key, "other")).isEqualTo("value");
		products.evict(key);
		assertThat(products.get(key)).isNull();
	}

	private static Object load(Cache cache, String key, Object value) {
		return cache.get(key, () -> value);
	}

	/**
	 * Connects to the node, as such or as to a cluster.
	 */
	enum Driver {

		LETTUCE(() -> new LettuceConnectionFactory("127.0.0.1", redis.port())),

		LETTUCE_CLUSTER(() -> new LettuceConnectionFactory(cluster())),

		JEDIS_CLUSTER(() -> new JedisConnectionFactory(cluster()));

		private final Supplier<RedisConnectionFactory> factory;

		Driver(Supplier<RedisConnectionFactory> factory) {
			this.factory = factory;
		}

		private static RedisClusterConfiguration cluster() {
			return new RedisClusterConfiguration(List.of("127.0.0.1:" + redis.port()));
		}

	}

}
