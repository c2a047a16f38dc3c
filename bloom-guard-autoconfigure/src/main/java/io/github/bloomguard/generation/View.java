package io.github.bloomguard.generation;

import org.jspecify.annotations.Nullable;

/**
 * All that lookups need to know, as it was at one moment.
 *
 * @param epoch the epoch of the record, 0 if it has not been read yet
 * @param active what is asked, {@code null} if nothing is to be trusted
 * @param readAt when the record was read, in the terms of {@link System#nanoTime()}
 * @param record the record, {@code null} if it has not been read yet
 */
record View(long epoch, @Nullable ActiveGeneration active, long readAt, @Nullable ControlRecord record) {

	static final View NOTHING = new View(0, null, 0, null);

	boolean isTrusted() {
		return System.nanoTime() - this.readAt < ControlRecord.TRUST.toNanos();
	}

}
