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

package io.github.bloomguard.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long calls took, to about 10 %.
 */
final class Latencies {

	private static final double STEP = Math.log(1.1);

	private final AtomicLongArray counts = new AtomicLongArray(300);

	private final AtomicLong worst = new AtomicLong();

	void add(long nanos) {
		this.counts.incrementAndGet((int) Math.min(this.counts.length() - 1, Math.log(Math.max(nanos, 1)) / STEP));
		this.worst.accumulateAndGet(nanos, Math::max);
	}

	long worstMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.worst.get());
	}

	private double quantileMillis(double share) {
		long total = 0;
		for (int i = 0; i < this.counts.length(); i++) {
			total += this.counts.get(i);
		}
		long rank = (long) Math.ceil(total * share);
		for (int i = 0; i < this.counts.length(); i++) {
			rank -= this.counts.get(i);
			if (rank <= 0) {
				return Math.exp((i + 1) * STEP) / 1e6;
			}
		}
		return 0;
	}

	@Override
	public String toString() {
		return "median %.1f ms, 99 %% %.0f ms, 99.9 %% %.0f ms, worst %d ms".formatted(quantileMillis(0.5),
				quantileMillis(0.99), quantileMillis(0.999), worstMillis());
	}

}
