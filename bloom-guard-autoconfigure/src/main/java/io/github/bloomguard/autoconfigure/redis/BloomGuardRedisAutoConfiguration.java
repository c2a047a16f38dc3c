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

import java.util.concurrent.Executor;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.autoconfigure.LateClosing;
import io.github.bloomguard.autoconfigure.OnSupportedSpringBoot;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.library.Library;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Auto-configuration of the guard's way to Redis: the application's
 * {@code RedissonClient}, or else one of the guard's own that is connected as that one,
 * or as the application is. Nothing is made before a filter needs it, and nothing of the
 * application's is replaced.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = { "org.redisson.spring.starter.RedissonAutoConfigurationV4",
		"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" })
@ConditionalOnClass(Redisson.class)
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", matchIfMissing = true)
@Conditional(OnSupportedSpringBoot.class)
@Import({ DataRedisConfiguration.class, SpringDataClientConfiguration.class, PropertiesClientConfiguration.class })
@ImportRuntimeHints(RedisHints.class)
public final class BloomGuardRedisAutoConfiguration {

	private static final Log logger = LogFactory.getLog(BloomGuardRedisAutoConfiguration.class);

	private static final String ACCESS = "bloomGuardRedisAccess";

	@Bean(name = ACCESS, destroyMethod = "")
	@Lazy
	@ConditionalOnMissingBean
	RedisAccess bloomGuardRedisAccess(LateClosing closing, ObjectProvider<RedissonClient> clients,
			ObjectProvider<OwnClient> ownClient, @Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor,
			@Value("${bloom-guard.redis.own-client:false}") boolean beside) {
		RedisAccess access = access(clients, ownClient, executor, beside);
		closing.add(access::close);
		return access;
	}

	private static RedisAccess access(ObjectProvider<RedissonClient> clients, ObjectProvider<OwnClient> ownClient,
			Executor executor, boolean beside) {
		Library.REDISSON.require();
		Library.REDISSON.untried().ifPresent(logger::info);
		RedissonClient client = clients.getIfUnique();
		if (client != null) {
			return beside ? RedisAccess.beside(client, executor) : new RedisAccess(client, executor);
		}
		if (clients.stream().findAny().isPresent()) {
			throw new InvalidGuardException(
					"There are several RedissonClient beans, and filters are to be kept in Redis",
					"Mark the one as @Primary that the guard shall use");
		}
		OwnClient own = ownClient.getIfAvailable();
		if (own == null) {
			throw new InvalidGuardException("Filters are to be kept in Redis, but nothing says where it is",
					"Add spring-boot-starter-data-redis and set spring.data.redis.*, or declare a RedissonClient bean");
		}
		return RedisAccess.owning(own.config(), executor);
	}

	@Bean
	RedisAccessLifecycle bloomGuardRedisAccessLifecycle(ConfigurableApplicationContext context) {
		return new RedisAccessLifecycle(context, ACCESS);
	}

}
