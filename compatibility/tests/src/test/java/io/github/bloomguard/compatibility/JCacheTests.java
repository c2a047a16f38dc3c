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

import io.github.bloomguard.compatibility.catalogue.Catalogue;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the only provider of JCache that an application has is the one that is used,
 * although Redisson is a provider, too.
 */
class JCacheTests {

	@Test
	void cacheManagerIsThatOfTheApplicationsProvider() {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext context = CatalogueApplication.application(redis.properties())
					.properties("spring.cache.cache-names=products", "bloom-guard.filters.products.caches=")
					.run()) {
			CacheManager manager = context.getBean(CacheManager.class);
			assertThat(manager).isInstanceOf(JCacheCacheManager.class);
			assertThat(((JCacheCacheManager) manager).getCacheManager().getClass().getName())
				.startsWith("org.ehcache.");
			assertThat(SelfCheck.run(context)).isEqualTo(SelfCheck.GUARDED);
			Catalogue catalogue = context.getBean(Catalogue.class);
			int before = catalogue.calls();
			assertThat(catalogue.find(7)).isNotNull().isEqualTo(catalogue.find(7));
			assertThat(catalogue.calls()).isEqualTo(before + 1);
		}
	}

}
