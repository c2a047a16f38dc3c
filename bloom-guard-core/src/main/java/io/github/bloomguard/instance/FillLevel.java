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
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import org.jspecify.annotations.Nullable;

/**
 * How full the active generation of a filter is. Redis has to count for it, so the result
 * is kept for a while.
 * <p>
 * Concurrency: {@code measuring} is guarded by this object's monitor, under which nothing
 * waits for Redis. Only a measurement that has succeeded becomes {@code latest}.
 */
public final class FillLevel {

	private static final double HEAD_ROOM = 1.5;

	private static final Duration KEPT = Duration.ofSeconds(5);

	/**
	 * How long a measurement is kept of a filter to which nothing was added.
	 */
	private static final Duration LONGEST_KEPT = Duration.ofMinutes(10);

	private final GenerationalFilter filter;

	private CompletableFuture<Measurement> measuring = CompletableFuture.completedFuture(Measurement.NOTHING);

	private volatile Measurement latest = Measurement.NOTHING;

	public FillLevel(GenerationalFilter filter) {
		this.filter = filter;
	}

	public CompletableFuture<Measurement> measure() {
		Generation active = this.filter.active();
		if (active == null) {
			return CompletableFuture.completedFuture(Measurement.NOTHING);
		}
		Measurement known = this.latest;
		return (known.isOf(active) && System.nanoTime() - known.takenAt() < KEPT.toNanos())
				? CompletableFuture.completedFuture(known) : measure(active);
	}

	private synchronized CompletableFuture<Measurement> measure(Generation active) {
		if (this.measuring.isDone()) {
			JournalPosition journalEnd = journalEnd();
			this.measuring = this.filter.occupancy().thenApply((occupancy) -> {
				Measurement measured = new Measurement(active, occupancy, System.nanoTime(), journalEnd);
				this.latest = measured;
				return measured;
			});
		}
		return this.measuring;
	}

	/**
	 * Return the latest measurement, and start a new one if it is old and keys were added
	 * since, or very old.
	 */
	public Measurement latest() {
		Generation active = this.filter.active();
		if (active == null) {
			return Measurement.NOTHING;
		}
		Measurement known = this.latest;
		if (!known.isOf(active) || !known.journalEnd().equals(journalEnd())
				|| System.nanoTime() - known.takenAt() >= LONGEST_KEPT.toNanos()) {
			measure();
		}
		return this.latest;
	}

	private JournalPosition journalEnd() {
		ControlRecord record = this.filter.record();
		return (record != null) ? record.journalEnd() : JournalPosition.START;
	}

	/**
	 * Return the number of keys, {@code Long.MAX_VALUE} if that has not been measured.
	 */
	public long insertions() {
		Measurement latest = latest();
		Generation active = this.filter.active();
		return (active != null && latest.isOf(active)) ? latest.occupancy().insertions() : Long.MAX_VALUE;
	}

	/**
	 * Return the generation that should follow the latest one: of the configured size, or
	 * larger if that has become too small.
	 * @param known how many keys there are at least, 0 if nothing is known
	 */
	public Generation next(FilterSpecification configured, long known) {
		measure();
		long counted = Math.max(this.latest.occupancy().insertions(), known);
		long insertions = configured.expectedInsertions();
		if (counted > insertions) {
			insertions = Math.min((long) (counted * HEAD_ROOM), configured.maxInsertions());
		}
		return this.filter.next(configured.withExpectedInsertions(insertions), configured.expectedInsertions());
	}

	/**
	 * A measurement, taken at a time in the terms of {@link System#nanoTime()}.
	 *
	 * @param journalEnd where the journal is known to have ended before that
	 */
	public record Measurement(@Nullable Generation generation, Occupancy occupancy, long takenAt,
			JournalPosition journalEnd) {

		static final Measurement NOTHING = new Measurement(null, Occupancy.NOTHING, 0, JournalPosition.START);

		private boolean isOf(Generation other) {
			return this.generation != null && this.generation.id().equals(other.id());
		}

	}

}
