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

package io.github.bloomguard.warmup;

import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.util.function.SingletonSupplier;

/**
 * Keeps all warm-ups of an application together from taking more than half of a pool's
 * connections, and more than a few threads: a bulkhead (Nygard, <em>Release It!</em>,
 * 2007). Which pool a source reads from is not known, so the smallest one counts.
 */
public final class WarmUpBulkhead {

	/**
	 * How many filters are loaded at a time. One already keeps all processors busy; the
	 * second one works while the first one waits for the database or for Redis.
	 */
	private static final int LOADS = 2;

	/**
	 * How many filters ask their database at a time what they are loaded from, and
	 * whether they have to be.
	 */
	private static final int LOOKS = 8;

	private final Supplier<Semaphore> permits;

	private final TurnQueue loads = new TurnQueue(LOADS);

	private final TurnQueue looks = new TurnQueue(LOOKS);

	public WarmUpBulkhead(Supplier<OptionalInt> smallestPool) {
		this.permits = SingletonSupplier.of(() -> new Semaphore(permits(smallestPool.get()), true));
	}

	/**
	 * Return where filters wait for their turn to be loaded.
	 */
	TurnQueue loads() {
		return this.loads;
	}

	/**
	 * Return where filters wait for their turn to look at their database, which is short.
	 */
	TurnQueue looks() {
		return this.looks;
	}

	private static int permits(OptionalInt smallestPool) {
		return smallestPool.isPresent() ? Math.max(smallestPool.getAsInt() / 2, 1) : Integer.MAX_VALUE;
	}

	<T> T ask(Supplier<T> question) {
		acquire();
		try {
			return question.get();
		}
		finally {
			release();
		}
	}

	Stream<?> open(Supplier<? extends Stream<?>> keys) {
		acquire();
		try {
			return keys.get().onClose(this::release);
		}
		catch (Throwable ex) {
			release();
			throw ex;
		}
	}

	private void acquire() {
		try {
			this.permits.get().acquire();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("Interrupted");
		}
	}

	private void release() {
		this.permits.get().release();
	}

}
