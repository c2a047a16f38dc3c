package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.catchup.CatchUp;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.catchup.StartMark;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.BuildSettings;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.FillLevel;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.GenerationBuilder;
import io.github.bloomguard.generation.GenerationalFilter;
import io.github.bloomguard.generation.MirrorSettings;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.guard.FilterGuard;
import io.github.bloomguard.guard.FilterSettings;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.warmup.WarmUp;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Puts the parts of each filter together.
 */
final class ManagedFilterFactory {

	private static final Duration LONGEST_LOAD = Duration.ofSeconds(30);

	private final BloomGuardProperties properties;

	private final ObjectProvider<FilterBackend> backends;

	private final String application;

	private final List<KeyConverter<?>> converters;

	private final KeyFormat format;

	private final RedisGate gate;

	private final List<KeySource> keySources;

	private final ObjectProvider<QueryKeySources> queryKeySources;

	private final ObjectProvider<QueryCatchUpSources> queryCatchUpSources;

	private final UnaryOperator<Duration> jitter;

	private final BiFunction<Collection<String>, Collection<?>, CompletableFuture<Void>> nullEntries;

	private final BloomGuardListener listener;

	private final ScheduledExecutorService scheduler;

	private final Executor builders;

	private final Executor callbacks;

	ManagedFilterFactory(BloomGuardProperties properties, ObjectProvider<FilterBackend> backends, String application,
			List<KeyConverter<?>> converters, KeyFormat format, RedisGate gate, List<KeySource> keySources,
			ObjectProvider<QueryKeySources> queryKeySources, ObjectProvider<QueryCatchUpSources> queryCatchUpSources,
			UnaryOperator<Duration> jitter,
			BiFunction<Collection<String>, Collection<?>, CompletableFuture<Void>> nullEntries,
			BloomGuardListener listener, ScheduledExecutorService scheduler, Executor builders, Executor callbacks) {
		this.properties = properties;
		this.backends = backends;
		this.application = application;
		this.converters = converters;
		this.format = format;
		this.gate = gate;
		this.keySources = keySources;
		this.queryKeySources = queryKeySources;
		this.queryCatchUpSources = queryCatchUpSources;
		this.jitter = jitter;
		this.nullEntries = nullEntries;
		this.listener = listener;
		this.scheduler = scheduler;
		this.builders = builders;
		this.callbacks = callbacks;
	}

	ManagedFilter create(String name, BloomGuardProperties.Filter filter) {
		CatchUpSpecification catchUp = CatchUpSpecification.of(name, filter.catchUp().query(), filter.catchUp().start(),
				filter.catchUp().interval());
		Duration grace = (catchUp != null) ? catchUp.interval().multipliedBy(2) : Duration.ZERO;
		FilterSettings settings = new FilterSettingsFactory(name, filter).create(grace);
		Duration longestTransaction = filter.rebuild().longestTransaction();
		Duration addTimeout = this.properties.addTimeout();
		Duration addedRetention = LONGEST_LOAD.plus(longestTransaction).plus(addTimeout);
		FilterBackend backend = backend(name);
		List<KeySource> sources = sources(name, filter);
		String origin = KeyOrigin.of(this.application, sources, this.converters, catchUp);
		BackendSettings kept = new BackendSettings(name, origin, longestTransaction,
				longest(filter.rebuild().journalRetention(), longestTransaction.plus(addTimeout)), addedRetention,
				filter.addReplicas());
		ControlStore control = backend.control(kept);
		GenerationalFilter generations = new GenerationalFilter(name, origin, backend.filters(), control, this.gate,
				MonotonicClock.SYSTEM, (from, to, cause) -> this.listener.onStateChange(name, from, to, cause));
		if (filter.mirror().enabled() && settings.mode() != FilterMode.OFF) {
			generations
				.mirror(new MirrorSettings(filter.mirror().maxMemory().toBytes(), addTimeout, kept.journalRetention()));
		}
		GenerationBuilder builder = new GenerationBuilder(name, backend.filters(), control, this.scheduler,
				MonotonicClock.SYSTEM, new BuildSettings(longestTransaction, addTimeout,
						filter.warmUp().maxMemory().toBytes(), filter.warmUp().recheckEmpty()));
		FillLevel fillLevel = new FillLevel(generations);
		CatchUpSource changes = (catchUp != null) ? changes(catchUp, filter) : null;
		Marks marks = backend.marks(kept);
		WarmUp warmUp = new WarmUp(settings.specification(), generations, fillLevel, builder, sources, this.format,
				beforeScan(changes, marks), this.builders);
		FilterGuard guard = new FilterGuard(settings, addTimeout, this.format, generations, this.gate,
				backend.sentinels(kept), this.jitter, this.nullEntries, warmUp::rebuild, this.listener, this.callbacks,
				this.builders);
		return new ManagedFilter(settings, generations, fillLevel, warmUp, guard, guard.falseNegatives(),
				(catchUp != null && changes != null) ? new CatchUp(catchUp, changes, marks, generations, guard::add,
						warmUp::rebuildIfIdle, this.builders) : null);
	}

	private FilterBackend backend(String name) {
		FilterBackend backend = this.backends.getIfAvailable();
		if (backend == null) {
			throw new InvalidGuardException(
					"The filter '" + name + "' is configured, but Redisson, with which it is kept in Redis, is missing",
					"Add io.github.bloomguard:bloom-guard-starter, which brings it, or remove bloom-guard.filters");
		}
		return backend;
	}

	private static Duration longest(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static Consumer<Generation> beforeScan(@Nullable CatchUpSource changes, Marks marks) {
		return (changes != null) ? new StartMark(changes, marks)::set : (generation) -> {
		};
	}

	private List<KeySource> sources(String name, BloomGuardProperties.Filter filter) {
		List<KeySource> sources = new ArrayList<>(
				this.keySources.stream().filter((source) -> source.filter().equals(name)).toList());
		String query = filter.warmUp().query();
		if (query != null) {
			sources.add(querySources(name).create(name, filter.warmUp(), query));
		}
		if (sources.isEmpty() && filter.mode() != FilterMode.OFF) {
			throw new InvalidGuardException("The filter '" + name + "' has no source of keys",
					"Set bloom-guard.filters." + name + ".warm-up.query to a query that gives all keys, or declare a"
							+ " KeySource bean whose filter() is '" + name
							+ "' (an empty stream if there are no rows yet)");
		}
		return sources;
	}

	private CatchUpSource changes(CatchUpSpecification catchUp, BloomGuardProperties.Filter filter) {
		QueryCatchUpSources sources = this.queryCatchUpSources.getIfAvailable();
		if (sources == null) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + catchUp.filter() + ".catch-up.query is set, but there is no JDBC",
					"Add spring-boot-starter-jdbc, or remove the query");
		}
		return sources.create(catchUp, filter.warmUp().fetchSize());
	}

	private QueryKeySources querySources(String name) {
		QueryKeySources sources = this.queryKeySources.getIfAvailable();
		if (sources == null) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + name + ".warm-up.query is set, but there is no JDBC",
					"Add spring-boot-starter-jdbc, or declare a KeySource bean");
		}
		return sources;
	}

}
