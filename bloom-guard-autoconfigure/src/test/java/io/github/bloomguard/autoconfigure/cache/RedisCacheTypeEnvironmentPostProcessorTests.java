package io.github.bloomguard.autoconfigure.cache;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisCacheTypeEnvironmentPostProcessor}.
 */
class RedisCacheTypeEnvironmentPostProcessorTests {

	private final MockEnvironment environment = new MockEnvironment();

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
		process(new SpringApplication());
		assertThat(this.environment.getProperty("spring.cache.type")).isNotEqualTo("redis");
	}

	@Test
	void anotherProviderIsRespected(@TempDir Path directory) throws IOException {
		Path services = Files.createDirectories(directory.resolve("META-INF/services"));
		Files.writeString(services.resolve("javax.cache.spi.CachingProvider"), "# chosen\ncom.example.Provider\n");
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				getClass().getClassLoader())) {
			SpringApplication application = new SpringApplication();
			application.setResourceLoader(new DefaultResourceLoader(classLoader));
			process(application);
		}
		assertThat(this.environment.containsProperty("spring.cache.type")).isFalse();
	}

	@Test
	void applicationWithoutProviderIsLeftAlone() {
		SpringApplication application = new SpringApplication();
		application.setResourceLoader(new DefaultResourceLoader(ClassLoader.getPlatformClassLoader()));
		process(application);
		assertThat(this.environment.containsProperty("spring.cache.type")).isFalse();
	}

	private void process(SpringApplication application) {
		new RedisCacheTypeEnvironmentPostProcessor().postProcessEnvironment(this.environment, application);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, CacheAutoConfiguration.class })
	static class CachingConfiguration {

	}

}
