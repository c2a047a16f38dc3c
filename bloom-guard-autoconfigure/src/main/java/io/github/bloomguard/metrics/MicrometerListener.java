package io.github.bloomguard.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the guard decides:
 * <ul>
 * <li>{@code bloom.guard.requests}, with the outcomes {@code absent}, {@code maybe},
 * {@code unknown}, and {@code remembered} for keys that passed the filter and were
 * answered by an empty sentinel</li>
 * <li>{@code bloom.guard.errors}, with the outcomes {@code false_positive} and
 * {@code false_negative}, of which the latter must stay 0</li>
 * <li>{@code bloom.guard.keys}, with the outcome {@code added}</li>
 * <li>{@code bloom.guard.loads}, with the outcome {@code rejected}</li>
 * <li>{@code bloom.guard.state.changes}, with the new state as the outcome</li>
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

	@Override
	public void onRejected(String filter) {
		counters(filter).rejected.increment();
	}

	@Override
	public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
		counters(filter).stateChanges(to).increment();
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

		private final Counter rejected;

		private final Map<FilterState, Counter> stateChanges = new EnumMap<>(FilterState.class);

		FilterCounters(MeterRegistry registry, String filter) {
			this.requests.put(Membership.ABSENT, requests(registry, filter, "absent"));
			this.requests.put(Membership.MAYBE, requests(registry, filter, "maybe"));
			this.requests.put(Membership.UNKNOWN, requests(registry, filter, "unknown"));
			this.remembered = requests(registry, filter, "remembered");
			this.falsePositives = errors(registry, filter, "false_positive");
			this.falseNegatives = errors(registry, filter, "false_negative");
			this.added = counter(registry, filter, "keys", "added", "Keys that were added to a filter");
			this.rejected = counter(registry, filter, "loads", "rejected",
					"Calls that were rejected because the filter could not tell and too many loaded");
			for (FilterState state : FilterState.values()) {
				this.stateChanges.put(state, counter(registry, filter, "state.changes",
						state.name().toLowerCase(Locale.ROOT), "Changes of the state of a filter"));
			}
		}

		@SuppressWarnings("NullAway") // there is a counter for each constant
		Counter requests(Verdict verdict) {
			return (verdict == Verdict.REMEMBERED) ? this.remembered : this.requests.get(verdict.membership());
		}

		@SuppressWarnings("NullAway") // there is a counter for each constant
		Counter stateChanges(FilterState to) {
			return this.stateChanges.get(to);
		}

		private static Counter requests(MeterRegistry registry, String filter, String outcome) {
			return counter(registry, filter, "requests", outcome, "Keys that a filter was asked for");
		}

		private static Counter errors(MeterRegistry registry, String filter, String outcome) {
			return counter(registry, filter, "errors", outcome, "Keys about which a filter was wrong");
		}

		private static Counter counter(MeterRegistry registry, String filter, String name, String outcome,
				String description) {
			return Counter.builder("bloom.guard." + name)
				.description(description)
				.tag("filter", filter)
				.tag("outcome", outcome)
				.register(registry);
		}

	}

}
