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

import java.time.Duration;
import java.util.Map;

import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.guard.BloomGuardBuilder;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the defaults of the builder and of the properties together.
 */
class BuilderDefaultsTests {

	@Test
	void filterByHandHasTheDefaultsOfTheProperties() {
		BloomGuardProperties properties = new Binder(
				new MapConfigurationPropertySource(Map.of("bloom-guard.filters.products.expected-insertions", 10,
						"bloom-guard.filters.products.type", MemoryBackend.TYPE)))
			.bindOrCreate("bloom-guard", BloomGuardProperties.class);
		FilterSettings configured = properties.filters()
			.get("products")
			.settings("products", properties.addTimeout(), Duration.ZERO);
		assertThat(new BloomGuardBuilder(new MemoryBackend()).filter("products", 10).settings()).isEqualTo(configured);
	}

}
