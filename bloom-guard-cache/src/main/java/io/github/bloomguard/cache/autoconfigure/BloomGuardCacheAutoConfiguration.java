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

package io.github.bloomguard.cache.autoconfigure;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.bloomguard.cache.CacheGuard;
import io.github.bloomguard.cache.CacheLoadListener;
import io.github.bloomguard.cache.CachedCallAdvisor;
import io.github.bloomguard.cache.CachesWithoutPrefix;
import io.github.bloomguard.cache.FilterCaches;
import io.github.bloomguard.cache.NullEntries;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cache.CacheManager;
import org.springframework.cache.config.CacheManagementConfigUtils;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration that guards the Redis caches of Spring's auto-configured
 * {@link RedisCacheManager}.
 * <p>
 * A {@link RedisCacheWriter} bean is decorated, otherwise a writer that writes
 * immediately. The customizer that sets it has the order 0: one without an order comes
 * later, and a writer that it sets replaces the guarded one.
 *
 * @since 1.0.0
 */
@AutoConfiguration(
		afterName = { "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration",
				"org.redisson.spring.starter.RedissonAutoConfigurationV4",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" },
		beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnClass(RedisCacheManager.class)
@Conditional(OnCacheManagerCustomizer.class)
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", matchIfMissing = true)
public final class BloomGuardCacheAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	NullEntries bloomGuardNullEntries(ObjectProvider<CacheManager> cacheManagers, ObjectProvider<FilterCaches> caches) {
		return new NullEntries(cacheManagers::orderedStream, () -> caches.getIfAvailable(() -> FilterCaches.NONE));
	}

	@Bean
	static CachesWithoutPrefix bloomGuardCachesWithoutPrefix(Environment environment,
			ObjectProvider<CacheManager> cacheManagers, ObjectProvider<FilterCaches> caches) {
		return new CachesWithoutPrefix(keyPrefix(environment), cacheManagers::orderedStream,
				() -> caches.getIfAvailable(() -> FilterCaches.NONE));
	}

	private static String keyPrefix(Environment environment) {
		return environment.getProperty("bloom-guard.key-prefix", "bloom-guard");
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "bloom-guard.cache.enabled", matchIfMissing = true)
	@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
	@EnableConfigurationProperties(BloomGuardCacheProperties.class)
	@Import(CacheManagerConfiguration.class)
	static class GuardConfiguration {

		@Bean
		@ConditionalOnMissingBean
		CacheGuard bloomGuardCacheGuard(BloomGuardCacheProperties properties, Environment environment,
				RedisConnectionFactory connectionFactory, ObjectProvider<CacheLoadListener> listeners,
				@Qualifier("applicationTaskExecutor") ObjectProvider<Executor> applicationTaskExecutor,
				ObjectProvider<NullEntries> nullEntries, ObjectProvider<RedisCacheManager> managers) {
			Supplier<NullEntries> nulls = SingletonSupplier.of(nullEntries::getObject);
			return new CacheGuard(connectionFactory, keyPrefix(environment), new CacheRulesSource(properties),
					listeners.orderedStream().toList(),
					applicationTaskExecutor.getIfAvailable(() -> new SimpleAsyncTaskExecutor("bloom-guard-cache-")),
					properties.timeout(), (cache, key) -> nulls.get().mayBeStored(cache, key), managers::stream);
		}

		@Bean
		GuardedCacheManager bloomGuardGuardedCacheManager(CacheGuard guard, ObjectProvider<RedisCacheWriter> writers,
				BloomGuardCacheProperties properties) {
			return new GuardedCacheManager(guard, writers.getIfAvailable(),
					new CacheRulesSource(properties).timesToLive());
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnBean(CacheOperationSource.class)
		static CachedCallAdvisor bloomGuardCachedCallAdvisor(CacheOperationSource source,
				@Qualifier(CacheManagementConfigUtils.CACHE_ADVISOR_BEAN_NAME) ObjectProvider<Ordered> caching) {
			CachedCallAdvisor advisor = CachedCallAdvisor.outer(source);
			caching.ifAvailable((cache) -> advisor.setOrder(Math.min(advisor.getOrder(), cache.getOrder() - 50)));
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnBean(CacheOperationSource.class)
		static CachedCallAdvisor bloomGuardCachedResultAdvisor(CacheOperationSource source) {
			return CachedCallAdvisor.inner(source);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(MeterRegistry.class)
		@ConditionalOnBean(MeterRegistry.class)
		static class MetricsConfiguration {

			@Bean
			@ConditionalOnMissingBean
			CacheLoadMetrics bloomGuardCacheLoadMetrics(MeterRegistry registry) {
				return new CacheLoadMetrics(registry);
			}

		}

	}

}
