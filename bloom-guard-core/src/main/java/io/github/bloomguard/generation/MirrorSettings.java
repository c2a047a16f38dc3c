package io.github.bloomguard.generation;

import java.time.Duration;

/**
 * Whether an instance may keep a mirror of a filter.
 *
 * @param maxMemory how many bytes the mirror may take, 0 for no mirror
 * @param longestAdd the longest time that adding a key takes
 * @param journalRetention how long added keys are kept in the journal
 * @since 0.1.0
 */
public record MirrorSettings(long maxMemory, Duration longestAdd, Duration journalRetention) {

	/**
	 * No mirror is kept.
	 */
	public static final MirrorSettings OFF = new MirrorSettings(0, Duration.ZERO, Duration.ZERO);

	boolean permit(Generation generation) {
		return sizeOf(generation) <= this.maxMemory;
	}

	static long sizeOf(Generation generation) {
		return generation.specification().bits() / Byte.SIZE + 1;
	}

}
