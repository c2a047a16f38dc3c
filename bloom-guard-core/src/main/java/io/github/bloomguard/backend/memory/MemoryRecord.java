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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.ModeSwitches;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.OwnerOrigin;
import io.github.bloomguard.generation.OwnerTerms;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordState.KnownOrigin;
import io.github.bloomguard.generation.RecordState.Listed;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.jspecify.annotations.Nullable;

/**
 * The control record of a filter, which begins with the first change and is never lost.
 * <p>
 * Concurrency: guarded by its {@link FilterMemory}, except for the epoch, which any
 * thread may read. It moves last in a step.
 */
final class MemoryRecord {

	/**
	 * The journal of a record misses nothing that was ever added, unless that took too
	 * much memory.
	 */
	private static final long ALWAYS = 1;

	private final Map<String, Long> removed = new HashMap<>();

	private final Map<String, Checkpoint> checkpoints = new HashMap<>();

	private final Map<String, OriginFindings> findings = new HashMap<>();

	private Map<String, Listed> listed = Map.of();

	private Map<String, KnownOrigin> origins = Map.of();

	private final Map<String, Long> used = new HashMap<>();

	private final Map<String, String> terms = new HashMap<>();

	private ModeSwitches switches = ModeSwitches.NONE;

	private long journalSince = ALWAYS;

	private volatile long epoch;

	long epoch() {
		return this.epoch;
	}

	void ensure() {
		if (this.epoch == 0) {
			this.epoch++;
		}
	}

	/**
	 * Return the record as instances see it that ask the filter of another application.
	 */
	ControlRecord readFor(String reader, long now) {
		ControlRecord record = read(reader, now);
		String application = Origin.application(reader);
		return new ControlRecord(record.epoch(), record.generations(), record.trust(), true, record.journalSince(),
				record.journalEnd(), now, record.created(), 0, record.switched(),
				this.used.entrySet()
					.stream()
					.filter((origin) -> Origin.application(origin.getKey()).equals(application))
					.map((origin) -> new OwnerOrigin(origin.getKey(), origin.getValue(),
							read(origin.getKey(), now).trust(),
							OwnerTerms.ofCode(this.terms.getOrDefault(origin.getKey(), "")).orElse(null)))
					.toList(),
				0);
	}

	/**
	 * Note that an origin is in use, and what it tells readers.
	 */
	void use(String origin, String terms, long now) {
		if (this.epoch > 0) {
			this.used.put(origin, now);
			this.terms.put(origin, terms);
		}
	}

	/**
	 * Note that a reader has found rows of the application that it asks.
	 */
	void report(String reader, Evidence evidence, long now) {
		this.used.keySet()
			.stream()
			.filter((origin) -> Origin.application(origin).equals(Origin.application(reader)))
			.forEach((origin) -> prove(origin, evidence, now));
	}

	ControlRecord read(String origin, long now) {
		List<Generation> all = this.listed.values().stream().map(Listed::generation).toList();
		Optional<Listed> active = this.listed.values()
			.stream()
			.filter((listed) -> listed.generation().isActive(origin))
			.findFirst();
		KnownOrigin known = this.origins.getOrDefault(origin, KnownOrigin.UNKNOWN);
		Trust trust = findings(origin).trust(new Rollout(known.arrived(), active.map(Listed::begun).orElse(0L)),
				active.map(Listed::shapes).filter(String::isEmpty).isPresent());
		return new ControlRecord(this.epoch, all, trust, true, readJournalSince(), JournalPosition.START, now, 0,
				active.map((listed) -> this.removed.get(listed.generation().id())).orElse(0L),
				this.switches.of(Origin.application(origin)));
	}

	/**
	 * Return what is swapped. Each origin is in use.
	 */
	RecordState state(long now, long journalKeptFrom) {
		return new RecordState(stamp(), now, true, readJournalSince(), journalKeptFrom, this.listed, origins(now),
				this.switches);
	}

	private long readJournalSince() {
		return (this.epoch > 0) ? this.journalSince : 0;
	}

	private String stamp() {
		return this.epoch + "/" + this.journalSince;
	}

	private Map<String, KnownOrigin> origins(long now) {
		return this.origins.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (known) -> new KnownOrigin(known.getValue().arrived(), now,
					findings(known.getKey()).doubt().at())));
	}

	boolean is(RecordState record) {
		return record.stamp().equals(stamp());
	}

	void set(RecordState before, RecordState after) {
		this.listed = after.listed();
		this.origins = after.origins();
		this.switches = after.switches();
		this.removed.keySet().retainAll(this.listed.keySet());
		this.checkpoints.keySet().retainAll(this.listed.keySet());
		this.origins.forEach((origin, known) -> {
			if (known.doubted() != before.known(origin).doubted()) {
				findings(origin).acknowledge();
			}
		});
		this.epoch++;
	}

	long journalSince() {
		return this.journalSince;
	}

	void forgetJournal(long completeFrom) {
		this.journalSince = completeFrom;
	}

	void remove(long keys) {
		this.listed.values()
			.stream()
			.map(Listed::generation)
			.filter((generation) -> generation.phase() == Phase.LIVE || generation.phase() == Phase.ACTIVE)
			.forEach((generation) -> this.removed.merge(generation.id(), keys, Long::sum));
	}

	boolean lists(String id) {
		return this.listed.containsKey(id);
	}

	void prove(String origin, Evidence evidence, long now) {
		if (this.epoch > 0) {
			findings(origin).add(evidence, now);
		}
	}

	Optional<Checkpoint> checkpoint(String id) {
		return Optional.ofNullable(this.checkpoints.get(id));
	}

	void setCheckpoint(String id, Checkpoint checkpoint) {
		this.checkpoints.put(id, checkpoint);
	}

	private OriginFindings findings(String origin) {
		return this.findings.computeIfAbsent(origin, (name) -> new OriginFindings());
	}

}
