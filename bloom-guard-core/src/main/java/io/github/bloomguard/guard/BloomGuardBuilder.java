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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.AddFailure;
import io.github.bloomguard.filter.FilterSettings.Adding;
import io.github.bloomguard.filter.FilterSettings.Building;
import io.github.bloomguard.filter.FilterSettings.OnStartup;
import io.github.bloomguard.filter.FilterSettings.Verification;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.warmup.WarmUpBulkhead;
import org.jspecify.annotations.Nullable;

/**
 * Makes a guard by hand, without an application context:
 *
 * <pre class="code">
 * BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
 * builder.filter("products", 1_000_000).keys(repository::ids);
 * try (RunningBloomGuard running = builder.start()) {
 *     running.loaded().join();
 *     Product product = running.guard().get("products", 42, () -&gt; repository.find(42));
 * }
 * </pre>
 *
 * Everything has the default of the property with the same name, but that times to live
 * of sentinels are not spread. Keys of rows that are inserted are to be added with
 * {@link io.github.bloomguard.BloomGuard#add}.
 *
 * @since 1.0.0
 */
public final class BloomGuardBuilder {

	private static final long MEGABYTE = 1 << 20;

	private final FilterBackend backend;

	private final Map<String, Configured> filters = new LinkedHashMap<>();

	private final List<BloomGuardListener> listeners = new ArrayList<>();

	private final List<AddedKeysListener> addedKeysListeners = new ArrayList<>();

	private final List<KeyConverter<?>> converters = new ArrayList<>();

	private String application = "";

	private Duration timeout = Duration.ofMillis(100);

	private Duration addTimeout = Duration.ofSeconds(1);

	private MonotonicClock clock = MonotonicClock.SYSTEM;

	/**
	 * @param backend where the filters are kept
	 */
	public BloomGuardBuilder(FilterBackend backend) {
		this.backend = backend;
	}

	/**
	 * Set the name of the application, the same in all instances. Empty by default.
	 */
	public BloomGuardBuilder application(String application) {
		this.application = application;
		return this;
	}

	/**
	 * Set the longest time that a call may wait for the filter. Default is 100 ms.
	 */
	public BloomGuardBuilder timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	/**
	 * Set the longest time that the server may take to answer while keys are added.
	 * Default is a second.
	 */
	public BloomGuardBuilder addTimeout(Duration addTimeout) {
		this.addTimeout = addTimeout;
		return this;
	}

	/**
	 * Set what leases and waiting are measured by.
	 */
	public BloomGuardBuilder clock(MonotonicClock clock) {
		this.clock = clock;
		return this;
	}

	public BloomGuardBuilder listener(BloomGuardListener listener) {
		this.listeners.add(listener);
		return this;
	}

	public BloomGuardBuilder listener(AddedKeysListener listener) {
		this.addedKeysListeners.add(listener);
		return this;
	}

	public BloomGuardBuilder converter(KeyConverter<?> converter) {
		this.converters.add(converter);
		return this;
	}

	/**
	 * Add a filter.
	 * @param name its name
	 * @param expectedInsertions how many keys it will hold, at least 1
	 * @return the filter, to say more about it
	 * @throws InvalidGuardException if there is one with this name
	 */
	public Filter filter(String name, long expectedInsertions) {
		return add(name, new Filter(name, expectedInsertions));
	}

	/**
	 * Add a filter that another application owns, and that is only asked here.
	 * @param name its name, the same in both applications
	 * @param owner the name of the other application
	 * @return the filter, to say more about it
	 * @throws InvalidGuardException if there is one with this name
	 */
	public Reader reader(String name, String owner) {
		return add(name, new Reader(name, owner));
	}

	private <C extends Configured> C add(String name, C filter) {
		if (this.filters.putIfAbsent(name, filter) != null) {
			throw new InvalidGuardException("There are two filters with the name '" + name + "'",
					"Give one of them another name");
		}
		return filter;
	}

	/**
	 * Start loading the filters, and refreshing the view of what other instances do.
	 * @return what runs until it is closed
	 * @throws InvalidGuardException if a filter can't be configured like this
	 */
	public RunningBloomGuard start() {
		GuardExecutor executor = new GuardExecutor();
		ScheduledExecutorService scheduler = FilterSupervisor.newScheduler();
		KeyFormat format = new KeyFormat(this.converters);
		FilterGuardFactory guards = new FilterGuardFactory(format, UnaryOperator.identity(),
				() -> this.addedKeysListeners, executor, executor, (task) -> task);
		GuardEnvironment environment = new GuardEnvironment(this.application, false, format, guards,
				new WarmUpBulkhead(OptionalInt::empty), new ListenerChain(this.listeners, executor), scheduler,
				executor, this.clock);
		CircuitBreaker breaker = CircuitBreaker.ofFilters(this.timeout, this.addTimeout);
		ManagedFilters managed = new ManagedFilters(
				this.filters.values().stream().map((filter) -> filter.build(environment, breaker)).toList());
		return new RunningBloomGuard(managed, scheduler, executor);
	}

	private interface Configured {

		ManagedFilter build(GuardEnvironment environment, CircuitBreaker breaker);

	}

	/**
	 * Return the settings of a filter that another application owns: how it is asked and
	 * verified. All else is the owner's.
	 */
	public static FilterSettings readerSettings(String type, String name, FilterMode mode, int maxConcurrentLoads,
			long mirrorMemory, Adding adding, Verification.Mode verification, double rate) {
		Building building = new Building(OnStartup.NEVER, false, MEGABYTE, Duration.ZERO, Duration.ZERO, null, null, 0,
				0);
		return new FilterSettings(type, new FilterSpecification(name, 1, 0.001), mode, Duration.ZERO,
				maxConcurrentLoads, mirrorMemory, adding, building,
				new Verification(verification, rate, 0, Duration.ZERO));
	}

	/**
	 * A filter that another application owns.
	 */
	public final class Reader implements Configured {

		private final String name;

		private final String owner;

		private FilterMode mode = FilterMode.ENFORCE;

		private Verification.Mode verification = Verification.Mode.BEHIND;

		private double rate = 10;

		private long mirrorMemory = 96 * MEGABYTE;

		Reader(String name, String owner) {
			this.name = name;
			this.owner = owner;
		}

		/**
		 * Set whether definite misses are answered at once. By default they are.
		 */
		public Reader mode(FilterMode mode) {
			this.mode = mode;
			return this;
		}

		/**
		 * Set how it is found out whether absent answers are true, which a call does.
		 * @param mode when the call is made; after the answer was given by default
		 * @param rate how many a second are made at most; 10 by default
		 */
		public Reader verification(Verification.Mode mode, double rate) {
			this.verification = mode;
			this.rate = rate;
			return this;
		}

		/**
		 * Set how many bytes a copy of the filter in this process may take, zero for
		 * none. Default is 96 MB.
		 */
		public Reader mirrorMemory(long mirrorMemory) {
			this.mirrorMemory = mirrorMemory;
			return this;
		}

		@Override
		public ManagedFilter build(GuardEnvironment environment, CircuitBreaker breaker) {
			BloomGuardBuilder guard = BloomGuardBuilder.this;
			Adding adding = Adding.of(guard.addTimeout, Duration.ofSeconds(5), Duration.ofMinutes(10), 256 * MEGABYTE,
					0, AddFailure.FAIL);
			return new ReaderBuilder(environment, readerSettings(guard.backend.type(), this.name, this.mode, 0,
					this.mirrorMemory, adding, this.verification, this.rate), this.owner, guard.backend, breaker)
				.build();
		}

	}

	/**
	 * One filter.
	 */
	public final class Filter implements Configured {

		private final String name;

		private final long expectedInsertions;

		private final List<KeySource> sources = new ArrayList<>();

		private double falsePositiveProbability = 0.001;

		private FilterMode mode = FilterMode.ENFORCE;

		private Duration emptyTtl = Duration.ofMinutes(1);

		private Duration longestTransaction = Duration.ofSeconds(5);

		private Duration settle = Duration.ofMinutes(10);

		private Duration recheckEmpty = Duration.ofSeconds(5);

		private Verification verification = new Verification(Verification.Mode.BEHIND, 10, 100, Duration.ZERO);

		private long mirrorMemory = 96 * MEGABYTE;

		private @Nullable Duration rebuildInterval;

		Filter(String name, long expectedInsertions) {
			this.name = name;
			this.expectedInsertions = expectedInsertions;
		}

		/**
		 * Set what gives all keys, each time that the filter is loaded: a stream that is
		 * closed after use. Nothing tells whether another version of the application
		 * gives the same keys, so each start loads the filter anew, and no other instance
		 * shares it. Where filters are shared, use {@link #keys(String, Supplier)}.
		 */
		public Filter keys(Supplier<? extends Stream<?>> keys) {
			return keys(UUID.randomUUID().toString(), keys);
		}

		/**
		 * Set what gives all keys, each time that the filter is loaded, and say what they
		 * are, such as {@code "product.id"}. Instances that say the same share the
		 * filter; a version that reads another column, or other rows, has to say
		 * something else, and loads a filter of its own.
		 */
		public Filter keys(String description, Supplier<? extends Stream<?>> keys) {
			return source(new SuppliedKeys(this.name, description, keys));
		}

		/**
		 * Add a source of keys, which may also look up one of them.
		 */
		public Filter source(KeySource source) {
			this.sources.add(source);
			return this;
		}

		/**
		 * Set the share of the keys that do not exist and pass the filter all the same.
		 * Default is 0.001.
		 */
		public Filter falsePositiveProbability(double falsePositiveProbability) {
			this.falsePositiveProbability = falsePositiveProbability;
			return this;
		}

		/**
		 * Set whether definite misses are answered at once. By default they are.
		 */
		public Filter mode(FilterMode mode) {
			this.mode = mode;
			return this;
		}

		/**
		 * Set how long a key that passed the filter and was not found is remembered.
		 * Default is a minute, zero is not at all.
		 */
		public Filter emptyTtl(Duration emptyTtl) {
			this.emptyTtl = emptyTtl;
			return this;
		}

		/**
		 * Set the longest time between adding a key and committing its row. Default is
		 * five seconds.
		 */
		public Filter longestTransaction(Duration longestTransaction) {
			this.longestTransaction = longestTransaction;
			return this;
		}

		/**
		 * Set how long older instances may insert rows after the first start. Default is
		 * ten minutes, zero if all that insert rows have the guard.
		 */
		public Filter settle(Duration settle) {
			this.settle = settle;
			return this;
		}

		/**
		 * Set after which time sources without a key are read again. Default is five
		 * seconds, zero believes them at once.
		 */
		public Filter recheckEmpty(Duration recheckEmpty) {
			this.recheckEmpty = recheckEmpty;
			return this;
		}

		/**
		 * Set how it is found out whether absent answers are true.
		 * @param mode when they are looked up; after they were given by default
		 * @param rate how many a second are looked up at most; 10 by default
		 * @param requiredCalls how many must have been right before the filter is
		 * believed; 100 by default
		 */
		public Filter verification(Verification.Mode mode, double rate, int requiredCalls) {
			this.verification = new Verification(mode, rate, requiredCalls, Duration.ZERO);
			return this;
		}

		/**
		 * Set how many bytes a copy of the filter in this process may take, zero for
		 * none. Default is 96 MB.
		 */
		public Filter mirrorMemory(long mirrorMemory) {
			this.mirrorMemory = mirrorMemory;
			return this;
		}

		/**
		 * Set the age at which the filter is loaded again. By default age is no reason.
		 */
		public Filter rebuildInterval(Duration rebuildInterval) {
			this.rebuildInterval = rebuildInterval;
			return this;
		}

		/**
		 * Return what all this comes to.
		 * @throws InvalidGuardException if a filter can't be configured like this
		 */
		public FilterSettings settings() {
			BloomGuardBuilder guard = BloomGuardBuilder.this;
			Adding adding = Adding.of(guard.addTimeout, this.longestTransaction, Duration.ofMinutes(10), 256 * MEGABYTE,
					0, AddFailure.FAIL);
			Building building = new Building(OnStartup.IF_MISSING, false, 64 * MEGABYTE, this.recheckEmpty, this.settle,
					null, this.rebuildInterval, 2, 0.1);
			return new FilterSettings(guard.backend.type(),
					new FilterSpecification(this.name, this.expectedInsertions, this.falsePositiveProbability),
					this.mode, this.emptyTtl, 0, this.mirrorMemory, adding, building, this.verification);
		}

		@Override
		public ManagedFilter build(GuardEnvironment environment, CircuitBreaker breaker) {
			FilterSettings settings = settings();
			FilterBackend backend = BloomGuardBuilder.this.backend;
			backend.check(settings.specification());
			return new FilterBuilder(environment, settings, backend, breaker, FilterSources.of(this.sources)).build();
		}

	}

	private record SuppliedKeys(String filter, String description,
			Supplier<? extends Stream<?>> supplier) implements KeySource {

		@Override
		public Stream<?> keys() {
			return this.supplier.get();
		}

		@Override
		public String fingerprint() {
			return "keys " + this.description;
		}

	}

}
