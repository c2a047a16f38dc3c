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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.chaos.Turn.Step;
import io.github.bloomguard.chaos.World.Outcome;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.RecordState;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * The stores as one actor sees them: each call is a step of its turn. Ids and salts are
 * random, so those that the actor makes up are replaced by names that are the same in
 * each run.
 */
class ModelStores implements ControlStore, FilterStore, EmptySentinels {

	private final Turn turn;

	private final String who;

	private final boolean waits;

	private final Flaw flaw;

	private final Map<String, Generation> named = new HashMap<>();

	private final Map<String, Generation> begun = new HashMap<>();

	private final List<String> toDelete = new ArrayList<>();

	private long knownEpoch;

	/**
	 * The world of the step of a record that is being made.
	 */
	private World present;

	private int shards = 1;

	private boolean slow;

	private boolean impatient;

	private boolean once;

	/**
	 * Create stores.
	 * @param turn the turn whose steps are made
	 * @param who the name of the actor
	 * @param waits whether the actor waits for each step before it makes another
	 * @param flaw the rule that is broken
	 */
	ModelStores(Turn turn, String who, boolean waits, Flaw flaw) {
		this.turn = turn;
		this.who = who;
		this.waits = waits;
		this.flaw = flaw;
	}

	/**
	 * Divide filters among several strings, each of which is written and read in steps of
	 * its own.
	 * @param shards how many
	 * @return this
	 */
	ModelStores shards(int shards) {
		this.shards = shards;
		return this;
	}

	/**
	 * Return the string of an element.
	 * @param name the name of the filter
	 * @param element the element
	 * @param shards how many strings it has
	 * @return the name of the string
	 */
	static String part(String name, String element, int shards) {
		return (shards == 1) ? name : name + "." + element.charAt(element.length() - 1) % shards;
	}

	/**
	 * Return the strings of a filter.
	 * @param name the name of the filter
	 * @param shards how many strings it has
	 * @return their names
	 */
	static List<String> parts(String name, int shards) {
		return (shards == 1) ? List.of(name)
				: IntStream.range(0, shards).mapToObj((shard) -> name + "." + shard).toList();
	}

	private static <T> CompletableFuture<List<T>> all(Stream<CompletableFuture<T>> steps) {
		List<CompletableFuture<T>> started = steps.toList();
		return CompletableFuture.allOf(started.toArray(CompletableFuture<?>[]::new))
			.thenApply((nothing) -> started.stream().map(CompletableFuture::join).toList());
	}

	/**
	 * Let the first add take longer than the longest transaction: a whole build goes by
	 * between its first step and its second, and its entry in the journal is too old to
	 * be replayed.
	 * @return this
	 */
	ModelStores slow() {
		this.slow = true;
		return this;
	}

	/**
	 * Let the actor go no further if it would append keys again.
	 * @return this
	 */
	ModelStores once() {
		this.once = true;
		return this;
	}

	/**
	 * Let the actor take a step that has not been made yet for one that has failed. What
	 * it does when it was not told the record is not made.
	 * @return this
	 */
	ModelStores impatient() {
		this.impatient = true;
		return this;
	}

	private <T> CompletableFuture<T> step(String name, Function<World, Outcome<T>> effect) {
		if (this.waits) {
			this.turn.awaitAll();
			return CompletableFuture.completedFuture(this.turn.make(name, effect));
		}
		if (this.impatient && isFollowingAFailure(name)) {
			return new CompletableFuture<>();
		}
		return this.turn.start(name, effect);
	}

	private boolean isFollowingAFailure(String name) {
		List<Step> pending = this.turn.next();
		return pending.stream().anyMatch((step) -> step.name().equals("read record"))
				|| (name.equals("refresh") && !pending.isEmpty());
	}

	// ControlStore

	@Override
	public CompletableFuture<ControlRecord> read() {
		return step("read record", this.waits ? World::readWithTime : World::read)
			.thenApply((record) -> (this.flaw == Flaw.NO_EPOCH_CHECK && this.knownEpoch > 0) ? new ControlRecord(
					this.knownEpoch, record.generations(), record.trust(), record.sameServer(), record.journalSince(),
					record.journalEnd(), record.now(), record.created(), record.removed(), null) : record);
	}

	@Override
	public CompletableFuture<ControlRecord> refresh(Evidence evidence) {
		return step("refresh", World::read);
	}

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known) {
		List<String> ids = known.stream().map(Generation::id).toList();
		if (this.once && this.knownEpoch > 0) {
			return this.turn.start("append no more", (world) -> null);
		}
		boolean forgotten = this.slow && this.knownEpoch == 0;
		return step("append " + keys + (ids.isEmpty() ? "" : " to " + ids), (world) -> forgotten
				? Outcome.of(world, new Appended(world.read().result(), Set.of())) : append(world, keys, ids))
			.thenApply((appended) -> {
				this.knownEpoch = appended.record().epoch();
				return appended;
			});
	}

	private Outcome<Appended> append(World world, List<String> keys, List<String> known) {
		boolean noted = this.flaw != Flaw.RECENT_ADDS_NOT_NOTED;
		if (this.shards == 1) {
			return world.append(keys, known, noted);
		}
		Outcome<Appended> appended = world.append(keys, List.of(), noted);
		return (this.flaw == Flaw.SHARDS_NOT_WRITTEN)
				? Outcome.of(appended.world(), new Appended(appended.result().record(), Set.copyOf(known))) : appended;
	}

	@Override
	public CompletableFuture<Long> remove(List<String> keys, long decided, long addedSince) {
		return step("remove " + keys, (world) -> world.remove(keys, this.flaw != Flaw.REMOVED_DESPITE_ADD));
	}

	@Override
	public CompletableFuture<Boolean> acquire(String token, Duration lease) {
		return step("acquire lease", (world) -> world.acquire(this.who));
	}

	@Override
	public CompletableFuture<Boolean> renew(String token, Duration lease) {
		throw new UnsupportedOperationException("A lease does not expire by time here");
	}

	@Override
	public CompletableFuture<Void> release(String token) {
		return step("release lease", (world) -> world.release(this.who)).thenApply((released) -> null);
	}

	/**
	 * Return the steps of builders, each of which is one step of the world.
	 * @return the steps
	 */
	RecordSteps recordSteps() {
		return new Steps();
	}

	/**
	 * Read, decide and swap in one step: a swap fails if another step came between.
	 */
	private <T> CompletableFuture<T> recordStep(String name, Supplier<CompletableFuture<T>> made) {
		return step(name, atomic(made));
	}

	private <T> Function<World, Outcome<T>> atomic(Supplier<CompletableFuture<T>> made) {
		return (world) -> {
			this.present = world;
			T result = made.get().join();
			return Outcome.of(this.present, result);
		};
	}

	@Override
	public String origin() {
		return "";
	}

	@Override
	public CompletableFuture<RecordState> state() {
		return CompletableFuture.completedFuture(this.present.filterRecord());
	}

	@Override
	public CompletableFuture<Swap> swap(String token, RecordState before, RecordState after) {
		Outcome<Swap> outcome = this.present.swap((token != null) ? this.who : null, before, after);
		this.present = outcome.world();
		return CompletableFuture.completedFuture(outcome.result());
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count) {
		if (this.flaw == Flaw.NO_JOURNAL_REPLAY) {
			return CompletableFuture.completedFuture(new JournalPage(List.of(), ""));
		}
		return step("read journal", (world) -> world.journal(after));
	}

	// FilterStore

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		Bits bits = new Bits(id.id());
		return all(bits.parts.stream().map((part) -> step("create " + part, (world) -> world.create(part))))
			.thenApply((created) -> {
				if (created.contains(false)) {
					throw new IllegalStateException("The name is in use");
				}
				return bits;
			});
	}

	@Override
	public StoredFilter open(GenerationId id, FilterSpecification specification) {
		return new Bits(id.id());
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification) {
		String name = name(id.id());
		if (this.waits && this.flaw == Flaw.DROPPED_BEFORE_DELETED) {
			this.toDelete.add(name);
			return CompletableFuture.completedFuture(null);
		}
		return deleteParts(name);
	}

	private CompletableFuture<Void> deleteParts(String name) {
		List<String> parts = parts(name, this.shards);
		return all(parts.subList(0, (this.flaw == Flaw.ONE_SHARD_DELETED) ? 1 : parts.size())
			.stream()
			.map((part) -> step("delete " + part, (world) -> world.delete(part)))).thenApply((done) -> null);
	}

	private String name(String id) {
		return this.named.containsKey(id) ? this.named.get(id).id() : id;
	}

	// EmptySentinels

	@Override
	public CompletableFuture<Boolean> containsAny(String key, String end) {
		return contains(key, "");
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return step("read sentinel " + key, (world) -> world.isRemembered(key));
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		return step("remember " + key,
				(world) -> world.remember(key, epoch, this.flaw != Flaw.SENTINEL_DESPITE_RECENT_ADD))
			.thenApply((remembered) -> null);
	}

	/**
	 * The bits of one generation.
	 */
	private final class Bits implements StoredFilter {

		private final String name;

		private final List<String> parts;

		private final Generation begun;

		private final Generation named;

		Bits(String id) {
			this.name = name(id);
			this.parts = parts(this.name, ModelStores.this.shards);
			this.begun = ModelStores.this.begun.get(id);
			this.named = ModelStores.this.named.get(id);
		}

		private String stable(String element) {
			return (this.begun != null && element.startsWith(this.begun.salt()))
					? this.named.salt() + element.substring(this.begun.salt().length()) : element;
		}

		@Override
		public CompletableFuture<Membership> lookup(String element) {
			return lookup(List.of(element)).thenApply((answers) -> answers.get(0));
		}

		@Override
		public CompletableFuture<List<Membership>> lookup(List<String> elements) {
			Map<String, List<String>> byPart = byPart(elements);
			return all(byPart.entrySet().stream().map((asked) -> ask(asked.getKey(), asked.getValue())))
				.thenApply((answers) -> elements.stream()
					.map((element) -> answers.stream()
						.filter((some) -> some.containsKey(element))
						.findFirst()
						.orElseThrow()
						.get(element))
					.toList());
		}

		private CompletableFuture<Map<String, Membership>> ask(String part, List<String> elements) {
			return step("ask " + part + " for " + elements, (world) -> {
				Set<String> present = world.bits(part).result();
				boolean sealed = ModelStores.this.flaw == Flaw.NO_SEAL || present.contains(World.SEAL);
				return Outcome.of(world,
						elements.stream()
							.collect(Collectors.toMap(Function.identity(), (element) -> !sealed ? Membership.UNKNOWN
									: present.contains(element) ? Membership.MAYBE : Membership.ABSENT)));
			});
		}

		/**
		 * Divide elements. A builder writes all strings, so that its steps do not depend
		 * on what it has read.
		 */
		private Map<String, List<String>> byPart(List<String> elements) {
			Map<String, List<String>> result = new TreeMap<>();
			if (ModelStores.this.waits) {
				this.parts.forEach((part) -> result.put(part, new ArrayList<>()));
			}
			elements.forEach((element) -> result
				.computeIfAbsent(part(this.name, element, ModelStores.this.shards), (part) -> new ArrayList<>())
				.add(element));
			return result;
		}

		@Override
		public CompletableFuture<Boolean> isIntact() {
			return all(this.parts.stream()
				.map((part) -> step("is " + part + " intact",
						(world) -> Outcome.of(world, world.bits(part).result().contains(World.SEAL)))))
				.thenApply((intact) -> !intact.contains(false));
		}

		@Override
		public CompletableFuture<Void> add(Collection<String> elements) {
			List<String> stable = elements.stream().map(this::stable).sorted().toList();
			return write(byPart(stable).entrySet()
				.stream()
				.map((added) -> write(
						"write " + (ModelStores.this.waits ? "keys" : added.getValue()) + " to " + added.getKey(),
						added.getKey(), added.getValue())));
		}

		private CompletableFuture<Boolean> write(String step, String part, List<String> elements) {
			boolean late = ModelStores.this.slow;
			return step(step, (world) -> (late && world.isActive("old")) ? null : world.add(part, elements));
		}

		private CompletableFuture<Void> write(Stream<CompletableFuture<Boolean>> writes) {
			return all(writes).thenApply((written) -> {
				if (written.contains(false)) {
					throw new CompletionException(
							new FilterGoneException(new GenerationId("products", this.name), "it is not there"));
				}
				return null;
			});
		}

		@Override
		public CompletableFuture<Boolean> seal() {
			return write(this.parts.stream().map((part) -> write("seal " + part, part, List.of(World.SEAL))))
				.thenCompose((nothing) -> (ModelStores.this.flaw == Flaw.SEALED_WITHOUT_CHECK)
						? CompletableFuture.completedFuture(true)
						: all(this.parts.stream()
							.map((part) -> step("is " + part + " whole", (world) -> world.isWhole(part))))
							.thenApply((whole) -> !whole.contains(false)));
		}

		@Override
		public CompletableFuture<Occupancy> occupancy() {
			throw new UnsupportedOperationException();
		}

	}

	private final class Steps extends RecordSteps {

		Steps() {
			super(ModelStores.this);
		}

		@Override
		public CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep, Duration running) {
			String name = ModelStores.this.who + "-" + (ModelStores.this.begun.size() + 1);
			Generation stable = new Generation(name, generation.specification(), generation.configuredInsertions(),
					name + "/", generation.origin(), Instant.EPOCH, generation.phase());
			ModelStores.this.begun.put(generation.id(), generation);
			ModelStores.this.named.put(generation.id(), stable);
			return recordStep("begin", () -> super.begin(token, stable, keep, running));
		}

		@Override
		public CompletableFuture<Boolean> goLive(String token, String id, String shapes) {
			if (ModelStores.this.flaw == Flaw.REPLAY_BEFORE_LIVE) {
				return CompletableFuture.completedFuture(true);
			}
			return recordStep("go live", () -> goLive(name(id)));
		}

		@Override
		public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
			if (ModelStores.this.flaw == Flaw.REPLAY_BEFORE_LIVE) {
				ModelStores.this.turn.make("go live", atomic(() -> goLive(name(id))));
			}
			return recordStep("activate", () -> super.activate(token, name(id), journalSince));
		}

		private CompletableFuture<Boolean> goLive(String id) {
			return super.goLive(ModelStores.this.who, id, "");
		}

		@Override
		public CompletableFuture<List<Generation>> retire(String token) {
			return recordStep("retire", () -> super.retire(token));
		}

		@Override
		public CompletableFuture<Void> drop(Collection<String> ids) {
			CompletableFuture<Void> dropped = recordStep("drop " + ids, () -> super.drop(ids));
			ModelStores.this.toDelete.forEach(ModelStores.this::deleteParts);
			return dropped;
		}

	}

}
