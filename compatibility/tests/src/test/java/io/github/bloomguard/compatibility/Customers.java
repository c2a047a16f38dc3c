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

package io.github.bloomguard.compatibility;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;

/**
 * A table, those who look for its rows, and one who inserts rows, each in a thread of its
 * own.
 */
final class Customers implements KeySource, AutoCloseable {

	private static final int READERS = 3;

	/**
	 * What a call takes at least that goes through to the table. Without it the threads
	 * take all processors while the filter can't tell.
	 */
	private static final Duration LOAD = Duration.ofMillis(1);

	private final List<Long> rows = new CopyOnWriteArrayList<>(LongStream.rangeClosed(1, 1000).boxed().toList());

	private final AtomicLong next = new AtomicLong(1_000_000);

	private final AtomicInteger lookups = new AtomicInteger();

	private final AtomicInteger failedAdds = new AtomicInteger();

	private final Queue<String> missed = new ConcurrentLinkedQueue<>();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean closed;

	@Override
	public String filter() {
		return "products";
	}

	@Override
	public Stream<?> keys() {
		return this.rows.stream();
	}

	/**
	 * Begin to read and to insert.
	 */
	void start(BloomGuard guard) {
		for (int i = 0; i < READERS; i++) {
			start(() -> read(guard));
		}
		start(() -> insert(guard));
	}

	private void start(Runnable task) {
		Thread thread = new Thread(() -> {
			while (!this.closed) {
				task.run();
			}
		}, "customer");
		thread.setDaemon(true);
		thread.start();
		this.threads.add(thread);
	}

	private void read(BloomGuard guard) {
		int size = this.rows.size();
		ThreadLocalRandom random = ThreadLocalRandom.current();
		// half of them rows that were inserted lately
		int index = random.nextBoolean() ? random.nextInt(size) : Math.max(0, size - 1 - random.nextInt(20));
		check(guard, this.rows.get(index));
	}

	private void insert(BloomGuard guard) {
		long id = this.next.incrementAndGet();
		try {
			guard.add("products", id);
			this.rows.add(id);
			check(guard, id);
		}
		catch (KeyNotAddedException ex) {
			this.failedAdds.incrementAndGet();
			LockSupport.parkNanos(LOAD.toNanos());
		}
	}

	private void check(BloomGuard guard, long id) {
		this.lookups.incrementAndGet();
		Membership membership = guard.membership("products", id);
		if (membership == Membership.ABSENT) {
			this.missed.add(id + " of " + this.rows.size() + " rows");
		}
		else if (membership == Membership.UNKNOWN) {
			LockSupport.parkNanos(LOAD.toNanos());
		}
	}

	/**
	 * Return the rows that exist and were reported as absent.
	 */
	List<String> missed() {
		return List.copyOf(this.missed);
	}

	int rows() {
		return this.rows.size();
	}

	int lookups() {
		return this.lookups.get();
	}

	@Override
	public String toString() {
		return "%,d lookups, %,d rows, %,d keys that could not be added".formatted(lookups(), rows(),
				this.failedAdds.get());
	}

	@Override
	public void close() {
		stop();
	}

	/**
	 * Stop, and wait until all have stopped.
	 */
	void stop() {
		this.closed = true;
		for (Thread thread : this.threads) {
			try {
				thread.join(30_000);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
