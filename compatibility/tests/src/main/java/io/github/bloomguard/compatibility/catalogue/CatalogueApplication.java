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

package io.github.bloomguard.compatibility.catalogue;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The application. As a program it asks itself, says so, and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableCaching
public class CatalogueApplication {

	/**
	 * Return the application, with one filter.
	 * @param properties more properties, as {@code name=value}
	 * @return the application, to be run
	 */
	public static SpringApplicationBuilder application(String... properties) {
		return new SpringApplicationBuilder(CatalogueApplication.class)
			.properties("bloom-guard.filters.products.expected-insertions=10000",
					"bloom-guard.filters.products.caches=products",
					"bloom-guard.filters.products.verification.required-calls=0",
					"bloom-guard.filters.products.verification.mode=off",
					"bloom-guard.filters.products.rebuild.settle=0s",
					"bloom-guard.filters.products.rebuild.longest-transaction=100ms", "bloom-guard.timeout=10s",
					"bloom-guard.cache.timeout=10s", "management.endpoints.web.exposure.include=*",
					"management.endpoint.health.show-details=always", "server.port=0", "spring.main.banner-mode=off",
					"logging.level.root=warn")
			.properties(properties);
	}

	/**
	 * Start the application, see whether it is guarded, and end it.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = application().run(args)) {
			System.out.println(SelfCheck.run(context));
		}
	}

}
