package io.github.bloomguard.guard;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.call.LoadPermit;
import org.jspecify.annotations.Nullable;

/**
 * Caps how many calls load at the same time while a filter can't tell.
 */
final class LoadLimit {

	private final Semaphore permits;

	private LoadLimit(int max) {
		this.permits = new Semaphore(max);
	}

	/**
	 * Return the limit of a filter, {@code null} if there is none.
	 */
	static @Nullable LoadLimit of(FilterSettings settings) {
		return (settings.mode() == FilterMode.ENFORCE && settings.maxConcurrentLoads() > 0)
				? new LoadLimit(settings.maxConcurrentLoads()) : null;
	}

	/**
	 * Return a permit, {@code null} if all are taken.
	 */
	@Nullable LoadPermit acquire() {
		if (!this.permits.tryAcquire()) {
			return null;
		}
		AtomicBoolean held = new AtomicBoolean(true);
		return () -> {
			if (held.compareAndSet(true, false)) {
				this.permits.release();
			}
		};
	}

}
