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

package io.github.bloomguard.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * A hundred callers ask at the same moment for a row that is not cached and takes 50 ms
 * to load; a few times, each time for another row.
 */
final class ColdHotKey implements Load {

	private static final int CALLERS = 100;

	private static final int KEYS = 3;

	private final Rows rows;

	private final AtomicInteger used = new AtomicInteger();

	ColdHotKey(Rows rows) {
		this.rows = rows;
	}

	@Override
	public String name() {
		return "cold hot key, " + CALLERS + " callers";
	}

	@Override
	public Recording run(Contender contender, Duration duration) {
		return IntStream.range(0, KEYS)
			.mapToObj((i) -> rush(contender, this.rows.count() - this.used.getAndIncrement()))
			.reduce(Recording::and)
			.orElseThrow();
	}

	private static Recording rush(Contender contender, long id) {
		return Callers.run(CALLERS, (recorder) -> recorder.call(contender::findShared, id, true), 1);
	}

}
