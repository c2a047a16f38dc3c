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
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.catchup.AbsenceBarrier;
import io.github.bloomguard.catchup.CatchUp;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.ChangeFeed;
import io.github.bloomguard.catchup.CheckpointStore;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.GenerationBuilder;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.guard.FilterGuardFactory;
import io.github.bloomguard.guard.FilterStatistics;
import io.github.bloomguard.guard.ListenerChain;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.warmup.WarmUp;
import org.jspecify.annotations.Nullable;

final class ManagedFilterFactory {

	private final FilterBackends backends;

	private final FilterSources sources;

	private final ChangeFeeds feeds;

	private final FilterGuardFactory guards;

	private final ListenerChain listeners;

	private final ScheduledExecutorService scheduler;

	private final Executor executor;

	private final MonotonicClock clock;

	ManagedFilterFactory(FilterBackends backends, FilterSources sources, ChangeFeeds feeds, FilterGuardFactory guards,
			ListenerChain listeners, ScheduledExecutorService scheduler, Executor executor, MonotonicClock clock) {
		this.backends = backends;
		this.sources = sources;
		this.feeds = feeds;
		this.guards = guards;
		this.listeners = listeners;
		this.scheduler = scheduler;
		this.executor = executor;
		this.clock = clock;
	}

	ManagedFilters create(BloomGuardProperties properties) {
		return new ManagedFilters(properties.filters()
			.entrySet()
			.stream()
			.map((filter) -> create(filter.getKey(), filter.getValue(), properties.addTimeout()))
			.toList());
	}

	private ManagedFilter create(String name, BloomGuardProperties.Filter filter, Duration addTimeout) {
		CatchUpSpecification catchUp = CatchUpSpecification.of(name, filter.catchUp().query(), filter.catchUp().start(),
				filter.catchUp().interval());
		Duration grace = (catchUp != null) ? catchUp.interval().multipliedBy(2) : Duration.ZERO;
		FilterSettings settings = filter.settings(name, addTimeout, grace);
		FilterBackend backend = this.backends.get(settings);
		FilterStore store = backend.filters();
		RedisCircuitBreaker breaker = this.backends.breaker(settings.type());
		List<KeySource> keys = this.sources.keys(name);
		FeedSpecification feed = this.feeds.specification(name, filter, keys.size() == 1);
		CatchUpSource changes = (catchUp != null) ? this.sources.changes(catchUp, filter) : null;
		Origin origin = this.sources.origin(keys, catchUp, changes, feed, filter.type(), filter.textEquality());
		ControlStore control = backend.control(settings, origin);
		FilterStatistics statistics = new FilterStatistics(name, this.listeners);
		GenerationalFilter generations = new GenerationalFilter(name, origin, store, control, breaker, this.clock,
				statistics);
		generations.mirror(settings);
		GenerationBuilder builder = new GenerationBuilder(name, store, control, this.scheduler, this.clock, settings,
				generations::running);
		FillLevel fillLevel = new FillLevel(generations);
		generations.probation().require(settings.verification().requiredCalls(), fillLevel::insertions);
		// without sources there is nothing to load again
		generations.probation().settle(keys.isEmpty() ? Duration.ZERO : settings.building().settle());
		CheckpointStore checkpoints = backend.checkpoints(settings, origin);
		ChangeFeed followed = (feed != null)
				? new ChangeFeed(feed, this.feeds.log(feed, filter), checkpoints, generations, this.executor) : null;
		WarmUp warmUp = new WarmUp(settings.specification(), generations, fillLevel, builder,
				this.sources.scan(name, keys, beforeFirst(changes, followed, checkpoints)), this.executor, statistics);
		GuardedFilter guard = this.guards.create(settings, generations, breaker, backend.sentinels(settings, origin),
				statistics, keys, (followed != null) ? followed.barrier() : AbsenceBarrier.NONE,
				(followed != null) ? followed.verification() : AbsenceBarrier.NONE);
		return new ManagedFilter(settings, generations, fillLevel, warmUp, guard, statistics,
				(catchUp != null && changes != null) ? new CatchUp(catchUp, changes, checkpoints, generations,
						guard::add, warmUp::rebuildIfIdle, this.executor) : null,
				followed);
	}

	private static Consumer<Generation> beforeFirst(@Nullable CatchUpSource changes, @Nullable ChangeFeed followed,
			CheckpointStore checkpoints) {
		return (generation) -> {
			if (changes != null) {
				FilterSources.setCheckpoint(generation, changes, checkpoints);
			}
			if (followed != null) {
				followed.begin(generation);
			}
		};
	}

}
