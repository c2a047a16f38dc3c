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

package io.github.bloomguard.boot3;

import java.util.List;

import io.github.bloomguard.autoconfigure.redis.ApplicationRedis;
import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import io.github.bloomguard.autoconfigure.redis.RedisServers;
import io.github.bloomguard.autoconfigure.redis.RedisServers.Node;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Reads the connection details of Spring Boot 3.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(RedisConnectionDetails.class)
class RedisDetailsConfiguration {

	@Bean
	@Lazy
	ApplicationRedis bloomGuardConfiguredRedis(RedisConnectionDetails details, RedisProperties properties) {
		SslBundle bundle = sslBundle(details);
		boolean ssl = bundle != null || properties.getSsl().isEnabled()
				|| StringUtils.startsWithIgnoreCase(properties.getUrl(), "rediss://");
		return new ApplicationRedis(servers(details), details.getUsername(), text(details.getPassword()), ssl,
				Verification.FULL, bundle, text(properties.getClientName()), properties.getConnectTimeout(),
				properties.getTimeout());
	}

	private static @Nullable SslBundle sslBundle(RedisConnectionDetails details) {
		if (details.getSentinel() != null) {
			return details.getSentinel().getSslBundle();
		}
		if (details.getCluster() != null) {
			return details.getCluster().getSslBundle();
		}
		return (details.getStandalone() != null) ? details.getStandalone().getSslBundle() : null;
	}

	/**
	 * Return the servers, in the order in which Spring Boot looks.
	 */
	private static RedisServers servers(RedisConnectionDetails details) {
		RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			return new RedisServers.Sentinel(sentinel.getMaster(), nodes(sentinel.getNodes()), sentinel.getUsername(),
					text(sentinel.getPassword()), sentinel.getDatabase());
		}
		if (details.getCluster() != null) {
			return new RedisServers.Cluster(nodes(details.getCluster().getNodes()));
		}
		RedisConnectionDetails.Standalone standalone = details.getStandalone();
		return (standalone != null) ? new RedisServers.Standalone(new Node(standalone.getHost(), standalone.getPort()),
				standalone.getDatabase()) : new RedisServers.Standalone(Node.DEFAULT, 0);
	}

	private static List<Node> nodes(List<RedisConnectionDetails.Node> nodes) {
		return nodes.stream().map((node) -> new Node(node.host(), node.port())).toList();
	}

	private static @Nullable String text(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

}
