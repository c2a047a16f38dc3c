package io.github.bloomguard.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;

/**
 * What Redis and the database hold about one filter at one moment. Immutable. Each method
 * that returns a {@link Outcome} is one atomic step: one Lua script, one Redis command or
 * one commit.
 * <p>
 * Time stands still but for the journal, where a millisecond passes whenever a builder
 * reads it: the record has long settled, and everything is within the longest
 * transaction.
 *
 * @param epoch the epoch of the control record
 * @param generations the generations of the control record
 * @param bits the elements that were added to each filter that exists
 * @param journal the keys in the add journal by milliseconds; an empty one for an entry
 * without a key
 * @param builder who holds the lease, empty for nobody
 * @param added the keys added lately
 * @param sentinels the epochs in which sentinels were written, by their keys
 * @param rows the keys of the committed rows
 */
record World(long epoch, List<Generation> generations, Map<String, Set<String>> bits, List<Set<String>> journal,
		String builder, Set<String> added, Map<String, Long> sentinels, Set<String> rows) {

	static final String SEAL = "seal";

	private static final String FIRST = "first";

	private static final long START = 1_000_000;

	/**
	 * Begin with an active generation.
	 * @param generation the generation
	 * @param elements its elements
	 * @param rows the keys of the committed rows
	 * @return the world
	 */
	static World with(Generation generation, Set<String> elements, Set<String> rows) {
		Set<String> bits = new HashSet<>(elements);
		bits.addAll(List.of(FIRST, SEAL));
		return new World(1, List.of(generation), Map.of(generation.id(), Set.copyOf(bits)), List.of(Set.of()), "",
				Set.of(), Map.of(), Set.copyOf(rows));
	}

	// the control record

	Outcome<ControlRecord> read() {
		return Outcome.of(this, record(START));
	}

	/**
	 * Read the record and the time.
	 * @return the record; only a builder looks at the time
	 */
	Outcome<ControlRecord> readWithTime() {
		World next = ticked();
		return Outcome.of(next, record(next.now()));
	}

	Outcome<ControlRecord> append(Collection<String> keys, boolean noted) {
		World next = noted ? appended(keys).noted(keys) : appended(keys);
		return Outcome.of(next, next.record(START));
	}

	private World noted(Collection<String> keys) {
		Set<String> all = new HashSet<>(this.added);
		all.addAll(keys);
		return new World(this.epoch, this.generations, this.bits, this.journal, this.builder, Set.copyOf(all),
				this.sentinels, this.rows);
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

	Outcome<Boolean> begin(String who, Generation generation) {
		if (!this.builder.equals(who)) {
			return Outcome.of(this, false);
		}
		List<Generation> kept = new ArrayList<>(this.generations.stream()
			.filter((other) -> other.phase() != Phase.LOADING && other.phase() != Phase.LIVE)
			.toList());
		kept.add(generation);
		return Outcome.of(appended(List.of("")).changed(kept), true);
	}

	Outcome<Boolean> goLive(String who, String id) {
		return (this.builder.equals(who) && phase(id) == Phase.LOADING)
				? Outcome.of(changed(moved((other) -> other.id().equals(id) ? in(other, Phase.LIVE) : other)), true)
				: Outcome.of(this, false);
	}

	Outcome<Boolean> activate(String who, String id) {
		if (!this.builder.equals(who) || phase(id) != Phase.LIVE) {
			return Outcome.of(this, false);
		}
		return Outcome.of(changed(moved((other) -> {
			if (other.id().equals(id)) {
				return in(other, Phase.ACTIVE);
			}
			return (other.phase() == Phase.ACTIVE) ? in(other, Phase.RETIRED) : other;
		})), true);
	}

	Outcome<Boolean> drop(Collection<String> ids) {
		List<Generation> kept = this.generations.stream().filter((other) -> !ids.contains(other.id())).toList();
		return Outcome.of((kept.size() < this.generations.size()) ? changed(kept) : this, true);
	}

	Outcome<JournalPage> journal(String after) {
		int first = (int) Math.max(Long.parseLong(after.substring(0, after.indexOf('-'))) - START, 0);
		Set<String> found = new TreeSet<>();
		this.journal.subList(Math.min(first, this.journal.size()), this.journal.size()).forEach(found::addAll);
		World next = ticked();
		return Outcome.of(next, new JournalPage(found.stream().filter((key) -> !key.isEmpty()).toList(),
				found.isEmpty() ? "" : next.now() + "-0"));
	}

	private long now() {
		return START + this.journal.size() - 1;
	}

	/**
	 * Let a millisecond pass, so that what was appended until now can be told from what
	 * comes later.
	 */
	private World ticked() {
		if (this.journal.get(this.journal.size() - 1).isEmpty()) {
			return this;
		}
		List<Set<String>> entries = new ArrayList<>(this.journal);
		entries.add(Set.of());
		return withJournal(entries);
	}

	private ControlRecord record(long now) {
		return new ControlRecord(this.epoch, this.generations, true, 1, now, 1);
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

	private List<Generation> moved(UnaryOperator<Generation> move) {
		return this.generations.stream().map(move).toList();
	}

	private static Generation in(Generation generation, Phase phase) {
		return new Generation(generation.id(), generation.specification(), generation.configuredInsertions(),
				generation.salt(), generation.keyFormat(), generation.createdAt(), phase);
	}

	private World changed(List<Generation> generations) {
		return new World(this.epoch + 1, List.copyOf(generations), this.bits, this.journal, this.builder, this.added,
				this.sentinels, this.rows);
	}

	private World appended(Collection<String> keys) {
		List<Set<String>> entries = new ArrayList<>(this.journal);
		Set<String> latest = new HashSet<>(entries.get(entries.size() - 1));
		latest.addAll(keys);
		entries.set(entries.size() - 1, Set.copyOf(latest));
		return withJournal(entries);
	}

	private World withJournal(List<Set<String>> entries) {
		return new World(this.epoch, this.generations, this.bits, List.copyOf(entries), this.builder, this.added,
				this.sentinels, this.rows);
	}

	private World withBuilder(String who) {
		return new World(this.epoch, this.generations, this.bits, this.journal, who, this.added, this.sentinels,
				this.rows);
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
		return new World(this.epoch, this.generations, Map.copyOf(bits), this.journal, this.builder, this.added,
				this.sentinels, this.rows);
	}

	// the sentinels

	Outcome<Boolean> isRemembered(String key) {
		Long written = this.sentinels.get(key);
		return Outcome.of(this, written != null && written == this.epoch);
	}

	Outcome<Boolean> remember(String key, long epoch, boolean unlessAdded) {
		return (epoch != this.epoch || (unlessAdded && this.added.contains(key))) ? Outcome.of(this, false)
				: Outcome.of(withSentinel(key), true);
	}

	Outcome<Boolean> forget(Collection<String> keys) {
		Map<String, Long> kept = new HashMap<>(this.sentinels);
		kept.keySet().removeAll(keys);
		return Outcome.of(withSentinels(kept), true);
	}

	private World withSentinel(String key) {
		Map<String, Long> all = new HashMap<>(this.sentinels);
		all.put(key, this.epoch);
		return withSentinels(all);
	}

	private World withSentinels(Map<String, Long> sentinels) {
		return new World(this.epoch, this.generations, this.bits, this.journal, this.builder, this.added,
				Map.copyOf(sentinels), this.rows);
	}

	// the database

	Outcome<Set<String>> committed() {
		return Outcome.of(this, this.rows);
	}

	Outcome<Set<String>> committed(Collection<String> keys) {
		return Outcome.of(this, this.rows.stream().filter(keys::contains).collect(Collectors.toUnmodifiableSet()));
	}

	Outcome<Boolean> commit(String key) {
		Set<String> all = new HashSet<>(this.rows);
		all.add(key);
		return Outcome.of(new World(this.epoch, this.generations, this.bits, this.journal, this.builder, this.added,
				this.sentinels, Set.copyOf(all)), true);
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
