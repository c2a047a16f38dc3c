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

import org.springframework.util.Assert;

/**
 * The rules for the entries of one cache.
 *
 * @param jitter the part of a time to live by which it may vary; at least zero and less
 * than one
 * @param emptyTtl the time to live of null values, unless that of the cache is shorter
 * @param nullHoldOff how long no null value is stored for a key that was added or evicted
 * @param earlyRefresh the factor <i>beta</i> of XFetch, for values that are loaded again
 * before they expire; zero for not at all
 * @param staleOnError how long after its expiry a value may be served if loading it
 * fails; zero for not at all
 * @param evictWins whether a value that was loaded before an eviction is not stored after
 * it; only a writer of the application can't do that, which stores by itself
 */
public record CacheRules(double jitter, Duration emptyTtl, Duration nullHoldOff, SharedLoads loads, double earlyRefresh,
		Duration staleOnError, boolean evictWins) {

	public static final CacheRules DEFAULT = new CacheRules(0.1, Duration.ofMinutes(1), Duration.ofSeconds(30),
			SharedLoads.DEFAULT, 0, Duration.ZERO, true);

	public CacheRules {
		Assert.isTrue(jitter >= 0 && jitter < 1, "jitter must be at least 0 and less than 1");
		Assert.isTrue(isPositive(emptyTtl), "emptyTtl must be at least a millisecond");
		Assert.isTrue(isPositive(nullHoldOff), "nullHoldOff must be at least a millisecond");
		Assert.isTrue(earlyRefresh >= 0 && Double.isFinite(earlyRefresh), "earlyRefresh must not be negative");
		Assert.isTrue(!staleOnError.isNegative(), "staleOnError must not be negative");
	}

	boolean refreshesEarly() {
		return this.earlyRefresh > 0;
	}

	boolean servesStale() {
		return this.staleOnError.toMillis() > 0;
	}

	CacheRules withoutTokens() {
		return new CacheRules(this.jitter, this.emptyTtl, this.nullHoldOff, this.loads, this.earlyRefresh,
				this.staleOnError, false);
	}

	private static boolean isPositive(Duration duration) {
		return duration.toMillis() > 0;
	}

	/**
	 * Whether callers that miss the same key share one load, also those of other
	 * instances.
	 *
	 * @param longestWait how long a caller waits before it loads by itself
	 * @param lease how long an instance may load before others do so too
	 */
	public record SharedLoads(boolean enabled, Duration longestWait, Duration lease) {

		public static final SharedLoads DEFAULT = new SharedLoads(true, Duration.ofSeconds(5), Duration.ofSeconds(10));

		public SharedLoads {
			Assert.isTrue(isPositive(longestWait), "longestWait must be at least a millisecond");
			Assert.isTrue(isPositive(lease), "lease must be at least a millisecond");
		}

	}

}
