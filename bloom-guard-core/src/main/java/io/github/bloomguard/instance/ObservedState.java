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
import io.github.bloomguard.circuit.RedisCircuitBreaker;
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

	private final Probation probation;

	private final EffectiveMode mode;

	private final RedisCircuitBreaker breaker;

	private final MonotonicClock clock;

	private final PublishedState published;

	private volatile @Nullable Throwable failure;

	ObservedState(String filter, LatestSnapshot snapshot, Probation probation, EffectiveMode mode,
			RedisCircuitBreaker breaker, MonotonicClock clock, BloomGuardListener listener) {
		this.snapshot = snapshot;
		this.probation = probation;
		this.mode = mode;
		this.breaker = breaker;
		this.clock = clock;
		this.published = new PublishedState(filter, inMode(FilterState.LOADING), clock, listener);
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
		RecordSnapshot snapshot = this.snapshot.get();
		Throwable failure = this.failure;
		boolean known = isKnown(snapshot, failure);
		FilterState state = inMode(known ? stateIn(snapshot) : FilterState.UNREACHABLE);
		this.published.publish(state, () -> known ? reason(snapshot, state) : null, known ? null : failure);
		return state;
	}

	/**
	 * Return whether what was active was lost, as far as Redis answers, whatever the mode
	 * is.
	 */
	boolean isLost() {
		RecordSnapshot snapshot = this.snapshot.get();
		return isKnown(snapshot, this.failure) && snapshot.state() == FilterState.LOST;
	}

	/**
	 * What answers nothing is not unreachable because a refresh is late.
	 */
	private boolean isKnown(RecordSnapshot snapshot, @Nullable Throwable failure) {
		return (snapshot.active() == null && failure == null)
				|| (snapshot.isTrusted(this.clock) && this.breaker.permits());
	}

	/**
	 * Return the state since when and why, with what it waits for as it is now.
	 */
	StateChange latest() {
		update();
		StateChange latest = this.published.latest();
		return isProving(this.snapshot.get(), latest.state())
				? new StateChange(latest.state(), latest.since(), remaining(latest.state())) : latest;
	}

	private FilterState stateIn(RecordSnapshot snapshot) {
		FilterState state = snapshot.state();
		return (state == FilterState.READY) ? this.probation.state(snapshot) : state;
	}

	private FilterState inMode(FilterState state) {
		return switch (this.mode.mode()) {
			case ENFORCE -> state;
			case SHADOW -> switch (state) {
				case LOADING, SETTLING, PROVING, READY -> FilterState.SHADOW;
				default -> state;
			};
			case OFF -> FilterState.OFF;
		};
	}

	private @Nullable String reason(RecordSnapshot snapshot, FilterState state) {
		return isProving(snapshot, state) ? remaining(state) : snapshot.loss();
	}

	private String remaining(FilterState state) {
		String remaining = this.probation.remaining();
		return (state == FilterState.SHADOW) ? "it answers nothing in this mode; with enforce: " + remaining
				: remaining;
	}

	private boolean isProving(RecordSnapshot snapshot, FilterState state) {
		return switch (state) {
			case SETTLING, PROVING -> true;
			case SHADOW -> snapshot.active() != null && this.probation.state(snapshot) != FilterState.READY;
			default -> false;
		};
	}

}
