package io.github.bloomguard.benchmarks.column;

/**
 * How often a key was loaded that nobody had read before.
 */
final class LoadsPerColdKey implements Column {

	@Override
	public String title() {
		return "loads per cold key";
	}

	@Override
	public double value(Observation observation) {
		return (observation.recording().keys() > 0) ? (double) observation.queries() / observation.recording().keys()
				: Double.NaN;
	}

}
