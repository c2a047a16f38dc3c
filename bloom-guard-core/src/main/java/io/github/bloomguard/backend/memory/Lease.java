package io.github.bloomguard.backend.memory;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What one has for a time. Guarded by the {@link FilterMemory} that it belongs to.
 */
final class Lease {

	private @Nullable String holder;

	private long until;

	boolean isHeldBy(String token, long now) {
		return token.equals(this.holder) && now < this.until;
	}

	/**
	 * Take it, or keep it for longer.
	 * @return zero if it was taken, otherwise the milliseconds until it can be
	 */
	long take(String token, Duration duration, long now) {
		if (this.holder != null && now < this.until && !token.equals(this.holder)) {
			return this.until - now;
		}
		this.holder = token;
		this.until = now + duration.toMillis();
		return 0;
	}

	void release() {
		this.holder = null;
	}

}
