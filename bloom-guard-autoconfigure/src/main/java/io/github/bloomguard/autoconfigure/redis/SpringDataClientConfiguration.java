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

import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(ApplicationRedis.class)
@ConditionalOnMissingBean(RedissonClient.class)
class SpringDataClientConfiguration {

	@Bean
	@Lazy
	OwnClient bloomGuardOwnClient(ObjectProvider<RedisConnectionFactory> factories,
			ObjectProvider<ApplicationRedis> configured, ObjectProvider<RedissonConfigCustomizer> customizers) {
		return OwnClient.of(() -> SpringDataRedis.find(factories.getIfUnique(), configured.getObject()), customizers);
	}

}
