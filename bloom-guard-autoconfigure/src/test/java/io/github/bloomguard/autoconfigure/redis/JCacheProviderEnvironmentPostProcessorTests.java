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

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;

import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link JCacheProviderEnvironmentPostProcessor}.
 */
class JCacheProviderEnvironmentPostProcessorTests {

	private final MockEnvironment environment = new MockEnvironment();

	@TempDir
	private Path directory;

	@Test
	void cacheManagerIsRedisThoughRedissonIsAJCacheProvider() {
		SpringApplication application = new SpringApplication(CachingConfiguration.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(context.getBean(CacheManager.class)).isInstanceOf(RedisCacheManager.class);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.cache.type", "spring.cache.jcache.provider", "spring.cache.jcache.config" })
	void whatIsWantedIsRespected(String property) {
		this.environment.setProperty(property, "jcache");
		process(getClass().getClassLoader());
		assertThat(this.environment.getProperty("spring.cache.type")).isNotEqualTo("redis");
		assertThat(this.environment.getProperty("spring.cache.jcache.provider", "jcache")).isEqualTo("jcache");
	}

	@Test
	void onlyOtherProviderIsChosenAsItIsWithoutRedisson() throws IOException {
		try (URLClassLoader classLoader = withProviders("com.example.Provider")) {
			process(classLoader);
		}
		assertThat(this.environment.getProperty("spring.cache.jcache.provider")).isEqualTo("com.example.Provider");
		assertThat(this.environment.containsProperty("spring.cache.type")).isFalse();
	}

	@Test
	void severalOtherProvidersAreAsManyWithoutRedisson() throws IOException {
		try (URLClassLoader classLoader = withProviders("com.example.One", "com.example.Other")) {
			process(classLoader);
		}
		assertThatNothingIsSet();
	}

	static Stream<Arguments> withoutJCache() {
		return Stream.of(arguments("redis", new String[0]),
				arguments("caffeine", new String[] { "io.lettuce", "redis.clients" }),
				arguments("simple", new String[] { "io.lettuce", "redis.clients", "com.github.benmanes" }),
				arguments("simple", new String[] { "org.springframework.data.redis", "com.github.benmanes" }));
	}

	@ParameterizedTest
	@MethodSource("withoutJCache")
	void withoutAnotherProviderTheTypeIsWhatSpringBootComesToAfterJCache(String type, String[] missing) {
		process(new FilteredClassLoader(missing));
		assertThat(this.environment.getProperty("spring.cache.type")).isEqualTo(type);
	}

	@Test
	void applicationWithoutTheApiOfJCacheIsLeftAlone() {
		process(new FilteredClassLoader("javax.cache"));
		assertThatNothingIsSet();
	}

	@Test
	void applicationThatUsesTheStarterOfRedissonIsLeftAlone() throws IOException {
		Path starter = Files.createDirectories(this.directory.resolve("org/redisson/spring/starter"));
		try (URLClassLoader classLoader = withProviders()) {
			Files.write(starter.resolve("RedissonAutoConfigurationV4.class"),
					classNamed("org.redisson.spring.starter.RedissonAutoConfigurationV4"));
			process(classLoader);
		}
		assertThatNothingIsSet();
	}

	private static byte[] classNamed(String name) {
		return new ByteBuddy().subclass(Object.class).name(name).make().getBytes();
	}

	@Test
	void applicationWithoutProviderIsLeftAlone() {
		process(ClassLoader.getPlatformClassLoader());
		assertThatNothingIsSet();
	}

	private void assertThatNothingIsSet() {
		assertThat(this.environment.containsProperty("spring.cache.type")).isFalse();
		assertThat(this.environment.containsProperty("spring.cache.jcache.provider")).isFalse();
	}

	private URLClassLoader withProviders(String... providers) throws IOException {
		Path services = Files.createDirectories(this.directory.resolve("META-INF/services"));
		Files.writeString(services.resolve("javax.cache.spi.CachingProvider"),
				"# chosen\n" + String.join("\n", providers));
		return new URLClassLoader(new URL[] { this.directory.toUri().toURL() }, getClass().getClassLoader());
	}

	private void process(ClassLoader classLoader) {
		SpringApplication application = new SpringApplication();
		application.setResourceLoader(new DefaultResourceLoader(classLoader));
		new JCacheProviderEnvironmentPostProcessor(Supplier::get).postProcessEnvironment(this.environment, application);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, CacheAutoConfiguration.class })
	static class CachingConfiguration {

	}

}
