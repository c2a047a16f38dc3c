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

package io.github.bloomguard.cache.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.cache.CacheGuard;
import io.github.bloomguard.cache.FilterCaches;
import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.testsupport.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.RedisCacheManagerBuilderCustomizer;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BloomGuardCacheAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class BloomGuardCacheAutoConfigurationTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, CacheAutoConfiguration.class,
				BloomGuardCacheAutoConfiguration.class))
		.withPropertyValues(redis.properties())
		.withPropertyValues("spring.cache.type=redis", "spring.cache.redis.time-to-live=10m",
				"bloom-guard.cache.timeout=10s")
		.withUserConfiguration(CachingConfiguration.class);

	@BeforeEach
	void flush() {
		redis.command("FLUSHALL");
	}

	@Test
	void isFoundBySpringBoot() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(BloomGuardCacheAutoConfiguration.class.getName());
	}

	@Test
	void namesOnlyAutoConfigurationsThatExist() {
		AutoConfiguration annotation = BloomGuardCacheAutoConfiguration.class.getAnnotation(AutoConfiguration.class);
		assertThat(Stream.concat(Arrays.stream(annotation.afterName()), Arrays.stream(annotation.beforeName())))
			.filteredOn((name) -> name.startsWith("org.springframework"))
			.isNotEmpty()
			.allMatch((name) -> ClassUtils.isPresent(name, getClass().getClassLoader()));
	}

	@Test
	void autoConfiguredCacheManagerIsGuarded() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(CacheGuard.class).hasSingleBean(NullEntries.class);
			assertThat(isGuarded(context, "products")).isTrue();
			Cache products = cache(context, "products");
			for (int i = 0; i < 50; i++) {
				products.put(i, "value");
			}
			assertThat(redis.keys("products*").stream().map(this::ttl)).anyMatch((ttl) -> ttl < 595_000)
				.anyMatch((ttl) -> ttl > 605_000);
		});
	}

	@Test
	void readsRightAfterAPutAllHit() {
		this.runner.run((context) -> {
			Cache products = cache(context, "products");
			for (int i = 0; i < 2_000; i++) {
				products.put(i, "value");
				assertThat(products.get(i)).as("read %d", i).isNotNull();
			}
		});
	}

	@Test
	void disabledGuardIsRemovedWhole() {
		Stream.of("bloom-guard.cache.enabled=false", "bloom-guard.enabled=false")
			.forEach((property) -> this.runner.withPropertyValues(property).run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(CacheGuard.class);
				assertThat(isGuarded(context, "products")).isFalse();
			}));
		this.runner.withPropertyValues("bloom-guard.cache.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(NullEntries.class));
	}

	/**
	 * Spring Boot ignores the name of a class that there is not.
	 */
	@Test
	void isExcludedByTheNameThatItHadBefore() {
		ApplicationContextRunner found = new ApplicationContextRunner().withPropertyValues(redis.properties())
			.withUserConfiguration(WholeConfiguration.class);
		found.run((context) -> assertThat(context).hasSingleBean(CacheGuard.class));
		found
			.withPropertyValues("spring.autoconfigure.exclude"
					+ "=io.github.bloomguard.autoconfigure.cache.BloomGuardCacheAutoConfiguration")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CacheGuard.class));
	}

	@Test
	void applicationWithoutSpringDataRedisStarts() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(CacheAutoConfiguration.class, BloomGuardCacheAutoConfiguration.class))
			.withUserConfiguration(CachingConfiguration.class)
			.withClassLoader(new FilteredClassLoader(RedisCacheManager.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CacheGuard.class));
	}

	@Test
	void applicationWithoutMicrometerStarts() {
		this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(CacheGuard.class));
	}

	@Test
	void applicationWithAnotherCacheManagerStarts() {
		this.runner.withPropertyValues("spring.cache.type=simple").run((context) -> {
			assertThat(context).hasNotFailed();
			cache(context, "products").put(7, null);
			context.getBean(NullEntries.class).clear(List.of("products"), List.of(7)).join();
			assertThat(cache(context, "products").get(7)).isNull();
		});
	}

	@Test
	void cacheThatTheGuardDoesNotWriteAndThatHasNoPrefixIsWarnedOf(CapturedOutput output) {
		FilterCaches filters = new FilterCaches(Map.of("products", List.of()), (filter, key) -> key, Duration.ZERO);
		ApplicationContextRunner runner = this.runner.withBean(FilterCaches.class, () -> filters)
			.withPropertyValues("spring.cache.redis.use-key-prefix=false", "spring.cache.cache-names=orders");
		runner.run((context) -> assertThat(output).doesNotContain("have no prefix"));
		runner.withPropertyValues("bloom-guard.cache.enabled=false")
			.run((context) -> assertThat(output).contains("keys of the cache 'orders' have no prefix"));
	}

	@Test
	void singleCachesMayHaveOtherRulesOrNone() {
		this.runner
			.withPropertyValues("bloom-guard.cache.empty-ttl=40s", "bloom-guard.cache.jitter=0",
					"bloom-guard.cache.single-flight=true", "bloom-guard.cache.caches.orders.empty-ttl=20s",
					"bloom-guard.cache.caches.plain.enabled=false")
			.run((context) -> {
				for (String name : new String[] { "products", "orders", "plain" }) {
					cache(context, name).put(7, null);
				}
				assertThat(ttl("products::7")).isBetween(30_000L, 40_000L);
				assertThat(ttl("orders::7")).isBetween(10_000L, 20_000L);
				assertThat(ttl("plain::7")).isGreaterThan(590_000L);
			});
	}

	@Test
	void singleCachesMayHaveAnotherTimeToLive() {
		this.runner
			.withPropertyValues("bloom-guard.cache.jitter=0", "bloom-guard.cache.caches.orders.ttl=30s",
					"bloom-guard.cache.caches.plain.ttl=20s", "bloom-guard.cache.caches.plain.enabled=false",
					"bloom-guard.cache.caches.eternal.ttl=0s")
			.run((context) -> {
				for (String name : new String[] { "products", "orders", "plain", "eternal" }) {
					cache(context, name).put(7, "value");
				}
				assertThat(ttl("products::7")).isBetween(500_000L, 600_000L);
				assertThat(ttl("orders::7")).isBetween(20_000L, 30_000L);
				assertThat(ttl("plain::7")).isBetween(10_000L, 20_000L);
				assertThat(ttl("eternal::7")).isEqualTo(-1);
			});
	}

	@Test
	void evictWinsOverALoadThatBeganBeforeIt() {
		this.runner.withUserConfiguration(ServiceConfiguration.class).run((context) -> {
			Products products = context.getBean(Products.class);
			products.loading(() -> cache(context, "products").evict(7));
			products.find(7);
			products.findSync(7);
			assertThat(redis.keys("products*")).isEmpty();
		});
	}

	@Test
	void evictWinsAlsoIfCachesComeBeforeOtherAdvice() {
		this.runner.withUserConfiguration(EarlyCachingConfiguration.class, ServiceConfiguration.class)
			.run((context) -> {
				Products products = context.getBean(Products.class);
				products.loading(() -> cache(context, "products").evict(7));
				products.find(7);
				assertThat(redis.keys("products*")).isEmpty();
				products.loading(() -> {
				});
				products.find(7);
				assertThat(redis.keys("products*")).hasSize(1);
			});
	}

	@Test
	void timeToLiveThatACustomizerSetsWinsOverTheProperty() {
		this.runner.withPropertyValues("bloom-guard.cache.jitter=0", "bloom-guard.cache.caches.orders.ttl=30s")
			.withBean(RedisCacheManagerBuilderCustomizer.class,
					() -> (builder) -> builder.withCacheConfiguration("orders",
							builder.cacheDefaults().entryTtl(Duration.ofSeconds(50))))
			.run((context) -> {
				cache(context, "orders").put(7, "value");
				assertThat(ttl("orders::7")).isBetween(40_000L, 50_000L);
			});
	}

	@Test
	void configurationOfTheUserIsKept() {
		this.runner
			.withPropertyValues("spring.cache.redis.enable-statistics=true", "spring.cache.redis.key-prefix=shop:",
					"bloom-guard.cache.jitter=0")
			.withUserConfiguration(CustomizerConfiguration.class)
			.run((context) -> {
				assertThat(isGuarded(context, "before")).isTrue();
				assertThat(isGuarded(context, "after")).isTrue();
				cache(context, "before").put(7, "value");
				cache(context, "after").put(7, "longer value");
				cache(context, "other").put(7, "value");
				assertThat(ttl("before::7")).isBetween(50_000L, 60_000L);
				assertThat(ttl("after::7")).isBetween(710_000L, 720_000L);
				assertThat(ttl("shop:other::7")).isBetween(590_000L, 600_000L);
				assertThat(((RedisCache) cache(context, "before")).getStatistics().getPuts()).isEqualTo(1);
			});
	}

	@Test
	void writerThatACustomizerSetsLaterReplacesTheGuardedOne() {
		this.runner.withUserConfiguration(WriterCustomizerConfiguration.class)
			.run((context) -> assertThat(isGuarded(context, "products")).isFalse());
	}

	@Test
	void writerBeanOfTheUserIsDecorated() {
		this.runner.withUserConfiguration(WriterConfiguration.class).run((context) -> {
			assertThat(isGuarded(context, "products")).isTrue();
			cache(context, "products").put(7, "seven");
			assertThat(context.getBean(WriterConfiguration.class).collector.getCacheStatistics("products").getPuts())
				.isEqualTo(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "jitter,1,0.1", "jitter,-0.1,0.1", "jitter,NaN,0.1", "empty-ttl,0s,1m", "empty-ttl,-1s,1m",
			"null-hold-off,0s,30s", "single-flight-wait,0s,5s", "single-flight-lease,-5s,10s", "early-refresh,-1,1",
			"stale-on-error,-1s,10m", "caches.products.jitter,2,0.1", "caches.products.empty-ttl,0s,1m",
			"caches.products.ttl,-1s,10m" })
	void wrongValueStopsTheStartAndSaysWhatToWrite(String property, String value, String example) {
		this.runner.withPropertyValues("bloom-guard.cache." + property + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
					assertThat(ex.getProblem()).contains("'bloom-guard.cache." + property + "'");
					assertThat(ex.getRemedy()).contains(example);
				});
		});
	}

	@Test
	void metersAreRegisteredWhenThereIsARegistry() {
		this.runner.withBean(SimpleMeterRegistry.class).run((context) -> {
			assertThat(context).hasSingleBean(CacheLoadMetrics.class);
			Cache products = cache(context, "products");
			products.get(7, () -> null);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("bloom.guard.cache.loads")
				.tags("cache", "products", "outcome", "success")
				.timer()
				.count()).isEqualTo(1);
			assertThat(products.get(7)).isNotNull();
			assertThat(registry.get("bloom.guard.cache.null.hits").tag("cache", "products").counter().count())
				.isEqualTo(1);
			context.getBean(CacheLoadMetrics.class).onLatePut("products", false);
			assertThat(registry.get("bloom.guard.cache.late.puts")
				.tags("cache", "products", "outcome", "dropped")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void keysOfTheGuardHaveTheConfiguredPrefix() {
		this.runner.withPropertyValues("bloom-guard.key-prefix=shop-guard").run((context) -> {
			cache(context, "products").evict(7);
			assertThat(redis.keys("*")).isNotEmpty().allMatch((key) -> key.startsWith("shop-guard:"));
		});
	}

	@Test
	void annotatedMethodsBehaveAsWithoutAGuard() {
		this.runner.withUserConfiguration(ServiceConfiguration.class).run((context) -> {
			Products products = context.getBean(Products.class);
			assertThat(products.find(7)).isEqualTo("plain 7");
			assertThat(products.find(7)).isEqualTo("plain 7");
			assertThat(products.findSync(7)).isEqualTo("plain 7");
			assertThat(products.calls()).hasValue(1);
			products.update(7);
			assertThat(products.find(7)).isEqualTo("updated 7");
			products.remove(7);
			assertThat(products.findSync(7)).isEqualTo("sync 7");
			products.removeAll();
			assertThat(products.find(7)).isEqualTo("plain 7");
		});
	}

	@Test
	void completableFuturesAndMonosAreCached() {
		this.runner.withUserConfiguration(ServiceConfiguration.class).run((context) -> {
			Products products = context.getBean(Products.class);
			for (int i = 0; i < 3; i++) {
				assertThat(products.findFuture(1)).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("future 1");
				Awaitility.await().until(() -> !redis.keys("futures::1").isEmpty());
				assertThat(products.findFutureSync(2)).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("sync future 2");
				assertThat(products.findMono(3).block(Duration.ofSeconds(5))).isEqualTo("mono 3");
				Awaitility.await().until(() -> !redis.keys("monos::3").isEmpty());
				assertThat(products.findMonoSync(4).block(Duration.ofSeconds(5))).isEqualTo("sync mono 4");
				assertThat(products.findNoMonoSync(5).block(Duration.ofSeconds(5))).isNull();
			}
			assertThat(products.calls()).hasValue(5);
			assertThat(ttl("monos::5")).isBetween(50_000L, 66_000L);
		});
	}

	private static boolean isGuarded(ApplicationContext context, String name) {
		Object writer = cache(context, name).getNativeCache();
		return writer.getClass().getName().startsWith("io.github.bloomguard");
	}

	private static Cache cache(ApplicationContext context, String name) {
		Cache cache = context.getBean(CacheManager.class).getCache(name);
		assertThat(cache).isNotNull();
		return cache;
	}

	private long ttl(String key) {
		return Long.parseLong(redis.command("PTTL", key));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CachingConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableAutoConfiguration
	static class WholeConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(order = 0)
	static class EarlyCachingConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		@Bean
		@Order(-1)
		RedisCacheManagerBuilderCustomizer before() {
			return (builder) -> builder.withCacheConfiguration("before",
					RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMinutes(1)));
		}

		@Bean
		RedisCacheManagerBuilderCustomizer after() {
			return (builder) -> builder.withCacheConfiguration("after", RedisCacheConfiguration.defaultCacheConfig()
				.entryTtl((key, value) -> Duration.ofMinutes(String.valueOf(value).length())));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WriterCustomizerConfiguration {

		@Bean
		RedisCacheManagerBuilderCustomizer writer(RedisConnectionFactory connectionFactory) {
			return (builder) -> builder.cacheWriter(RedisCacheWriter.lockingRedisCacheWriter(connectionFactory));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WriterConfiguration {

		private final org.springframework.data.redis.cache.CacheStatisticsCollector collector = org.springframework.data.redis.cache.CacheStatisticsCollector
			.create();

		@Bean
		RedisCacheWriter writer(RedisConnectionFactory connectionFactory) {
			return RedisCacheWriter.create(connectionFactory,
					(configurer) -> configurer.immediateWrites().collectStatistics(this.collector));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServiceConfiguration {

		@Bean
		Products products() {
			return new Products();
		}

	}

	static class Products {

		private final AtomicInteger calls = new AtomicInteger();

		private Runnable meanwhile = () -> {
		};

		public AtomicInteger calls() {
			return this.calls;
		}

		@Cacheable("products")
		public String find(int id) {
			return called("plain ", id);
		}

		@Cacheable(cacheNames = "products", sync = true)
		public String findSync(int id) {
			return called("sync ", id);
		}

		public void loading(Runnable meanwhile) {
			this.meanwhile = meanwhile;
		}

		@CachePut("products")
		public String update(int id) {
			return "updated " + id;
		}

		@CacheEvict("products")
		public void remove(int id) {
		}

		@CacheEvict(cacheNames = "products", allEntries = true)
		public void removeAll() {
		}

		@Cacheable("futures")
		public CompletableFuture<String> findFuture(int id) {
			return CompletableFuture.completedFuture(called("future ", id));
		}

		@Cacheable(cacheNames = "futures", sync = true)
		public CompletableFuture<String> findFutureSync(int id) {
			return CompletableFuture.completedFuture(called("sync future ", id));
		}

		@Cacheable("monos")
		public Mono<String> findMono(int id) {
			return Mono.fromSupplier(() -> called("mono ", id)).subscribeOn(Schedulers.parallel());
		}

		@Cacheable(cacheNames = "monos", sync = true)
		public Mono<String> findMonoSync(int id) {
			return Mono.fromSupplier(() -> called("sync mono ", id));
		}

		@Cacheable(cacheNames = "monos", sync = true)
		public Mono<String> findNoMonoSync(int id) {
			return Mono.fromRunnable(() -> called("no mono ", id));
		}

		private String called(String kind, int id) {
			this.calls.incrementAndGet();
			this.meanwhile.run();
			return kind + id;
		}

	}

}
