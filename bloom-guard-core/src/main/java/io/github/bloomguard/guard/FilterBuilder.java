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
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.GenerationBuilder;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.warmup.SourceScan;
import io.github.bloomguard.warmup.WarmUp;
import org.jspecify.annotations.Nullable;

/**
 * Puts one filter together: from what it is, where it is kept, where its keys come from,
 * and who tells of new ones.
 */
public final class FilterBuilder {

	private final GuardEnvironment environment;

	private final FilterSettings settings;

	private final FilterBackend backend;

	private final RedisCircuitBreaker breaker;

	private List<KeySource> sources = List.of();

	private boolean dependent;

	private Set<Difference> ignored = KeyEquality.EXACT;

	private @Nullable FeedDefinition feed;

	/**
	 * @param breaker shared by the filters of one server
	 */
	public FilterBuilder(GuardEnvironment environment, FilterSettings settings, FilterBackend backend,
			RedisCircuitBreaker breaker) {
		this.environment = environment;
		this.settings = settings;
		this.backend = backend;
		this.breaker = breaker;
	}

	public FilterBuilder sources(List<KeySource> sources) {
		this.sources = List.copyOf(sources);
		return this;
	}

	/**
	 * Set whether the callers may see other rows than the sources, even if none of them
	 * {@linkplain KeySource#dependsOnCaller() says so}.
	 */
	public FilterBuilder dependingOnCaller(boolean dependent) {
		this.dependent = dependent;
		return this;
	}

	/**
	 * Set what is ignored in texts where no source says so.
	 */
	public FilterBuilder ignoring(Set<Difference> ignored) {
		this.ignored = ignored;
		return this;
	}

	/**
	 * Add the keys of rows that others write.
	 */
	public FilterBuilder follow(FeedDefinition feed) {
		this.feed = feed;
		return this;
	}

	public ManagedFilter build() {
		String name = this.settings.name();
		FeedDefinition feed = this.feed;
		Origin origin = SourceOrigin.find(this.environment, this.sources, (feed != null) ? feed.origin() : List.of(),
				(feed != null) ? feed.database() : null, this.settings.type(), this.ignored);
		FilterStore store = this.backend.filters();
		ControlStore control = this.backend.control(this.settings, origin);
		CheckpointStore checkpoints = this.backend.checkpoints(this.settings, origin);
		FilterStatistics statistics = new FilterStatistics(name, this.environment.listeners());
		GenerationalFilter filter = new GenerationalFilter(this.settings, origin, store, control, this.breaker,
				this.environment.clock(), statistics);
		FillLevel fillLevel = new FillLevel(filter);
		configure(filter, fillLevel);
		RowFeed followed = (feed != null) ? feed.opener().open(filter, checkpoints, this.environment.executor()) : null;
		GenerationBuilder builder = new GenerationBuilder(store, control, this.environment.scheduler(),
				this.environment.clock(), this.settings, filter::running);
		SourceScan scan = new SourceScan(name, this.sources, this.environment.format(), this.environment.bulkhead(),
				// each row is either in the scan or behind where the log began before it
				(followed != null) ? followed::begin : (generation) -> {
				});
		WarmUp warmUp = new WarmUp(this.settings.specification(), filter, fillLevel, builder, scan,
				this.environment.executor(), statistics);
		GuardedFilter guard = this.environment.guards()
			.create(this.settings, filter, this.breaker, this.backend.sentinels(this.settings, origin), statistics,
					this.sources, this.dependent, barrier(followed, FeedDefinition::longestWait),
					barrier(followed, FeedDefinition::longestVerification));
		return new ManagedFilter(this.settings, filter, fillLevel, warmUp, guard, statistics, followed);
	}

	private void configure(GenerationalFilter filter, FillLevel fillLevel) {
		filter.probation().require(this.settings.verification().requiredCalls(), fillLevel::insertions);
		if (!this.sources.isEmpty()) {
			// else there is nothing to load again
			filter.probation().settle(this.settings.building().settle());
		}
	}

	private AbsenceBarrier barrier(@Nullable RowFeed followed, Function<FeedDefinition, Duration> longest) {
		return (followed != null && this.feed != null) ? followed.barrier(longest.apply(this.feed))
				: AbsenceBarrier.NONE;
	}

}
