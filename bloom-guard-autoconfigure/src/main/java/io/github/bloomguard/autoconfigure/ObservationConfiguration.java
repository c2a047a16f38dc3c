package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.metrics.GuardObservations;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Observations, where there is a registry for them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
class ObservationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	GuardObservations bloomGuardObservations(ObservationRegistry registry) {
		return new GuardObservations(registry);
	}

}
