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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.autoconfigure.redis.BloomGuardRedisAutoConfiguration;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.changes.BloomGuardChangesAutoConfiguration;
import io.github.bloomguard.datajdbc.BloomGuardDataJdbcAutoConfiguration;
import io.github.bloomguard.datajdbc.JdbcAdds;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.OnStartup;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.health.BloomGuardHealthIndicator;
import io.github.bloomguard.hibernate.BloomGuardHibernateAutoConfiguration;
import io.github.bloomguard.interceptor.BloomGuardedAdvisor;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.metrics.FilterMeters;
import io.github.bloomguard.mongodb.BloomGuardMongoAutoConfiguration;
import io.github.bloomguard.mongodb.MongoWrites;
import io.github.bloomguard.mybatis.BloomGuardMyBatisAutoConfiguration;
import io.github.bloomguard.mybatis.MyBatisAdds;
import io.github.bloomguard.r2dbc.BloomGuardR2dbcAutoConfiguration;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;
import org.redisson.api.RedissonClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.config.CacheManagementConfigUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.assertArg;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link BloomGuardAutoConfiguration}.
 */
class BloomGuardAutoConfigurationTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose("shutdown")
	private static final RedissonClient redisson = RedissonClients.of(redis);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(ImportedByName.class)
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"bloom-guard.filters.products.rebuild.settle=0s",
				"bloom-guard.filters.products.rebuild.longest-transaction=100ms",
				"bloom-guard.filters.products.expected-insertions=1000")
		.withBean(RedissonClient.class, () -> redisson)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Keys.class, () -> new Keys("products", 10));

	@Test
	void isFoundBySpringBoot() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(BloomGuardAutoConfiguration.class.getName());
	}

	@Test
	void namesOnlyAutoConfigurationsThatExist() {
		AutoConfiguration annotation = BloomGuardAutoConfiguration.class.getAnnotation(AutoConfiguration.class);
		assertThat(Stream.concat(Arrays.stream(annotation.afterName()), Arrays.stream(annotation.beforeName())))
			.hasSizeGreaterThan(1)
			// the example with R2DBC has it
			.filteredOn((name) -> !name.startsWith("org.springframework.boot.r2dbc."))
			.allMatch((name) -> ClassUtils.isPresent(name, getClass().getClassLoader()));
	}

	@Test
	void everythingIsThereInAFullApplication() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(BloomGuard.class)
				.hasSingleBean(BloomGuardEndpoint.class)
				.hasSingleBean(BloomGuardHealthIndicator.class)
				.hasSingleBean(FilterMeters.class);
			assertThat(context.getBeanNamesForType(ChangeLogs.class))
				.containsExactlyInAnyOrder("bloomGuardPostgresLogs", "bloomGuardMySqlLogs");
			assertThatItGuards(context);
		});
	}

	@Test
	void filtersAreAskedBeforeCachesAlsoIfThoseComeBeforeOtherAdvice() {
		this.runner.withUserConfiguration(EarlyCaching.class)
			.run((context) -> assertThat(context.getBean(BloomGuardedAdvisor.class).getOrder()).isLessThan(
					context.getBean(CacheManagementConfigUtils.CACHE_ADVISOR_BEAN_NAME, Ordered.class).getOrder()));
	}

	static Stream<Arguments> optionalParts() {
		return Stream.of(arguments(
				new String[] { "org.springframework.boot.actuate", "org.springframework.boot.health", "io.micrometer" },
				new Class<?>[] { BloomGuardEndpoint.class, BloomGuardHealthIndicator.class, FilterMeters.class }),
				arguments(
						new String[] { "org.springframework.boot.actuate.endpoint",
								"org.springframework.boot.actuate.autoconfigure" },
						new Class<?>[] { BloomGuardEndpoint.class }),
				arguments(new String[] { "org.springframework.boot.health" },
						new Class<?>[] { BloomGuardHealthIndicator.class }),
				arguments(new String[] { "io.micrometer" }, new Class<?>[] { FilterMeters.class }),
				arguments(new String[] { "org.springframework.jdbc", "org.springframework.boot.jdbc" },
						new Class<?>[] { QuerySources.class }),
				arguments(
						new String[] { "org.hibernate", "jakarta.persistence", "org.springframework.data.jdbc",
								"org.springframework.data.relational", "com.baomidou", "com.mongodb" },
						new Class<?>[] { EntityMappings.class, JdbcAdds.class }),
				arguments(new String[] { "com.baomidou" }, new Class<?>[0]),
				arguments(new String[] { "org.postgresql", "com.github.shyiko" }, new Class<?>[] { ChangeLogs.class }),
				arguments(new String[] { "com.mongodb", "org.bson", "org.springframework.data.mongodb" },
						new Class<?>[] { MongoWrites.class }),
				arguments(new String[] { "com.mongodb.client" }, new Class<?>[] { MongoWrites.class }),
				arguments(new String[] { "org.apache.ibatis", "org.mybatis", "com.baomidou" },
						new Class<?>[] { MyBatisAdds.class }),
				arguments(new String[] { "org.springframework.data.jdbc", "org.springframework.data.relational" },
						new Class<?>[] { JdbcAdds.class }),
				arguments(
						new String[] { "org.springframework.data.redis", "org.springframework.boot.cache",
								"org.redisson.spring", "reactor", "com.fasterxml.jackson.annotation" },
						new Class<?>[0]));
	}

	@ParameterizedTest
	@MethodSource("optionalParts")
	@Tag("slow")
	void whatIsNotOnTheClassPathIsNotNeeded(String[] packages, Class<?>[] missing) {
		this.runner.withClassLoader(new FilteredClassLoader(packages)).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(BloomGuard.class);
			assertThat(missing).allSatisfy((type) -> assertThat(context.getBeanNamesForType(type)).isEmpty());
			assertThatItGuards(context);
		});
	}

	@Test
	void withoutSpringDataMongoDbADocumentStopsTheStartAndNamesItsStarter() {
		EntityMappings others = () -> Stream.of(mock(MappedEntities.class));
		for (EntityMappings present : List.of(others, (EntityMappings) Stream::empty)) {
			this.runner.withPropertyValues("bloom-guard.filters.products.entity=" + Article.class.getName())
				.withClassLoader(new FilteredClassLoader((name) -> name.equals(Article.class.getName())
						|| Stream.of("org.hibernate", "org.springframework.data.jdbc", "com.baomidou", "com.mongodb")
							.anyMatch(name::startsWith)))
				.withBean(EntityMappings.class, () -> present)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOfSatisfying(InvalidGuardException.class,
							(ex) -> assertThat(ex.getRemedy()).startsWith("Add spring-boot-starter-data-mongodb")));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Article.class, Row.class })
	void entityOfAReactiveLibraryStopsTheStartAndNamesWhatNeedsNoBlockingOne(Class<?> entity) {
		EntityMappings others = () -> Stream.of(mock(MappedEntities.class));
		for (EntityMappings present : List.of(others, (EntityMappings) Stream::empty)) {
			this.runner.withPropertyValues("bloom-guard.filters.products.entity=" + entity.getName())
				.withClassLoader(new FilteredClassLoader((name) -> name.equals(entity.getName()) || Stream
					.of("org.hibernate", "org.springframework.data.jdbc", "com.baomidou", "com.mongodb.client")
					.anyMatch(name::startsWith)))
				.withBean(EntityMappings.class, () -> present)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.isInstanceOfSatisfying(InvalidGuardException.class,
							(ex) -> assertThat(ex.getRemedy()).startsWith("Remove the entity, set table")));
		}
	}

	@Test
	void withoutAnyMappingAnEntityStopsTheStartAndNamesTheStarters() {
		this.runner.withPropertyValues("bloom-guard.filters.products.entity=com.acme.Product")
			.withClassLoader(
					new FilteredClassLoader("org.hibernate", "jakarta.persistence", "org.springframework.data.jdbc"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
					assertThat(ex.getProblem()).contains("bloom-guard.filters.products.entity is com.acme.Product");
					assertThat(ex.getRemedy()).contains("spring-boot-starter-data-jpa",
							"spring-boot-starter-data-jdbc");
				}));
	}

	@Test
	void withoutRedissonAnApplicationWithoutFiltersStarts() {
		new ApplicationContextRunner().withUserConfiguration(ImportedByName.class)
			.withClassLoader(new FilteredClassLoader("org.redisson"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(BloomGuard.class));
	}

	@Test
	void withoutRedissonAFilterStopsTheStartAndNamesTheStarter() {
		new ApplicationContextRunner().withUserConfiguration(ImportedByName.class)
			.withPropertyValues("bloom-guard.filters.products.expected-insertions=1000")
			.withBean(Keys.class, () -> new Keys("products", 10))
			.withClassLoader(new FilteredClassLoader("org.redisson"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
					assertThat(ex.getProblem()).contains("'products'", "Redisson");
					assertThat(ex.getRemedy()).contains("bloom-guard-starter", "bloom-guard.filters.products.type");
				}));
	}

	@Test
	void onlyABloomGuardThatLetsEverythingPassIsLeftWhenItIsDisabled() {
		this.runner.withPropertyValues("bloom-guard.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(BloomGuard.class);
			assertThat(context.getBeanDefinitionNames()).filteredOn((name) -> isOurs(context, name))
				.allMatch((name) -> name.equals("bloomGuard")
						|| name.equals(DisabledBloomGuardAutoConfiguration.class.getName()));
			BloomGuard guard = context.getBean(BloomGuard.class);
			assertThat(guard.mightContain("products", -1)).isTrue();
			assertThat(guard.membership("unknown", 1)).isEqualTo(Membership.UNKNOWN);
			guard.add("products", 1);
			assertThat(guard.<String, RuntimeException>get("products", -1, () -> "loaded")).isEqualTo("loaded");
			assertThat(guard.rebuild("products")).isCompleted();
		});
		this.runner
			.run((context) -> assertThat(context.getBeanDefinitionNames()).as("what is looked for would be found")
				.filteredOn((name) -> isOurs(context, name))
				.hasSizeGreaterThan(10));
	}

	@Test
	void nothingIsConfiguredInADisabledChildOfAContextWithTheGuard() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.withPropertyValues("bloom-guard.enabled=false")
			.run((child) -> assertThat(child.getBeanDefinitionNames()).filteredOn((name) -> isOurs(child, name))
				.containsOnly(DisabledBloomGuardAutoConfiguration.class.getName())));
	}

	private static boolean isOurs(AssertableApplicationContext context, String name) {
		String type = String.valueOf(context.getType(name));
		return type.contains("io.github.bloomguard") && !type.contains("testsupport") && !type.contains("Tests");
	}

	static Stream<Class<?>> replaceable() {
		return Stream.of(KeyFormat.class, RedisAccess.class, BloomGuard.class, BloomGuardEndpoint.class,
				FilterMeters.class, QuerySources.class, KeySources.class);
	}

	@ParameterizedTest
	@MethodSource("replaceable")
	<T> void beanOfTheUserReplacesOurs(Class<T> type) {
		T own = mock(type, Answers.RETURNS_MOCKS);
		this.runner.withPropertyValues("bloom-guard.filters.products.mode=off")
			.withBean("own", type, () -> own)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(type)).containsOnly(Map.entry("own", own));
			});
	}

	@Test
	void backendOfTheUserTakesThePlaceOfOursOfItsType() {
		FilterBackend own = mock(FilterBackend.class, Answers.RETURNS_MOCKS);
		given(own.type()).willReturn("redis");
		this.runner.withPropertyValues("bloom-guard.filters.products.mode=off")
			.withBean("own", FilterBackend.class, () -> own)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				then(own).should().control(any(), any());
			});
	}

	@Test
	void backendOfTheUserIsUsedWhereItsTypeIsNamed() {
		FilterBackend own = mock(FilterBackend.class, Answers.RETURNS_MOCKS);
		given(own.type()).willReturn("mine");
		this.runner
			.withPropertyValues("bloom-guard.filters.others.type=mine", "bloom-guard.filters.others.mode=off",
					"bloom-guard.filters.others.expected-insertions=1000")
			.withBean("own", FilterBackend.class, () -> own)
			.run((context) -> {
				assertThatItGuards(context);
				then(own).should()
					.control(assertArg((settings) -> assertThat(settings.name()).isEqualTo("others")), any());
			});
	}

	@Test
	void unknownTypeStopsTheStartAndNamesTheOthers() {
		this.runner.withPropertyValues("bloom-guard.filters.products.type=memry")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
					assertThat(ex.getProblem()).contains("bloom-guard.filters.products.type is 'memry'");
					assertThat(ex.getRemedy()).contains("memory or redis", "FilterBackend");
				}));
	}

	@Test
	void healthContributorOfTheUserReplacesOurs() {
		HealthIndicator own = mock(HealthIndicator.class);
		this.runner.withBean("bloomGuardHealthContributor", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BloomGuardHealthIndicator.class));
	}

	@Test
	void healthContributorCanBeSwitchedOff() {
		this.runner.withPropertyValues("management.health.bloom-guard.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BloomGuardHealthIndicator.class));
	}

	@Test
	void endpointIsThereOnlyWhereItIsExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(BloomGuardEndpoint.class)
				.hasSingleBean(BloomGuardHealthIndicator.class));
	}

	@Test
	void executorOfTheApplicationStaysTheOnlyCandidate() {
		this.runner.withBean(Injected.class).run((context) -> {
			assertThat(context).hasNotFailed().hasBean("applicationTaskExecutor");
			assertThat(context.getBean(Injected.class).executors)
				.containsExactly(context.getBean("applicationTaskExecutor", Executor.class));
		});
	}

	@Test
	void applicationWithoutFiltersStarts() {
		new ApplicationContextRunner().withUserConfiguration(ImportedByName.class)
			.withBean(RedissonClient.class, () -> redisson)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(BloomGuard.class));
	}

	@Test
	void defaultsAreThoseOfTheContract() {
		this.runner.run((context) -> {
			FilterSettings settings = settings(context);
			assertThat(settings.specification().falsePositiveProbability()).isEqualTo(0.001);
			assertThat(settings.mode()).isEqualTo(FilterMode.ENFORCE);
			assertThat(settings.emptyTtl()).isEqualTo(Duration.ofMinutes(1));
			assertThat(settings.building().onStartup()).isEqualTo(OnStartup.IF_MISSING);
			assertThat(settings.building().blocking()).isFalse();
			BloomGuardProperties properties = context.getBean(BloomGuardProperties.class);
			assertThat(properties.filters().get("products").caches()).isEmpty();
			assertThat(properties.keyPrefix()).isEqualTo("bloom-guard");
			assertThat(properties.timeout()).isEqualTo(Duration.ofMillis(100));
			assertThat(properties.filters().get("products").warmUp().fetchSize()).isEqualTo(10_000);
			assertThat(properties.filters().get("products").mirror().maxMemory()).isEqualTo(DataSize.ofMegabytes(96));
		});
	}

	@Test
	void yamlOfTheContractIsBound() {
		withYaml("""
				bloom-guard:
				  enabled: true
				  key-prefix: guard
				  timeout: 150ms
				  filters:
				    products:
				      expected-insertions: 1000000
				      false-positive-probability: 0.001
				      mode: enforce
				      empty-ttl: 2m
				      caches: [products, prices]
				      warm-up:
				        fetch-size: 10
				        on-startup: always
				        blocking: true
				""").run((context) -> {
			FilterSettings settings = settings(context);
			assertThat(settings.specification().expectedInsertions()).isEqualTo(1_000_000);
			assertThat(settings.specification().falsePositiveProbability()).isEqualTo(0.001);
			assertThat(settings.emptyTtl()).isEqualTo(Duration.ofMinutes(2));
			assertThat(context.getBean(BloomGuardProperties.class).filters().get("products").caches())
				.containsExactly("products", "prices");
			assertThat(settings.building().onStartup()).isEqualTo(OnStartup.ALWAYS);
			assertThat(settings.building().blocking()).isTrue();
			Awaitility.await().until(() -> redis.keys("guard:{products}:control").size() == 1);
		});
	}

	@ParameterizedTest
	@MethodSource("modes")
	void modeIsBoundFromYaml(String text, FilterMode mode) {
		withYaml("bloom-guard: { filters: { products: { expected-insertions: 1000, mode: " + text + " } } }")
			.run((context) -> assertThat(settings(context).mode()).isEqualTo(mode));
	}

	static Stream<Arguments> modes() {
		return Stream.of(arguments("off", FilterMode.OFF), arguments("'off'", FilterMode.OFF),
				arguments("shadow", FilterMode.SHADOW), arguments("enforce", FilterMode.ENFORCE));
	}

	private ApplicationContextRunner withYaml(String yaml) {
		return this.runner.withInitializer((ConfigurableApplicationContext context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static FilterSettings settings(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		return Objects.requireNonNull(context.getBean(ManagedFilters.class).find("products")).settings();
	}

	private static void assertThatItGuards(AssertableApplicationContext context) {
		BloomGuard guard = context.getBean(BloomGuard.class);
		Awaitility.await().until(() -> guard.membership("products", 10) == Membership.MAYBE);
		Awaitility.await().until(() -> guard.membership("products", -1) == Membership.ABSENT);
	}

	/**
	 * Imports as Spring Boot does: by name, so that annotations whose classes are missing
	 * do not matter.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TaskExecutionAutoConfiguration.class, BloomGuardAutoConfiguration.class,
			DisabledBloomGuardAutoConfiguration.class, BloomGuardRedisAutoConfiguration.class,
			BloomGuardDataJdbcAutoConfiguration.class, BloomGuardHibernateAutoConfiguration.class,
			BloomGuardMongoAutoConfiguration.class, BloomGuardMyBatisAutoConfiguration.class,
			BloomGuardR2dbcAutoConfiguration.class, BloomGuardChangesAutoConfiguration.class })
	static class ImportedByName {

	}

	/**
	 * Is given executors as any bean of an application is.
	 */
	static class Injected {

		private final List<Executor> executors;

		Injected(ObjectProvider<Executor> executors) {
			this.executors = executors.stream().toList();
		}

	}

	@Table("row")
	record Row(@Id Long id) {

	}

	@Document
	record Article(@Id String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(order = 0)
	static class EarlyCaching {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

}
