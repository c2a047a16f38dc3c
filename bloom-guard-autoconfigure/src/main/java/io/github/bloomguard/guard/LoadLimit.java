package io.github.bloomguard.guard;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.LoadPermit;
import io.github.bloomguard.LoadRejectedException;
import org.jspecify.annotations.Nullable;

/**
 * Caps how many calls load at the same time while a filter can't tell.
 */
final class LoadLimit {

	private final String filter;

	private final int max;

	private final Semaphore permits;

	private LoadLimit(String filter, int max) {
		this.filter = filter;
		this.max = max;
		this.permits = new Semaphore(max);
	}

	/**
	 * Return the limit of a filter, {@code null} if there is none.
	 */
	static @Nullable LoadLimit of(FilterSettings settings) {
		return (settings.mode() == FilterMode.ENFORCE && settings.maxConcurrentLoads() > 0)
				? new LoadLimit(settings.name(), settings.maxConcurrentLoads()) : null;
	}

	LoadPermit acquire(FilterState state) {
		if (!this.permits.tryAcquire()) {
			throw new LoadRejectedException(this.filter, state, this.max);
		}
		AtomicBoolean held = new AtomicBoolean(true);
		return () -> {
			if (held.compareAndSet(true, false)) {
				this.permits.release();
			}
		};
	}

}
