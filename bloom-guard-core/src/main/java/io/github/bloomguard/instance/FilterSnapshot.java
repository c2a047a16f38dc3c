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

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.MonotonicClock;
import org.jspecify.annotations.Nullable;

/**
 * All that a call needs to know of a filter, as it was at one moment. A call takes one
 * and decides by it.
 *
 * @param active the intact generation, {@code null} if there is none
 * @param others more generations, which have to call a key absent, too: those of other
 * versions of an application that owns the filter
 * @param loss why there is no active generation any more, {@code null} if there never was
 * @param readAt when the record was read, by the monotonic clock
 * @param mirror the mirror, complete up to the record, {@code null} if there is none
 * @param standing how far the filter is believed
 */
public record FilterSnapshot(@Nullable ControlRecord record, @Nullable ActiveGeneration active,
		List<ActiveGeneration> others, @Nullable String loss, long readAt, @Nullable Mirror mirror, Standing standing) {

	public FilterSnapshot(@Nullable ControlRecord record, @Nullable ActiveGeneration active, @Nullable String loss,
			long readAt, @Nullable Mirror mirror, Standing standing) {
		this(record, active, List.of(), loss, readAt, mirror, standing);
	}

	/**
	 * Return the epoch of the record, 0 if none was read.
	 */
	public long epoch() {
		return (this.record != null) ? this.record.epoch() : 0;
	}

	/**
	 * Return whether the journal has all keys that were added in a time until now.
	 */
	public boolean hasJournalOf(Duration time) {
		return this.record != null && this.record.journalSince() > 0
				&& this.record.now() - this.record.journalSince() >= time.toMillis();
	}

	boolean isLeased(MonotonicClock clock) {
		return this.record != null && clock.nanoTime() - this.readAt < ControlRecord.LEASE.toNanos();
	}

	/**
	 * Return what may be asked, {@code null} if no bits may be read.
	 */
	@Nullable ActiveGeneration asked() {
		return this.standing.asked() ? this.active : null;
	}

	/**
	 * Return whether a generation is one of those that may be asked.
	 */
	boolean asks(ActiveGeneration generation) {
		return this.standing.asked() && (this.active == generation || this.others.contains(generation));
	}

	/**
	 * Return all that has to call a key absent, so that it is.
	 */
	List<ActiveGeneration> all() {
		return (this.active == null) ? List.of() : Stream.concat(Stream.of(this.active), this.others.stream()).toList();
	}

	@Nullable Mirror askedInstead() {
		return this.standing.asked() ? this.mirror : null;
	}

}
