package io.github.bloomguard.autoconfigure.cache;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.UrlResource;

/**
 * Makes {@code redis} the default of {@code spring.cache.type} where Spring Boot would
 * choose JCache only because Redisson happens to be a JCache provider. Such a cache
 * manager knows none of the application's caches, and is nothing that anybody has asked
 * for. Another JCache provider, or a property that says what is wanted, is respected.
 */
class RedisCacheTypeEnvironmentPostProcessor implements EnvironmentPostProcessor {

	private static final String PROVIDERS = "META-INF/services/javax.cache.spi.CachingProvider";

	private static final String ACCIDENTAL_PROVIDER = "org.redisson.jcache.JCachingProvider";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (!isTold(environment) && isRedissonTheOnlyProvider(application.getClassLoader())) {
			environment.getPropertySources()
				.addLast(new MapPropertySource("bloomGuardCacheType", Map.of("spring.cache.type", "redis")));
		}
	}

	private static boolean isTold(Environment environment) {
		return Stream.of("spring.cache.type", "spring.cache.jcache.provider", "spring.cache.jcache.config")
			.anyMatch(environment::containsProperty);
	}

	private static boolean isRedissonTheOnlyProvider(ClassLoader classLoader) {
		try {
			Set<String> providers = new HashSet<>();
			for (URL url : Collections.list(classLoader.getResources(PROVIDERS))) {
				new UrlResource(url).getContentAsString(StandardCharsets.UTF_8)
					.lines()
					.map((line) -> line.replaceFirst("#.*", "").strip())
					.filter((line) -> !line.isEmpty())
					.forEach(providers::add);
			}
			return providers.equals(Set.of(ACCIDENTAL_PROVIDER));
		}
		catch (IOException ex) {
			return false;
		}
	}

}
