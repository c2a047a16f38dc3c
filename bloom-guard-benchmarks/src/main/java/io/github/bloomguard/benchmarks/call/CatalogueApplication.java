package io.github.bloomguard.benchmarks.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.call.GuardedFilters;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;

/**
 * An auto-configured application with caches in maps, and a guard that asks Redis for
 * everything but the keys of calls: positive ones exist, others don't.
 */
public final class CatalogueApplication implements AutoCloseable {

	private final LocalRedis redis;

	private final ConfigurableApplicationContext context;

	private CatalogueApplication(LocalRedis redis, ConfigurableApplicationContext context) {
		this.redis = redis;
		this.context = context;
	}

	/**
	 * Start the application.
	 * @param answers who answers calls: {@code memory}, which takes the place of the bits
	 * in Redis only, or {@code stub}, which takes the place of all that is behind the
	 * interceptor
	 * @return the application, ready to answer
	 */
	public static CatalogueApplication start(String answers) {
		LocalRedis redis = LocalRedis.start();
		List<String> properties = new ArrayList<>(List.of(redis.properties()));
		properties.addAll(List.of("spring.cache.type=simple", "bloom-guard.filters.products.expected-insertions=1000",
				"bloom-guard.filters.products.rebuild.longest-transaction=100ms", "spring.main.banner-mode=off",
				"spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.profiles(answers)
			.properties(properties.toArray(String[]::new))
			.run();
		context.getBean(BloomGuard.class).rebuild("products").join();
		return new CatalogueApplication(redis, context);
	}

	/**
	 * Return the proxy.
	 * @return the catalogue
	 */
	public Catalogue catalogue() {
		return this.context.getBean(Catalogue.class);
	}

	@Override
	public void close() {
		this.context.close();
		this.redis.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Catalogue catalogue() {
			return new Catalogue();
		}

		@Bean
		KeySource products() {
			return new KeySource() {

				@Override
				public String filter() {
					return "products";
				}

				@Override
				public Stream<?> keys() {
					return LongStream.rangeClosed(1, 1000).boxed();
				}

			};
		}

		@Bean
		@Profile("memory")
		FilterBackend memoryBackend(RedisAccess redis) {
			return new MemoryBackend(new RedisBackend(redis, "bloom-guard", Duration.ofMillis(100)));
		}

		@Bean
		@Primary
		@Profile("stub")
		GuardedFilters stub() {
			return StubFilter::new;
		}

	}

}
