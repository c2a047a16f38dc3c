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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for guarded routes of the reactive gateway.
 */
@ExtendWith(OutputCaptureExtension.class)
class WebFluxGatewayTests extends GatewayContractTests {

	@Override
	WebApplicationType kind() {
		return WebApplicationType.REACTIVE;
	}

	@Override
	Class<?> application() {
		return Application.class;
	}

	@Override
	List<String> route(String uri, String... filters) {
		String route = "spring.cloud.gateway.server.webflux.routes[0].";
		List<String> properties = new ArrayList<>(List.of(route + "id=products", route + "uri=" + uri,
				route + "predicates[0]=Path=/products/{id}, /products"));
		for (int i = 0; i < filters.length; i++) {
			properties.add(route + "filters[" + i + "]=" + filters[i]);
		}
		return properties;
	}

	@Test
	void variableThatThePathLacksIsSaidWhenRoutesAreMade(CapturedOutput output) throws Exception {
		start(Mode.OFF, 0, "BloomGuarded=products, {product}");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(output).contains(
					"The filter BloomGuarded of the route 'products' has the key {product}, and its paths have no such"));
		assertThat(get(1).body()).isEqualTo("product 1");
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
		RouteLocator routes(RouteLocatorBuilder routes, BloomGuardedGatewayFilterFactory bloomGuarded,
				@Value("${catalogue}") String catalogue) {
			return routes.routes()
				.route("products",
						(route) -> route.path("/products/{id}")
							.filters((filters) -> filters
								.filter(bloomGuarded.apply((config) -> config.setFilter("products").setKey("{id}"))))
							.uri(catalogue))
				.build();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
