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

package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.MirrorLease;
import io.github.bloomguard.generation.ControlStore.Renewal;
import io.github.bloomguard.generation.ControlStore.Swap;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.ModeSwitches;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordState.KnownOrigin;
import io.github.bloomguard.generation.RecordState.Listed;
import io.github.bloomguard.generation.Trust;

/**
 * What Redis and the database hold about one filter at one moment. Immutable. Each method
 * that returns a {@link Outcome} is one atomic step: one Lua script, one Redis command or
 * one commit.
 * <p>
 * A millisecond passes whenever a builder reads the journal to which something has been
 * appended, and a second whenever the one actor lets it pass that is there for this.
 *
 * @param time the milliseconds that have passed
 * @param created when the control record came into being
 * @param epoch the epoch of the control record
 * @param generations the generations of the control record
 * @param bits the elements that were added to each filter that exists
 * @param journal the keys in the add journal by milliseconds; an empty one for an entry
 * without a key
 * @param builder who holds the lease, empty for nobody
 * @param added the keys added lately
 * @param sentinels the epochs in which sentinels were written, by their keys
 * @param rows the keys of the committed rows
 * @param mirrors the mirrors
 */
record World(long time, long created, long epoch, List<Generation> generations, Map<String, Set<String>> bits,
		Map<Long, Set<String>> journal, String builder, Set<String> added, Map<String, Long> sentinels,
		Set<String> rows, MirrorWorld mirrors) {

	static final String SEAL = "seal";

	private static final String FIRST = "first";

	private static final long START = 1_000_000;

	private static final long LONG_AGO = -START + 1;

	/**
	 * How many milliseconds a key counts as added lately: as long as a load, or a
	 * question to the source after it, may take, and a commit may come after its add.
	 */
	private static final long ADDED_RETENTION = 20_000;

	/**
	 * Begin with an active generation.
	 * @param generation the generation
	 * @param elements its elements
	 * @param rows the keys of the committed rows
	 * @return the world
	 */
	static World with(Generation generation, Set<String> elements, Set<String> rows) {
		return with(generation, 1, elements, rows);
	}

	/**
	 * Begin with an active generation in several strings.
	 * @param generation the generation
	 * @param shards how many strings
	 * @param elements its elements
	 * @param rows the keys of the committed rows
	 * @return the world
	 */
	static World with(Generation generation, int shards, Set<String> elements, Set<String> rows) {
		Map<String, Set<String>> bits = new HashMap<>();
		for (String part : ModelStores.parts(generation.id(), shards)) {
			Set<String> present = elements.stream()
				.filter((element) -> ModelStores.part(generation.id(), element, shards).equals(part))
				.collect(Collectors.toCollection(HashSet::new));
			present.addAll(List.of(FIRST, SEAL));
			bits.put(part, Set.copyOf(present));
		}
		return new World(0, LONG_AGO, 1, List.of(generation), Map.copyOf(bits), Map.of(), "", Set.of(), Map.of(),
				Set.copyOf(rows), MirrorWorld.EMPTY);
	}

	// time

	/**
	 * Let a second pass.
	 * @return the world a second later
	 */
	Outcome<Boolean> later() {
		return Outcome.of(at(this.time + 1000), true);
	}

	/**
	 * Let time pass.
	 * @param millis how much
	 * @return the world after that
	 */
	Outcome<Boolean> after(long millis) {
		return Outcome.of(at(this.time + millis), true);
	}

	/**
	 * Let more than half of the time pass for which a key counts as added lately.
	 * @return the world after that
	 */
	Outcome<Boolean> muchLater() {
		return Outcome.of(at(this.time + ADDED_RETENTION / 2 + 1), true);
	}

	/**
	 * End what has to be over by a time.
	 * @param latest the latest time at which that is possible
	 * @return the same world, {@code null} if it is too late
	 */
	Outcome<Boolean> endUntil(long latest) {
		return (this.time <= latest) ? Outcome.of(this, true) : null;
	}

	Outcome<Long> clock() {
		return Outcome.of(this, this.time);
	}

	/**
	 * Wait.
	 * @param time the time to wait for
	 * @return the same world, {@code null} if it is not time yet
	 */
	Outcome<Boolean> reached(long time) {
		return (this.time >= time) ? Outcome.of(this, true) : null;
	}

	private World at(long time) {
		return new World(time, this.created, this.epoch, this.generations, this.bits, this.journal, this.builder,
				this.added, this.sentinels, this.rows, this.mirrors);
	}

	// the control record

	/**
	 * Read the record as those do who do not look at the time in it, but for how new it
	 * is.
	 * @return the record, which is the same at all times
	 */
	Outcome<ControlRecord> read() {
		return Outcome.of(this, record());
	}

	private long appendedAt(String key) {
		return this.journal.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().contains(key))
			.mapToLong(Map.Entry::getKey)
			.max()
			.orElseThrow();
	}

	private ControlRecord record() {
		boolean settled = this.time - this.created >= 10_000;
		return settled ? record(START, START + LONG_AGO) : record(START + this.time, START + this.created);
	}

	/**
	 * Read the record and the time.
	 * @return the record as a builder reads it
	 */
	Outcome<ControlRecord> readWithTime() {
		World next = ticked();
		return Outcome.of(next, next.record(START + next.time, START + next.created));
	}

	/**
	 * Lose the record, and nothing else.
	 * @return the world without a record
	 */
	Outcome<Boolean> loseRecord() {
		return Outcome.of(new World(this.time, this.created, 0, List.of(), this.bits, this.journal, this.builder,
				this.added, this.sentinels, this.rows, this.mirrors), true);
	}

	/**
	 * Lose everything.
	 * @return the world as if a filter had never been there
	 */
	Outcome<Boolean> loseAll() {
		return Outcome.of(new World(this.time, this.created, 0, List.of(), Map.of(), Map.of(), "", Set.of(), Map.of(),
				this.rows, MirrorWorld.EMPTY), true);
	}

	/**
	 * Wait until the record is lost.
	 * @return the same world, {@code null} as long as it is there
	 */
	Outcome<Boolean> isLost() {
		return (this.epoch == 0) ? Outcome.of(this, true) : null;
	}

	/**
	 * Append keys and write them to generations.
	 * @param keys the keys
	 * @param known the ids of the generations
	 * @param noted whether the keys are noted as added
	 * @return the world, and the generations that were written
	 */
	Outcome<Appended> append(Collection<String> keys, Collection<String> known, boolean noted) {
		World next = (this.epoch == 0) ? withRecord() : this;
		next = next.appended(keys).forgotten(keys);
		if (noted) {
			next = next.noted(keys);
		}
		Set<String> written = new HashSet<>();
		for (Generation generation : this.generations) {
			if (known.contains(generation.id()) && generation.phase() != Phase.LOADING) {
				next = next.add(generation.id(), generation.elements(List.copyOf(keys))).world();
				written.add(generation.id());
			}
		}
		return Outcome.of(next, new Appended(next.record(), Set.copyOf(written)));
	}

	/**
	 * A journal without a record counts as lost, too.
	 */
	private World withRecord() {
		return new World(this.time, this.time, 1000 + this.time, this.generations, this.bits, Map.of(), this.builder,
				this.added, this.sentinels, this.rows, this.mirrors);
	}

	private World noted(Collection<String> keys) {
		Set<String> all = new HashSet<>(this.added);
		all.addAll(keys);
		return new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal, this.builder,
				Set.copyOf(all), this.sentinels, this.rows, this.mirrors);
	}

	Outcome<Boolean> acquire(String who) {
		return this.builder.isEmpty() ? Outcome.of(withBuilder(who), true) : Outcome.of(this, false);
	}

	Outcome<Boolean> release(String who) {
		return this.builder.equals(who) ? Outcome.of(withBuilder(""), true) : Outcome.of(this, false);
	}

	/**
	 * Let the lease expire.
	 * @return the world without a builder
	 */
	Outcome<Boolean> expire() {
		return Outcome.of(withBuilder(""), true);
	}

	/**
	 * Return what steps from record to record begin with. Each origin is in use.
	 */
	RecordState filterRecord() {
		Map<String, Listed> listed = new LinkedHashMap<>();
		Map<String, KnownOrigin> origins = new HashMap<>();
		for (Generation generation : this.generations) {
			listed.put(generation.id(), new Listed(generation, START, null));
			origins.put(generation.origin(), new KnownOrigin(START, START + this.time, 0));
		}
		ControlRecord record = record();
		return new RecordState(String.valueOf(this.epoch), START + this.time, record.sameServer(),
				(this.epoch == 0) ? 0 : record.journalSince(), 0, listed, origins, ModeSwitches.NONE);
	}

	/**
	 * Swap the record that was read for another one.
	 * @param who the builder, {@code null} for anybody
	 */
	Outcome<Swap> swap(String who, RecordState before, RecordState after) {
		if (who != null && !this.builder.equals(who)) {
			return Outcome.of(this, Swap.FENCED);
		}
		if (!before.stamp().equals(String.valueOf(this.epoch))) {
			return Outcome.of(this, Swap.MOVED);
		}
		if (after == before) {
			return Outcome.of(this, Swap.MADE);
		}
		boolean begun = !before.listed().keySet().containsAll(after.listed().keySet());
		World next = (begun && this.epoch == 0) ? withRecord() : this;
		return Outcome.of((begun ? next.appended(List.of("")) : next)
			.changed(after.listed().values().stream().map(Listed::generation).toList()), Swap.MADE);
	}

	/**
	 * Read the journal to its end.
	 * @param after the id of the entry before the first one
	 * @return the keys
	 */
	Outcome<JournalPage> journal(String after) {
		long from = Long.parseLong(after.substring(0, after.indexOf('-'))) - START;
		Set<String> found = new TreeSet<>();
		boolean any = false;
		for (Map.Entry<Long, Set<String>> entries : this.journal.entrySet()) {
			if (entries.getKey() >= from) {
				found.addAll(entries.getValue());
				any = true;
			}
		}
		World next = ticked();
		return Outcome.of(next, new JournalPage(found.stream().filter((key) -> !key.isEmpty()).toList(),
				any ? (START + next.time) + "-0" : ""));
	}

	/**
	 * Let a millisecond pass, so that what was appended until now can be told from what
	 * comes later.
	 */
	private World ticked() {
		return this.journal.containsKey(this.time) ? at(this.time + 1) : this;
	}

	private ControlRecord record(long now, long created) {
		long journalSince = (this.created == LONG_AGO) ? 1 : START + this.created;
		return new ControlRecord(this.epoch, this.generations, Trust.NONE, !this.mirrors.another(), journalSince,
				this.mirrors.last(), now, created, 0, null);
	}

	boolean isActive(String id) {
		return phase(id) == Phase.ACTIVE;
	}

	private Phase phase(String id) {
		return this.generations.stream()
			.filter((generation) -> generation.id().equals(id))
			.map(Generation::phase)
			.findFirst()
			.orElse(null);
	}

	private World changed(List<Generation> generations) {
		return new World(this.time, this.created, this.epoch + 1, List.copyOf(generations), this.bits, this.journal,
				this.builder, this.added, this.sentinels, this.rows, this.mirrors);
	}

	private World appended(Collection<String> keys) {
		Map<Long, Set<String>> entries = new HashMap<>(this.journal);
		Set<String> latest = new HashSet<>(entries.getOrDefault(this.time, Set.of()));
		latest.addAll(keys);
		entries.put(this.time, Set.copyOf(latest));
		return new World(this.time, this.created, this.epoch, this.generations, this.bits, Map.copyOf(entries),
				this.builder, this.added, this.sentinels, this.rows, this.mirrors);
	}

	private World withBuilder(String who) {
		return new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal, who,
				this.added, this.sentinels, this.rows, this.mirrors);
	}

	// the bits

	Outcome<Boolean> create(String name) {
		return this.bits.containsKey(name) ? Outcome.of(this, false) : Outcome.of(withBits(name, Set.of(FIRST)), true);
	}

	Outcome<Boolean> add(String name, Collection<String> elements) {
		Set<String> present = this.bits.get(name);
		if (present == null) {
			return Outcome.of(this, false);
		}
		Set<String> all = new HashSet<>(present);
		all.addAll(elements);
		return Outcome.of(withBits(name, Set.copyOf(all)), true);
	}

	/**
	 * Read the bits.
	 * @param name the name of the filter
	 * @return the elements, empty if there is no such filter
	 */
	Outcome<Set<String>> bits(String name) {
		return Outcome.of(this, this.bits.getOrDefault(name, Set.of()));
	}

	Outcome<Boolean> isWhole(String name) {
		return Outcome.of(this, this.bits.getOrDefault(name, Set.of()).containsAll(List.of(FIRST, SEAL)));
	}

	Outcome<Boolean> delete(String name) {
		Map<String, Set<String>> kept = new HashMap<>(this.bits);
		kept.remove(name);
		return Outcome.of(withBits(kept), true);
	}

	/**
	 * Lose the bits and not the size: what is added later is written silently.
	 * @param name the name of the filter
	 * @return the world without the bits
	 */
	Outcome<Boolean> evict(String name) {
		return Outcome.of(this.bits.containsKey(name) ? withBits(name, Set.of()) : this, true);
	}

	private World withBits(String name, Set<String> elements) {
		Map<String, Set<String>> all = new HashMap<>(this.bits);
		all.put(name, elements);
		return withBits(all);
	}

	private World withBits(Map<String, Set<String>> bits) {
		return new World(this.time, this.created, this.epoch, this.generations, Map.copyOf(bits), this.journal,
				this.builder, this.added, this.sentinels, this.rows, this.mirrors);
	}

	// the mirrors

	/**
	 * Append keys where mirrors may be held.
	 * @param keys the keys
	 * @param known the ids of the generations
	 * @param adder who adds them
	 * @param token which add
	 * @param author the mirror that has the keys already, empty for none
	 * @return the world, and what was there when they were appended
	 */
	Outcome<Appended> append(Collection<String> keys, Collection<String> known, String adder, long token,
			String author) {
		Outcome<Appended> appended = append(keys, known, true);
		World next = appended.world().with(this.mirrors.append(keys, START + this.time, adder, token, author));
		return Outcome.of(next, new Appended(appended.result().record(), appended.result().written(),
				List.copyOf(this.mirrors.holders().keySet()), next.mirrors.last()));
	}

	Outcome<MirrorLease> acquireMirrorLease(LeaseHolder holder) {
		JournalPosition last = this.mirrors.last();
		return Outcome.of(with(this.mirrors.withHolder(holder, last)), new MirrorLease(last, 1, START + this.time));
	}

	Outcome<Boolean> releaseMirrorLease(LeaseHolder holder) {
		return Outcome.of(with(this.mirrors.without(holder)), true);
	}

	Outcome<Boolean> revokeMirrorLease(LeaseHolder holder, JournalPosition lacking, boolean unseen) {
		JournalPosition read = this.mirrors.holders().get(holder);
		return (read != null && (unseen || read.compareTo(lacking) < 0)) ? releaseMirrorLease(holder)
				: Outcome.of(this, false);
	}

	/**
	 * Remove keys.
	 * @param keys the keys
	 * @param unlessAdded whether those that were added are left
	 * @return the world, and how many were removed
	 */
	Outcome<Long> remove(Collection<String> keys, boolean unlessAdded) {
		MirrorWorld next = this.mirrors;
		long removed = 0;
		for (String key : keys) {
			if (!unlessAdded || !this.added.contains(key)) {
				next = next.remove(key, START + this.time);
				removed++;
			}
		}
		return Outcome.of(with(next), removed);
	}

	private static Set<String> removed(List<MirrorWorld.Entry> entries, boolean inAnyOrder) {
		Set<String> removed = new HashSet<>();
		for (MirrorWorld.Entry entry : entries) {
			if (entry.removed()) {
				removed.add(entry.key());
			}
			else if (!inAnyOrder) {
				removed.remove(entry.key());
			}
		}
		return Set.copyOf(removed);
	}

	/**
	 * Return a page of the journal.
	 * @param after the position after which it begins
	 * @param count how many entries it has at most
	 * @param except the mirror that has added what is left out, empty for none
	 */
	Outcome<JournalPage> page(JournalPosition after, int count, String except) {
		return Outcome.of(this, page(this.mirrors.after(after), count, except, false));
	}

	private static JournalPage page(List<MirrorWorld.Entry> entries, int count, String except, boolean inAnyOrder) {
		List<MirrorWorld.Entry> read = entries.subList(0, Math.min(count, entries.size()));
		List<String> keys = read.stream()
			.filter((entry) -> !entry.removed() && (except.isEmpty() || !entry.author().equals(except)))
			.map(MirrorWorld.Entry::key)
			.toList();
		return read.isEmpty() ? new JournalPage(List.of(), "")
				: new JournalPage(keys, removed(read, inAnyOrder), read.get(read.size() - 1).position().toString());
	}

	Outcome<Renewal> renew(LeaseHolder holder, JournalPosition after, int count, String except, Flaw flaw) {
		if (!this.mirrors.holders().containsKey(holder)) {
			return Outcome.of(this, new Renewal(record(), false, new JournalPage(List.of(), ""), false));
		}
		List<MirrorWorld.Entry> entries = this.mirrors.after(after);
		JournalPage page = (flaw == Flaw.RENEWED_WITHOUT_THE_JOURNAL) ? new JournalPage(List.of(), "")
				: page(entries, count, except, flaw == Flaw.REMOVED_IN_ANY_ORDER);
		return Outcome.of(with(this.mirrors.withHolder(holder, this.mirrors.last())),
				new Renewal(record(), true, page, entries.size() > count));
	}

	Outcome<Boolean> deliver(String adder) {
		MirrorWorld next = this.mirrors.deliver(adder);
		return next.equals(this.mirrors) ? null : Outcome.of(with(next), true);
	}

	Outcome<Set<MirrorWorld.Message>> receive() {
		return Outcome.of(with(this.mirrors.received()), this.mirrors.arrived());
	}

	Outcome<Boolean> confirm(MirrorWorld.Confirmation confirmation) {
		return Outcome.of(with(this.mirrors.confirm(confirmation)), true);
	}

	Outcome<Boolean> isConfirmed(MirrorWorld.Confirmation confirmation) {
		return this.mirrors.confirmed().contains(confirmation) ? Outcome.of(this, true) : null;
	}

	Outcome<Boolean> announce(LeaseHolder holder, JournalPosition position) {
		return Outcome.of(with(this.mirrors.apply(holder, position)), true);
	}

	Outcome<Boolean> isApplied(LeaseHolder holder, JournalPosition position) {
		JournalPosition applied = this.mirrors.applied().getOrDefault(holder, JournalPosition.START);
		return applied.covers(position) ? Outcome.of(this, true) : null;
	}

	Outcome<Boolean> failOver() {
		return Outcome.of(with(this.mirrors.failOver()), true);
	}

	Outcome<Boolean> withoutHolders() {
		return Outcome.of(with(this.mirrors.withHolders(Map.of())), true);
	}

	private World with(MirrorWorld mirrors) {
		return new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal, this.builder,
				this.added, this.sentinels, this.rows, mirrors);
	}

	// the sentinels

	Outcome<Boolean> isRemembered(String key) {
		Long written = this.sentinels.get(key);
		return Outcome.of(this, written != null && written == this.epoch);
	}

	Outcome<Boolean> remember(String key, long epoch, boolean unlessAdded) {
		return (epoch != this.epoch || (unlessAdded && wasAddedLately(key))) ? Outcome.of(this, false)
				: Outcome.of(withSentinel(key), true);
	}

	private boolean wasAddedLately(String key) {
		return this.added.contains(key) && this.time - appendedAt(key) < ADDED_RETENTION;
	}

	private World forgotten(Collection<String> keys) {
		Map<String, Long> kept = new HashMap<>(this.sentinels);
		kept.keySet().removeAll(keys);
		return withSentinels(kept);
	}

	private World withSentinel(String key) {
		Map<String, Long> all = new HashMap<>(this.sentinels);
		all.put(key, this.epoch);
		return withSentinels(all);
	}

	private World withSentinels(Map<String, Long> sentinels) {
		return new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal, this.builder,
				this.added, Map.copyOf(sentinels), this.rows, this.mirrors);
	}

	// the database

	Outcome<Set<String>> committed() {
		return Outcome.of(this, this.rows);
	}

	Outcome<Set<String>> committed(Collection<String> keys) {
		return Outcome.of(this, this.rows.stream().filter(keys::contains).collect(Collectors.toUnmodifiableSet()));
	}

	/**
	 * Commit a row, unless it is too late.
	 * @param key the key of the row
	 * @param latest the latest time at which that is possible
	 * @return the world, {@code null} if it is too late
	 */
	Outcome<Boolean> commitUntil(String key, long latest) {
		return (this.time <= latest) ? commit(key) : null;
	}

	/**
	 * Commit a row, unless it is too late after its key was appended to the journal.
	 * @param key the key of the row
	 * @param longest how many milliseconds that is possible
	 * @return the world, {@code null} if it is too late
	 */
	Outcome<Boolean> commitWithin(String key, long longest) {
		return (this.time - appendedAt(key) <= longest) ? commit(key) : null;
	}

	Outcome<Boolean> commit(String key) {
		Set<String> all = new HashSet<>(this.rows);
		all.add(key);
		return Outcome.of(new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal,
				this.builder, this.added, this.sentinels, Set.copyOf(all), this.mirrors), true);
	}

	/**
	 * Delete a row.
	 * @param key the key of the row
	 * @return the world without it
	 */
	Outcome<Boolean> deleteRow(String key) {
		Set<String> all = new HashSet<>(this.rows);
		all.remove(key);
		return Outcome.of(new World(this.time, this.created, this.epoch, this.generations, this.bits, this.journal,
				this.builder, this.added, this.sentinels, Set.copyOf(all), this.mirrors), true);
	}

	/**
	 * Commit a row as soon as there is no other one of the same key.
	 * @param key the key of the row
	 * @return the world, {@code null} as long as there is one
	 */
	Outcome<Boolean> commitUnique(String key) {
		return this.rows.contains(key) ? null : commit(key);
	}

	/**
	 * What a step leads to.
	 *
	 * @param <T> the type of the result
	 * @param world the world after the step
	 * @param result what the one who has made the step is told
	 */
	record Outcome<T>(World world, T result) {

		static <T> Outcome<T> of(World world, T result) {
			return new Outcome<>(world, result);
		}

	}

}
