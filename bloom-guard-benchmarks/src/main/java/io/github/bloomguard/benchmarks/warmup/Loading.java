package io.github.bloomguard.benchmarks.warmup;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * One way to go through all keys of a table. It has a Redis server of its own.
 */
public interface Loading extends AutoCloseable {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Do it once, from the first key on.
	 * @return the number of keys
	 */
	long run();

	/**
	 * Return the Redis server that is written.
	 * @return the server
	 */
	LocalRedis redis();

	/**
	 * Look whether the last run has done what it should.
	 * @throws IllegalStateException if it has not
	 */
	default void verify() {
	}

	@Override
	default void close() {
		redis().close();
	}

}
