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
import java.util.Objects;
import java.util.stream.Stream;

import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.util.ClassUtils;

final class SpringDataRedis {

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private SpringDataRedis() {
	}

	/**
	 * Return which Redis it is. The connection factory knows best, because it may be the
	 * application's own or have been customized; where it can't be asked, it is what
	 * Spring Boot would make one from.
	 */
	static ApplicationRedis find(@Nullable RedisConnectionFactory factory, ApplicationRedis configured) {
		ApplicationRedis found = null;
		if (factory != null && LETTUCE) {
			found = LettuceRedis.read(factory, configured.sslBundle());
		}
		if (found == null && factory != null && JEDIS) {
			found = JedisRedis.read(factory, configured.sslBundle());
		}
		return (found != null) ? found : configured;
	}

	static ApplicationRedis of(Stream<@Nullable RedisConfiguration> configuration, boolean ssl,
			Verification verification, @Nullable SslBundle sslBundle, @Nullable String clientName,
			@Nullable Duration connectTimeout, @Nullable Duration timeout) {
		RedisConfiguration found = configuration.filter(Objects::nonNull).findFirst().orElseThrow();
		return new ApplicationRedis(servers(found), RedisConfiguration.getUsernameOrElse(found, () -> null),
				text(RedisConfiguration.getPasswordOrElse(found, RedisPassword::none)), ssl, verification, sslBundle,
				clientName, connectTimeout, timeout);
	}

	private static RedisServers servers(RedisConfiguration configuration) {
		if (configuration instanceof RedisSentinelConfiguration sentinel) {
			return new RedisServers.Sentinel((sentinel.getMaster() != null) ? sentinel.getMaster().getName() : null,
					sentinel.getSentinels().stream().map(SpringDataRedis::node).toList(),
					sentinel.getSentinelUsername(), text(sentinel.getSentinelPassword()), sentinel.getDatabase());
		}
		if (configuration instanceof RedisClusterConfiguration cluster) {
			return new RedisServers.Cluster(cluster.getClusterNodes().stream().map(SpringDataRedis::node).toList());
		}
		if (configuration instanceof RedisStaticMasterReplicaConfiguration masterReplica) {
			return new RedisServers.MasterReplica(masterReplica.getNodes()
				.stream()
				.map((node) -> new Node(node.getHostName(), node.getPort()))
				.toList(), masterReplica.getDatabase());
		}
		if (configuration instanceof RedisStandaloneConfiguration standalone) {
			return new RedisServers.Standalone(new Node(standalone.getHostName(), standalone.getPort()),
					standalone.getDatabase());
		}
		throw UnsupportedRedis.of("a " + configuration.getClass().getSimpleName());
	}

	private static Node node(RedisNode node) {
		return new Node(Objects.requireNonNull(node.getHost()), Objects.requireNonNull(node.getPort()));
	}

	private static @Nullable String text(RedisPassword password) {
		return password.map(String::new).orElse(null);
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, SpringDataRedis.class.getClassLoader());
	}

}
