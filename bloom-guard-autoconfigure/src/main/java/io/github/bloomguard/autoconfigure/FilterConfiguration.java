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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.cache.FilterCaches;
import io.github.bloomguard.cache.TimesToLive;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.guard.FilterGuardFactory;
import io.github.bloomguard.guard.GuardEnvironment;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.interceptor.MethodAdviceSource;
import io.github.bloomguard.jdbc.NamedDataSources;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.warmup.WarmUpBulkhead;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;
import org.springframework.util.function.SingletonSupplier;

@Configuration(proxyBeanMethods = false)
class FilterConfiguration {

	@Bean
	@ConditionalOnMissingBean
	KeySources bloomGuardKeySources(BloomGuardProperties properties, ObjectProvider<KeySource> beans,
			EntitySources entities, ObjectProvider<QuerySources> queries) {
		return new ConfiguredKeySources(properties, beans, entities, queries);
	}

	@Bean
	EntitySources bloomGuardEntitySources(BloomGuardProperties properties, ObjectProvider<EntityMappings> mappings,
			ObjectProvider<QuerySources> queries, ObjectProvider<NamedDataSources> named) {
		return new EntitySources(properties, mappings, queries, named);
	}

	/**
	 * Return whether each start runs SQL that may insert rows, except into embedded
	 * databases: each start has another one.
	 */
	private static boolean isRewritten(Environment environment) {
		return Stream
			.of("spring.sql.init.mode", "spring.jpa.hibernate.ddl-auto", "spring.jpa.properties.hibernate.hbm2ddl.auto",
					"spring.jpa.properties.jakarta.persistence.schema-generation.database.action")
			.map((property) -> environment.getProperty(property, ""))
			.anyMatch((value) -> value.matches("(?i)always|create.*|drop.*|populate|truncate"));
	}

	@Bean
	ChangeFeeds bloomGuardChangeFeeds(BloomGuardProperties properties, Environment environment, BeanFactory beanFactory,
			ObjectProvider<ChangeLogs> logs, ObjectProvider<QuerySources> querySources,
			ObjectProvider<JdbcDatabases> databases, EntitySources entities) {
		return new ChangeFeeds(properties.keyPrefix() + "/" + application(properties, environment, beanFactory), logs,
				querySources, databases, entities);
	}

	@Bean
	DatabaseCheck bloomGuardKeyColumnsCheck(BloomGuardProperties properties, ObjectProvider<QuerySources> queries,
			KeyFormat format, ObjectProvider<MethodAdviceSource> methods, ObjectProvider<KeySource> others,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor) {
		return new DatabaseCheck(Duration.ofSeconds(2), executor,
				new KeyColumnsCheck(properties, queries, format, methods, others)::questions);
	}

	@Bean
	FilterCaches bloomGuardFilterCaches(BloomGuardProperties properties, ObjectProvider<ManagedFilters> filters) {
		Map<String, List<String>> names = new LinkedHashMap<>();
		properties.filters().forEach((name, filter) -> names.put(name, filter.caches()));
		Supplier<ManagedFilters> all = SingletonSupplier.of(filters::getObject);
		return new FilterCaches(names, (filter, key) -> all.get().get(filter).textOfAbsence(key),
				(filter, key) -> all.get().get(filter).confirmsAbsence(key), properties.addTimeout());
	}

	@Bean
	FilterGuardFactory bloomGuardFilterGuardFactory(KeyFormat format, ObjectProvider<AddedKeysListener> listeners,
			Environment environment, @Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor,
			@Qualifier("applicationTaskExecutor") ObjectProvider<AsyncTaskExecutor> applicationTaskExecutor,
			ObjectProvider<TaskDecorator> decorators) {
		return new FilterGuardFactory(format, jitter(environment), () -> listeners.orderedStream().toList(),
				applicationTaskExecutor.getIfAvailable(() -> executor), executor,
				new CompositeTaskDecorator(decorators.orderedStream().toList()));
	}

	@Bean
	GuardEnvironment bloomGuardEnvironment(BloomGuardProperties properties, Environment environment,
			BeanFactory beanFactory, KeyFormat format, FilterGuardFactory guards,
			ObjectProvider<WarmUpBulkhead> bulkhead, ObjectProvider<BloomGuardListener> listeners,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor, ObjectProvider<MonotonicClock> clock) {
		return new GuardEnvironment(application(properties, environment, beanFactory), isRewritten(environment), format,
				guards, bulkhead.getIfAvailable(() -> new WarmUpBulkhead(OptionalInt::empty)),
				new ListenerChain(listeners.orderedStream().toList(), executor), scheduler, executor,
				clock.getIfAvailable(() -> MonotonicClock.SYSTEM));
	}

	@Bean
	ManagedFilters bloomGuardFilters(BloomGuardProperties properties, GuardEnvironment guardEnvironment,
			ObjectProvider<FilterBackend> backends, KeySources keySources, ObjectProvider<QuerySources> querySources,
			EntitySources entities, ChangeFeeds feeds, Environment environment, LateClosing closing) {
		check(properties);
		UnknownProperties.check(environment);
		FilterBackends available = new FilterBackends(backends.orderedStream().toList(), properties.timeout(),
				properties.addTimeout());
		closing.add(available::silence);
		return new ConfiguredFilters(guardEnvironment, available, keySources, querySources, entities, feeds)
			.create(properties);
	}

	@Bean
	DatabaseCheck bloomGuardChangeLogsCheck(ManagedFilters filters,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor) {
		return new DatabaseCheck(Duration.ofSeconds(5), executor,
				() -> filters.stream()
					.map(ManagedFilter::changes)
					.flatMap(Stream::ofNullable)
					.map((feed) -> feed::check));
	}

	@Bean
	ForgottenFeeds bloomGuardForgottenFeeds(BloomGuardProperties properties, ChangeFeeds feeds,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor) {
		return new ForgottenFeeds(properties, feeds, scheduler, executor);
	}

	private static String application(BloomGuardProperties properties, Environment environment,
			BeanFactory beanFactory) {
		String name = (properties.application() != null) ? properties.application()
				: environment.getProperty("spring.application.name");
		if (name != null) {
			return name;
		}
		return AutoConfigurationPackages.has(beanFactory) ? String.join(",", AutoConfigurationPackages.get(beanFactory))
				: "";
	}

	private static UnaryOperator<Duration> jitter(Environment environment) {
		double jitter = environment.getProperty("bloom-guard.cache.jitter", Double.class, 0.1);
		return (ttl) -> TimesToLive.spreadPositive(ttl, jitter);
	}

	private static void check(BloomGuardProperties properties) {
		checkPositive("timeout", properties.timeout(),
				"Set it to the longest time that a call may wait for the filter, such as 100ms");
		checkPositive("add-timeout", properties.addTimeout(),
				"Set it to the longest time that Redis may take to answer while keys are added, such as 1s");
		if (!properties.keyPrefix().matches("[^{}\\s]+")) {
			throw new InvalidGuardException("bloom-guard.key-prefix is '" + properties.keyPrefix() + "'",
					"Set it to a text without braces and spaces, such as bloom-guard");
		}
	}

	private static void checkPositive(String property, Duration value, String remedy) {
		if (value.toMillis() <= 0) {
			throw new InvalidGuardException("bloom-guard." + property + " is " + DurationStyle.SIMPLE.print(value),
					remedy);
		}
	}

}
