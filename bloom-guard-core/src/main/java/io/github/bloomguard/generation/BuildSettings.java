package io.github.bloomguard.generation;

import java.time.Duration;

/**
 * What a builder has to know of a filter.
 *
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param longestAdd the longest time that adding a key takes
 * @param maxMemory how many bytes of memory it may take to fill a generation
 * @param recheckEmpty how long to wait before looking again if there is not a single key;
 * zero if that is believed at once
 * @since 0.1.0
 */
public record BuildSettings(Duration longestTransaction, Duration longestAdd, long maxMemory, Duration recheckEmpty) {

	/**
	 * Return how far back from its start a build has to read the journal.
	 */
	Duration replayed() {
		return this.longestTransaction.plus(this.longestAdd);
	}

}
