package io.github.bloomguard.autoconfigure;

import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.BloomGuardEndpointWebExtension;
import io.github.bloomguard.endpoint.BloomGuardPageWebExtension;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The actuator endpoint, where there is the actuator.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(BloomGuardEndpoint.class)
class EndpointConfiguration {

	private static final EndpointId ID = EndpointId.of("bloomguard");

	@Bean
	@ConditionalOnMissingBean
	BloomGuardEndpoint bloomGuardEndpoint(ManagedFilters filters) {
		return new BloomGuardEndpoint(filters);
	}

	@Bean
	@ConditionalOnMissingBean(BloomGuardEndpointWebExtension.class)
	@ConditionalOnBooleanProperty(name = "bloom-guard.page.enabled", matchIfMissing = true)
	BloomGuardPageWebExtension bloomGuardPageWebExtension(BloomGuardEndpoint endpoint, BloomGuardProperties properties,
			ObjectProvider<EndpointAccessResolver> access) {
		boolean unrestricted = access.stream()
			.allMatch((resolver) -> resolver.accessFor(ID, Access.UNRESTRICTED) == Access.UNRESTRICTED);
		return new BloomGuardPageWebExtension(endpoint, properties.page().readOnly() || !unrestricted);
	}

	@Bean
	@ConditionalOnMissingBean
	BloomGuardEndpointWebExtension bloomGuardEndpointWebExtension(BloomGuardEndpoint endpoint) {
		return new BloomGuardEndpointWebExtension(endpoint);
	}

}
