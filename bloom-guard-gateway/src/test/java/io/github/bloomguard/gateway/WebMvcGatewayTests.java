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

import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
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
	List<String> route(String uri, String... filters) {
		String route = "spring.cloud.gateway.server.webmvc.routes[0].";
		List<String> properties = new ArrayList<>(List.of(route + "id=products", route + "uri=" + uri,
				route + "predicates[0]=Path=/products/{id}, /products"));
		for (int i = 0; i < filters.length; i++) {
			properties.add(route + "filters[" + i + "]=" + filters[i]);
		}
		return properties;
	}

	@Test
	void variableThatThePathLacksStopsTheStart() {
		assertThatThrownBy(() -> start(Mode.OFF, 0, "BloomGuarded=products, {product}"))
			.hasStackTraceContaining("has the key {product}, and its paths have no such variable");
	}

	@Test
	void routeCanBeMadeInJava() throws Exception {
		start(JavaRoutes.class, Mode.OFF, 0);
		assertThat(get(-1).statusCode()).isEqualTo(404);
		assertThat(get(1).body()).isEqualTo("product 1");
		assertThat(catalogue().requests()).containsExactly("GET 1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class JavaRoutes {

		@Bean
		RouterFunction<ServerResponse> products(@Value("${catalogue}") String catalogue) {
			return GatewayRouterFunctions.route("products")
				.GET("/products/{id}", http())
				.before(uri(catalogue))
				.filter(bloomGuarded("products", "{id}"))
				.build();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
