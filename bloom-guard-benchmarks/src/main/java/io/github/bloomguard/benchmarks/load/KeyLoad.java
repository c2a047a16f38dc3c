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
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Product;
import org.jspecify.annotations.Nullable;

/**
 * Callers that read one key after the other, without a pause, until the time is over.
 */
abstract class KeyLoad implements Load {

	private final String name;

	private final int threads;

	private final Rows rows;

	KeyLoad(String name, int threads, Rows rows) {
		this.name = name + ", " + threads + " threads";
		this.threads = threads;
		this.rows = rows;
	}

	@Override
	public final String name() {
		return this.name;
	}

	/**
	 * Read a product in the way that is measured.
	 */
	@Nullable Product read(Contender contender, long id) {
		return contender.find(id);
	}

	/**
	 * Return the keys of one caller.
	 */
	abstract LongSupplier keys();

	@Override
	public final Recording run(Contender contender, Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		return Callers.run(this.threads, (recorder) -> {
			LongSupplier keys = keys();
			LongFunction<@Nullable Product> read = (id) -> read(contender, id);
			while (System.nanoTime() - end < 0) {
				long id = keys.getAsLong();
				recorder.call(read, id, this.rows.exists(id));
			}
		}, 0);
	}

}
