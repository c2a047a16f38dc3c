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

package io.github.bloomguard.deciding;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.statistics.FilterStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Lets only so many calls load at the same time for keys about which a filter can't tell.
 */
public final class LoadLimit {

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterStatistics statistics;

	private final @Nullable Semaphore permits;

	public LoadLimit(FilterSettings settings, GenerationalFilter filter, FilterStatistics statistics) {
		this.settings = settings;
		this.filter = filter;
		this.statistics = statistics;
		this.permits = (settings.maxConcurrentLoads() > 0) ? new Semaphore(settings.maxConcurrentLoads()) : null;
	}

	/**
	 * Let a call load.
	 * @return to be closed once or more, {@code null} if it is not limited
	 * @throws LoadRejectedException if too many load already
	 */
	public @Nullable LoadPermit acquire(Decision verdict) {
		Semaphore permits = this.permits;
		if (permits == null || !isUndecided(verdict) || this.filter.mode() != FilterMode.ENFORCE) {
			return null;
		}
		if (!permits.tryAcquire()) {
			this.statistics.rejected();
			throw new LoadRejectedException(this.settings.name(), this.filter.state(),
					this.settings.maxConcurrentLoads());
		}
		AtomicBoolean held = new AtomicBoolean(true);
		return () -> {
			if (held.compareAndSet(true, false)) {
				permits.release();
			}
		};
	}

	private static boolean isUndecided(Decision verdict) {
		return verdict.membership() == Membership.UNKNOWN || verdict.uncertain();
	}

}
