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

package io.github.bloomguard.cache;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClearedTogether}, beside those for {@link LoadToken}s.
 */
class ClearedTogetherTests {

	@Test
	void cacheOfTwoManagersIsClearedWithThoseThatHaveItsPrefixInEither() {
		ClearedTogether together = together(manager(Map.of("products", "a:")),
				manager(Map.of("products", "b:", "others", "b:")));
		assertThat(together.by("others")).containsExactly("others", "products");
		assertThat(together.by("products")).containsExactly("products", "others");
	}

	@Test
	void cacheIsClearedWithOneThatIsToldTheSamePrefix() {
		ClearedTogether together = together(manager(Map.of("shop", "shop::", "others", "shop::", "more", "more::")));
		assertThat(together.by("shop")).containsExactly("shop", "others");
		assertThat(together.by("others")).containsExactly("others", "shop");
		assertThat(together.by("more")).containsExactly("more");
	}

	private static ClearedTogether together(RedisCacheManager... managers) {
		return new ClearedTogether(() -> Arrays.stream(managers));
	}

	private static RedisCacheManager manager(Map<String, String> prefixes) {
		RedisCacheManager manager = RedisCacheManager
			.builder(RedisCacheWriter.nonLockingRedisCacheWriter(new LettuceConnectionFactory()))
			.withInitialCacheConfigurations(prefixes.entrySet()
				.stream()
				.collect(Collectors.toMap(Map.Entry::getKey,
						(prefix) -> RedisCacheConfiguration.defaultCacheConfig()
							.computePrefixWith((name) -> prefix.getValue()))))
			.build();
		manager.afterPropertiesSet();
		return manager;
	}

}
