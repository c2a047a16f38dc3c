package io.github.bloomguard.benchmarks.column;

/**
 * Bytes that the calling threads allocate for each call; not what the threads of drivers
 * and executors allocate.
 */
final class Allocation implements Column {

	@Override
	public String title() {
		return "allocated per call (bytes)";
	}

	@Override
	public double value(Observation observation) {
		return observation.perOperation(observation.recording().allocated());
	}

}
