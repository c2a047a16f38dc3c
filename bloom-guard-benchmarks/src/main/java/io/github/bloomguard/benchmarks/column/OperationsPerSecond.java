package io.github.bloomguard.benchmarks.column;

/**
 * Calls that all callers together have made in a second.
 */
final class OperationsPerSecond implements Column {

	@Override
	public String title() {
		return "operations/s";
	}

	@Override
	public double value(Observation observation) {
		return observation.recording().operations() * 1e9 / observation.recording().nanos();
	}

}
