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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;

/**
 * Reply of the function {@code record} of the {@link ControlScripts}: the time, whether
 * there is a journal, the server, the number of generations that were written and their
 * ids, and the fields of the hash with their values.
 */
class RecordReply {

	private static final int BEFORE_IDS = 4;

	/**
	 * Where the shard size is written, except by versions that know only one.
	 */
	private static final int SHARD_SIZE = 7;

	private static final String HOLDER = "holder:";

	private static final String USED = "used:";

	private final String filter;

	private final List<String> reply;

	private final Set<String> written;

	private final Map<String, String> fields = new LinkedHashMap<>();

	RecordReply(String filter, List<String> reply) {
		this.filter = filter;
		this.reply = reply;
		int afterIds = BEFORE_IDS + Integer.parseInt(reply.get(BEFORE_IDS - 1));
		this.written = Set.copyOf(reply.subList(BEFORE_IDS, afterIds));
		for (int i = afterIds; i < reply.size(); i += 2) {
			this.fields.put(reply.get(i), reply.get(i + 1));
		}
	}

	String server() {
		return this.reply.get(2);
	}

	/**
	 * Without a record there is nothing that another server could lack.
	 */
	boolean isOnItsServer() {
		return number("epoch", 0) == 0 || server().equals(this.fields.get("server"));
	}

	Set<String> written() {
		return this.written;
	}

	List<LeaseHolder> holders() {
		return this.fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith(HOLDER))
			.map((field) -> new LeaseHolder(field.getKey().substring(HOLDER.length()),
					field.getValue().substring(0, field.getValue().indexOf('|'))))
			.toList();
	}

	JournalPosition position() {
		return JournalPosition.of(this.fields.getOrDefault(":position", ""));
	}

	ControlRecord record(String origin) {
		long now = Long.parseLong(this.reply.get(0));
		boolean journal = "1".equals(this.reply.get(1));
		List<Generation> generations = generations();
		String active = generations.stream()
			.filter((generation) -> generation.isActive(origin))
			.map(Generation::id)
			.findFirst()
			.orElse("");
		return new ControlRecord(number("epoch", 0), generations, proof(origin, active), isOnItsServer(),
				journal ? number("since", 0) : 0, JournalPosition.of(this.fields.getOrDefault("end", "")), now,
				number("created", now), rollout(origin, active));
	}

	private Rollout rollout(String origin, String active) {
		long rival = this.fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith(USED)
					&& Origin.areRivals(origin, field.getKey().substring(USED.length())))
			.mapToLong((field) -> Long.parseLong(field.getValue()))
			.max()
			.orElse(0);
		return new Rollout(number("arrived:" + origin, 0), number("begun:" + active, 0), rival,
				number("returned:" + origin, 0));
	}

	/**
	 * Return unused origins that have to stay noted, because what was loaded for an
	 * origin beside which they were used may lack rows.
	 */
	List<String> rivals(Duration kept) {
		List<Generation> active = generations().stream()
			.filter((generation) -> generation.phase() == Phase.ACTIVE)
			.toList();
		return this.fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith(USED))
			.filter((field) -> active.stream()
				.anyMatch((generation) -> Origin.areRivals(generation.origin(), field.getKey().substring(USED.length()))
						&& number("begun:" + generation.id(), 0) < Long.parseLong(field.getValue()) + kept.toMillis()))
			.map((field) -> field.getKey().substring(USED.length()))
			.toList();
	}

	private Proof proof(String origin, String active) {
		return new Proof(number("proven:" + origin, 0), number("found:" + origin, 0),
				number("complete:" + origin, 0) > 0, this.fields.get("refuted:" + origin),
				number("removed:" + active, 0), "".equals(this.fields.get("shapes:" + active)), new Doubt(
						number("wrong:" + origin, 0), number("doubtful:" + origin, 0), number("doubted:" + origin, 0)));
	}

	List<Generation> generations() {
		return this.fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith("g:"))
			.map((field) -> generation(field.getKey().substring("g:".length()), field.getValue().split("\\|")))
			.toList();
	}

	private Generation generation(String id, String[] parts) {
		FilterSpecification specification = new FilterSpecification(this.filter, Long.parseLong(parts[1]),
				Double.parseDouble(parts[2]), (parts.length > SHARD_SIZE) ? Long.parseLong(parts[SHARD_SIZE])
						: FilterSpecification.DEFAULT_SHARD_SIZE);
		return new Generation(id, specification, Long.parseLong(parts[3]), parts[4], parts[5],
				Instant.ofEpochMilli(Long.parseLong(parts[6])), Phase.valueOf(parts[0]));
	}

	static String describe(Generation generation) {
		FilterSpecification specification = generation.specification();
		return specification.expectedInsertions() + "|" + specification.falsePositiveProbability() + "|"
				+ generation.configuredInsertions() + "|" + generation.salt() + "|" + generation.origin() + "|"
				+ generation.createdAt().toEpochMilli() + "|" + specification.shardSize();
	}

	private long number(String name, long otherwise) {
		String value = this.fields.get(name);
		return (value != null) ? Long.parseLong(value) : otherwise;
	}

}
