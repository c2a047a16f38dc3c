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

package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.bloomguard.UnknownFilterException;
import io.github.bloomguard.call.GuardedFilters;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.mock.env.MockEnvironment;

/**
 * An application context with guarded beans and the filters {@code products},
 * {@code customers} and {@code orders}. The guard's beans are registered last, unless
 * {@link GuardConfiguration} is among the components.
 */
final class GuardContext implements AutoCloseable {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private GuardContext(boolean proxyTargetClass, Class<?>[] components) {
		this.context.setEnvironment(new MockEnvironment().withProperty("products.empty-ttl", "42s"));
		AopConfigUtils.registerAspectJAnnotationAutoProxyCreatorIfNecessary(this.context);
		if (proxyTargetClass) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(this.context);
		}
		this.context.register(components);
		if (!List.of(components).contains(GuardConfiguration.class)) {
			this.context.register(GuardConfiguration.class);
		}
		this.context.refresh();
	}

	/**
	 * Start a context whose proxies are subclasses.
	 */
	static GuardContext of(Class<?>... components) {
		return new GuardContext(true, components);
	}

	/**
	 * Start a context whose proxies implement interfaces.
	 */
	static GuardContext ofJdkProxies(Class<?>... components) {
		return new GuardContext(false, components);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	RecordingFilter products() {
		return filter("products");
	}

	RecordingFilter filter(String name) {
		return this.context.getBean(RecordingFilters.class).get(name);
	}

	boolean hasCreated(String bean) {
		return this.context.getBeanFactory().containsSingleton(bean);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class GuardConfiguration {

		@Bean
		KeyChangeAdvisor bloomKeyChangeAdvisor(MethodAdviceSource source) {
			return new KeyChangeAdvisor(source);
		}

		@Bean
		BloomGuardedAdvisor bloomGuardedAdvisor(MethodAdviceSource source) {
			return new BloomGuardedAdvisor(source);
		}

		@Bean
		static BloomGuardPostProcessor bloomGuardPostProcessor() {
			return new BloomGuardPostProcessor();
		}

		@Bean
		MethodAdviceSource guardOperationSource(ConfigurableBeanFactory beanFactory,
				ObjectProvider<GuardedFilters> filters, ObjectProvider<CacheOperationSource> cacheOperations,
				ExecutorService addExecutor) {
			return new MethodAdviceSource(beanFactory, filters::getObject, () -> RecordingFilters.ENTITIES, false,
					cacheOperations::getIfAvailable, addExecutor);
		}

		@Bean
		ExecutorService addExecutor() {
			return Executors.newSingleThreadExecutor((task) -> new Thread(task, "add"));
		}

		@Bean
		@Lazy
		RecordingFilters filters() {
			return new RecordingFilters();
		}

	}

	static final class RecordingFilters implements GuardedFilters {

		static final Map<String, String> ENTITIES = Map.of("customers", ByEntityTests.Customer.class.getName(),
				"orders", ByEntityTests.Customer.class.getName(), "products", ByEntityTests.Product.class.getName());

		private static final List<String> NAMES = ENTITIES.keySet().stream().sorted().toList();

		private final Map<String, RecordingFilter> filters = new TreeMap<>();

		RecordingFilters() {
			NAMES.forEach((name) -> this.filters.put(name, new RecordingFilter(name)));
		}

		@Override
		public RecordingFilter get(String name) {
			RecordingFilter filter = this.filters.get(name);
			if (filter == null) {
				throw new UnknownFilterException(name, NAMES);
			}
			return filter;
		}

		@Override
		public RecordingFilter written(String name) {
			return get(name);
		}

	}

}
