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

package io.github.bloomguard.autoconfigure.redis;

import io.github.bloomguard.InvalidGuardException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisProperties}.
 */
class RedisPropertiesTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "host=redis.example.com;port=6380;database=3;username=shop;password=p:ssw@rd",
			"url=redis://shop:p%3Assw%40rd@redis.example.com:6380/3",
			"url=redis://:secret@redis.example.com:6380;host=other;password=other", "url=redis://secret@[::1]:6380/",
			"url=rediss://redis.example.com:6380", "ssl.enabled=true", "ssl.enabled=false;ssl.bundle=nothing",
			"sentinel.master=shop;sentinel.nodes=127.0.0.1:26379, 127.0.0.1:26380;database=2;password=secret",
			"sentinel.master=shop;sentinel.nodes=127.0.0.1:26379;sentinel.username=asker;sentinel.password=secret",
			"cluster.nodes=127.0.0.1:7000,[::1]:7001;username=shop",
			"masterreplica.nodes=127.0.0.1:7000,127.0.0.1:7001", "client-name=shop;timeout=7s;connect-timeout=300ms" })
	void theyMeanWhatTheyMeanToSpringBoot(String properties) {
		String[] all = properties.isEmpty() ? new String[0]
				: ("spring.data.redis." + properties.replace(";", ";spring.data.redis.")).split(";");
		new ApplicationContextRunner().withPropertyValues(all)
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.lettuce", "redis.clients"))
			.run((context) -> {
				ApplicationRedis expected = SpringDataRedis.find(null, DataRedisConfiguration.read(
						context.getBean(DataRedisConnectionDetails.class), context.getBean(DataRedisProperties.class)));
				ApplicationRedis actual = RedisProperties.of(context.getEnvironment())
					.toRedis(context.getBean(SslBundles.class));
				assertThat(actual).usingRecursiveComparison().ignoringFields("sslBundle").isEqualTo(expected);
				assertThat(actual.sslBundle() != null).isEqualTo(expected.sslBundle() != null);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://redis.example.com", "redis.example.com:6379", "redis://a b" })
	void whatIsNotTheUrlOfARedisIsRefused(String url) {
		RedisProperties properties = RedisProperties
			.of(new MockEnvironment().withProperty("spring.data.redis.url", url));
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> properties.toRedis(new DefaultSslBundleRegistry()))
			.satisfies((ex) -> assertThat(ex.getProblem()).contains("'spring.data.redis.url'").doesNotContain(url));
	}

}
