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

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Registers properties without a bean of their own, drivers that are found by name, and
 * what another line of Redisson has in another place.
 */
final class RedisHints implements RuntimeHintsRegistrar {

	private static final String CONFIG = "org.redisson.config.";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		BindableRuntimeHintsRegistrar.forTypes(RedisProperties.class).registerHints(hints);
		Stream.of("io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.redisson.command.CommandAsyncService",
					MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		Stream.of("org.redisson.api.options.ObjectParams", "org.redisson.connection.ServiceManager")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		Stream
			.of("io.github.bloomguard.backend.redis.OwnConfig", CONFIG + "Config", CONFIG + "SingleServerConfig",
					CONFIG + "SentinelServersConfig", CONFIG + "ClusterServersConfig",
					CONFIG + "ReplicatedServersConfig", CONFIG + "MasterSlaveServersConfig", CONFIG + "BaseConfig",
					CONFIG + "NameMapper", CONFIG + "SslVerificationMode", "org.redisson.connection.ConnectionManager")
			.forEach((type) -> hints.reflection()
				.registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
