package io.github.bloomguard.guard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How often a key was found although a filter had called it absent, until somebody has
 * taken note of that.
 *
 * @since 0.1.0
 */
public final class FalseNegatives {

	private final AtomicLong unacknowledged = new AtomicLong();

	/**
	 * Return how often that has happened that nobody has taken note of.
	 * @return the number, as this instance has seen them
	 */
	public long unacknowledged() {
		return this.unacknowledged.get();
	}

	/**
	 * Take note of those that there are.
	 */
	public void acknowledge() {
		this.unacknowledged.set(0);
	}

	void found() {
		this.unacknowledged.incrementAndGet();
	}

}
