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

import io.github.bloomguard.FilterState;
import io.github.bloomguard.generation.ActiveGeneration;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.mirror.Mirror;
import org.jspecify.annotations.Nullable;

/**
 * All that lookups need to know, as it was at one moment.
 *
 * @param loss why there is no active generation any more, {@code null} if there never was
 * @param readAt when the record was read, by the monotonic clock
 * @param mirror the copy that has everything which was there when the record was read
 */
record RecordSnapshot(@Nullable ControlRecord record, @Nullable ActiveGeneration active, @Nullable String loss,
		long readAt, @Nullable Mirror mirror) {

	static final RecordSnapshot NOTHING = new RecordSnapshot(null, null, null, 0, null);

	RecordSnapshot without(String reason) {
		return (this.active != null) ? new RecordSnapshot(this.record, null, reason, this.readAt, null) : this;
	}

	Proof proof() {
		return (this.record != null) ? this.record.proof() : Proof.NONE;
	}

	Rollout rollout() {
		return (this.record != null) ? this.record.rollout() : Rollout.OVER;
	}

	long epoch() {
		return (this.record != null) ? this.record.epoch() : 0;
	}

	boolean isTrusted(MonotonicClock clock) {
		return this.record != null && clock.nanoTime() - this.readAt < ControlRecord.TRUST.toNanos();
	}

	/**
	 * Return what may be asked, {@code null} if nothing is believed.
	 */
	@Nullable ActiveGeneration asked() {
		return isRefuted() ? null : this.active;
	}

	@Nullable Mirror askedInstead() {
		return isRefuted() ? null : this.mirror;
	}

	private boolean isRefuted() {
		return this.record != null && this.active != null && this.record.proof().refutes(this.active.generation());
	}

	FilterState state() {
		if (this.active != null) {
			return isRefuted() ? FilterState.REFUTED : FilterState.READY;
		}
		return (this.loss != null) ? FilterState.LOST : FilterState.LOADING;
	}

}
