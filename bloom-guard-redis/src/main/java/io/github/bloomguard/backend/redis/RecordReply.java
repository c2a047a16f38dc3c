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

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.ModeSwitches;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.OwnerOrigin;
import io.github.bloomguard.generation.OwnerTerms;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordState.KnownOrigin;
import io.github.bloomguard.generation.RecordState.Listed;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.jspecify.annotations.Nullable;

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

	/**
	 * The newest form of a record that this version knows. Records without one have it.
	 */
	private static final int FORM = 1;

	private static final String HOLDER = "holder:";

	private static final String USED = "used:";

	private static final String TERMS = "terms:";

	private static final String MODE = "mode";

	private static final String OWN_MODE = "mode:";

	private static final String EXEMPT = "CONFIGURED";

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
		if (number("form", FORM) > FORM) {
			throw new NewerRecordException(filter);
		}
	}

	private long now() {
		return Long.parseLong(this.reply.get(0));
	}

	private boolean hasJournal() {
		return "1".equals(this.reply.get(1));
	}

	private long journalSince() {
		return hasJournal() ? number("since", 0) : 0;
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
		long now = now();
		List<Generation> generations = generations();
		String active = generations.stream()
			.filter((generation) -> generation.isActive(origin))
			.map(Generation::id)
			.findFirst()
			.orElse("");
		return new ControlRecord(number("epoch", 0), generations, trust(origin, active), isOnItsServer(),
				journalSince(), JournalPosition.of(this.fields.getOrDefault("end", "")), now, number("created", now),
				number("removed:" + active, 0), switches().of(Origin.application(origin)), List.of(),
				(int) holders().stream().filter(LeaseHolder::isOfReader).count(), sightStamp());
	}

	/**
	 * Return the record as instances see it that ask the filter of another application.
	 * @param reader their origin, which names the application
	 */
	ControlRecord recordFor(String reader) {
		ControlRecord record = record(reader);
		String application = Origin.application(reader);
		List<OwnerOrigin> owned = this.fields.keySet()
			.stream()
			.filter((field) -> field.startsWith(USED))
			.map((field) -> field.substring(USED.length()))
			.filter((origin) -> Origin.application(origin).equals(application))
			.map((origin) -> owned(origin, record))
			.toList();
		return new ControlRecord(record.epoch(), record.generations(), record.trust(), record.sameServer(),
				record.journalSince(), record.journalEnd(), record.now(), record.created(), record.removed(),
				record.switched(), owned, record.readers());
	}

	private OwnerOrigin owned(String origin, ControlRecord record) {
		Generation active = record.active(origin);
		return new OwnerOrigin(origin, number(USED + origin, 0), trust(origin, (active != null) ? active.id() : ""),
				OwnerTerms.ofCode(this.fields.getOrDefault(TERMS + origin, "")).orElse(null));
	}

	private ModeSwitches switches() {
		Map<String, ModeSwitch> own = new HashMap<>();
		Set<String> exempt = new HashSet<>();
		this.fields.forEach((field, described) -> {
			if (field.startsWith(OWN_MODE) && described.equals(EXEMPT)) {
				exempt.add(field.substring(OWN_MODE.length()));
			}
			else if (field.startsWith(OWN_MODE)) {
				own.put(field.substring(OWN_MODE.length()), switched(described, false));
			}
		});
		String everywhere = this.fields.get(MODE);
		return new ModeSwitches((everywhere != null) ? switched(everywhere, true) : null, own, exempt);
	}

	private static ModeSwitch switched(String described, boolean everywhere) {
		String[] parts = described.split("\\|", 3);
		return new ModeSwitch(mode(parts[0]), Instant.ofEpochMilli(Long.parseLong(parts[1])),
				parts[2].isEmpty() ? null : parts[2], everywhere);
	}

	/**
	 * A mode that only a newer version knows lets calls pass.
	 */
	private static FilterMode mode(String name) {
		return named(FilterMode.values(), name, FilterMode.OFF);
	}

	/**
	 * In a phase that only a newer version knows, adds write a generation, and nothing
	 * asks it.
	 */
	private static Phase phase(String name) {
		return named(Phase.values(), name, Phase.LIVE);
	}

	private static <E extends Enum<E>> E named(E[] known, String name, E otherwise) {
		return Arrays.stream(known).filter((one) -> one.name().equals(name)).findFirst().orElse(otherwise);
	}

	/**
	 * Return the fields of the switches, with their values.
	 */
	static Map<String, String> describe(ModeSwitches switches) {
		Map<String, String> fields = new HashMap<>();
		if (switches.everywhere() != null) {
			fields.put(MODE, describe(switches.everywhere()));
		}
		switches.own().forEach((application, own) -> fields.put(OWN_MODE + application, describe(own)));
		switches.exempt().forEach((application) -> fields.put(OWN_MODE + application, EXEMPT));
		return fields;
	}

	private static String describe(ModeSwitch switched) {
		return switched.mode() + "|" + switched.at().toEpochMilli() + "|"
				+ Objects.requireNonNullElse(switched.by(), "");
	}

	/**
	 * An older version of bloom-guard writes down which generation it does not believe.
	 */
	private Trust trust(String origin, String active) {
		Rollout rollout = rollout(origin, active);
		return active.equals(this.fields.get("refuted:" + origin))
				? new Trust(rollout, Proof.NONE, doubt(origin).and(1, now()))
				: new Trust(rollout, proof(origin, active), doubt(origin));
	}

	private Rollout rollout(String origin, String active) {
		return new Rollout(number("arrived:" + origin, 0), number("begun:" + active, 0),
				seen((other) -> Origin.areRivals(origin, other)), number("returned:" + origin, 0),
				seen((other) -> Origin.areRivals(origin, other) && Origin.writeOtherForms(origin, other)));
	}

	private long seen(Predicate<String> origins) {
		return this.fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith(USED) && origins.test(field.getKey().substring(USED.length())))
			.mapToLong((field) -> Long.parseLong(field.getValue()))
			.max()
			.orElse(0);
	}

	/**
	 * Return what is swapped by {@link RecordChange}.
	 */
	RecordState state() {
		Map<String, Listed> listed = new LinkedHashMap<>();
		for (Generation generation : generations()) {
			listed.put(generation.id(), new Listed(generation, number("begun:" + generation.id(), 0),
					this.fields.get("shapes:" + generation.id())));
		}
		Map<String, KnownOrigin> origins = new LinkedHashMap<>();
		for (String prefix : List.of(USED, "arrived:", "doubted:")) {
			this.fields.keySet()
				.stream()
				.filter((field) -> field.startsWith(prefix))
				.map((field) -> field.substring(prefix.length()))
				.forEach((origin) -> origins.computeIfAbsent(origin, this::known));
		}
		return new RecordState(stamp(), now(), isOnItsServer(), journalSince(), number("keep", 0), listed, origins,
				switches());
	}

	private KnownOrigin known(String origin) {
		return new KnownOrigin(number("arrived:" + origin, 0), number(USED + origin, 0),
				number("doubted:" + origin, 0));
	}

	/**
	 * Return what the function {@code stamp} of the scripts returns while nothing has
	 * changed.
	 */
	private String stamp() {
		return String.join("|", this.fields.getOrDefault("epoch", ""), server(), this.fields.getOrDefault("server", ""),
				hasJournal() ? this.fields.getOrDefault("since", "") : "");
	}

	/**
	 * Return what the script of the {@link RedisRecordWatch} finds while nothing has
	 * changed that readers have to know; empty if they have to read it anew in any case.
	 */
	private String sightStamp() {
		return (!hasJournal() || !isOnItsServer()) ? ""
				: String.join("|", this.fields.getOrDefault("epoch", ""), this.fields.getOrDefault("end", ""),
						this.fields.getOrDefault("server", ""), this.fields.getOrDefault("changes", ""));
	}

	private Proof proof(String origin, String active) {
		return new Proof(number("proven:" + origin, 0), number("found:" + origin, 0),
				number("complete:" + origin, 0) > 0, "".equals(this.fields.get("shapes:" + active)));
	}

	private Doubt doubt(String origin) {
		return new Doubt(number("wrong:" + origin, 0), number("doubtful:" + origin, 0), number("doubted:" + origin, 0),
				number("unseen:" + origin, 0));
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
				Instant.ofEpochMilli(Long.parseLong(parts[6])), phase(parts[0]));
	}

	static String describe(Generation generation) {
		FilterSpecification specification = generation.specification();
		return generation.phase() + "|" + specification.expectedInsertions() + "|"
				+ specification.falsePositiveProbability() + "|" + generation.configuredInsertions() + "|"
				+ generation.salt() + "|" + generation.origin() + "|" + generation.createdAt().toEpochMilli() + "|"
				+ specification.shardSize();
	}

	private long number(String name, long otherwise) {
		String value = this.fields.get(name);
		return (value != null) ? Long.parseLong(value) : otherwise;
	}

}
