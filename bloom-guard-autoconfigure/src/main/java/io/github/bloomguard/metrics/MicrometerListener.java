package io.github.bloomguard.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what the guard decides:
 * <ul>
 * <li>{@code bloom.guard.requests}, with the outcomes {@code absent}, {@code maybe},
 * {@code unknown}, and {@code remembered} for keys that passed the filter and were
 * answered by an empty sentinel</li>
 * <li>{@code bloom.guard.errors}, with the outcomes {@code false_positive} and
 * {@code false_negative}, of which the latter must stay 0</li>
 * <li>{@code bloom.guard.keys}, with the outcome {@code added}</li>
 * </ul>
 *
 * @since 0.1.0
 */
public final class MicrometerListener implements BloomGuardListener {

	private final MeterRegistry registry;

	private final Map<String, FilterCounters> filters = new ConcurrentHashMap<>();

	/**
	 * Create a listener.
	 * @param registry where the meters are registered
	 */
	public MicrometerListener(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onVerdict(String filter, Verdict verdict) {
		counters(filter).requests(verdict).increment();
	}

	@Override
	public void onFalsePositive(String filter) {
		counters(filter).falsePositives.increment();
	}

	@Override
	public void onFalseNegative(String filter) {
		counters(filter).falseNegatives.increment();
	}

	@Override
	public void onAdded(String filter, int keys) {
		counters(filter).added.increment(keys);
	}

	private FilterCounters counters(String filter) {
		FilterCounters known = this.filters.get(filter);
		return (known != null) ? known
				: this.filters.computeIfAbsent(filter, (name) -> new FilterCounters(this.registry, name));
	}

	private static final class FilterCounters {

		private final Map<Membership, Counter> requests = new EnumMap<>(Membership.class);

		private final Counter remembered;

		private final Counter falsePositives;

		private final Counter falseNegatives;

		private final Counter added;

		FilterCounters(MeterRegistry registry, String filter) {
			this.requests.put(Membership.ABSENT, requests(registry, filter, "absent"));
			this.requests.put(Membership.MAYBE, requests(registry, filter, "maybe"));
			this.requests.put(Membership.UNKNOWN, requests(registry, filter, "unknown"));
			this.remembered = requests(registry, filter, "remembered");
			this.falsePositives = errors(registry, filter, "false_positive");
			this.falseNegatives = errors(registry, filter, "false_negative");
			this.added = Counter.builder("bloom.guard.keys")
				.description("Keys that were added to a filter")
				.tag("filter", filter)
				.tag("outcome", "added")
				.register(registry);
		}

		@SuppressWarnings("NullAway") // there is a counter for each constant
		Counter requests(Verdict verdict) {
			return (verdict == Verdict.REMEMBERED) ? this.remembered : this.requests.get(verdict.membership());
		}

		private static Counter requests(MeterRegistry registry, String filter, String outcome) {
			return Counter.builder("bloom.guard.requests")
				.description("Keys that a filter was asked for")
				.tag("filter", filter)
				.tag("outcome", outcome)
				.register(registry);
		}

		private static Counter errors(MeterRegistry registry, String filter, String outcome) {
			return Counter.builder("bloom.guard.errors")
				.description("Keys about which a filter was wrong")
				.tag("filter", filter)
				.tag("outcome", outcome)
				.register(registry);
		}

	}

}
