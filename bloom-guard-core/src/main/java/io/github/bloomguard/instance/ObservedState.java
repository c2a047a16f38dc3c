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

package io.github.bloomguard.instance;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.generation.MonotonicClock;
import org.jspecify.annotations.Nullable;

/**
 * The state of one filter, made of what this instance has read, proven and been told.
 * <p>
 * Concurrency: refreshes and the circuit breaker write the failure, any thread asks for
 * the state, and the one that finds it changed publishes it.
 */
final class ObservedState {

	private final LatestSnapshot snapshot;

	private final CircuitBreaker breaker;

	private final MonotonicClock clock;

	private final PublishedState published;

	private volatile @Nullable Throwable failure;

	ObservedState(String filter, LatestSnapshot snapshot, CircuitBreaker breaker, MonotonicClock clock,
			BloomGuardListener listener) {
		this.snapshot = snapshot;
		this.breaker = breaker;
		this.clock = clock;
		this.published = new PublishedState(filter, snapshot.get().standing().state(), clock, listener);
	}

	/**
	 * Take note of how Redis was asked last.
	 * @param failure {@code null} if it has answered
	 */
	void asked(@Nullable Throwable failure) {
		this.failure = failure;
		update();
	}

	/**
	 * Return the state, and publish it if it has changed.
	 */
	FilterState update() {
		FilterSnapshot snapshot = this.snapshot.get();
		Throwable failure = this.failure;
		boolean known = isKnown(snapshot, failure);
		FilterState state = snapshot.standing().state();
		FilterState seen = (known || state == FilterState.OFF) ? state : FilterState.UNREACHABLE;
		this.published.publish(seen, () -> known ? reason(snapshot) : null, known ? null : failure);
		return seen;
	}

	/**
	 * Return whether what was active was lost, as far as Redis answers, whatever the mode
	 * is.
	 */
	boolean isLost() {
		FilterSnapshot snapshot = this.snapshot.get();
		return isKnown(snapshot, this.failure) && snapshot.active() == null && snapshot.loss() != null;
	}

	/**
	 * What answers nothing is not unreachable because a refresh is late.
	 */
	private boolean isKnown(FilterSnapshot snapshot, @Nullable Throwable failure) {
		return (snapshot.active() == null && failure == null)
				|| (snapshot.isLeased(this.clock) && this.breaker.permits());
	}

	/**
	 * Return the state since when and why, with what it waits for as it is now.
	 */
	StateChange latest() {
		update();
		StateChange latest = this.published.latest();
		FilterSnapshot snapshot = this.snapshot.get();
		boolean told = snapshot.active() != null || snapshot.standing().obstacle() != null;
		return (told && latest.state() == snapshot.standing().state())
				? new StateChange(latest.state(), latest.since(), snapshot.standing().reason()) : latest;
	}

	private static @Nullable String reason(FilterSnapshot snapshot) {
		String reason = snapshot.standing().reason();
		return (reason != null) ? reason : snapshot.loss();
	}

}
