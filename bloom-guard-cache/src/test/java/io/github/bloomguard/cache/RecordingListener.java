/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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

	final AtomicInteger storedLate = new AtomicInteger();

	final AtomicInteger dropped = new AtomicInteger();

	volatile Runnable whenStale = () -> {
	};

	volatile Runnable afterLatePut = () -> {
	};

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
		this.whenStale.run();
	}

	@Override
	public void onLatePut(String cache, boolean stored) {
		(stored ? this.storedLate : this.dropped).incrementAndGet();
		this.afterLatePut.run();
	}

	@Override
	public void onNullHit(String cache) {
		this.nullHits.incrementAndGet();
	}

}
