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

import java.util.List;

import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.guard.FilterGuardFactory.Guard;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.source.SourceOrigin;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.warmup.GenerationBuilder;
import io.github.bloomguard.warmup.SourceScan;
import io.github.bloomguard.warmup.WarmUp;

/**
 * Puts a filter together that another application owns and this one only asks. It has
 * what asks and what verifies, and a mirror; nothing in it loads keys, follows a change
 * log or remembers what was not found, because adds of the owner's would have to forget
 * that.
 *
 * @param owner the name of the other application
 * @param breaker shared by the filters of one server
 */
public record ReaderBuilder(GuardEnvironment environment, FilterSettings settings, String owner, FilterBackend backend,
		CircuitBreaker breaker) {

	public ManagedFilter build() {
		String name = this.settings.name();
		Origin origin = Origin.ofReader(SourceOrigin.application(this.owner));
		FilterStore store = this.backend.filters();
		ControlStore control = this.backend.control(this.settings, origin);
		FilterStatistics statistics = new FilterStatistics(name, this.environment.listeners());
		GenerationalFilter filter = GenerationalFilter.ofOwner(this.settings, origin, this.owner, store, control,
				this.breaker, this.environment.clock(), statistics);
		FillLevel fillLevel = new FillLevel(filter);
		FloodWatch flood = new FloodWatch(this.settings, filter, statistics);
		Guard guard = this.environment.guards()
			.create(this.settings, filter, this.breaker, new NoSentinels(), statistics, flood,
					FilterSources.of(List.of()), AbsenceBarrier.NONE, AbsenceBarrier.NONE);
		return new ManagedFilter(this.settings, filter, fillLevel,
				warmUp(filter, fillLevel, store, control, statistics), guard.asked(), guard.written(), statistics,
				flood, guard.rates(), null);
	}

	/**
	 * Return a warm-up without sources, which never loads.
	 */
	private WarmUp warmUp(GenerationalFilter filter, FillLevel fillLevel, FilterStore store, ControlStore control,
			FilterStatistics statistics) {
		GenerationBuilder builder = new GenerationBuilder(store, control, new RecordSteps(control),
				this.environment.scheduler(), this.environment.clock(), this.settings, filter::running);
		SourceScan scan = new SourceScan(this.settings.name(), List.of(), this.environment.format(),
				this.environment.bulkhead(), (generation) -> {
				}, false);
		return new WarmUp(this.settings.specification(), filter, fillLevel, builder, scan, this.environment.bulkhead(),
				() -> 0, this.environment.executor(), statistics);
	}

}
