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

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

import static io.github.bloomguard.gateway.BloomGuardedFilterFunctions.bloomGuarded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

/**
 * Tests for guarded routes of the gateway on servlets.
 */
class WebMvcGatewayTests extends GatewayContractTests {

	@Override
	WebApplicationType kind() {
		return WebApplicationType.SERVLET;
	}

	@Override
	Class<?> application() {
		return Application.class;
	}

	@Override
	String routes() {
		return "spring.cloud.gateway.server.webmvc.routes";
	}

	@Test
	void variableThatThePathLacksStopsTheStart() {
		assertThatThrownBy(() -> start(application(), Map.of("products", "products, {product}")))
			.hasStackTraceContaining("has the key {product}, and its paths have no such variable");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		RouterFunction<ServerResponse> products(@Value("${catalogue}") String catalogue) {
			return GatewayRouterFunctions.route("java")
				.GET("/java/{id}", http())
				.before(uri(catalogue))
				.filter(bloomGuarded("products", "{id}"))
				.build();
		}

	}

}
