package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what it is told.
 */
class RecordingListener implements CacheLoadListener {

	final AtomicInteger loads = new AtomicInteger();

	final AtomicInteger failedLoads = new AtomicInteger();

	final AtomicInteger waits = new AtomicInteger();

	final AtomicInteger shared = new AtomicInteger();

	final AtomicInteger earlyRefreshes = new AtomicInteger();

	final AtomicInteger stale = new AtomicInteger();

	final AtomicInteger nullHits = new AtomicInteger();

	@Override
	public void onLoad(String cache, Duration duration, boolean failed) {
		this.loads.incrementAndGet();
		if (failed) {
			this.failedLoads.incrementAndGet();
		}
	}

	@Override
	public void onWait(String cache, Duration duration, boolean shared) {
		this.waits.incrementAndGet();
		if (shared) {
			this.shared.incrementAndGet();
		}
	}

	@Override
	public void onEarlyRefresh(String cache) {
		this.earlyRefreshes.incrementAndGet();
	}

	@Override
	public void onStale(String cache, Throwable cause) {
		this.stale.incrementAndGet();
	}

	@Override
	public void onNullHit(String cache) {
		this.nullHits.incrementAndGet();
	}

}
