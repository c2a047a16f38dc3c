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

package io.github.bloomguard.benchmarks.warmup;

import io.github.bloomguard.benchmarks.server.Pauses;
import io.github.bloomguard.benchmarks.server.RedisWire;

/**
 * One run.
 *
 * @param keys how many keys were read
 * @param nanos how long it took
 * @param pauses the pauses of Redis meanwhile
 * @param longestCommand the milliseconds of the longest command, as Redis itself says; 0
 * if all were shorter than one
 */
public record Run(long keys, long nanos, Pauses pauses, long longestCommand) {

	/**
	 * Run and watch.
	 * @param loading what is run
	 * @return what was seen
	 */
	public static Run of(Loading loading) {
		try (RedisWire redis = loading.redis().wire()) {
			redis.watchCommands();
			Pauses.Loop loop = Pauses.watch(loading.redis());
			long start = System.nanoTime();
			long keys = loading.run();
			long nanos = System.nanoTime() - start;
			return new Run(keys, nanos, loop.end(), redis.longestCommand());
		}
		finally {
			loading.verify();
		}
	}

	/**
	 * Return the speed.
	 * @return keys in a second
	 */
	public double keysPerSecond() {
		return this.keys * 1e9 / this.nanos;
	}

}
