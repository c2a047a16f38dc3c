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

import io.github.bloomguard.compatibility.listing.ListingApplication;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application starts that has added the starter and configured nothing, and
 * has no Redis.
 */
class StarterAloneTests {

	@Test
	void applicationStartsWithoutFiltersAndWithoutRedis() {
		try (ConfigurableApplicationContext context = SpringApplication.run(ListingApplication.class, "--server.port=0",
				"--spring.main.banner-mode=off", "--management.endpoints.web.exposure.include=*")) {
			assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class);
			Web web = Web.of(context);
			assertThat(web.get("/actuator/health").body()).contains("\"status\":\"UP\"");
			assertThat(web.get("/actuator/bloomguard").body()).isEqualTo("{\"filters\":{},\"advisor\":{}}");
			assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
				.noneMatch((name) -> name.startsWith("redisson") || name.startsWith("bloom-guard"));
		}
	}

}
