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

import java.util.concurrent.ScheduledExecutorService;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.guard.DefaultBloomGuard;
import io.github.bloomguard.guard.FilterSupervisor;
import io.github.bloomguard.guard.GuardExecutor;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Auto-configuration of the guard.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", matchIfMissing = true)
@Conditional(OnSupportedSpringBoot.class)
@EnableConfigurationProperties(BloomGuardProperties.class)
@Import({ BackendConfiguration.class, FilterConfiguration.class, JdbcConfiguration.class,
		InterceptorConfiguration.class, AdvisorConfiguration.class, ReadinessConfiguration.class,
		MetricsConfiguration.class, ObservationConfiguration.class, EndpointConfiguration.class,
		HealthConfiguration.class })
public final class BloomGuardAutoConfiguration {

	@Bean
	static LateClosing bloomGuardLateClosing() {
		return new LateClosing();
	}

	@Bean
	static BeanFactoryPostProcessor bloomGuardFilterDefaults(ConfigurableEnvironment environment) {
		return (beanFactory) -> FilterDefaults.addTo(environment, beanFactory.getBeanClassLoader());
	}

	@Bean
	@ConditionalOnMissingBean
	KeyFormat bloomGuardKeyFormat(ObjectProvider<KeyConverter<?>> converters) {
		return new KeyFormat(converters.orderedStream().toList());
	}

	@Bean(destroyMethod = "", defaultCandidate = false)
	ScheduledExecutorService bloomGuardScheduler(LateClosing closing) {
		ScheduledExecutorService scheduler = FilterSupervisor.newScheduler();
		closing.add(scheduler::shutdownNow);
		return scheduler;
	}

	@Bean(destroyMethod = "", defaultCandidate = false)
	SimpleAsyncTaskExecutor bloomGuardExecutor(Environment environment, LateClosing closing) {
		SimpleAsyncTaskExecutor executor = new GuardExecutor();
		executor.setVirtualThreads(environment.getProperty("spring.threads.virtual.enabled", boolean.class, false)
				&& JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE));
		closing.add(executor::close);
		return executor;
	}

	@Bean
	@ConditionalOnMissingBean
	BloomGuard bloomGuard(ManagedFilters filters) {
		return new DefaultBloomGuard(filters);
	}

	@Bean
	FilterSupervisor bloomGuardFilterSupervisor(ManagedFilters filters,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler) {
		return new FilterSupervisor(filters, scheduler);
	}

}
