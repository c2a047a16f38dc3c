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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that an application has the same beans with the guard and without it, and starts
 * and ends as fast.
 */
@Tag("slow")
class FitsInTests {

	private static final String OURS = "io.github.bloomguard";

	private static final String[] WITHOUT = {
			"spring.autoconfigure.exclude=" + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
					+ "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration,"
					+ "io.github.bloomguard.cache.autoconfigure.BloomGuardCacheAutoConfiguration,"
					+ "io.github.bloomguard.autoconfigure.redis.BloomGuardRedisAutoConfiguration" };

	private static final String[] FILTER = { "bloom-guard.filters.products.expected-insertions=1000",
			"bloom-guard.filters.products.rebuild.longest-transaction=100ms",
			"bloom-guard.filters.products.verification.required-calls=0",
			"bloom-guard.filters.products.rebuild.settle=0s" };

	private static final Map<String, Seen> withoutTheGuard = new HashMap<>();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> usualApplication() {
		return withAndWithoutTheGuard(Map.of("nothing configured", List.of()));
	}

	static Stream<Arguments> otherApplications() {
		Map<String, List<Object>> kinds = new LinkedHashMap<>();
		kinds.put("Lettuce with a pool", List.of("spring.data.redis.lettuce.pool.enabled=true",
				"spring.data.redis.lettuce.pool.max-active=3", "spring.data.redis.timeout=7s"));
		kinds.put("Jedis", List.of("spring.data.redis.client-type=jedis", "spring.data.redis.jedis.pool.max-active=5"));
		kinds.put("an own factory", List.of(OwnFactory.class));
		kinds.put("two factories", List.of(OwnFactory.class, OtherFactory.class));
		kinds.put("virtual threads", List.of("spring.threads.virtual.enabled=true"));
		kinds.put("a cache type", List.of("spring.cache.type=caffeine"));
		kinds.put("no caching", List.of("no caching"));
		kinds.put("lazy initialisation", List.of("spring.main.lazy-initialization=true"));
		return withAndWithoutTheGuard(kinds);
	}

	private static Stream<Arguments> withAndWithoutTheGuard(Map<String, List<Object>> kinds) {
		return kinds.entrySet()
			.stream()
			.flatMap((kind) -> Stream.of(new String[0], FILTER, new String[] { "bloom-guard.enabled=false" })
				.map((guard) -> arguments(kind.getKey(), kind.getValue(), guard)));
	}

	@ParameterizedTest(name = "{0}, {2}")
	@MethodSource("otherApplications")
	@Tag("proof")
	void beansAndAutoConfigurationsOfOtherApplicationsAreTheSame(String kind, List<Object> application,
			String[] guard) {
		beansAndAutoConfigurationsAreTheSameWithAndWithoutTheGuard(kind, application, guard);
	}

	@ParameterizedTest(name = "{0}, {2}")
	@MethodSource("usualApplication")
	void beansAndAutoConfigurationsAreTheSameWithAndWithoutTheGuard(String kind, List<Object> application,
			String[] guard) {
		Seen before = withoutTheGuard.computeIfAbsent(kind, (first) -> see(application, WITHOUT));
		assertThat(see(application, guard)).isEqualTo(before);
	}

	private static Seen see(List<Object> application, String... properties) {
		try (ConfigurableApplicationContext context = run(application, properties)) {
			return new Seen(beans(context), autoConfigurations(context),
					context.getEnvironment().getProperty("spring.cache.type"), connections(context));
		}
	}

	private static ConfigurableApplicationContext run(List<Object> application, String... properties) {
		List<Class<?>> sources = new ArrayList<>();
		sources.add(application.contains("no caching") ? Plain.class : Caching.class);
		List<String> all = new ArrayList<>(List.of(redis.properties()));
		all.addAll(List.of("spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false",
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
		for (Object part : application) {
			if (part instanceof Class<?> type) {
				sources.add(type);
			}
			else if (part.toString().contains("=")) {
				all.add(part.toString());
			}
		}
		all.addAll(List.of(properties));
		return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers(GuardApplication::shareMetadata)
			.run();
	}

	/**
	 * Return the types of all beans but the guard's own.
	 */
	private static Map<String, String> beans(ConfigurableApplicationContext context) {
		Map<String, String> beans = new TreeMap<>();
		for (String name : context.getBeanDefinitionNames()) {
			Class<?> type = context.getType(name);
			String typeName = (type != null) ? ClassUtils.getUserClass(type).getName() : "?";
			if (!name.startsWith("bloomGuard") && !name.startsWith("bloomAdd") && !name.startsWith("bloom-guard")
					&& !(typeName.startsWith(OURS) && !typeName.contains("Tests"))) {
				beans.put(name, typeName);
			}
		}
		return beans;
	}

	private static TreeSet<String> autoConfigurations(ConfigurableApplicationContext context) {
		TreeSet<String> matched = new TreeSet<>();
		ConditionEvaluationReport.get(context.getBeanFactory())
			.getConditionAndOutcomesBySource()
			.forEach((source, outcomes) -> {
				if (outcomes.isFullMatch() && !source.startsWith(OURS)) {
					matched.add(source);
				}
			});
		return matched;
	}

	/**
	 * Describe how the application is connected to Redis.
	 */
	private static List<String> connections(ConfigurableApplicationContext context) {
		return context.getBeansOfType(RedisConnectionFactory.class).values().stream().map((factory) -> {
			if (factory instanceof LettuceConnectionFactory lettuce) {
				return "Lettuce %s:%s %s %s".formatted(lettuce.getHostName(), lettuce.getPort(), lettuce.getTimeout(),
						(lettuce.getClientConfiguration() instanceof LettucePoolingClientConfiguration pool)
								? pool.getPoolConfig().getMaxTotal() : "no pool");
			}
			JedisConnectionFactory jedis = (JedisConnectionFactory) factory;
			return "Jedis %s:%s %s %s".formatted(jedis.getHostName(), jedis.getPort(), jedis.getTimeout(),
					jedis.getPoolConfig().getMaxTotal());
		}).sorted().toList();
	}

	@Test
	void applicationStartsInItsUsualTimeWhileRedisIsDown() throws Exception {
		TestRedis down = TestRedis.start();
		down.kill();
		String port = "spring.data.redis.port=" + down.port();
		long before = fastest(() -> run(List.of(port), WITHOUT));
		long after = fastest(() -> run(List.of(port), FILTER));
		assertThat(Duration.ofNanos(after - before)).as("waits for Redis").isLessThan(Duration.ofSeconds(3));
	}

	private static long fastest(Callable<ConfigurableApplicationContext> application) throws Exception {
		long fastest = Long.MAX_VALUE;
		for (int i = 0; i < 2; i++) {
			long start = System.nanoTime();
			ConfigurableApplicationContext context = application.call();
			fastest = Math.min(fastest, System.nanoTime() - start);
			context.close();
		}
		return fastest;
	}

	@Test
	void applicationEndsInTimeWhileRedisIsDownOrFrozen() {
		TestRedis server = TestRedis.start();
		try {
			for (Runnable outage : List.<Runnable>of(server::kill, server::freeze)) {
				server.restart();
				ConfigurableApplicationContext context = run(List.of("spring.data.redis.port=" + server.port()),
						FILTER);
				Awaitility.await().until(() -> isReady(context));
				outage.run();
				long start = System.nanoTime();
				context.close();
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
			}
		}
		finally {
			server.close();
		}
	}

	@Test
	void nothingIsLeftOfAnApplicationThatHasEnded() {
		TestRedis server = TestRedis.start();
		try {
			for (int i = 0; i < 3; i++) {
				try (ConfigurableApplicationContext context = run(
						List.of("spring.data.redis.port=" + server.port(), "bloom-guard.timeout=10s"), FILTER)) {
					Awaitility.await().until(() -> isReady(context));
					assertThat(context.getBean(BloomGuard.class).mightContain("products", 101)).isFalse();
				}
			}
			Awaitility.await().untilAsserted(() -> {
				assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
					.noneMatch((name) -> name.startsWith("redisson") || name.startsWith("bloom-guard"));
				assertThat(server.command("CLIENT", "LIST").lines()).hasSize(1);
			});
		}
		finally {
			server.close();
		}
	}

	@Test
	void guardStartsByItselfAlthoughBeansAreLazy() {
		try (ConfigurableApplicationContext context = run(List.of("spring.main.lazy-initialization=true"), FILTER)) {
			Awaitility.await().until(() -> isReady(context));
		}
	}

	private static boolean isReady(ConfigurableApplicationContext context) {
		return context.getBean(ManagedFilters.class).find("products").filter().state() == FilterState.READY;
	}

	/**
	 * What is the same of an application with the guard and without it.
	 */
	record Seen(Map<String, String> beans, Set<String> autoConfigurations, @Nullable String cacheType,
			List<String> connections) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Plain {

		@Bean
		Keys productKeys() {
			return new Keys("products", 100);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableCaching
	static class Caching {

		@Bean
		Keys productKeys() {
			return new Keys("products", 100);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFactory {

		@Bean
		@Primary
		LettuceConnectionFactory own() {
			return new LettuceConnectionFactory("127.0.0.1", redis.port());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherFactory {

		@Bean
		LettuceConnectionFactory other() {
			return new LettuceConnectionFactory("127.0.0.1", redis.port());
		}

	}

}
