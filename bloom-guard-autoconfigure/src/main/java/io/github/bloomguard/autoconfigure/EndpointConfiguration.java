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
import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.BloomGuardEndpointWebExtension;
import io.github.bloomguard.endpoint.BloomGuardPageWebExtension;
import io.github.bloomguard.endpoint.KnownWords;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.interceptor.MethodAdviceSource;

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

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(BloomGuardEndpoint.class)
class EndpointConfiguration {

	private static final EndpointId ID = EndpointId.of("bloomguard");

	@Bean
	@ConditionalOnMissingBean
	BloomGuardEndpoint bloomGuardEndpoint(ManagedFilters filters, ObjectProvider<NullEntries> nullEntries,
			ObjectProvider<MethodAdviceSource> methods, ObjectProvider<LoadObserver> observer) {
		return new BloomGuardEndpoint(
				filters, (filter,
						keys) -> nullEntries.stream().flatMap((nulls) -> nulls.holding(filter, keys).stream()).toList(),
				(filter) -> methods.stream().flatMap((source) -> source.guarded().names(filter).stream()).toList(),
				observer.getIfAvailable());
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

	@Bean
	KnownWords bloomGuardKnownWords() {
		return new KnownWords();
	}

}
