package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.health.BloomGuardHealthIndicator;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Health, where there is the health endpoint.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("bloom-guard")
class HealthConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "bloomGuardHealthContributor")
	BloomGuardHealthIndicator bloomGuardHealthContributor(ManagedFilters filters) {
		return new BloomGuardHealthIndicator(filters);
	}

}
