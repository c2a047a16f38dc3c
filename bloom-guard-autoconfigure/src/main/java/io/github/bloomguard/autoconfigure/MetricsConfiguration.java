package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.metrics.FilterMeters;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Meters, where there is Micrometer.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
class MetricsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	FilterMeters bloomGuardFilterMeters(ManagedFilters filters) {
		return new FilterMeters(filters);
	}

}
