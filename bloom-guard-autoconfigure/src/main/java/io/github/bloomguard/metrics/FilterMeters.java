package io.github.bloomguard.metrics;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows how the filters are: {@code bloom.guard.ready} (1 or 0),
 * {@code bloom.guard.insertions} (estimated),
 * {@code bloom.guard.false.positive.probability} (estimated),
 * {@code bloom.guard.warm.up.loaded}.
 *
 * @since 0.1.0
 */
public final class FilterMeters implements MeterBinder {

	private final ManagedFilters filters;

	/**
	 * Create meters.
	 * @param filters the filters
	 */
	public FilterMeters(ManagedFilters filters) {
		this.filters = filters;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.filters.forEach((filter) -> bind(filter, registry));
	}

	private static void bind(ManagedFilter managed, MeterRegistry registry) {
		Gauge.builder("bloom.guard.ready", managed, (filter) -> (filter.filter().state() == FilterState.READY) ? 1 : 0)
			.description("Whether a filter answers")
			.tag("filter", managed.name())
			.register(registry);
		Gauge.builder("bloom.guard.insertions", managed, (filter) -> filter.fillLevel().latest().estimatedInsertions())
			.description("Keys in a filter, estimated from the bits that are set")
			.tag("filter", managed.name())
			.register(registry);
		Gauge
			.builder("bloom.guard.false.positive.probability", managed,
					(filter) -> filter.fillLevel().latest().estimatedFalsePositiveProbability())
			.description("Probability of a false positive, estimated from the bits that are set")
			.tag("filter", managed.name())
			.register(registry);
		Gauge.builder("bloom.guard.warm.up.loaded", managed, (filter) -> filter.warmUp().progress().loaded())
			.description("Keys that the present or last warm-up has loaded in this instance")
			.tag("filter", managed.name())
			.register(registry);
	}

}
