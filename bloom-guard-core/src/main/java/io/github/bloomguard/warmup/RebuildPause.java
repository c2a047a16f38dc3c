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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long the sources of a filter rest after a rebuild: as long as it took, and at least
 * a second, but not while the filter does not answer. Used by one thread at a time.
 */
final class RebuildPause {

	private static final Duration LEAST = Duration.ofSeconds(1);

	private final LongSupplier clock;

	private long until;

	RebuildPause(LongSupplier clock) {
		this.clock = clock;
		this.until = clock.getAsLong();
	}

	void begin(long begun) {
		long now = this.clock.getAsLong();
		this.until = now + Math.max(now - begun, LEAST.toNanos());
	}

	Duration remaining(boolean answering) {
		return answering ? Duration.ofNanos(Math.max(this.until - this.clock.getAsLong(), 0)) : Duration.ZERO;
	}

}
