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

import java.util.concurrent.Executor;

import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.interceptor.BloomGuardPostProcessor;
import io.github.bloomguard.interceptor.BloomGuardedAdvisor;
import io.github.bloomguard.interceptor.KeyChangeAdvisor;
import io.github.bloomguard.interceptor.MethodAdviceSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.config.CacheManagementConfigUtils;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * The advisors of the annotations, made before other beans, which they look up later.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(ProxyCreatorRegistrar.class)
class InterceptorConfiguration {

	/**
	 * Set by the module for tests, where the application's properties may be hidden.
	 */
	private static final String IGNORES_UNKNOWN = "bloom-guard.test.ignore-unknown-filters";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static MethodAdviceSource bloomGuardOperationSource(ConfigurableBeanFactory beanFactory, Environment environment,
			ObjectProvider<GuardedFilters> filters, ObjectProvider<CacheOperationSource> cacheOperations,
			@Qualifier("bloomGuardExecutor") ObjectProvider<Executor> executor) {
		return new MethodAdviceSource(beanFactory, SingletonSupplier.of(filters::getObject),
				() -> BloomGuardProperties.entities(environment),
				environment.getProperty(IGNORES_UNKNOWN, Boolean.class, false), cacheOperations::getIfUnique,
				(command) -> executor.getObject().execute(command));
	}

	/**
	 * Filters are asked before caches, also if {@code @EnableCaching} gives those an
	 * order.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static BloomGuardedAdvisor bloomGuardedAdvisor(MethodAdviceSource source,
			@Qualifier(CacheManagementConfigUtils.CACHE_ADVISOR_BEAN_NAME) ObjectProvider<Ordered> caching) {
		BloomGuardedAdvisor advisor = new BloomGuardedAdvisor(source);
		caching.ifAvailable((cache) -> advisor.setOrder(Math.min(advisor.getOrder(), cache.getOrder() - 100)));
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static KeyChangeAdvisor bloomKeyChangeAdvisor(MethodAdviceSource source) {
		return new KeyChangeAdvisor(source);
	}

	@Bean
	static FilterUseCheck bloomGuardFilterUseCheck(MethodAdviceSource source,
			ObjectProvider<BloomGuardProperties> properties, ObjectProvider<CacheOperationSource> caching,
			ObjectProvider<NullEntries> nullEntries, ConfigurableListableBeanFactory beans) {
		return new FilterUseCheck(source.guarded(), properties, caching, nullEntries, beans);
	}

	@Bean
	static TransactionListenerPostProcessor bloomGuardTransactionListenerPostProcessor() {
		return new TransactionListenerPostProcessor();
	}

	@Bean
	static BloomGuardPostProcessor bloomGuardPostProcessor() {
		return new BloomGuardPostProcessor();
	}

}
