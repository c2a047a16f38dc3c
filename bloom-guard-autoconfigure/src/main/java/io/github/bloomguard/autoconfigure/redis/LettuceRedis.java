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
import io.lettuce.core.ClientOptions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

final class LettuceRedis {

	private static final Log logger = LogFactory.getLog(LettuceRedis.class);

	private LettuceRedis() {
	}

	static @Nullable ApplicationRedis read(RedisConnectionFactory factory, @Nullable SslBundle sslBundle) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			return null;
		}
		LettuceClientConfiguration client = lettuce.getClientConfiguration();
		UnsupportedRedis.check(client.isStartTls(), "StartTLS");
		UnsupportedRedis.check(client.getRedisCredentialsProviderFactory().isPresent(),
				"a RedisCredentialsProviderFactory");
		ClientOptions options = client.getClientOptions().orElseGet(ClientOptions::create);
		if (client.isUseSsl() && sslBundle == null && options.getSslOptions() != ClientOptions.DEFAULT_SSL_OPTIONS) {
			logger.warn("The key and trust stores of the LettuceConnectionFactory can't be read, so the guard's own"
					+ " connection to Redis trusts what the JVM does. Use spring.data.redis.ssl.bundle, or declare a"
					+ " RedissonClient bean for the guard.");
		}
		return SpringDataRedis.of(configurations(lettuce), client.isUseSsl(), verification(client), sslBundle,
				client.getClientName().orElse(null), options.getSocketOptions().getConnectTimeout(),
				client.getCommandTimeout());
	}

	private static Stream<@Nullable RedisConfiguration> configurations(LettuceConnectionFactory factory) {
		return Stream.of(factory.getSentinelConfiguration(), factory.getClusterConfiguration(),
				factory.getSocketConfiguration(), masterReplica(factory), factory.getStandaloneConfiguration());
	}

	/**
	 * Return the only kind of configuration that the factory does not show.
	 */
	private static @Nullable RedisConfiguration masterReplica(LettuceConnectionFactory factory) {
		DirectFieldAccessor fields = new DirectFieldAccessor(factory);
		return fields.isReadableProperty("configuration") && fields
			.getPropertyValue("configuration") instanceof RedisStaticMasterReplicaConfiguration configuration
					? configuration : null;
	}

	private static Verification verification(LettuceClientConfiguration client) {
		return switch (client.getVerifyMode()) {
			case FULL -> Verification.FULL;
			case CA -> Verification.TRUST;
			case NONE -> Verification.NONE;
		};
	}

}
