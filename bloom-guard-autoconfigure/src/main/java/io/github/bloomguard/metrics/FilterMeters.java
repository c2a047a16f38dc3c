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

package io.github.bloomguard.metrics;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the filters, tagged with {@code filter} and for counters with the
 * {@code outcome} or {@code source}. Of {@code bloom.guard.errors}, those with the
 * outcome {@code false_negative} must stay 0.
 */
public final class FilterMeters implements MeterBinder {

	private static final Set<FilterState> IMPAIRED = EnumSet.of(FilterState.LOADING, FilterState.LOST,
			FilterState.REFUTED, FilterState.UNREACHABLE);

	private final ManagedFilters filters;

	public FilterMeters(ManagedFilters filters) {
		this.filters = filters;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.filters.forEach((managed) -> {
			bindGauges(managed, registry);
			bindCounters(managed.name(), managed.statistics(), registry);
			bindMirrorWaits(managed, registry);
		});
	}

	private static void bindGauges(ManagedFilter managed, MeterRegistry registry) {
		gauge("ready", "Whether a filter answers", managed,
				(filter) -> (filter.filter().state() == FilterState.READY) ? 1 : 0, registry);
		gauge("impaired", "Whether a filter lets calls through that it is meant to answer by now", managed,
				(filter) -> IMPAIRED.contains(filter.filter().state()) ? 1 : 0, registry);
		gauge("doubted", "Whether absent answers are looked up before they are given, because some were wrong lately",
				managed, (filter) -> filter.filter().standing().doubted() ? 1 : 0, registry);
		gauge("flooded", "Whether more absent keys are asked for than can be verified", managed,
				(filter) -> (filter.flood().flood() != null) ? 1 : 0, registry);
		gauge("insertions", "Keys in a filter, estimated from the bits that are set", managed,
				(filter) -> filter.fillLevel().latest().occupancy().insertions(), registry);
		gauge("false.positive.probability", "Probability of a false positive, estimated from the bits that are set",
				managed, (filter) -> filter.fillLevel().latest().occupancy().falsePositiveProbability(), registry);
		gauge("expected.insertions", "Keys that a filter was configured for", managed,
				(filter) -> filter.settings().specification().expectedInsertions(), registry);
		gauge("expected.false.positive.probability", "Probability of a false positive that a filter was configured for",
				managed, (filter) -> filter.settings().specification().falsePositiveProbability(), registry);
		gauge("warm.up.loaded", "Keys that the present or last warm-up has loaded in this instance", managed,
				(filter) -> filter.warmUp().progress().loaded(), registry);
		RowFeed changes = managed.changes();
		if (changes != null) {
			bindChanges(managed.name(), changes, registry);
		}
	}

	private static void bindChanges(String filter, RowFeed changes, MeterRegistry registry) {
		bytes("lag", "What of the change log is still to be followed", filter, changes, FeedStatus::lag, registry);
		bytes("retained", "What of the change log the database keeps for a filter", filter, changes,
				FeedStatus::retained, registry);
		TimeGauge
			.builder("bloom.guard.changes.behind", changes, TimeUnit.MILLISECONDS,
					(feed) -> feed.progress().behind(Instant.now()).toMillis())
			.description("For how long the change log has not been followed to about its end")
			.tag("filter", filter)
			.register(registry);
	}

	private static void bytes(String name, String description, String filter, RowFeed changes,
			ToLongFunction<FeedStatus> count, MeterRegistry registry) {
		Gauge.builder("bloom.guard.changes." + name, changes, (feed) -> {
			FeedStatus status = feed.progress().status();
			return (status != null) ? count.applyAsLong(status) : Double.NaN;
		}).description(description).baseUnit("bytes").tag("filter", filter).register(registry);
	}

	private static void bindMirrorWaits(ManagedFilter managed, MeterRegistry registry) {
		FunctionTimer
			.builder("bloom.guard.mirror.waits", managed.filter(), (filter) -> filter.mirrorStatus().waits(),
					(filter) -> filter.mirrorStatus().waited().toNanos(), TimeUnit.NANOSECONDS)
			.description("Additions that waited for the mirrors of other instances")
			.tag("filter", managed.name())
			.register(registry);
	}

	private static void gauge(String name, String description, ManagedFilter managed,
			ToDoubleFunction<ManagedFilter> value, MeterRegistry registry) {
		Gauge.builder("bloom.guard." + name, managed, value)
			.description(description)
			.tag("filter", managed.name())
			.register(registry);
	}

	static void bindCounters(String filter, FilterStatistics statistics, MeterRegistry registry) {
		for (Outcome outcome : Outcome.values()) {
			FunctionCounter.Builder<FilterStatistics> counter = switch (outcome) {
				case ABSENT, MAYBE, REMEMBERED, UNKNOWN ->
					counter("requests", "Keys that a filter was asked for", statistics, outcome);
				case LET_THROUGH -> counter("let.through",
						"Keys that a filter called absent, and whose calls went through to find out whether that is true",
						statistics, outcome);
				case UNCERTAIN ->
					counter("uncertain", "Keys that a filter let pass because of their type or of how they are written",
							statistics, outcome);
				case FALSE_POSITIVE, FALSE_NEGATIVE ->
					counter("errors", "Keys about which a filter was wrong", statistics, outcome);
				case LOOKED_UP -> counter("verifications",
						"Keys that a filter called absent, and for which it was found out whether that is true",
						statistics, outcome);
				case ADDED, NOT_ADDED ->
					counter("keys", "Keys that were, or could not be, added to a filter", statistics, outcome);
				case REJECTED ->
					counter("loads", "Calls that were rejected because the filter could not tell and too many loaded",
							statistics, outcome);
			};
			register(counter, filter, outcome, registry);
		}
		for (Source source : Source.values()) {
			FunctionCounter.builder("bloom.guard.lookups", statistics, (counted) -> counted.lookups(source))
				.description("Keys that were looked up")
				.tag("filter", filter)
				.tag("source", source.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
		for (FilterState state : FilterState.values()) {
			register(FunctionCounter
				.builder("bloom.guard.state.changes", statistics, (counted) -> counted.changesTo(state))
				.description("Changes of the state of a filter"), filter, state, registry);
		}
	}

	private static FunctionCounter.Builder<FilterStatistics> counter(String name, String description,
			FilterStatistics statistics, Outcome outcome) {
		return FunctionCounter.builder("bloom.guard." + name, statistics, (counted) -> counted.count(outcome))
			.description(description);
	}

	private static void register(FunctionCounter.Builder<FilterStatistics> counter, String filter, Enum<?> outcome,
			MeterRegistry registry) {
		counter.tag("filter", filter).tag("outcome", outcome.name().toLowerCase(Locale.ROOT)).register(registry);
	}

}
