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

package io.github.bloomguard.benchmarks.type;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.RedisWire;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;

/**
 * Figures of one type of filter. The figures of several rounds become medians.
 */
public final class FilterType {

	private static final long ASKED = 1_000_000;

	private static final int[] CALLERS = { 1, 8, 64 };

	private final FilterBackend backend;

	private final LocalRedis redis;

	private final Map<String, List<Double>> figures = new LinkedHashMap<>();

	/**
	 * Create an instance.
	 * @param backend keeps the filters
	 * @param redis the server that it may use
	 */
	public FilterType(FilterBackend backend, LocalRedis redis) {
		this.backend = backend;
		this.redis = redis;
	}

	/**
	 * Return its name.
	 * @return the name, as it is configured
	 */
	public String name() {
		return this.backend.type();
	}

	/**
	 * Measure how fast it is filled and asked, and how much memory it takes in Redis.
	 * @param specification the size
	 * @param millis for how long it is asked
	 * @throws Exception if that fails
	 */
	public void measureSpeed(FilterSpecification specification, long millis) throws Exception {
		FilterStore store = this.backend.filters();
		long keys = specification.expectedInsertions();
		try (RedisWire wire = this.redis.wire()) {
			long before = wire.memoryOfData();
			long begun = System.nanoTime();
			TypedFilter filter = new TypedFilter(store, specification, keys);
			note("keys loaded/s", keys * 1e9 / (System.nanoTime() - begun));
			note("bytes per key in Redis", Math.max(0, (double) (wire.memoryOfData() - before) / keys));
			for (int callers : CALLERS) {
				double cpu = cpu(wire);
				long asked = ask(filter, keys, callers, millis);
				note("lookups/s, callers: " + callers, asked * 1000.0 / millis);
				note("µs of Redis per lookup, callers: " + callers, 1e6 * (cpu(wire) - cpu) / asked);
			}
			filter.delete();
		}
	}

	private static double cpu(RedisWire wire) {
		return wire.info("cpu", "used_cpu_user") + wire.info("cpu", "used_cpu_sys");
	}

	private static long ask(TypedFilter filter, long keys, int callers, long millis) {
		LongAdder asked = new LongAdder();
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		List<Thread> threads = new ArrayList<>();
		CompletableFuture<Void> failed = new CompletableFuture<>();
		for (int i = 0; i < callers; i++) {
			Thread thread = new Thread(() -> {
				while (System.nanoTime() < end) {
					long key = ThreadLocalRandom.current().nextLong(2 * keys);
					Membership answer = filter.lookup(key);
					if (answer == Membership.UNKNOWN || (key < keys && answer == Membership.ABSENT)) {
						failed.completeExceptionally(new IllegalStateException(key + " is " + answer));
					}
					asked.increment();
				}
			});
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		failed.getNow(null);
		return asked.sum();
	}

	/**
	 * Measure the share of keys that pass and do not exist.
	 * @param specification the size
	 * @param share how many keys there are, as a share of those that are expected
	 * @throws Exception if that fails
	 */
	public void measureFalsePositives(FilterSpecification specification, double share) throws Exception {
		long expected = specification.expectedInsertions();
		TypedFilter filter = new TypedFilter(this.backend.filters(), specification,
				(long) (Math.min(share, 1) * expected));
		boolean room = filter.grow((long) (share * expected));
		note("%% false positives at %s".formatted(share), room ? 100 * filter.falsePositives(ASKED) : Double.NaN);
		filter.delete();
	}

	/**
	 * Measure how many keys there is room for.
	 * @param specification the size
	 * @param most at most this often as many as are expected
	 * @throws Exception if that fails
	 */
	public void measureRoom(FilterSpecification specification, int most) throws Exception {
		long expected = specification.expectedInsertions();
		TypedFilter filter = new TypedFilter(this.backend.filters(), specification, expected);
		note("full at", filter.grow(most * expected) ? Double.NaN : (double) filter.keys() / expected);
		filter.delete();
	}

	private void note(String figure, double value) {
		this.figures.computeIfAbsent(figure, (key) -> new ArrayList<>()).add(value);
	}

	/**
	 * Forget what was measured.
	 */
	public void forget() {
		this.figures.clear();
	}

	/**
	 * Return the medians of what was measured.
	 * @return the figures by what they are
	 */
	public Map<String, Double> medians() {
		Map<String, Double> medians = new LinkedHashMap<>();
		this.figures.forEach((figure, values) -> {
			List<Double> sorted = new ArrayList<>(values);
			Collections.sort(sorted);
			medians.put(figure, sorted.get(sorted.size() / 2));
		});
		return medians;
	}

}
