package io.github.bloomguard.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import io.github.bloomguard.Membership;
import io.github.bloomguard.chaos.World.Outcome;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * The stores as one actor sees them: each call is a step of its turn. Ids and salts are
 * random, so those that the actor makes up are replaced by names that are the same in
 * each run.
 */
final class ModelStores implements ControlStore, FilterStore, EmptySentinels {

	private final Turn turn;

	private final String who;

	private final boolean waits;

	private final Flaw flaw;

	private final Map<String, Generation> named = new HashMap<>();

	private final Map<String, Generation> begun = new HashMap<>();

	private final List<String> toDelete = new ArrayList<>();

	private long knownEpoch;

	private boolean slow;

	private boolean impatient;

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
		if (this.impatient && this.turn.next().stream().anyMatch((step) -> step.name().equals("read record"))) {
			return new CompletableFuture<>();
		}
		return this.turn.start(name, effect);
	}

	// ControlStore

	@Override
	public CompletableFuture<ControlRecord> read() {
		return step("read record", (this.flaw == Flaw.REPLAY_FROM_THE_SCAN) ? World::readWithTime : World::read)
			.thenApply((record) -> (this.flaw == Flaw.NO_EPOCH_CHECK && this.knownEpoch > 0)
					? new ControlRecord(this.knownEpoch, record.generations(), record.sameServer(),
							record.journalSince(), record.now(), record.created())
					: record);
	}

	@Override
	public CompletableFuture<ControlRecord> append(Collection<String> keys) {
		boolean forgotten = this.slow && this.knownEpoch == 0;
		return step("append " + keys,
				forgotten ? World::read : (world) -> world.append(keys, this.flaw != Flaw.NO_MARKER))
			.thenApply((record) -> {
				this.knownEpoch = record.epoch();
				return record;
			});
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

	@Override
	public CompletableFuture<Boolean> begin(String token, Generation generation, Duration keep) {
		String name = this.who + "-" + (this.begun.size() + 1);
		Generation stable = new Generation(name, generation.specification(), generation.configuredInsertions(),
				name + "/", generation.keyFormat(), Instant.EPOCH, generation.phase());
		this.begun.put(generation.id(), generation);
		this.named.put(generation.id(), stable);
		return step("begin", (world) -> world.begin(this.who, stable));
	}

	@Override
	public CompletableFuture<Boolean> goLive(String token, String id) {
		if (this.flaw == Flaw.REPLAY_BEFORE_LIVE) {
			return CompletableFuture.completedFuture(true);
		}
		return step("go live", (world) -> world.goLive(this.who, name(id)));
	}

	@Override
	public CompletableFuture<Boolean> activate(String token, String id, long journalSince) {
		if (this.flaw == Flaw.REPLAY_BEFORE_LIVE) {
			this.turn.make("go live", (world) -> world.goLive(this.who, name(id)));
		}
		return step("activate", (world) -> world.activate(this.who, name(id)));
	}

	@Override
	public CompletableFuture<Void> drop(Collection<String> ids) {
		CompletableFuture<Boolean> dropped = step("drop " + ids, (world) -> world.drop(ids));
		this.toDelete.forEach((id) -> this.turn.make("delete " + id, (world) -> world.delete(id)));
		return dropped.thenApply((done) -> null);
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
	public CompletableFuture<StoredFilter> create(String name, FilterSpecification specification) {
		Bits bits = new Bits(idOf(name));
		return step("create " + bits.name, (world) -> world.create(bits.name)).thenApply((created) -> {
			if (!created) {
				throw new IllegalStateException("The name is in use");
			}
			return bits;
		});
	}

	@Override
	public StoredFilter open(String name, FilterSpecification specification) {
		return new Bits(idOf(name));
	}

	@Override
	public CompletableFuture<Void> delete(String name) {
		String id = name(idOf(name));
		if (this.waits && this.flaw == Flaw.DROPPED_BEFORE_DELETED) {
			this.toDelete.add(id);
			return CompletableFuture.completedFuture(null);
		}
		return step("delete " + id, (world) -> world.delete(id)).thenApply((done) -> null);
	}

	private static String idOf(String name) {
		return name.substring(name.indexOf("bits:") + "bits:".length());
	}

	private String name(String id) {
		return this.named.containsKey(id) ? this.named.get(id).id() : id;
	}

	// EmptySentinels

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return step("read sentinel " + key, (world) -> world.isRemembered(key));
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		return step("remember " + key, (world) -> world.remember(key, epoch, this.flaw != Flaw.SENTINEL_WITHOUT_NX))
			.thenApply((remembered) -> null);
	}

	@Override
	public CompletableFuture<Void> forget(Collection<String> keys) {
		return step("forget " + keys, (world) -> world.forget(keys)).thenApply((forgotten) -> null);
	}

	/**
	 * The bits of one generation.
	 */
	private final class Bits implements StoredFilter {

		private final String name;

		private final Generation begun;

		private final Generation named;

		Bits(String id) {
			this.name = name(id);
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
			return step("ask " + this.name + " for " + elements, (world) -> {
				Set<String> present = world.bits(this.name).result();
				boolean sealed = ModelStores.this.flaw == Flaw.NO_CANARY || present.contains(World.SEAL);
				return Outcome.of(world,
						elements.stream()
							.map((element) -> !sealed ? Membership.UNKNOWN
									: present.contains(element) ? Membership.MAYBE : Membership.ABSENT)
							.toList());
			});
		}

		@Override
		public CompletableFuture<Boolean> isIntact() {
			return step("is " + this.name + " intact",
					(world) -> Outcome.of(world, world.bits(this.name).result().contains(World.SEAL)));
		}

		@Override
		public CompletableFuture<Void> add(Collection<String> elements) {
			List<String> stable = elements.stream().map(this::stable).sorted().toList();
			return write("write " + (ModelStores.this.waits ? "keys" : stable) + " to " + this.name, stable);
		}

		private CompletableFuture<Void> write(String step, List<String> elements) {
			boolean late = ModelStores.this.slow;
			return step(step, (world) -> (late && world.isActive("old")) ? null : world.add(this.name, elements))
				.thenApply((written) -> {
					if (!written) {
						throw new CompletionException(new FilterGoneException(this.name, new IllegalStateException()));
					}
					return null;
				});
		}

		@Override
		public CompletableFuture<Boolean> seal() {
			return write("seal " + this.name, List.of(World.SEAL)).thenCompose(
					(nothing) -> (ModelStores.this.flaw == Flaw.SEALED_UNSEEN) ? CompletableFuture.completedFuture(true)
							: step("is " + this.name + " whole", (world) -> world.isWhole(this.name)));
		}

		@Override
		public CompletableFuture<Long> bitsSet() {
			throw new UnsupportedOperationException();
		}

	}

}
