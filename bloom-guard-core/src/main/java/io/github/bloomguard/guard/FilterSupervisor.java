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
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.RecordWatch;
import io.github.bloomguard.generation.RecordWatch.Watched;
import io.github.bloomguard.instance.GenerationalFilter.Quiet;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.log.LogMessage;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Starts the warm-up of all filters and refreshes their view of what other instances do.
 * Starts before the web server and stops after it; may be started again, as around a
 * checkpoint of the process (CRaC).
 */
public final class FilterSupervisor implements SmartLifecycle {

	static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration SIGN_OFF = Duration.ofSeconds(1);

	private final ThrottledLog failures = new ThrottledLog(FilterSupervisor.class);

	private final ManagedFilters filters;

	private final ScheduledExecutorService scheduler;

	/**
	 * The filters that are warmed up and followed, once they are used.
	 */
	private final Set<String> begun = ConcurrentHashMap.newKeySet();

	/**
	 * What is looked at, of which an answer is still to come.
	 */
	private final Set<RecordWatch> looking = ConcurrentHashMap.newKeySet();

	/**
	 * Used by the scheduler alone.
	 */
	private int round;

	private volatile @Nullable ScheduledFuture<?> refreshes;

	public FilterSupervisor(ManagedFilters filters, ScheduledExecutorService scheduler) {
		this.filters = filters;
		this.scheduler = scheduler;
	}

	/**
	 * Return a scheduler of one thread, which is enough for all filters: what takes time
	 * is handed on.
	 */
	public static ScheduledExecutorService newScheduler() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("bloom-guard-scheduler-");
		threads.setDaemon(true);
		return Executors.newSingleThreadScheduledExecutor(threads);
	}

	@Override
	public void start() {
		if (this.filters.names().isEmpty()) {
			return;
		}
		this.filters.forEach(FilterSupervisor::open);
		this.refreshes = this.scheduler.scheduleWithFixedDelay(this::supervise, 0, INTERVAL.toMillis(),
				TimeUnit.MILLISECONDS);
		this.filters.forEach(this::refresh);
	}

	private void supervise() {
		try {
			refresh();
		}
		catch (Throwable ex) {
			// also an error, which would end the refreshes
			this.failures.error("The filters could not be refreshed", ex);
		}
		this.filters.forEach(this::supervise);
	}

	/**
	 * Refresh the filters at which something has happened, which one look at each server
	 * tells.
	 */
	private void refresh() {
		Map<RecordWatch, List<QuietFilter>> quiet = new LinkedHashMap<>();
		for (ManagedFilter managed : this.filters) {
			Quiet latest = managed.filter().quiet();
			if (latest == null) {
				refresh(managed);
			}
			else {
				quiet.computeIfAbsent(managed.filter().recordWatch(), (watch) -> new ArrayList<>())
					.add(new QuietFilter(managed, latest));
			}
		}
		quiet.forEach(this::look);
	}

	private void look(RecordWatch watch, List<QuietFilter> filters) {
		if (!this.looking.add(watch)) {
			return;
		}
		List<Watched> watched = filters.stream().map((filter) -> filter.quiet().watched()).toList();
		Attempt.of(() -> watch.look(watched)).whenComplete((sight, failure) -> {
			this.looking.remove(watch);
			for (QuietFilter filter : filters) {
				if (failure == null && sight.unchanged().contains(filter.managed().name())) {
					filter.managed().filter().unchanged(filter.quiet(), sight.now());
					beginIfUsed(filter.managed());
				}
				else {
					refresh(filter.managed());
				}
			}
		});
		// one of them at a time: a look at the bits of each costs as much as a refresh
		filters.get(Math.floorMod(this.round++, filters.size())).managed().filter().lookAtBits();
	}

	private void refresh(ManagedFilter managed) {
		// not before it is known whether the filter was switched on
		managed.filter().refreshIfIdle().thenRun(() -> beginIfUsed(managed));
	}

	/**
	 * Load and follow a filter. If it was configured off, its feed was not followed, so a
	 * generation that is there may lack keys.
	 */
	private void beginIfUsed(ManagedFilter managed) {
		if (isRunning() && isUsed(managed) && this.begun.add(managed.name())) {
			try {
				if (managed.changes() != null && isConfiguredOff(managed)) {
					managed.filter().mistrust("it was off, so its change feed was not followed");
				}
				warmUp(managed);
				if (managed.changes() != null) {
					managed.changes().start(new FilterSink(managed.written()));
				}
			}
			catch (RejectedExecutionException ex) {
				this.begun.remove(managed.name());
			}
		}
	}

	private static void open(ManagedFilter managed) {
		managed.filter().open();
		managed.warmUp().open();
	}

	private void supervise(ManagedFilter managed) {
		try {
			managed.flood().look();
			managed.statistics().see(managed.filter().standing().trust().doubt());
			if (managed.owner() != null) {
				return;
			}
			// also where it is only added to: others have to know whose keys these are
			managed.warmUp().findOriginIfIdle();
			managed.warmUp().lookForMigrationIfDue();
			managed.warmUp().mistrustIfDoubtful();
			if (!isUsed(managed)) {
				return;
			}
			if (managed.filter().isLost()) {
				managed.warmUp().loadIfMissing();
			}
			else if (isRebuildDue(managed)) {
				managed.warmUp().rebuildIfIdle();
			}
			else {
				managed.warmUp().tidyIfDue();
			}
			if (managed.changes() != null) {
				managed.changes().inspectIfDue();
			}
		}
		catch (Throwable ex) {
			// also an error, which would end the refreshes
			LogFields.withFilter(managed.name(), () -> this.failures
				.error(LogMessage.format("The filter '%s' could not be looked after", managed.name()), ex));
		}
	}

	private static boolean isRebuildDue(ManagedFilter managed) {
		Generation active = managed.filter().active();
		ControlRecord record = managed.filter().record();
		return active != null && record != null
				&& (managed.filter().standing().loadDue() || new RebuildPolicy(managed.settings().building())
					.isDue(active, managed.fillLevel().latest(), record.removed(), ZonedDateTime.now()));
	}

	/**
	 * Return whether a filter is loaded and followed. One that was switched off at run
	 * time is, so that it is right when it is switched on again: only calls go through.
	 */
	private static boolean isUsed(ManagedFilter managed) {
		return !isConfiguredOff(managed) || isAsked(managed);
	}

	private static boolean isConfiguredOff(ManagedFilter managed) {
		return managed.settings().mode() == FilterMode.OFF;
	}

	private static boolean isAsked(ManagedFilter managed) {
		return managed.filter().mode() != FilterMode.OFF;
	}

	private static void warmUp(ManagedFilter managed) {
		switch (managed.settings().building().onStartup()) {
			case ALWAYS -> managed.warmUp().rebuild();
			case IF_MISSING -> managed.warmUp().loadIfMissing();
			case NEVER -> {
			}
		}
	}

	public CompletableFuture<Void> blocking() {
		return CompletableFuture.allOf(this.filters.stream()
			.filter((managed) -> managed.settings().building().blocking() && isAsked(managed))
			.map((managed) -> managed.warmUp().loadIfMissing())
			.toArray(CompletableFuture<?>[]::new));
	}

	@Override
	public void stop() {
		ScheduledFuture<?> refreshes = this.refreshes;
		if (refreshes != null) {
			refreshes.cancel(false);
			this.refreshes = null;
		}
		this.begun.clear();
		this.filters.forEach((managed) -> managed.warmUp().cancel());
		this.filters.forEach((managed) -> {
			managed.warmUp().close();
			if (managed.changes() != null) {
				managed.changes().close();
			}
		});
		signOff();
	}

	/**
	 * Let adds elsewhere wait no more for this instance.
	 */
	private void signOff() {
		CompletableFuture.allOf(
				this.filters.stream().map((managed) -> managed.filter().close()).toArray(CompletableFuture<?>[]::new))
			.orTimeout(SIGN_OFF.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> null)
			.join();
	}

	@Override
	public boolean isRunning() {
		return this.refreshes != null;
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 8192;
	}

	private record QuietFilter(ManagedFilter managed, Quiet quiet) {

	}

	private record FilterSink(WrittenFilter filter) implements RowFeed.Sink {

		@Override
		public void add(List<?> keys) {
			this.filter.add(keys);
		}

		@Override
		public void remove(List<?> keys, long since) {
			// first: what takes time from here on lets it be longer ago, not shorter
			KeyRemoval removal = this.filter.removal();
			removal.removeNow(keys, Duration.ofNanos(System.nanoTime() - since));
		}

	}

}
