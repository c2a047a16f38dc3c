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

import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
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
	ApplicationRedis bloomGuardConfiguredRedis(DataRedisConnectionDetails details, DataRedisProperties properties) {
		return read(details, properties);
	}

	static ApplicationRedis read(DataRedisConnectionDetails details, DataRedisProperties properties) {
		boolean ssl = details.getSslBundle() != null
				|| StringUtils.startsWithIgnoreCase(properties.getUrl(), "rediss://");
		return new ApplicationRedis(servers(details), details.getUsername(), text(details.getPassword()), ssl,
				Verification.FULL, details.getSslBundle(), text(properties.getClientName()),
				properties.getConnectTimeout(), properties.getTimeout());
	}

	/**
	 * Return the servers, in the order in which Spring Boot looks.
	 */
	private static RedisServers servers(DataRedisConnectionDetails details) {
		DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			return new RedisServers.Sentinel(sentinel.getMaster(), nodes(sentinel.getNodes()), sentinel.getUsername(),
					text(sentinel.getPassword()), sentinel.getDatabase());
		}
		DataRedisConnectionDetails.Cluster cluster = details.getCluster();
		if (cluster != null) {
			return new RedisServers.Cluster(nodes(cluster.getNodes()));
		}
		DataRedisConnectionDetails.Standalone standalone = details.getStandalone();
		int database = (standalone != null) ? standalone.getDatabase() : 0;
		DataRedisConnectionDetails.MasterReplica masterReplica = details.getMasterReplica();
		if (masterReplica != null) {
			return new RedisServers.MasterReplica(nodes(masterReplica.getNodes()), database);
		}
		return new RedisServers.Standalone(
				(standalone != null) ? new Node(standalone.getHost(), standalone.getPort()) : Node.DEFAULT, database);
	}

	private static List<Node> nodes(List<DataRedisConnectionDetails.Node> nodes) {
		return nodes.stream().map((node) -> new Node(node.host(), node.port())).toList();
	}

	private static @Nullable String text(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

}
