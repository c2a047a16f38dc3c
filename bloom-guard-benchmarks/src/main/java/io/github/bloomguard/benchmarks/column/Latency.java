package io.github.bloomguard.benchmarks.column;

/**
 * How long calls took, as the caller saw it.
 */
final class Latency implements Column {

	private final String name;

	private final double percentile;

	Latency(String name, double percentile) {
		this.name = name;
		this.percentile = percentile;
	}

	@Override
	public String title() {
		return this.name + " (µs)";
	}

	@Override
	public double value(Observation observation) {
		return observation.recording().latencies().getValueAtPercentile(this.percentile) / 1e3;
	}

}
