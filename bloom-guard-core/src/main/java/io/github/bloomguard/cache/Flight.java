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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.bloomguard.cache.EntryLoad.Loaded;
import org.jspecify.annotations.Nullable;

/**
 * One load in this JVM that many callers may share. Nothing here is guarded by a lock.
 * <p>
 * The leading thread writes {@code loadingSince}, once, and completes the outcome, once,
 * after the value has been stored and {@code currentAt} was written. The thread that
 * takes it out of the map because the entry has changed writes {@code overtaken}; the
 * leader reads it after the load and before it stores.
 */
final class Flight {

	private final CompletableFuture<byte @Nullable []> outcome = new CompletableFuture<>();

	private volatile @Nullable Thread leader;

	private volatile @Nullable Long loadingSince;

	private volatile boolean overtaken;

	private volatile @Nullable Long currentAt;

	void ledByCurrentThread() {
		this.leader = Thread.currentThread();
	}

	boolean isLedByCurrentThread() {
		return this.leader == Thread.currentThread();
	}

	void loads() {
		this.loadingSince = System.nanoTime();
	}

	void overtake() {
		this.overtaken = true;
	}

	boolean isStorable() {
		return !this.overtaken;
	}

	void landed(Loaded loaded) {
		this.currentAt = loaded.currentAt();
		this.outcome.complete(loaded.value());
	}

	void crashed(Throwable failure) {
		this.outcome.completeExceptionally(failure);
	}

	private boolean isLoadedSince(long moment) {
		Long since = this.loadingSince;
		return since != null && since - moment >= 0;
	}

	/**
	 * Return whether a caller that came at a moment may have the value: the load has
	 * begun since, or the entry was still the same later. A null value may hide a row
	 * that was committed in between.
	 */
	boolean isSharedWith(long arrived, byte[] value) {
		Long current = this.currentAt;
		return (current != null && current - arrived >= 0 && !EntryScripts.isNull(value)) || isLoadedSince(arrived);
	}

	CompletableFuture<byte @Nullable []> outcome() {
		return this.outcome.copy();
	}

	/** Give up without an outcome: those who wait load by themselves. */
	void cancelled() {
		this.outcome.complete(null);
	}

	/**
	 * Wait for the outcome, {@code null} if it took too long. The time counts from the
	 * start of the load if it starts meanwhile: until then the leader itself waits for
	 * another instance.
	 */
	byte @Nullable [] await(Duration patience) {
		long arrived = System.nanoTime();
		long deadline = arrived + 2 * patience.toNanos();
		try {
			while (true) {
				long now = System.nanoTime();
				long remaining = Math.min(deadline, patienceEnds(arrived, now, patience)) - now;
				if (remaining <= 0) {
					return null;
				}
				try {
					return this.outcome.get(remaining, TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					// the load may have started meanwhile
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (ExecutionException ex) {
			throw unchecked(ex.getCause());
		}
	}

	private long patienceEnds(long arrived, long now, Duration patience) {
		Long since = this.loadingSince;
		if (since == null) {
			return now + patience.toNanos();
		}
		return ((since - arrived > 0) ? since : arrived) + patience.toNanos();
	}

	private static RuntimeException unchecked(@Nullable Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		return (failure instanceof RuntimeException exception) ? exception : new IllegalStateException(failure);
	}

}
