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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CachesWithoutPrefix}.
 */
@ExtendWith(OutputCaptureExtension.class)
class CachesWithoutPrefixTests {

	private static final RedisConnectionFactory UNCONNECTED = new LettuceConnectionFactory("127.0.0.1", 1);

	private static final FilterCaches FILTERS = new FilterCaches(Map.of("products", List.of("products")),
			(filter, key) -> key, Duration.ZERO);

	@Test
	void namesEachCacheThatTakesTheGuardsKeysAlongAndSaysWhatToWrite(CapturedOutput output) {
		check(FILTERS, manager(RedisCacheConfiguration::disableKeyPrefix, "orders"));
		assertThat(output).contains("keys of the cache 'orders' have no prefix")
			.contains("keys of the cache 'products' have no prefix")
			.contains("spring.cache.redis.use-key-prefix=true")
			.contains("cacheGuard.writer()")
			.contains("'bloom-guard:*'");
	}

	@Test
	void prefixWithWhichThoseOfTheGuardBeginIsNone(CapturedOutput output) {
		check(FILTERS, manager((config) -> config.computePrefixWith((name) -> "b"), "orders"));
		assertThat(output).contains("keys of the cache 'orders' have no prefix");
	}

	@Test
	void saysNothingOfCachesThatHaveAPrefix(CapturedOutput output) {
		check(FILTERS, manager((config) -> config.prefixCacheNameWith("shop:"), "orders"));
		check(FILTERS, manager(UnaryOperator.identity(), "bloom-guard"));
		check(FILTERS, manager((config) -> config.computePrefixWith((name) -> {
			throw new IllegalStateException("There is no tenant");
		}), "orders"));
		check(FILTERS, new ConcurrentMapCacheManager());
		assertThat(output).isEmpty();
	}

	@Test
	void saysNothingWhereTheGuardHasNoFilters(CapturedOutput output) {
		check(FilterCaches.NONE, manager(RedisCacheConfiguration::disableKeyPrefix, "orders"));
		assertThat(output).isEmpty();
	}

	@Test
	void guardsOwnWriterIsNoReasonToWarnButAnotherOneThatItDecoratesIs(CapturedOutput output) {
		try (GuardedInstance instance = GuardedInstance.of(UNCONNECTED, CacheRules.DEFAULT,
				RedisCacheConfiguration::disableKeyPrefix)) {
			check(FILTERS, instance.manager);
			assertThat(output).doesNotContain("have no prefix");
			check(FILTERS, manager(instance.guard.guard(RedisCacheWriter.nonLockingRedisCacheWriter(UNCONNECTED)),
					RedisCacheConfiguration::disableKeyPrefix, "orders"));
			assertThat(output).contains("keys of the cache 'orders' have no prefix");
		}
	}

	private static void check(FilterCaches filters, CacheManager manager) {
		new CachesWithoutPrefix("bloom-guard", () -> Stream.of(manager), () -> filters).afterSingletonsInstantiated();
	}

	private static RedisCacheManager manager(UnaryOperator<RedisCacheConfiguration> config, String name) {
		return manager(RedisCacheWriter.nonLockingRedisCacheWriter(UNCONNECTED), config, name);
	}

	private static RedisCacheManager manager(RedisCacheWriter writer, UnaryOperator<RedisCacheConfiguration> config,
			String name) {
		RedisCacheManager manager = RedisCacheManager.builder(writer)
			.cacheDefaults(config.apply(RedisCacheConfiguration.defaultCacheConfig()))
			.initialCacheNames(Set.of(name))
			.build();
		manager.afterPropertiesSet();
		return manager;
	}

}
