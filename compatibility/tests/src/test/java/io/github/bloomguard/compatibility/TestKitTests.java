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

package io.github.bloomguard.compatibility;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.test.AutoConfigureBloomGuard;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static io.github.bloomguard.test.BloomGuardAssertions.assertThatMethod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application can be tested without Redis.
 */
@SpringBootTest(classes = CatalogueApplication.class,
		properties = { "bloom-guard.filters.products.expected-insertions=10000", "spring.cache.type=none",
				"spring.main.banner-mode=off", "logging.level.root=warn" })
@AutoConfigureBloomGuard
class TestKitTests {

	@Autowired
	private BloomGuard guard;

	@Autowired
	private Catalogue catalogue;

	@Test
	void onlyWhatTheTestAddsExists() {
		assertThat(this.catalogue.find(1)).isNull();
		this.guard.add("products", 1);
		assertThat(this.catalogue.find(1)).isNotNull();
		assertThat(this.catalogue.calls()).isEqualTo(1);
	}

	@Test
	void methodIsSeenToBeGuarded() {
		assertThatMethod(this.catalogue, "find", long.class).isGuardedBy("products").withKey("#id");
	}

}
