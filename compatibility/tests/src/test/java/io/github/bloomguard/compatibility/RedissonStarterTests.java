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

import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheAutoConfiguration;
import io.github.bloomguard.autoconfigure.redis.BloomGuardRedisAutoConfiguration;
import io.github.bloomguard.compatibility.catalogue.CatalogueApplication;
import io.github.bloomguard.compatibility.catalogue.SelfCheck;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the guard uses the client of Redisson's own starter, and that the names by
 * which it knows that starter are right. That it replaces nothing of it, is tested by
 * {@link SameApplicationTests}.
 */
class RedissonStarterTests {

	private static final String THEIRS = "org.redisson.spring.starter.RedissonAutoConfigurationV4";

	@Test
	void guardUsesTheClientOfRedissonsStarter() {
		try (TestRedis redis = TestRedis.start();
				ConfigurableApplicationContext context = CatalogueApplication.application(redis.properties()).run()) {
			assertThat(SelfCheck.run(context)).isEqualTo(SelfCheck.GUARDED);
			assertThat(context.getBeanNamesForType(RedissonClient.class)).containsExactly("redisson");
			assertThat(context.getBean(RedisConnectionFactory.class).getClass().getName())
				.isEqualTo("org.redisson.spring.data.connection.RedissonConnectionFactory");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { BloomGuardRedisAutoConfiguration.class, BloomGuardCacheAutoConfiguration.class })
	void namesOfOtherAutoConfigurationsAreRight(Class<?> ours) {
		AutoConfiguration order = ours.getAnnotation(AutoConfiguration.class);
		List<String> all = ImportCandidates.load(AutoConfiguration.class, null).getCandidates();
		assertThat(all).contains(THEIRS)
			.containsAll(Stream.of(order.afterName(), order.beforeName()).flatMap(Stream::of).toList());
		assertThat(order.afterName()).contains(THEIRS);
	}

}
