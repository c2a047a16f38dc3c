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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * One load in this JVM, which many callers may share. Nothing here is guarded by a lock.
 * <p>
 * The leader writes {@code token} and {@code loadingSince} before it loads, and completes
 * the outcome after the value has been stored and {@code currentAt} was written. The
 * thread that takes it out of the map because the entry has changed writes
 * {@code overtaken}; the leader reads it after the load and before it stores.
 */
final class Flight {

	private final @Nullable LoadChain leader;

	private final CompletableFuture<byte @Nullable []> outcome = new CompletableFuture<>();

	private final long begun = System.nanoTime();

	private volatile @Nullable LoadToken token;

	private volatile @Nullable Long loadingSince;

	private volatile boolean overtaken;

	private volatile @Nullable Long currentAt;

	private volatile boolean settled;

	/**
	 * Create a flight.
	 * @param leader what it is part of, {@code null} if no other load can wait for it
	 */
	Flight(@Nullable LoadChain leader) {
		this.leader = leader;
	}

	static Flight loading(@Nullable LoadToken token) {
		Flight flight = new Flight(null);
		flight.loads(token);
		return flight;
	}

	long begun() {
		return this.begun;
	}

	@Nullable LoadChain leader() {
		return this.leader;
	}

	/**
	 * Begin to load.
	 * @param token under which the value is stored, {@code null} if it needs none
	 */
	void loads(@Nullable LoadToken token) {
		this.token = token;
		this.loadingSince = System.nanoTime();
	}

	@Nullable LoadToken token() {
		return this.token;
	}

	/**
	 * Note that the token is stored with, or given back.
	 * @return whether neither was noted before
	 */
	boolean settle() {
		boolean first = !this.settled;
		this.settled = true;
		return first;
	}

	void overtake() {
		this.overtaken = true;
	}

	boolean isStorable() {
		return !this.overtaken;
	}

	/**
	 * Publish the value.
	 * @param currentAt a moment of {@link System#nanoTime()} since the load began, at
	 * which the entry had not been invalidated; {@code null} if there may be none
	 */
	void landed(byte[] value, @Nullable Long currentAt) {
		this.currentAt = currentAt;
		this.outcome.complete(value);
	}

	void crashed(Throwable failure) {
		this.outcome.completeExceptionally(failure);
	}

	/**
	 * Give up without an outcome: those who wait load by themselves.
	 */
	void cancelled() {
		this.outcome.complete(null);
	}

	void cancelledAfter(long nanos) {
		this.outcome.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Return the value, {@code null} as long as there is none.
	 */
	byte @Nullable [] value() {
		return this.outcome.getNow(null);
	}

	CompletableFuture<byte @Nullable []> outcome() {
		return this.outcome;
	}

	/**
	 * Return for how long the outcome of a load is still waited for. The time counts from
	 * the start of the load: until then the leader itself waits for another instance.
	 */
	long remaining(long patience) {
		Long since = this.loadingSince;
		return (since != null) ? since + patience - System.nanoTime() : patience;
	}

	/**
	 * Return whether a caller that came at a moment may have the value: the load has
	 * begun since, or the entry was still the same later. A null value may hide a row
	 * that was committed in between.
	 */
	boolean isSharedWith(long arrived, byte[] value) {
		Long since = this.loadingSince;
		Long current = this.currentAt;
		return (since != null && since - arrived >= 0)
				|| (current != null && current - arrived >= 0 && !EntryScripts.isNull(value));
	}

}
