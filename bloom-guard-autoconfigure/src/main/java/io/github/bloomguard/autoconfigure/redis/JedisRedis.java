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

import java.util.stream.Stream;

import io.github.bloomguard.autoconfigure.redis.ApplicationRedis.Verification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

final class JedisRedis {

	private static final Log logger = LogFactory.getLog(JedisRedis.class);

	private JedisRedis() {
	}

	static @Nullable ApplicationRedis read(RedisConnectionFactory factory, @Nullable SslBundle sslBundle) {
		if (!(factory instanceof JedisConnectionFactory jedis)) {
			return null;
		}
		JedisClientConfiguration client = jedis.getClientConfiguration();
		if (client.isUseSsl() && sslBundle == null && client.getSslSocketFactory().isPresent()) {
			logger
				.warn("The SSLSocketFactory of the JedisConnectionFactory can't be used, so the guard's own connection"
						+ " to Redis trusts what the JVM does. Use spring.data.redis.ssl.bundle, or declare a"
						+ " RedissonClient bean for the guard.");
		}
		return SpringDataRedis.of(configurations(jedis), client.isUseSsl(), Verification.FULL, sslBundle,
				client.getClientName().orElse(null), client.getConnectTimeout(), client.getReadTimeout());
	}

	private static Stream<@Nullable RedisConfiguration> configurations(JedisConnectionFactory factory) {
		return Stream.of(factory.getSentinelConfiguration(), factory.getClusterConfiguration(),
				factory.getStandaloneConfiguration());
	}

}
