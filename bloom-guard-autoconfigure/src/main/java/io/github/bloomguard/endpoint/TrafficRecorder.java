package io.github.bloomguard.endpoint;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.Verdict;

/**
 * Counts what was decided since the application started.
 *
 * @since 0.1.0
 */
public final class TrafficRecorder implements BloomGuardListener {

	private final Map<String, Counts> filters = new ConcurrentHashMap<>();

	@Override
	public void onVerdict(String filter, Verdict verdict) {
		Counts counts = counts(filter);
		switch (verdict.membership()) {
			case ABSENT -> counts.absent.increment();
			case MAYBE -> counts.maybe.increment();
			case UNKNOWN -> counts.unknown.increment();
		}
	}

	@Override
	public void onFalsePositive(String filter) {
		counts(filter).falsePositive.increment();
	}

	@Override
	public void onFalseNegative(String filter) {
		counts(filter).falseNegative.increment();
	}

	Traffic traffic(String filter) {
		Counts counts = counts(filter);
		return new Traffic(counts.absent.sum(), counts.maybe.sum(), counts.unknown.sum(), counts.falsePositive.sum(),
				counts.falseNegative.sum());
	}

	private Counts counts(String filter) {
		Counts known = this.filters.get(filter);
		return (known != null) ? known : this.filters.computeIfAbsent(filter, (name) -> new Counts());
	}

	private static final class Counts {

		private final LongAdder absent = new LongAdder();

		private final LongAdder maybe = new LongAdder();

		private final LongAdder unknown = new LongAdder();

		private final LongAdder falsePositive = new LongAdder();

		private final LongAdder falseNegative = new LongAdder();

	}

	/**
	 * What was decided.
	 *
	 * @param absent how many keys were definite misses
	 * @param maybe how many keys might exist
	 * @param unknown how often the filter could not tell
	 * @param falsePositive how many keys might exist and were not found
	 * @param falseNegative how many keys were definite misses and were found all the
	 * same, by an audit or in shadow mode; must be 0
	 */
	public record Traffic(long absent, long maybe, long unknown, long falsePositive, long falseNegative) {

		double observedFalsePositiveRate() {
			long absentInTruth = this.absent + this.falsePositive;
			return (absentInTruth == 0) ? 0 : (double) this.falsePositive / absentInTruth;
		}

	}

}
