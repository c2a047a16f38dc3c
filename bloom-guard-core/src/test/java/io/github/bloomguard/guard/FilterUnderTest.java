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
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.memory.TimedMemory;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.verifying.QuestionRates;
import io.github.bloomguard.warmup.WarmUpBulkhead;
import org.jspecify.annotations.Nullable;
import org.mockito.ArgumentCaptor;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * One filter as an application has it: the real parts, put together as always, but kept
 * in memory, with a clock that only the test moves, and with {@link Rows} for a database.
 * <p>
 * What runs in the background otherwise is run by the thread that hands it over. So all
 * that follows from a call has happened when the call returns, also that something has
 * not happened. A test that is about waiting asks for threads.
 * <p>
 * Tests that use it say how a filter behaves, and nothing about the classes that make it
 * so: which these are stands here, and nowhere else.
 */
public final class FilterUnderTest implements AutoCloseable {

	public static final String NAME = "products";

	private final Setup setup;

	private final ManagedFilter managed;

	private final BloomGuard guard;

	private final RecordingListener listener = new RecordingListener();

	private final ScheduledExecutorService scheduler = FilterSupervisor.newScheduler();

	private final FilterSupervisor supervisor;

	private final Runnable supervision;

	private FilterUnderTest(Setup setup) {
		this(setup, null);
	}

	/**
	 * @param owner the application that owns the filter, {@code null} for this one
	 */
	private FilterUnderTest(Setup setup, @Nullable String owner) {
		this.setup = setup;
		FilterSettings settings = setup.settings.build();
		KeyFormat format = new KeyFormat(List.of());
		FilterGuardFactory guards = new FilterGuardFactory(format, UnaryOperator.identity(), List::of, setup.executor,
				setup.executor, (task) -> task);
		GuardEnvironment environment = new GuardEnvironment(setup.application, false, format, guards,
				new WarmUpBulkhead(OptionalInt::empty), new ListenerChain(List.of(this.listener), Runnable::run),
				this.scheduler, setup.executor, setup.clock);
		FilterSources sources = new FilterSources(List.of(setup.rows), false, KeyEquality.EXACT,
				(setup.barrier != null) ? feed(setup.barrier) : null);
		CircuitBreaker breaker = CircuitBreaker.ofFilters(setup.timeout, Duration.ofMinutes(1));
		this.managed = (owner != null)
				? new ReaderBuilder(environment, readerSettings(settings), owner, setup.backend, breaker).build()
				: new FilterBuilder(environment, settings, setup.backend, breaker, sources).build();
		ManagedFilters filters = new ManagedFilters(List.of(this.managed));
		this.guard = new DefaultBloomGuard(filters);
		ScheduledExecutorService rounds = mock();
		willReturn(mock(ScheduledFuture.class)).given(rounds)
			.scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
		this.supervisor = new FilterSupervisor(filters, rounds);
		this.supervisor.start();
		ArgumentCaptor<Runnable> supervision = ArgumentCaptor.captor();
		verify(rounds).scheduleWithFixedDelay(supervision.capture(), anyLong(), anyLong(), any());
		this.supervision = supervision.getValue();
	}

	private FilterSettings readerSettings(FilterSettings settings) {
		return BloomGuardBuilder.readerSettings(settings.type(), NAME, this.setup.readerMode, 0, 0, settings.adding(),
				settings.verification().mode(), settings.verification().rate());
	}

	private static FeedDefinition feed(AbsenceBarrier barrier) {
		RowFeed feed = mock();
		given(feed.barrier(any())).willReturn(barrier);
		return new FeedDefinition(List.of(), null, Duration.ZERO, Duration.ZERO,
				(filter, checkpoints, executor) -> feed);
	}

	/**
	 * Begin to describe a filter that is believed as soon as it is loaded, and verified
	 * behind its answers.
	 */
	public static Setup with(Rows rows) {
		return new Setup(rows);
	}

	/**
	 * Start another instance with this filter, which sees what this one has left.
	 */
	public FilterUnderTest another() {
		return new FilterUnderTest(this.setup).load();
	}

	/**
	 * Start an instance of another application that has a filter of this name.
	 */
	public FilterUnderTest ofApplication(String application) {
		String former = this.setup.application;
		try {
			this.setup.application = application;
			return another();
		}
		finally {
			this.setup.application = former;
		}
	}

	/**
	 * Start an instance of another application, which only asks this filter.
	 */
	public FilterUnderTest reader() {
		return this.setup.reader();
	}

	/**
	 * Load what was not loaded yet.
	 */
	public FilterUnderTest load() {
		this.managed.warmUp().loadIfMissing().join();
		return this;
	}

	public GuardedFilter guard() {
		return this.managed.guard();
	}

	public WrittenFilter written() {
		return this.managed.written();
	}

	/**
	 * Call a method that is guarded by the filter.
	 * @return what it has found, {@code null} for nothing
	 */
	public @Nullable Object find(Object key) {
		return this.guard.get(NAME, key, () -> this.setup.rows.find(key));
	}

	/**
	 * Call a method for many keys that is guarded by the filter.
	 * @return those that it has found
	 */
	public List<Object> findAll(List<Object> keys) {
		Candidates possible = guard().possible(keys).await();
		Candidates candidates = possible.verified().isEmpty() ? possible
				: guard()
					.verify(keys, possible,
							(positions) -> () -> CompletableFuture
								.completedFuture(!this.setup.rows.findAll(at(positions, keys)).isEmpty()))
					.await();
		if (candidates.positions().isEmpty()) {
			return List.of();
		}
		List<Object> found = this.setup.rows.findAll(at(candidates.positions(), keys));
		guard().loaded(keys, candidates, found.isEmpty());
		return found;
	}

	private static List<Object> at(BitSet positions, List<Object> keys) {
		return positions.stream().mapToObj(keys::get).toList();
	}

	/**
	 * Ask for a key as a caller does that has no method to call.
	 */
	public BloomGuard questions() {
		return this.guard;
	}

	public Decision check(@Nullable Object key) {
		return guard().check(key).await();
	}

	public Candidates possible(Object... keys) {
		return guard().possible(List.of(keys)).await();
	}

	/**
	 * Let a call for a key end that found something, or nothing.
	 */
	public void called(Object key, boolean found) {
		guard().loaded(key, check(key), !found, false);
	}

	/**
	 * Let calls for different keys prove the filter: the first absent ones from -1 down,
	 * and the first rows.
	 */
	public void prove(int absent, int found) {
		LongStream.rangeClosed(1, absent).forEach((id) -> called(-id, false));
		LongStream.rangeClosed(1, found).forEach((id) -> called(id, true));
		report();
	}

	/**
	 * Report what calls have shown, and see what all have reported.
	 */
	public void report() {
		refresh();
		refresh();
	}

	public void refresh() {
		this.managed.filter().refresh().join();
	}

	/**
	 * Let time pass, for all instances. This one sees the record before anything goes on
	 * that has waited, as it refreshes more often than it looks here.
	 */
	public void pass(Duration time) {
		this.setup.clock.pass(time);
		refresh();
		this.setup.clock.ring();
	}

	/**
	 * Let time pass in which no instance reads the record.
	 */
	public void passUnseen(Duration time) {
		this.setup.clock.pass(time);
	}

	/**
	 * Do once what is done twice a second.
	 */
	public void supervise() {
		this.supervision.run();
		this.managed.warmUp().loadIfMissing().join();
		refresh();
	}

	public void rebuild() {
		this.guard.rebuild(NAME).join();
	}

	public void mistrust(String reason) {
		this.managed.filter().mistrust(reason);
	}

	public void acknowledge() {
		this.managed.filter().acknowledge().join();
	}

	/**
	 * Switch the filter at run time, in all instances of its application.
	 */
	public void switchTo(FilterMode mode) {
		this.managed.filter().switchTo(new ModeSwitch(mode, Instant.EPOCH, "alice")).join();
	}

	public void switchEverywhere(FilterMode mode) {
		this.managed.filter().switchEverywhere(new ModeSwitch(mode, Instant.EPOCH, null, true)).join();
	}

	public void takeSwitchBack() {
		this.managed.filter().switchTo(null).join();
	}

	public FilterState state() {
		return this.managed.filter().state();
	}

	public @Nullable String reason() {
		return this.managed.filter().stateChange().reason();
	}

	public String generation() {
		return String.valueOf(this.managed.filter().active());
	}

	/**
	 * Return the time of the record, which all instances share.
	 */
	public Instant now() {
		return Instant.ofEpochMilli(this.managed.filter().serverTime());
	}

	/**
	 * Return until when absent answers are looked up before they are given, {@code null}
	 * if nothing that was found asks for it.
	 */
	public @Nullable Instant beforeUntil() {
		return this.managed.filter().standing().beforeUntil();
	}

	public @Nullable Instant settlesAt() {
		return this.managed.filter().standing().settlesAt();
	}

	public Proof proof() {
		return this.managed.filter().standing().trust().proof();
	}

	public Doubt doubt() {
		return this.managed.filter().standing().trust().doubt();
	}

	public long count(Outcome outcome) {
		return this.managed.statistics().count(outcome);
	}

	/**
	 * Return the flood that goes on, {@code null} if there is none.
	 */
	public FloodWatch.@Nullable Flood flood() {
		return this.managed.flood().flood();
	}

	/**
	 * Return how many questions a second are asked at most.
	 */
	public QuestionRates rates() {
		return this.managed.rates().get();
	}

	/**
	 * Return how many wrong answers this instance has given that no operator has
	 * acknowledged.
	 */
	public long unacknowledged() {
		return this.managed.statistics().unacknowledgedFalseNegatives();
	}

	public List<String> events() {
		return this.listener.events();
	}

	/**
	 * Return whether a key has come into the filter, which is not asked as by a call.
	 */
	public boolean has(Object key) {
		return guard().preview(key).membership() == Membership.MAYBE;
	}

	@Override
	public void close() {
		this.setup.rows.goOn();
		this.supervisor.stop();
		this.scheduler.shutdownNow();
	}

	/**
	 * What a test says of its filter.
	 */
	public static final class Setup {

		private final Rows rows;

		private final SteppedClock clock = new SteppedClock();

		private final FilterBackend backend = TimedMemory.backend(this.clock);

		/**
		 * Has room for many times the rows: in a filter of so few bits that these would
		 * fill, two keys share all of theirs once in some hundred thousand times,
		 * whatever the probability.
		 */
		private final FilterSettingsBuilder settings = new FilterSettingsBuilder().name(NAME)
			.expectedInsertions(100 * Rows.LOADED)
			.falsePositiveProbability(1e-9)
			.verification(Mode.BEHIND, 10);

		private String application = "shop";

		private Executor executor = Runnable::run;

		private Duration timeout = Duration.ofMinutes(1);

		private @Nullable AbsenceBarrier barrier;

		private FilterMode readerMode = FilterMode.ENFORCE;

		private Setup(Rows rows) {
			this.rows = rows;
		}

		public Setup verification(Mode mode, double rate) {
			this.settings.verification(mode, rate);
			return this;
		}

		public Setup floodMemory(long bytes) {
			this.settings.floodMemory(bytes);
			return this;
		}

		public Setup requiredCalls(int requiredCalls) {
			this.settings.requiredCalls(requiredCalls);
			return this;
		}

		public Setup grace(Duration grace) {
			this.settings.grace(grace);
			return this;
		}

		public Setup settle(Duration settle) {
			this.settings.settle(settle);
			return this;
		}

		public Setup maxConcurrentLoads(int maxConcurrentLoads) {
			this.settings.maxConcurrentLoads(maxConcurrentLoads);
			return this;
		}

		public Setup mode(FilterMode mode) {
			this.settings.mode(mode);
			return this;
		}

		/**
		 * Set the mode that applications have which only ask the filter.
		 */
		public Setup readerMode(FilterMode mode) {
			this.readerMode = mode;
			return this;
		}

		/**
		 * Start an instance of another application, which only asks the filter of the one
		 * that has these rows.
		 */
		public FilterUnderTest reader() {
			String owner = this.application;
			try {
				this.application = "orders";
				FilterUnderTest reader = new FilterUnderTest(this, owner);
				reader.refresh();
				return reader;
			}
			finally {
				this.application = owner;
			}
		}

		/**
		 * Set what an absent answer waits for, as for a change log.
		 */
		public Setup barrier(AbsenceBarrier barrier) {
			this.barrier = barrier;
			return this;
		}

		/**
		 * Set the longest wait for the filter.
		 */
		public Setup timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Run in threads what otherwise runs in the calling one.
		 */
		public Setup inBackground() {
			return executor(new GuardExecutor());
		}

		/**
		 * Set what runs tasks that are handed over.
		 */
		public Setup executor(Executor executor) {
			this.executor = executor;
			return this;
		}

		/**
		 * Start an instance, and load its keys.
		 */
		public FilterUnderTest loaded() {
			return started().load();
		}

		/**
		 * Start an instance that has not been told yet to load.
		 */
		public FilterUnderTest started() {
			return new FilterUnderTest(this);
		}

	}

}
