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

package io.github.bloomguard.benchmarks.flood;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * People who ask for one row each that the filter lacks, again and again, of instances in
 * turn, until they find it.
 */
public final class People {

	private final int[] wrong;

	private final boolean[] found;

	private final long first;

	private final long everyNanos;

	private int turn;

	/**
	 * Create the people.
	 * @param first the row of the first one, the others ask for the ids below
	 * @param count how many there are
	 * @param everySeconds after how many seconds each asks again
	 */
	public People(long first, int count, int everySeconds) {
		this.first = first;
		this.wrong = new int[count];
		this.found = new boolean[count];
		this.everyNanos = TimeUnit.SECONDS.toNanos(everySeconds) / count;
	}

	/**
	 * Ask until all have found their rows.
	 * @param instances who is asked, in turn
	 * @param until when they give up, in the terms of {@link System#nanoTime()}
	 */
	public void ask(List<FloodedInstance> instances, long until) {
		long next = System.nanoTime();
		for (int i = 0; System.nanoTime() < until && found() < this.found.length; i = (i + 1) % this.found.length) {
			if (!this.found[i]) {
				this.found[i] = instances.get(this.turn++ % instances.size()).find(this.first - i) != null;
				this.wrong[i] += this.found[i] ? 0 : 1;
			}
			next += this.everyNanos;
			LockSupport.parkNanos(next - System.nanoTime());
		}
	}

	/**
	 * Return how many have found their rows.
	 * @return at most all of them
	 */
	public int found() {
		int count = 0;
		for (boolean each : this.found) {
			count += each ? 1 : 0;
		}
		return count;
	}

	/**
	 * Return how many wrong answers one in the middle has got.
	 * @return the median
	 */
	public int median() {
		int[] sorted = this.wrong.clone();
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	/**
	 * Return how many wrong answers the most unlucky one has got.
	 * @return the maximum
	 */
	public int worst() {
		return Arrays.stream(this.wrong).max().orElse(0);
	}

}
