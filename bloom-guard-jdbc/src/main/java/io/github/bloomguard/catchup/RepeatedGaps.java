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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a filter rests after a gap: not at all after the first one, and the longer the
 * more of them follow each other.
 */
final class RepeatedGaps {

	private static final Duration FIRST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofMinutes(2);

	/**
	 * How long after a gap another one counts as a first one.
	 */
	private static final Duration FORGOTTEN = Duration.ofMinutes(10);

	private final LongSupplier clock;

	private Duration pause = Duration.ZERO;

	private String generation = "";

	private long last;

	private long until;

	RepeatedGaps(LongSupplier clock) {
		this.clock = clock;
		this.until = clock.getAsLong();
	}

	/**
	 * Note a gap of a generation, once.
	 */
	synchronized void add(String generation) {
		if (generation.equals(this.generation)) {
			return;
		}
		long now = this.clock.getAsLong();
		boolean first = this.generation.isEmpty() || now - this.last > FORGOTTEN.toNanos();
		this.pause = first ? Duration.ZERO : longer(this.pause);
		this.until = now + this.pause.toNanos();
		this.generation = generation;
		this.last = now;
	}

	synchronized Duration rest() {
		return Duration.ofNanos(Math.max(this.until - this.clock.getAsLong(), 0));
	}

	private static Duration longer(Duration pause) {
		Duration longer = pause.isZero() ? FIRST : pause.multipliedBy(2);
		return (longer.compareTo(LONGEST) < 0) ? longer : LONGEST;
	}

}
