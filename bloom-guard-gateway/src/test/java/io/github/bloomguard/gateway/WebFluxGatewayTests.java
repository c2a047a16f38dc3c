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
import java.util.Map;

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
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

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
	String routes() {
		return "spring.cloud.gateway.server.webflux.routes";
	}

	@Test
	void variableThatThePathLacksIsSaidWhenRoutesAreMade(CapturedOutput output) throws Exception {
		try (ConfigurableApplicationContext gateway = start(application(), Map.of("lacking", "products, {product}"))) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(output).contains(
						"The filter BloomGuarded of the route 'lacking' has the key {product}, and its paths have no such"));
			assertThat(send(gateway, "GET", "/lacking/1").body()).isEqualTo("product 1");
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * Those of another application, which ends, are not those of this one.
		 */
		@Bean
		ReactorResourceFactory reactorResources() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			return resources;
		}

		@Bean
		RouteLocator routes(RouteLocatorBuilder routes, BloomGuardedGatewayFilterFactory bloomGuarded,
				@Value("${catalogue}") String catalogue) {
			return routes.routes()
				.route("java",
						(route) -> route.path("/java/{id}")
							.filters((filters) -> filters
								.filter(bloomGuarded.apply((config) -> config.setFilter("products").setKey("{id}"))))
							.uri(catalogue))
				.build();
		}

	}

}
