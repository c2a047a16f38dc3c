package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.cache.NullEntries;
import io.github.bloomguard.cache.TimesToLive;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.guard.DefaultBloomGuard;
import io.github.bloomguard.guard.FilterSupervisor;
import io.github.bloomguard.guard.ListenerChain;
import io.github.bloomguard.guard.ManagedFilters;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Auto-configuration of the guard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "bloom-guard.enabled", matchIfMissing = true)
@Conditional(OnSupportedSpringBoot.class)
@EnableConfigurationProperties(BloomGuardProperties.class)
@Import({ BackendConfiguration.class, JdbcConfiguration.class, InterceptorConfiguration.class,
		ReadinessConfiguration.class, MetricsConfiguration.class, EndpointConfiguration.class,
		HealthConfiguration.class })
public final class BloomGuardAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	KeyFormat bloomGuardKeyFormat(ObjectProvider<KeyConverter<?>> converters) {
		return new KeyFormat(converters.orderedStream().toList());
	}

	@Bean(destroyMethod = "shutdownNow", defaultCandidate = false)
	ScheduledExecutorService bloomGuardScheduler() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("bloom-guard-scheduler-");
		threads.setDaemon(true);
		return Executors.newSingleThreadScheduledExecutor(threads);
	}

	@Bean(defaultCandidate = false)
	SimpleAsyncTaskExecutor bloomGuardExecutor(Environment environment) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("bloom-guard-");
		executor.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
		executor.setDaemon(true);
		return executor;
	}

	@Bean
	@ConditionalOnMissingBean
	KeySources bloomGuardKeySources(BloomGuardProperties properties, ObjectProvider<KeySource> beans,
			ObjectProvider<QueryKeySources> queries) {
		return new ConfiguredKeySources(properties, beans, queries);
	}

	@Bean
	ManagedFilters bloomGuardFilters(BloomGuardProperties properties, ObjectProvider<FilterBackend> backends,
			ObjectProvider<KeyConverter<?>> converters, KeyFormat format, KeySources keySources,
			ObjectProvider<QueryCatchUpSources> queryCatchUpSources, ObjectProvider<NullEntries> nullEntries,
			Environment environment, ObjectProvider<BloomGuardListener> listeners,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor,
			@Qualifier("applicationTaskExecutor") ObjectProvider<AsyncTaskExecutor> applicationTaskExecutor,
			BeanFactory beanFactory) {
		check(properties);
		ManagedFilterFactory factory = new ManagedFilterFactory(properties,
				new FilterBackends(backends.orderedStream().toList(), properties.timeout()),
				application(properties, environment, beanFactory), converters.orderedStream().toList(), format,
				keySources, queryCatchUpSources, jitter(environment),
				(caches, keys) -> clear(nullEntries.getIfAvailable(), caches, keys),
				new ListenerChain(listeners.orderedStream().toList(), executor), scheduler, executor,
				applicationTaskExecutor.getIfAvailable(() -> executor));
		return new ManagedFilters(properties.filters()
			.entrySet()
			.stream()
			.map((filter) -> factory.create(filter.getKey(), filter.getValue()))
			.toList());
	}

	private static CompletableFuture<Void> clear(@Nullable NullEntries entries, Collection<String> caches,
			Collection<?> keys) {
		return (entries != null) ? entries.clear(caches, keys) : CompletableFuture.completedFuture(null);
	}

	/**
	 * What has no name is told apart by where its code is.
	 */
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
				"Set it to the longest time that adding keys may take, such as 10s");
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

	@Bean
	@ConditionalOnMissingBean
	BloomGuard bloomGuard(ManagedFilters filters) {
		return new DefaultBloomGuard(filters);
	}

	@Bean
	FilterSupervisor bloomGuardFilterSupervisor(ManagedFilters filters,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler) {
		return new FilterSupervisor(filters, scheduler);
	}

}
