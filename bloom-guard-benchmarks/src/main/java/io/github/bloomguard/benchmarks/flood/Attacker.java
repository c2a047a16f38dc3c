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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks for absent keys at a rate, by several threads, of instances in turn.
 */
public final class Attacker implements AutoCloseable {

	/**
	 * More than wait at the same time for keys that come again, or these would slow the
	 * attack down.
	 */
	private static final int THREADS = 24;

	private static final long FIRST = Long.MIN_VALUE / 2;

	/**
	 * More than are repeated.
	 */
	private static final long REPEATED = 1 << 30;

	private static final int BURST = 100;

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final LongAdder calls = new LongAdder();

	private final Thread[] threads = new Thread[THREADS];

	private Attacker() {
	}

	/**
	 * Begin.
	 * @param instances who is asked, in turn
	 * @param perSecond how many calls a second, 0 for as many as the machine gives
	 * @param repeated how many keys are asked for again and again by every other call, 0
	 * if each is new
	 * @return goes on until it is closed
	 */
	public static Attacker start(List<FloodedInstance> instances, int perSecond, int repeated) {
		Attacker attacker = new Attacker();
		for (int i = 0; i < THREADS; i++) {
			long first = FIRST + i * (Long.MAX_VALUE / 64);
			attacker.threads[i] = new Thread(() -> attacker.ask(instances, perSecond / THREADS, first, repeated),
					"attacker-" + i);
			attacker.threads[i].setDaemon(true);
		}
		Arrays.stream(attacker.threads).forEach(Thread::start);
		return attacker;
	}

	private void ask(List<FloodedInstance> instances, int perSecond, long first, int repeated) {
		long begun = System.nanoTime();
		for (long i = 0; !this.stopped.get(); i++) {
			boolean again = repeated > 0 && (i & 1) == 1;
			instances.get((int) (i % instances.size())).find(first + (again ? i / 2 % repeated : REPEATED + i));
			if (i % BURST == BURST - 1) {
				this.calls.add(BURST);
				if (perSecond > 0) {
					LockSupport.parkNanos(begun + TimeUnit.SECONDS.toNanos(i) / perSecond - System.nanoTime());
				}
			}
		}
	}

	/**
	 * Return how many calls were answered.
	 * @return about as many
	 */
	public long calls() {
		return this.calls.sum();
	}

	@Override
	public void close() {
		this.stopped.set(true);
		for (Thread thread : this.threads) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
