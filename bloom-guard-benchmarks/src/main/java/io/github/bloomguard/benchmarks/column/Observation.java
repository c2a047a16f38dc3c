package io.github.bloomguard.benchmarks.column;

import java.time.Duration;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.load.Load;
import io.github.bloomguard.benchmarks.load.Recording;
import io.github.bloomguard.benchmarks.server.RedisWire;

/**
 * One run of one load on one contender.
 *
 * @param recording what the callers saw
 * @param queries how many queries reached the database
 * @param redisMemory by how many bytes the memory in use of Redis has grown, without the
 * buffers of its connections
 * @param redisCpu how many seconds of CPU time Redis has used
 */
public record Observation(Recording recording, long queries, long redisMemory, double redisCpu) {

	/**
	 * Put a load on a contender and watch.
	 * @param load the load
	 * @param contender the contender
	 * @param duration for how long
	 * @return what was seen
	 */
	public static Observation of(Load load, Contender contender, Duration duration) {
		try (RedisWire redis = contender.redis().wire()) {
			long queries = contender.queries();
			long memory = redis.memoryOfData();
			double cpu = cpu(redis);
			Recording recording = load.run(contender, duration);
			return new Observation(recording, contender.queries() - queries, redis.memoryOfData() - memory,
					cpu(redis) - cpu);
		}
	}

	private static double cpu(RedisWire redis) {
		return redis.info("cpu", "used_cpu_user") + redis.info("cpu", "used_cpu_sys");
	}

	double perOperation(double total) {
		return total / this.recording.operations();
	}

}
