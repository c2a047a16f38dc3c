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
import java.util.function.Function;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.KeyTerms;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.OwnerTerms;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.guard.FilterGuardFactory.Guard;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Requirements;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.source.SourceOrigin;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.warmup.GenerationBuilder;
import io.github.bloomguard.warmup.SourceScan;
import io.github.bloomguard.warmup.WarmUp;
import org.jspecify.annotations.Nullable;

/**
 * Puts one filter together: from what it is, where it is kept, where its keys come from,
 * and who tells of new ones.
 *
 * @param breaker shared by the filters of one server
 */
public record FilterBuilder(GuardEnvironment environment, FilterSettings settings, FilterBackend backend,
		CircuitBreaker breaker, FilterSources sources) {

	public ManagedFilter build() {
		String name = this.settings.name();
		FeedDefinition feed = this.sources.feed();
		Origin origin = new SourceOrigin(this.environment.application(), this.environment.rewritten(),
				this.environment.format(), this.sources, this.settings.type())
			.find();
		FilterStore store = this.backend.filters();
		ControlStore control = this.backend.control(this.settings, origin);
		CheckpointStore checkpoints = this.backend.checkpoints(this.settings, origin);
		FilterStatistics statistics = new FilterStatistics(name, this.environment.listeners());
		GenerationalFilter filter = new GenerationalFilter(this.settings, origin, store, control, this.breaker,
				this.environment.clock(), statistics);
		FillLevel fillLevel = new FillLevel(filter);
		configure(filter, fillLevel);
		origin.tell(() -> terms(filter));
		RowFeed followed = (feed != null) ? feed.opener().open(filter, checkpoints, this.environment.executor()) : null;
		GenerationBuilder builder = new GenerationBuilder(store, control, new RecordSteps(control),
				this.environment.scheduler(), this.environment.clock(), this.settings, filter::running);
		SourceScan scan = new SourceScan(name, this.sources.keys(), this.environment.format(),
				this.environment.bulkhead(),
				// each row is either in the scan or behind where the log began before it
				(followed != null) ? followed::begin : (generation) -> {
				},
				// what catches up brings a row a while after it can be seen
				followed != null && this.settings.verification().grace().isZero());
		WarmUp warmUp = new WarmUp(this.settings.specification(), filter, fillLevel, builder, scan,
				this.environment.bulkhead(), statistics::decisions, this.environment.executor(), statistics);
		FloodWatch flood = new FloodWatch(this.settings, filter, statistics);
		Guard guard = this.environment.guards()
			.create(this.settings, filter, this.breaker, this.backend.sentinels(this.settings, origin), statistics,
					flood, this.sources, barrier(followed, FeedDefinition::longestWait),
					barrier(followed, FeedDefinition::longestVerification));
		return new ManagedFilter(this.settings, filter, fillLevel, warmUp, guard.asked(), guard.written(), statistics,
				flood, guard.rates(), followed);
	}

	private void configure(GenerationalFilter filter, FillLevel fillLevel) {
		FilterSettings.Verification verification = this.settings.verification();
		// without a source there is nothing to load again
		Duration settle = this.sources.keys().isEmpty() ? Duration.ZERO : this.settings.building().settle();
		filter.require(new Requirements(verification.requiredCalls(), settle, verification.mode(),
				this.sources.dependOnCaller(), null, fillLevel::insertions));
	}

	/**
	 * Return what applications have to know that only ask this filter.
	 */
	private OwnerTerms terms(GenerationalFilter filter) {
		List<KeySource> keys = this.sources.keys();
		Requirements required = filter.required();
		return new OwnerTerms(!keys.isEmpty(), this.settings.mode(), required.settle(), required.calls(),
				this.sources.dependOnCaller(), required.unseenWriters() != null,
				KeyTerms.of(!this.environment.format().converters().isEmpty(),
						keys.stream().flatMap((source) -> source.equality().stream()).toList()),
				this.settings.type());
	}

	private AbsenceBarrier barrier(@Nullable RowFeed followed, Function<FeedDefinition, Duration> longest) {
		FeedDefinition feed = this.sources.feed();
		return (followed != null && feed != null) ? followed.barrier(longest.apply(feed)) : AbsenceBarrier.NONE;
	}

}
