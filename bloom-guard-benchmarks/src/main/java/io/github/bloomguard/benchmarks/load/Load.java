package io.github.bloomguard.benchmarks.load;

import java.time.Duration;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * What callers do.
 */
public interface Load {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Bring a contender into the state in which it is to be measured.
	 * @param contender the contender
	 */
	default void prepare(Contender contender) {
	}

	/**
	 * Put the load on a contender.
	 * @param contender the contender
	 * @param duration for how long, if that can be chosen
	 * @return what the callers saw
	 */
	Recording run(Contender contender, Duration duration);

}
