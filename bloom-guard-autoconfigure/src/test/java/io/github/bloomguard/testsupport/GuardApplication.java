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

package io.github.bloomguard.testsupport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration;
import io.github.bloomguard.autoconfigure.DisabledBloomGuardAutoConfiguration;
import io.github.bloomguard.autoconfigure.redis.BloomGuardRedisAutoConfiguration;
import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheAutoConfiguration;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.changes.BloomGuardChangesAutoConfiguration;
import io.github.bloomguard.datajdbc.BloomGuardDataJdbcAutoConfiguration;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.hibernate.BloomGuardHibernateAutoConfiguration;
import io.github.bloomguard.mongodb.BloomGuardMongoAutoConfiguration;
import io.github.bloomguard.mybatis.BloomGuardMyBatisAutoConfiguration;
import io.github.bloomguard.r2dbc.BloomGuardR2dbcAutoConfiguration;
import org.awaitility.Awaitility;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.PersistenceExceptionTranslationAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ObjectUtils;

/**
 * An application without a web server and with one filter, {@code products}, as one of
 * several instances that share a Redis. It asks Redis for each key: what happens there is
 * seen at once.
 */
public final class GuardApplication implements AutoCloseable {

	/**
	 * The property with which an application has Hibernate's entities.
	 */
	public static final String HIBERNATE = "test.entities=hibernate";

	/**
	 * The property with which an application has aggregates of Spring Data JDBC.
	 */
	public static final String SPRING_DATA_JDBC = "test.entities=spring-data-jdbc";

	/**
	 * A name, because applications of the profile compatibility lack the class.
	 */
	private static final String DATABASE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

	private static final String EXCLUDE = "spring.autoconfigure.exclude=";

	/**
	 * A property with which an application has all that Spring Boot configures by itself,
	 * but a database. So does one that excludes something else, or has a web server.
	 */
	public static final String WHOLE = EXCLUDE + DATABASE;

	/**
	 * The name of the bean by which Spring Boot shares what it has read of classes within
	 * one application. All applications of a process share it here.
	 */
	private static final String SHARED_METADATA = "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

	private static final MetadataReaderFactory CLASSES = new CachingMetadataReaderFactory(new DefaultResourceLoader());

	private final ConfigurableApplicationContext context;

	private GuardApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	public static GuardApplication start(TestRedis redis, KeySource source, String... properties) {
		return start(redis, List.of(source), properties);
	}

	public static GuardApplication start(TestRedis redis, List<? extends Object> beans, String... properties) {
		return start(beans, Stream.concat(Stream.of(redis.properties()), Stream.of(properties)).toArray(String[]::new));
	}

	/**
	 * Start an application that is told by its properties and beans alone where Redis is.
	 * @param beans the beans, or their types
	 * @param properties the properties as {@code name=value}
	 * @return the application
	 */
	public static GuardApplication start(List<? extends Object> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of("bloom-guard.filters.products.expected-insertions=10000",
				"bloom-guard.filters.products.rebuild.longest-transaction=100ms",
				"bloom-guard.filters.products.mirror.enabled=false",
				"bloom-guard.filters.products.verification.required-calls=0",
				"bloom-guard.filters.products.verification.mode=off", "bloom-guard.filters.products.rebuild.settle=0s",
				"bloom-guard.filters.products.warm-up.recheck-empty=0s", "spring.main.banner-mode=off",
				"spring.main.register-shutdown-hook=false", "bloom-guard.timeout=10s",
				"bloom-guard.cache.timeout=10s"));
		all.add(EXCLUDE + excluded(List.of(properties)));
		if (Stream.of(properties).noneMatch((property) -> property.startsWith("bloom-guard.timeout="))) {
			all.add("bloom-guard.add-timeout=10s");
		}
		all.addAll(List.of(properties));
		SpringApplicationBuilder application = new SpringApplicationBuilder(source(List.of(properties)))
			.web(WebApplicationType.NONE)
			.properties(all.toArray(String[]::new))
			.initializers((context) -> {
				shareMetadata(context);
				for (Object bean : beans) {
					register((GenericApplicationContext) context, bean);
				}
			});
		if (Stream.of(properties).noneMatch((property) -> property.startsWith("logging."))) {
			shareLogging(application.application());
		}
		else {
			LoggingSystem.get(GuardApplication.class.getClassLoader()).cleanUp();
		}
		return new GuardApplication(application.run());
	}

	/**
	 * Let an application neither set up the log nor give it back at its end, while others
	 * of this process write to it.
	 */
	private static synchronized void shareLogging(SpringApplication application) {
		application.setListeners(application.getListeners()
			.stream()
			.filter((listener) -> !(listener instanceof LoggingApplicationListener))
			.toList());
		LoggingSystem logging = LoggingSystem.get(GuardApplication.class.getClassLoader());
		StandardEnvironment environment = new StandardEnvironment();
		logging.getSystemProperties(environment).apply();
		logging.beforeInitialize();
		logging.initialize(new LoggingInitializationContext(environment), null, null);
	}

	private static Class<?> source(List<String> properties) {
		if (properties.stream()
			.anyMatch((property) -> property.startsWith(EXCLUDE)
					|| property.startsWith("spring.main.web-application-type="))) {
			return Application.class;
		}
		if (properties.contains(HIBERNATE)) {
			return LeanWithHibernate.class;
		}
		return properties.contains(SPRING_DATA_JDBC) ? LeanWithSpringDataJdbc.class : Lean.class;
	}

	private static String excluded(List<String> properties) {
		if (properties.stream().noneMatch((property) -> property.startsWith("spring.datasource.url="))) {
			return DATABASE;
		}
		List<String> excluded = new ArrayList<>();
		if (!properties.contains(HIBERNATE)) {
			excluded.add(HibernateJpaAutoConfiguration.class.getName());
			excluded.add(DataJpaRepositoriesAutoConfiguration.class.getName());
		}
		if (!properties.contains(SPRING_DATA_JDBC)) {
			excluded.add(DataJdbcRepositoriesAutoConfiguration.class.getName());
		}
		return String.join(",", excluded);
	}

	/**
	 * Let an application read no class that another one of this process has read.
	 */
	public static void shareMetadata(ConfigurableApplicationContext context) {
		((GenericApplicationContext) context).registerBean(SHARED_METADATA, MetadataReaderFactory.class, () -> CLASSES);
	}

	@SuppressWarnings("unchecked")
	private static <T> void register(GenericApplicationContext context, T bean) {
		if (bean instanceof Class<?> type) {
			context.registerBean(type);
		}
		else {
			context.registerBean(ObjectUtils.identityToString(bean), (Class<T>) bean.getClass(), () -> bean);
		}
	}

	/**
	 * Start an application that has the guard on its class path and no filter.
	 * @param redis the Redis that it could use
	 * @return the application
	 */
	public static GuardApplication startWithoutFilters(TestRedis redis) {
		return new GuardApplication(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(redis.properties())
			.properties("spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false", EXCLUDE + DATABASE)
			.run());
	}

	public ConfigurableApplicationContext context() {
		return this.context;
	}

	/**
	 * Return the guard, which is asked once more where a filter can't tell, and waits for
	 * Redis to do so. Traffic that meets faults asks the bean.
	 */
	public BloomGuard guard() {
		return PatientQuestions.to(BloomGuard.class, bean(BloomGuard.class), bean(ManagedFilters.class));
	}

	public GuardedFilter filter(String name) {
		return PatientQuestions.to(GuardedFilter.class, bean(GuardedFilters.class).get(name),
				bean(ManagedFilters.class));
	}

	public WrittenFilter written(String name) {
		return bean(GuardedFilters.class).written(name);
	}

	public ManagedFilter products() {
		return this.context.getBean(ManagedFilters.class).find("products");
	}

	/**
	 * Ask for a key where {@code products} is stored, past its mirror and what else the
	 * guard makes of the answer.
	 * @param form the canonical form of the key
	 */
	public Membership lookUpInStore(String form) {
		return answer(() -> products().filter().lookup(products().filter().snapshot(), form).join());
	}

	/**
	 * Ask until there is an answer: on a busy machine there is none for a moment.
	 */
	public static Membership answer(Callable<Membership> question) {
		return Awaitility.await()
			.pollInSameThread()
			.pollDelay(Duration.ZERO)
			.until(question, (answer) -> answer != Membership.UNKNOWN);
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public GuardApplication awaitState(FilterState state) {
		Awaitility.await(this + " is " + state)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> products().filter().state() == state);
		return this;
	}

	public GuardApplication awaitLoaded() {
		Awaitility.await(this + " is loaded")
			.pollInterval(Duration.ofMillis(20))
			.until(() -> products().filter().active() != null);
		return this;
	}

	/**
	 * Let it seem as if nothing had been added lately, so that keys can be removed.
	 */
	public void forgetWhatWasAdded(TestRedis redis) {
		this.context.getBean(ManagedFilters.class).forEach((managed) -> {
			redis.command("ZREMRANGEBYSCORE", "bloom-guard:{" + managed.name() + "}:added", "-inf", "(+inf");
			RemovedKeys.allow(redis, managed.name());
			managed.filter().refresh().join();
		});
	}

	public GuardApplication awaitReady() {
		return awaitState(FilterState.READY);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * What the guard meets in most applications, and nothing that it has no part in: half
	 * of the time of the tests goes into starts.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ PropertyPlaceholderAutoConfiguration.class,
			ConfigurationPropertiesAutoConfiguration.class, LifecycleAutoConfiguration.class,
			AopAutoConfiguration.class, ApplicationAvailabilityAutoConfiguration.class, SslAutoConfiguration.class,
			TaskExecutionAutoConfiguration.class, TransactionAutoConfiguration.class,
			TransactionManagerCustomizationAutoConfiguration.class,
			PersistenceExceptionTranslationAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceInitializationAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			JdbcTemplateAutoConfiguration.class, DataRedisAutoConfiguration.class, CacheAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			PrometheusMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class,
			BloomGuardAutoConfiguration.class, DisabledBloomGuardAutoConfiguration.class,
			BloomGuardCacheAutoConfiguration.class, BloomGuardRedisAutoConfiguration.class,
			BloomGuardDataJdbcAutoConfiguration.class, BloomGuardHibernateAutoConfiguration.class,
			BloomGuardMongoAutoConfiguration.class, BloomGuardMyBatisAutoConfiguration.class,
			BloomGuardR2dbcAutoConfiguration.class, BloomGuardChangesAutoConfiguration.class })
	static class Lean {

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	@ImportAutoConfiguration({ HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class LeanWithHibernate extends Lean {

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	@ImportAutoConfiguration(DataJdbcRepositoriesAutoConfiguration.class)
	static class LeanWithSpringDataJdbc extends Lean {

	}

}
