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

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

import com.sun.management.ThreadMXBean;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records what one caller sees. Recording a call allocates nothing, so that all that the
 * thread allocates is the contender's.
 */
final class Recorder {

	private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final Histogram latencies = histogram();

	private long allocated;

	private long failures;

	private long wrong;

	static Histogram histogram() {
		return new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
	}

	/**
	 * Call and record.
	 * @param find what is called
	 * @param id the key
	 * @param exists whether there is such a row
	 */
	void call(LongFunction<? extends @Nullable Object> find, long id, boolean exists) {
		long start = System.nanoTime();
		try {
			boolean found = find.apply(id) != null;
			this.wrong += (found == exists) ? 0 : 1;
		}
		catch (RuntimeException ex) {
			this.failures++;
		}
		this.latencies.recordValue(System.nanoTime() - start);
	}

	/**
	 * Run the caller's code on its thread.
	 */
	void run(Runnable calls) {
		long before = threads.getCurrentThreadAllocatedBytes();
		calls.run();
		this.allocated = threads.getCurrentThreadAllocatedBytes() - before;
	}

	Histogram latencies() {
		return this.latencies;
	}

	long allocated() {
		return this.allocated;
	}

	long failures() {
		return this.failures;
	}

	long wrong() {
		return this.wrong;
	}

}
