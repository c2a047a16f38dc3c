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

import java.util.List;
import java.util.function.Consumer;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.util.StringUtils;

/**
 * Reads the connection details of Spring Boot 4.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataRedisConnectionDetails.class)
@ConditionalOnBean(DataRedisConnectionDetails.class)
class DataRedisConfiguration {

	@Bean
	@Lazy
	ConfiguredRedis bloomGuardConfiguredRedis(DataRedisConnectionDetails details, DataRedisProperties properties) {
		return read(details, properties);
	}

	static ConfiguredRedis read(DataRedisConnectionDetails details, DataRedisProperties properties) {
		boolean ssl = details.getSslBundle() != null
				|| StringUtils.startsWithIgnoreCase(properties.getUrl(), "rediss://");
		return new ConfiguredRedis(servers(details), ssl, details.getSslBundle(),
				StringUtils.hasText(properties.getClientName()) ? properties.getClientName() : null,
				properties.getConnectTimeout(), properties.getTimeout());
	}

	/**
	 * Return the servers, in the order in which Spring Boot looks.
	 */
	private static RedisConfiguration servers(DataRedisConnectionDetails details) {
		DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			return sentinel(sentinel, details);
		}
		DataRedisConnectionDetails.Cluster cluster = details.getCluster();
		if (cluster != null) {
			RedisClusterConfiguration configuration = new RedisClusterConfiguration();
			addNodes(cluster.getNodes(), configuration::addClusterNode);
			return authenticated(configuration, details);
		}
		DataRedisConnectionDetails.Standalone standalone = details.getStandalone();
		int database = (standalone != null) ? standalone.getDatabase() : 0;
		DataRedisConnectionDetails.MasterReplica masterReplica = details.getMasterReplica();
		if (masterReplica != null) {
			return masterReplica(masterReplica.getNodes(), database, details);
		}
		RedisStandaloneConfiguration configuration = (standalone != null)
				? new RedisStandaloneConfiguration(standalone.getHost(), standalone.getPort())
				: new RedisStandaloneConfiguration();
		configuration.setDatabase(database);
		return authenticated(configuration, details);
	}

	private static RedisConfiguration sentinel(DataRedisConnectionDetails.Sentinel sentinel,
			DataRedisConnectionDetails details) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
		configuration.master(sentinel.getMaster());
		addNodes(sentinel.getNodes(), configuration::addSentinel);
		configuration.setSentinelUsername(sentinel.getUsername());
		configuration.setSentinelPassword(sentinel.getPassword());
		configuration.setDatabase(sentinel.getDatabase());
		return authenticated(configuration, details);
	}

	private static RedisConfiguration masterReplica(List<DataRedisConnectionDetails.Node> nodes, int database,
			DataRedisConnectionDetails details) {
		RedisStaticMasterReplicaConfiguration configuration = new RedisStaticMasterReplicaConfiguration(
				nodes.get(0).host(), nodes.get(0).port());
		nodes.stream().skip(1).forEach((node) -> configuration.addNode(node.host(), node.port()));
		configuration.setDatabase(database);
		return authenticated(configuration, details);
	}

	private static void addNodes(List<DataRedisConnectionDetails.Node> nodes, Consumer<RedisNode> add) {
		nodes.forEach((node) -> add.accept(new RedisNode(node.host(), node.port())));
	}

	private static <C extends RedisConfiguration.WithAuthentication> C authenticated(C configuration,
			DataRedisConnectionDetails details) {
		configuration.setUsername(details.getUsername());
		configuration.setPassword(details.getPassword());
		return configuration;
	}

}
