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

package io.github.bloomguard.verifying;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Watches whether a filter is flooded: for a while more absent answers were given than
 * could be verified. In peace it costs calls nothing, because it only looks at counters.
 * <p>
 * Concurrency: the thread that looks after filters calls {@link #look}, and alone writes
 * all fields but {@code verified}. Calls read the memory of the present flood.
 */
public final class FloodWatch {

	private static final Log logger = LogFactory.getLog(FloodWatch.class);

	/**
	 * How long answers are given unverified before that counts as a flood.
	 */
	static final Duration NOTICED = Duration.ofSeconds(1);

	/**
	 * How long no flood is seen before it counts as over.
	 */
	static final Duration OVER = Duration.ofSeconds(10);

	private final FilterSettings settings;

	private final GenerationalFilter filter;

	private final FilterStatistics statistics;

	private final LongAdder verified = new LongAdder();

	private volatile @Nullable Current current;

	private long lookedAt;

	private long absentThen;

	private long verifiedThen;

	private long calmAt;

	private long floodedAt;

	public FloodWatch(FilterSettings settings, GenerationalFilter filter, FilterStatistics statistics) {
		this.settings = settings;
		this.filter = filter;
		this.statistics = statistics;
		this.lookedAt = filter.clock().nanoTime();
		this.calmAt = this.lookedAt;
	}

	/**
	 * Note that answers are verified.
	 */
	void verified(int keys) {
		this.verified.add(keys);
	}

	/**
	 * Return what is remembered of the present flood, {@code null} if there is none.
	 */
	@Nullable FloodMemory memory() {
		Current current = this.current;
		return (current != null) ? current.memory : null;
	}

	/**
	 * Return the present flood, {@code null} if there is none.
	 */
	public @Nullable Flood flood() {
		Current current = this.current;
		return (current != null) ? current.flood(this.statistics) : null;
	}

	/**
	 * Look at what was answered since this was called last.
	 */
	public void look() {
		long now = this.filter.clock().nanoTime();
		long passed = now - this.lookedAt;
		if (passed <= 0) {
			return;
		}
		long absent = this.statistics.count(Outcome.ABSENT);
		long verified = this.verified.sum();
		double perSecond = (double) (absent - this.absentThen) * TimeUnit.SECONDS.toNanos(1) / passed;
		boolean unverified = absent - this.absentThen > verified - this.verifiedThen;
		this.lookedAt = now;
		this.absentThen = absent;
		this.verifiedThen = verified;
		if (unverified && perSecond > this.settings.verification().rate() && isVerified()) {
			flooded(now, Math.round(perSecond));
		}
		else {
			calm(now, Math.round(perSecond));
		}
	}

	private boolean isVerified() {
		Standing standing = this.filter.standing();
		return standing.answering() && standing.verification() != FilterSettings.Verification.Mode.OFF
				&& this.settings.verification().rate() > 0;
	}

	private void flooded(long now, long perSecond) {
		this.floodedAt = now;
		Current current = this.current;
		if (current != null) {
			current.perSecond = perSecond;
		}
		else if (now - this.calmAt >= NOTICED.toNanos()) {
			begin(perSecond);
		}
	}

	private void calm(long now, long perSecond) {
		this.calmAt = now;
		Current current = this.current;
		if (current != null) {
			current.perSecond = perSecond;
			if (now - this.floodedAt >= OVER.toNanos()) {
				end(current);
			}
		}
	}

	private void begin(long perSecond) {
		this.current = new Current(this.settings.verification().floodMemory(), this.statistics, perSecond);
		LogFields.withFilter(this.settings.name(), () -> logger.warn(LogMessage.format(
				"The filter '%s' is flooded: %d calls a second for absent keys, of which verification.rate (%s) allows"
						+ " to verify a sample, and keys that are asked for again",
				this.settings.name(), perSecond, this.settings.verification().rate())));
		this.statistics.floodStarted();
	}

	private void end(Current current) {
		Flood flood = current.flood(this.statistics);
		this.current = null;
		LogFields.withFilter(this.settings.name(),
				() -> logger.warn(LogMessage.format(
						"The flood of the filter '%s' since %s is over: about %d different keys, %d verified, %d wrong",
						this.settings.name(), flood.since(), flood.differentKeys(), flood.lookedUp(), flood.wrong())));
		this.statistics.floodEnded();
	}

	/**
	 * A flood that goes on.
	 *
	 * @param since when it was noticed
	 * @param perSecond how many absent answers a second were given lately
	 * @param differentKeys how many different keys were asked for, as an estimate
	 * @param lookedUp for how many keys it was found out whether they are absent
	 * @param wrong how many of them were not
	 */
	public record Flood(Instant since, long perSecond, long differentKeys, long lookedUp, long wrong) {

	}

	private static final class Current {

		private final Instant since = Instant.now();

		private final FloodMemory memory;

		private final long lookedUp;

		private final long wrong;

		private volatile long perSecond;

		Current(long memory, FilterStatistics statistics, long perSecond) {
			this.memory = new FloodMemory(memory);
			this.lookedUp = statistics.count(Outcome.LOOKED_UP);
			this.wrong = statistics.count(Outcome.FALSE_NEGATIVE);
			this.perSecond = perSecond;
		}

		Flood flood(FilterStatistics statistics) {
			return new Flood(this.since, this.perSecond, this.memory.differentKeys(),
					statistics.count(Outcome.LOOKED_UP) - this.lookedUp,
					statistics.count(Outcome.FALSE_NEGATIVE) - this.wrong);
		}

	}

}
