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

package io.github.bloomguard.benchmarks.mirror;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Measures adds of single keys.
 *
 * @param latencies in nanoseconds
 * @param took how long all took
 */
public record Adds(Histogram latencies, Duration took) {

	private static final AtomicLong next = new AtomicLong(1_000_000_000_000L);

	/**
	 * Add keys, one after the other.
	 * @param instance adds them
	 * @param threads how many threads do so
	 * @param duration for how long
	 * @return what it took
	 */
	public static Adds measure(MirrorInstance instance, int threads, Duration duration) {
		long begun = System.nanoTime();
		return measure(instance, threads, () -> System.nanoTime() - begun < duration.toNanos());
	}

	/**
	 * Add keys, one after the other, at least one.
	 * @param instance adds them
	 * @param threads how many threads do so
	 * @param goesOn whether another one is to be added
	 * @return what it took
	 */
	public static Adds measure(MirrorInstance instance, int threads, BooleanSupplier goesOn) {
		Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 3);
		long begun = System.nanoTime();
		List<Thread> adders = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Thread adder = new Thread(() -> {
				do {
					long at = System.nanoTime();
					instance.guard().add("products", next.getAndIncrement());
					latencies.recordValue(System.nanoTime() - at);
				}
				while (goesOn.getAsBoolean());
			});
			adder.start();
			adders.add(adder);
		}
		for (Thread adder : adders) {
			try {
				adder.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return new Adds(latencies, Duration.ofNanos(System.nanoTime() - begun));
	}

	/**
	 * Return how long an addition took.
	 * @param percentile of which one
	 * @return milliseconds
	 */
	public double millis(double percentile) {
		return this.latencies.getValueAtPercentile(percentile) / 1e6;
	}

	/**
	 * Return how many additions there were.
	 * @return the number
	 */
	public long count() {
		return this.latencies.getTotalCount();
	}

	/**
	 * Return how many additions took longer than some time.
	 * @param millis the time in milliseconds
	 * @return the number
	 */
	public long longerThan(long millis) {
		return this.latencies.getTotalCount()
				- this.latencies.getCountBetweenValues(0, TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Return how many there were in a second.
	 * @return the number
	 */
	public double perSecond() {
		return this.latencies.getTotalCount() / (this.took.toNanos() / 1e9);
	}

}
