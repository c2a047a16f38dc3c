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
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.UrlResource;
import org.springframework.util.ClassUtils;

/**
 * Makes Spring Boot choose the cache manager that it would choose without the starter.
 * Redisson is a provider of JCache: beside another provider, neither is used, and alone
 * it comes before Redis, Caffeine and maps. So properties of the lowest precedence say
 * what Spring Boot would have found, unless others are set, the API of JCache is missing,
 * or the application uses Redisson's own starter.
 */
public final class JCacheProvider {

	private static final String PROVIDERS = "META-INF/services/javax.cache.spi.CachingProvider";

	private static final String REDISSON = "org.redisson.jcache.JCachingProvider";

	private static final List<String> BEFORE_JCACHE = List.of("com.hazelcast.core.HazelcastInstance",
			"org.infinispan.manager.EmbeddedCacheManager");

	private static final List<String> REDISSON_STARTER = List.of(
			"org.redisson.spring.starter.RedissonAutoConfigurationV4",
			"org.redisson.spring.starter.RedissonAutoConfigurationV2");

	private final Log logger;

	/**
	 * Create what decides.
	 * @param logger says what was decided
	 */
	public JCacheProvider(Log logger) {
		this.logger = logger;
	}

	/**
	 * Decide as if Redisson were no provider, unless the application says what it wants.
	 * @param environment gets what was decided
	 * @param classLoader the application's
	 */
	public void decide(ConfigurableEnvironment environment, ClassLoader classLoader) {
		if (isTold(environment) || !isPresent("javax.cache.Caching", classLoader)
				|| REDISSON_STARTER.stream().anyMatch((name) -> isPresent(name, classLoader))) {
			return;
		}
		Set<String> providers = providers(classLoader);
		if (!providers.remove(REDISSON)) {
			return;
		}
		if (providers.isEmpty() && BEFORE_JCACHE.stream().noneMatch((name) -> isPresent(name, classLoader))) {
			add(environment, "spring.cache.type", type(classLoader));
		}
		else if (providers.size() == 1) {
			add(environment, "spring.cache.jcache.provider", providers.iterator().next());
		}
	}

	private void add(ConfigurableEnvironment environment, String property, String value) {
		this.logger.info("Redisson is a provider of JCache, too. So that this decides nothing, " + property + " is '"
				+ value + "', as long as you set nothing else");
		environment.getPropertySources().addLast(new MapPropertySource("bloomGuardJCache", Map.of(property, value)));
	}

	private static boolean isTold(Environment environment) {
		return Stream.of("spring.cache.type", "spring.cache.jcache.provider", "spring.cache.jcache.config")
			.anyMatch(environment::containsProperty);
	}

	private static String type(ClassLoader classLoader) {
		if (isPresent("org.springframework.data.redis.connection.RedisConnectionFactory", classLoader)
				&& (isPresent("io.lettuce.core.RedisClient", classLoader)
						|| isPresent("redis.clients.jedis.Jedis", classLoader))) {
			return "redis";
		}
		if (isPresent("com.github.benmanes.caffeine.cache.Caffeine", classLoader)) {
			return "caffeine";
		}
		return isPresent("org.cache2k.Cache2kBuilder", classLoader) ? "cache2k" : "simple";
	}

	private static boolean isPresent(String className, ClassLoader classLoader) {
		return ClassUtils.isPresent(className, classLoader);
	}

	private static Set<String> providers(ClassLoader classLoader) {
		Set<String> providers = new LinkedHashSet<>();
		try {
			for (URL url : Collections.list(classLoader.getResources(PROVIDERS))) {
				new UrlResource(url).getContentAsString(StandardCharsets.UTF_8)
					.lines()
					.map((line) -> line.replaceFirst("#.*", "").strip())
					.filter((line) -> !line.isEmpty())
					.forEach(providers::add);
			}
		}
		catch (IOException ex) {
			// then JCache itself can't read them either
		}
		return providers;
	}

}
