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
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Spreads times to live, so that not all entries expire together.
 */
public final class TimesToLive {

	private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 4);

	private TimesToLive() {
	}

	static @Nullable Duration positive(@Nullable Duration ttl) {
		return (ttl == null || ttl.isZero() || ttl.isNegative()) ? null : ttl;
	}

	/**
	 * Draw evenly from the whole milliseconds in {@code ttl ± jitter}.
	 */
	static @Nullable Duration spread(@Nullable Duration ttl, double jitter) {
		Duration positive = positive(ttl);
		return (positive != null) ? spreadPositive(positive, jitter) : ttl;
	}

	public static Duration spreadPositive(Duration ttl, double jitter) {
		if (ttl.compareTo(LONGEST) > 0) {
			return ttl;
		}
		long millis = Math.max(1, ttl.toMillis());
		long shortest = Math.max(1, (long) Math.ceil(millis * (1 - jitter)));
		long longest = Math.max(shortest, (long) Math.floor(millis * (1 + jitter)));
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(shortest, longest + 1));
	}

}
