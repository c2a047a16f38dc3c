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

package io.github.bloomguard.cache.client;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Tells a native image which drivers are looked for by name, and that the configuration
 * of Jedis is wrapped in a proxy.
 */
final class CacheClientHints implements RuntimeHintsRegistrar {

	private static final TypeReference JEDIS_CONFIGURATION = TypeReference
		.of("org.springframework.data.redis.connection.jedis.JedisClientConfiguration");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream
			.of("io.lettuce.core.RedisClient", "redis.clients.jedis.Jedis",
					"org.redisson.spring.data.connection.RedissonConnectionFactory")
			.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
		hints.reflection()
			.registerTypeIfPresent(classLoader, JEDIS_CONFIGURATION.getName(), MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.proxies().registerJdkProxy(JEDIS_CONFIGURATION);
	}

}
