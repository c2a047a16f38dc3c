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

import java.util.Map;

import io.github.bloomguard.FilterMode;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BloomGuardProperties}.
 */
class BloomGuardPropertiesTests {

	@Test
	void variableOfTheEnvironmentIsForTheFilterThatIsConfigured() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("application",
					Map.of("bloom-guard.filters.productsBySku.expected-insertions", "5",
							"bloom-guard.filters.productsBySku.entity", "${package}.Product", "package", "shop",
							"bloom-guard.filters.order-lines.expected-insertions", "6",
							"bloom-guard.filters.names.entity", "shop.Product", "bloom-guard.filters.names.attribute",
							"name")));
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of("BLOOMGUARD_FILTERS_PRODUCTSBYSKU_MODE", "off", "BLOOMGUARD_FILTERS_ORDERLINES_MODE",
							"shadow", "BLOOMGUARD_FILTERS_OTHERS_MODE", "off")));
		Map<String, BloomGuardProperties.Filter> filters = Binder.get(environment)
			.bind("bloom-guard", BloomGuardProperties.class)
			.get()
			.filters();
		assertThat(filters).containsOnlyKeys("productsBySku", "order-lines", "names", "others");
		assertThat(filters.get("productsBySku").mode()).isEqualTo(FilterMode.OFF);
		assertThat(filters.get("productsBySku").expectedInsertions()).isEqualTo(5);
		assertThat(filters.get("order-lines").mode()).isEqualTo(FilterMode.SHADOW);
		assertThat(BloomGuardProperties.entities(environment))
			.isEqualTo(Map.of("productsBySku", "shop.Product", "order-lines", "", "names", "", "others", ""));
	}

}
