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

import io.github.bloomguard.advisor.LoadObserver;
import io.github.bloomguard.advisor.ObservingPostProcessor;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.interceptor.MethodAdviceSource;
import io.github.bloomguard.metrics.LoadMeters;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * The advisor, made before other beans, which it looks up when a method is called.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@ConditionalOnBooleanProperty(name = "bloom-guard.advisor.enabled", matchIfMissing = true)
class AdvisorConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LoadObserver bloomGuardLoadObserver(MethodAdviceSource guards,
			ObjectProvider<BloomGuardProperties> properties, ObjectProvider<EntityMappings> mappings) {
		return new LoadObserver(guards,
				SingletonSupplier.of(() -> new SuggestedFilters(properties.getObject(), mappings)));
	}

	@Bean
	static ObservingPostProcessor bloomGuardObservingPostProcessor(LoadObserver observer) {
		return new ObservingPostProcessor(observer);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LoadMeters bloomGuardLoadMeters(LoadObserver observer) {
			return new LoadMeters(observer);
		}

	}

}
