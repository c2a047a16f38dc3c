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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import io.github.bloomguard.generation.Generation.Phase;
import org.jspecify.annotations.Nullable;

/**
 * What a control record says of generations and of the origins of their keys, and what it
 * says after each step of a builder. A step that may not be made, or has been made
 * already, returns the same record. Nothing but a step changes what is here, except for
 * {@link KnownOrigin#used()} and {@link KnownOrigin#doubted()}. Times are in milliseconds
 * of the server's clock.
 *
 * @param stamp tells this state from each other one; only its store knows the form
 * @param now when it was read
 * @param sameServer whether the server is the one that has had every write since
 * {@code journalSince}
 * @param journalSince since when the journal is complete; 0 if there is none
 * @param journalKeptFrom back to which time the journal is kept for a build, 0 if nothing
 * is built
 * @param listed generations by their ids, the oldest first
 * @param origins what is known of origins, by their values
 */
public record RecordState(String stamp, long now, boolean sameServer, long journalSince, long journalKeptFrom,
		Map<String, Listed> listed, Map<String, KnownOrigin> origins, ModeSwitches switches) {

	/**
	 * How long an origin is kept that no instance uses, for an application that is rolled
	 * back.
	 */
	public static final Duration UNUSED = Duration.ofHours(1);

	/**
	 * List a new generation, and retire what a former builder left half built, or another
	 * server may have lost writes of.
	 * @param keep how far back the journal must be kept
	 * @param running for how long the builder has been running with the origin
	 */
	RecordState begin(Generation generation, Duration keep, Duration running) {
		if (this.listed.containsKey(generation.id())) {
			return this;
		}
		Change change = new Change();
		change.retire((other) -> other.phase() != Phase.ACTIVE || !this.sameServer);
		change.listed.put(generation.id(), new Listed(generation.in(Phase.LOADING), this.now, null));
		String place = Origin.place(generation.origin());
		long arrived = LongStream.concat(LongStream.of(this.now - running.toMillis()),
				this.origins.entrySet()
					.stream()
					.filter((other) -> Origin.place(other.getKey()).equals(place))
					.mapToLong((other) -> other.getValue().arrived())
					.filter((time) -> time > 0))
			.min()
			.getAsLong();
		change.origin(generation.origin(), (known) -> known.withArrived(arrived));
		change.journalKeptFrom = this.now - keep.toMillis();
		return change.made();
	}

	/**
	 * Make a loading generation live.
	 * @param shapes the shapes of its keys
	 */
	RecordState goLive(String id, String shapes) {
		if (phase(id) != Phase.LOADING) {
			return this;
		}
		Change change = new Change();
		change.listed.computeIfPresent(id,
				(name, listed) -> new Listed(listed.generation().in(Phase.LIVE), listed.begun(), shapes));
		return change.made();
	}

	/**
	 * Make a live generation the active one of its origin, and retire the one before,
	 * unless the journal has been lost.
	 * @param since since when the journal had been complete when the build began
	 */
	RecordState activate(String id, long since) {
		if (phase(id) != Phase.LIVE || !this.sameServer || since == 0 || this.journalSince != since) {
			return this;
		}
		Change change = new Change();
		String origin = generation(id).origin();
		change.retire((other) -> other.isActive(origin));
		change.move(id, Phase.ACTIVE);
		change.journalKeptFrom = 0;
		return change.made();
	}

	/**
	 * Retire what is half built, which only a builder may do, and what belongs to origins
	 * that are not used. They are forgotten, unless what was loaded beside them may lack
	 * rows.
	 */
	RecordState retire() {
		Change change = new Change();
		change.retire((generation) -> generation.phase() != Phase.ACTIVE || isUnused(generation.origin()));
		change.origins.keySet().removeIf((origin) -> isUnused(origin) && !isRivalOfActive(origin));
		return change.made();
	}

	private boolean isUnused(String origin) {
		return this.now - known(origin).used() > UNUSED.toMillis();
	}

	private boolean isRivalOfActive(String origin) {
		long until = known(origin).used() + UNUSED.toMillis();
		return this.listed.values()
			.stream()
			.filter((listed) -> listed.generation().phase() == Phase.ACTIVE)
			.anyMatch((listed) -> Origin.areRivals(listed.generation().origin(), origin) && listed.begun() < until);
	}

	/**
	 * Drop retired generations whose bits are gone.
	 */
	RecordState drop(Collection<String> ids) {
		Change change = new Change();
		change.listed.values()
			.removeIf(
					(listed) -> listed.generation().phase() == Phase.RETIRED && ids.contains(listed.generation().id()));
		return change.made();
	}

	/**
	 * End what doubt there is.
	 */
	RecordState acknowledge(String origin) {
		Change change = new Change();
		change.origin(origin, KnownOrigin::undoubted);
		return change.made();
	}

	/**
	 * Give filters another mode than the configured one, or take that back.
	 */
	RecordState switchModes(UnaryOperator<ModeSwitches> step) {
		Change change = new Change();
		change.switches = step.apply(this.switches);
		return change.made();
	}

	public @Nullable Phase phase(String id) {
		Listed listed = this.listed.get(id);
		return (listed != null) ? listed.generation().phase() : null;
	}

	List<Generation> retired() {
		return this.listed.values()
			.stream()
			.map(Listed::generation)
			.filter((generation) -> generation.phase() == Phase.RETIRED)
			.toList();
	}

	/**
	 * Return the shapes of the keys of a generation, {@code null} if they are not known.
	 */
	public @Nullable String shapes(String id) {
		Listed listed = this.listed.get(id);
		return (listed != null) ? listed.shapes() : null;
	}

	private Generation generation(String id) {
		return Objects.requireNonNull(this.listed.get(id)).generation();
	}

	public KnownOrigin known(String origin) {
		return this.origins.getOrDefault(origin, KnownOrigin.UNKNOWN);
	}

	/**
	 * A generation in the record.
	 *
	 * @param begun when its build began
	 * @param shapes the shapes of its keys, not known before it is live; empty if the
	 * sources gave none
	 */
	public record Listed(Generation generation, long begun, @Nullable String shapes) {

	}

	/**
	 * What is known of an origin of keys.
	 *
	 * @param arrived when its first instance is known to have run, 0 if that is not known
	 * @param used when one of its instances was seen last, 0 if none was
	 * @param doubted when a key was found last that its filter calls absent, 0 if that
	 * was acknowledged
	 */
	public record KnownOrigin(long arrived, long used, long doubted) {

		public static final KnownOrigin UNKNOWN = new KnownOrigin(0, 0, 0);

		KnownOrigin withArrived(long arrived) {
			return new KnownOrigin(arrived, this.used, this.doubted);
		}

		KnownOrigin undoubted() {
			return new KnownOrigin(this.arrived, this.used, 0);
		}

	}

	/**
	 * The record that comes of a step.
	 */
	private final class Change {

		private final Map<String, Listed> listed = new LinkedHashMap<>(RecordState.this.listed);

		private final Map<String, KnownOrigin> origins = new LinkedHashMap<>(RecordState.this.origins);

		private long journalKeptFrom = RecordState.this.journalKeptFrom;

		private ModeSwitches switches = RecordState.this.switches;

		void move(String id, Phase to) {
			this.listed.computeIfPresent(id,
					(name, listed) -> new Listed(listed.generation().in(to), listed.begun(), listed.shapes()));
		}

		void retire(Predicate<Generation> unneeded) {
			RecordState.this.listed.values()
				.stream()
				.map(Listed::generation)
				.filter(unneeded)
				.forEach((generation) -> move(generation.id(), Phase.RETIRED));
		}

		void origin(String origin, UnaryOperator<KnownOrigin> step) {
			KnownOrigin before = this.origins.getOrDefault(origin, KnownOrigin.UNKNOWN);
			KnownOrigin after = step.apply(before);
			if (!after.equals(before)) {
				this.origins.put(origin, after);
			}
		}

		RecordState made() {
			RecordState made = new RecordState(RecordState.this.stamp, RecordState.this.now,
					RecordState.this.sameServer, RecordState.this.journalSince, this.journalKeptFrom, this.listed,
					this.origins, this.switches);
			return made.equals(RecordState.this) ? RecordState.this : made;
		}

	}

}
