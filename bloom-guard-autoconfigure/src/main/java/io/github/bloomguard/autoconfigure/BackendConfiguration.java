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

package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.backend.redis.module.ModuleBackend;
import org.redisson.Redisson;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Backends for filters; those of the application for the same type come before these.
 */
@Configuration(proxyBeanMethods = false)
class BackendConfiguration {

	@Bean
	FilterBackend bloomGuardMemoryBackend() {
		return new MemoryBackend();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Redisson.class)
	static class RedisConfiguration {

		@Bean
		FilterBackend bloomGuardRedisBackend(ObjectProvider<RedisAccess> redis, BloomGuardProperties properties) {
			return new RedisBackend(redis::getObject, properties.keyPrefix(), properties.timeout());
		}

		@Bean
		FilterBackend bloomGuardRedisBloomBackend(ObjectProvider<RedisAccess> redis, BloomGuardProperties properties) {
			return ModuleBackend.bloom(redis::getObject, properties.keyPrefix(), properties.timeout());
		}

		@Bean
		FilterBackend bloomGuardRedisCuckooBackend(ObjectProvider<RedisAccess> redis, BloomGuardProperties properties) {
			return ModuleBackend.cuckoo(redis::getObject, properties.keyPrefix(), properties.timeout());
		}

	}

}
