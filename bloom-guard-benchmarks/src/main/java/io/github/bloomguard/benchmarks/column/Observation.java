/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
