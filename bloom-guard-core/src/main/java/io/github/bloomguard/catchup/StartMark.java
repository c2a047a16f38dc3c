package io.github.bloomguard.catchup;

import io.github.bloomguard.generation.Generation;

/**
 * Gives a generation its first mark. It is read before the scan begins, so each row is
 * either in the scan or after the mark.
 *
 * @since 0.1.0
 */
public final class StartMark {

	private final CatchUpSource source;

	private final Marks marks;

	/**
	 * Create a start mark.
	 * @param source tells the mark
	 * @param marks keep it
	 */
	public StartMark(CatchUpSource source, Marks marks) {
		this.source = source;
		this.marks = marks;
	}

	/**
	 * Set the mark of a generation.
	 * @param generation the generation, into which nothing has been scanned yet
	 */
	public void set(Generation generation) {
		if (!this.marks.start(generation.id(), this.source.start()).join()) {
			throw new IllegalStateException("Another builder took over before the scan");
		}
	}

}
