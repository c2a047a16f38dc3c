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

import io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration;
import io.github.bloomguard.autoconfigure.redis.BloomGuardRedisAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of what the guard needs of Spring Boot 3 before it is configured
 * itself. It comes after what the guard comes after in Spring Boot 4.
 *
 * @since 1.0.0
 */
@AutoConfiguration(
		afterName = { "org.redisson.spring.starter.RedissonAutoConfigurationV2",
				"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration" },
		before = { BloomGuardAutoConfiguration.class, BloomGuardRedisAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", matchIfMissing = true)
@Import(RedisDetailsConfiguration.class)
public final class SpringBoot3AutoConfiguration {

}
