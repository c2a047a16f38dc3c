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
import java.util.function.Consumer;

import io.github.bloomguard.autoconfigure.redis.ConfiguredRedis;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
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
	ConfiguredRedis bloomGuardConfiguredRedis(RedisConnectionDetails details, RedisProperties properties) {
		SslBundle bundle = sslBundle(details);
		boolean ssl = bundle != null || properties.getSsl().isEnabled()
				|| StringUtils.startsWithIgnoreCase(properties.getUrl(), "rediss://");
		return new ConfiguredRedis(servers(details), ssl, bundle,
				StringUtils.hasText(properties.getClientName()) ? properties.getClientName() : null,
				properties.getConnectTimeout(), properties.getTimeout());
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
	private static RedisConfiguration servers(RedisConnectionDetails details) {
		RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
		if (sentinel != null) {
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
			configuration.master(sentinel.getMaster());
			addNodes(sentinel.getNodes(), configuration::addSentinel);
			configuration.setSentinelUsername(sentinel.getUsername());
			configuration.setSentinelPassword(sentinel.getPassword());
			configuration.setDatabase(sentinel.getDatabase());
			return authenticated(configuration, details);
		}
		if (details.getCluster() != null) {
			RedisClusterConfiguration configuration = new RedisClusterConfiguration();
			addNodes(details.getCluster().getNodes(), configuration::addClusterNode);
			return authenticated(configuration, details);
		}
		RedisConnectionDetails.Standalone standalone = details.getStandalone();
		if (standalone == null) {
			return authenticated(new RedisStandaloneConfiguration(), details);
		}
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(standalone.getHost(),
				standalone.getPort());
		configuration.setDatabase(standalone.getDatabase());
		return authenticated(configuration, details);
	}

	private static void addNodes(List<RedisConnectionDetails.Node> nodes, Consumer<RedisNode> add) {
		nodes.forEach((node) -> add.accept(new RedisNode(node.host(), node.port())));
	}

	private static <C extends RedisConfiguration.WithAuthentication> C authenticated(C configuration,
			RedisConnectionDetails details) {
		configuration.setUsername(details.getUsername());
		configuration.setPassword(details.getPassword());
		return configuration;
	}

}
