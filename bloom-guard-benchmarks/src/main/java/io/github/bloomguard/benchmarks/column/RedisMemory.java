package io.github.bloomguard.benchmarks.column;

/**
 * Bytes that the memory of Redis has grown by for each call: {@code used_memory} without
 * the buffers of its connections, before and after.
 */
final class RedisMemory implements Column {

	@Override
	public String title() {
		return "Redis memory per call (bytes)";
	}

	@Override
	public double value(Observation observation) {
		return observation.perOperation(observation.redisMemory());
	}

}
