package io.github.bloomguard.benchmarks.column;

/**
 * CPU time of the Redis server for each call: {@code used_cpu_user} and
 * {@code used_cpu_sys} before and after.
 */
final class RedisCpu implements Column {

	@Override
	public String title() {
		return "Redis CPU per call (µs)";
	}

	@Override
	public double value(Observation observation) {
		return observation.perOperation(observation.redisCpu() * 1e6);
	}

	@Override
	public int digits() {
		return 1;
	}

}
