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
