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

package io.github.bloomguard.backend.memory;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.github.bloomguard.catchup.Checkpoint;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import org.jspecify.annotations.Nullable;

/**
 * The control record of a filter, which begins with the first change and is never lost.
 * <p>
 * Concurrency: guarded by its {@link FilterMemory}, except for the epoch, which any
 * thread may read. It moves last in a step.
 */
final class FilterRecord {

	/**
	 * The journal of a record misses nothing that was ever added, unless that took too
	 * much memory.
	 */
	private static final long ALWAYS = 1;

	private final Map<String, Generation> generations = new LinkedHashMap<>();

	private final Map<String, String> shapes = new HashMap<>();

	private final Map<String, Long> removed = new HashMap<>();

	private final Map<String, Long> arrived = new HashMap<>();

	private final Map<String, Long> begun = new HashMap<>();

	private final Map<String, Checkpoint> checkpoints = new HashMap<>();

	private final Map<String, OriginProof> proofs = new HashMap<>();

	private long journalSince = ALWAYS;

	private volatile long epoch;

	long epoch() {
		return this.epoch;
	}

	void ensure() {
		if (this.epoch == 0) {
			moveEpoch();
		}
	}

	ControlRecord read(String origin, long now) {
		List<Generation> all = List.copyOf(this.generations.values());
		String active = all.stream()
			.filter((generation) -> generation.isActive(origin))
			.map(Generation::id)
			.findFirst()
			.orElse("");
		Proof proof = proof(origin).with(this.removed.getOrDefault(active, 0L), "".equals(this.shapes.get(active)));
		return new ControlRecord(this.epoch, all, proof, true, (this.epoch > 0) ? this.journalSince : 0,
				JournalPosition.START, now, 0,
				new Rollout(this.arrived.getOrDefault(origin, 0L), this.begun.getOrDefault(active, 0L)));
	}

	long journalSince() {
		return this.journalSince;
	}

	void forgetJournal(long completeFrom) {
		this.journalSince = completeFrom;
	}

	void remove(long keys) {
		this.generations.values()
			.stream()
			.filter((generation) -> generation.phase() == Phase.LIVE || generation.phase() == Phase.ACTIVE)
			.forEach((generation) -> this.removed.merge(generation.id(), keys, Long::sum));
	}

	@Nullable Phase phase(String id) {
		Generation generation = this.generations.get(id);
		return (generation != null) ? generation.phase() : null;
	}

	void begin(Generation generation, long now, long running) {
		retire((other) -> other.phase() != Phase.ACTIVE);
		this.generations.put(generation.id(), moved(generation, Phase.LOADING));
		String place = Origin.place(generation.origin());
		long arrived = this.arrived.entrySet()
			.stream()
			.filter((other) -> Origin.place(other.getKey()).equals(place))
			.mapToLong(Map.Entry::getValue)
			.reduce(now - running, Math::min);
		this.arrived.put(generation.origin(), arrived);
		this.begun.put(generation.id(), now);
		moveEpoch();
	}

	void goLive(String id, String shapes) {
		this.shapes.put(id, shapes);
		move(id, Phase.LIVE);
		moveEpoch();
	}

	void activate(String id) {
		String origin = origin(id);
		retire((other) -> other.isActive(origin));
		move(id, Phase.ACTIVE);
		forgetRefuted(origin);
		moveEpoch();
	}

	List<Generation> retire() {
		if (retire((generation) -> generation.phase() != Phase.ACTIVE)) {
			moveEpoch();
		}
		return this.generations.values().stream().filter((generation) -> generation.phase() == Phase.RETIRED).toList();
	}

	private boolean retire(Predicate<Generation> unneeded) {
		List<String> ids = this.generations.values()
			.stream()
			.filter((generation) -> generation.phase() != Phase.RETIRED && unneeded.test(generation))
			.map(Generation::id)
			.toList();
		ids.forEach((id) -> move(id, Phase.RETIRED));
		return !ids.isEmpty();
	}

	void drop(Collection<String> ids) {
		List<String> retired = ids.stream().filter((id) -> phase(id) == Phase.RETIRED).toList();
		if (!retired.isEmpty()) {
			this.generations.keySet().removeAll(retired);
			this.shapes.keySet().removeAll(retired);
			this.removed.keySet().removeAll(retired);
			this.checkpoints.keySet().removeAll(retired);
			this.begun.keySet().removeAll(retired);
			moveEpoch();
		}
	}

	void prove(String origin, Evidence evidence, long now) {
		if (this.epoch > 0) {
			proof(origin).add(evidence, now);
		}
	}

	Optional<String> refute(String id) {
		if (phase(id) != Phase.ACTIVE || id.equals(proof(origin(id)).refuted)) {
			return Optional.empty();
		}
		proof(origin(id)).refuted = id;
		return Optional.of(this.shapes.getOrDefault(id, ""));
	}

	void acknowledge(String origin) {
		proof(origin).acknowledge();
		forgetRefuted(origin);
	}

	private void forgetRefuted(String origin) {
		if (proof(origin).refuted != null) {
			this.proofs.remove(origin);
		}
	}

	Optional<Checkpoint> checkpoint(String id) {
		return Optional.ofNullable(this.checkpoints.get(id));
	}

	void setCheckpoint(String id, Checkpoint checkpoint) {
		this.checkpoints.put(id, checkpoint);
	}

	private OriginProof proof(String origin) {
		return this.proofs.computeIfAbsent(origin, (name) -> new OriginProof());
	}

	private String origin(String id) {
		Generation generation = this.generations.get(id);
		return (generation != null) ? generation.origin() : "";
	}

	private void move(String id, Phase to) {
		this.generations.computeIfPresent(id, (name, generation) -> moved(generation, to));
	}

	private static Generation moved(Generation generation, Phase to) {
		return new Generation(generation.id(), generation.specification(), generation.configuredInsertions(),
				generation.salt(), generation.origin(), generation.createdAt(), to);
	}

	private void moveEpoch() {
		this.epoch++;
	}

}
