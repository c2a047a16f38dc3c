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

package io.github.bloomguard.gateway;

import io.github.bloomguard.call.GuardedFilters;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.context.annotation.Bean;

/**
 * The filter for routes of the gateway on servlets.
 */
@AutoConfiguration(beforeName = "org.springframework.cloud.gateway.server.mvc.GatewayServerMvcAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(FilterSupplier.class)
public final class WebMvcGatewayAutoConfiguration {

	@Bean
	FilterSupplier bloomGuardedFilterSupplier() {
		return new SimpleFilterSupplier(BloomGuardedFilterFunctions.class);
	}

	@Bean
	ConfiguredRoutesCheck bloomGuardedRoutesCheck(ObjectProvider<GatewayMvcProperties> properties,
			ObjectProvider<GuardedFilters> filters) {
		return new ConfiguredRoutesCheck(properties, filters);
	}

}
