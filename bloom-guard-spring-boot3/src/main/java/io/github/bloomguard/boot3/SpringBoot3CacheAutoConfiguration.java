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

import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheAutoConfiguration;
import io.github.bloomguard.cache.autoconfigure.GuardedCacheManager;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.cache.CacheAutoConfiguration;
import org.springframework.boot.autoconfigure.cache.RedisCacheManagerBuilderCustomizer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.cache.RedisCacheManager;

/**
 * Auto-configuration of guarded caches.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = BloomGuardCacheAutoConfiguration.class, before = CacheAutoConfiguration.class)
@ConditionalOnClass({ RedisCacheManager.class, RedisCacheManagerBuilderCustomizer.class })
@ConditionalOnBean(GuardedCacheManager.class)
public final class SpringBoot3CacheAutoConfiguration {

	@Bean
	@Order(0)
	RedisCacheManagerBuilderCustomizer bloomGuardRedisCacheManagerBuilderCustomizer(GuardedCacheManager cacheManager) {
		return cacheManager::customize;
	}

}
