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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.bloomguard.Membership;
import io.github.bloomguard.chaos.World.Outcome;
import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.MonotonicClock;
import org.jspecify.annotations.Nullable;

/**
 * The stores as an instance sees them that holds a mirror, or that adds keys where
 * mirrors are held. One that holds a mirror makes one step after the other, and takes the
 * messages that have arrived before each of them.
 */
final class ModelMirrors extends ModelStores implements MirrorChannel, MonotonicClock {

	private final Turn turn;

	private final String who;

	private final boolean adder;

	private final Flaw flaw;

	private final ModelClock clock;

	private Receiver receiver;

	private String incarnation;

	private JournalPosition end = JournalPosition.START;

	private long appendedAt = -1;

	private final List<Runnable> unheard = new ArrayList<>();

	private boolean deaf;

	private int page = Integer.MAX_VALUE;

	private Runnable whileAsked = () -> {
	};

	private Runnable whileRenewed = () -> {
	};

	ModelMirrors(Turn turn, String who, boolean adder, Flaw flaw) {
		super(turn, who, !adder, flaw);
		this.turn = turn;
		this.who = who;
		this.adder = adder;
		this.flaw = flaw;
		this.clock = new ModelClock(turn);
	}

	/**
	 * Receive no messages, and hear of none.
	 * @return this
	 */
	ModelMirrors deaf() {
		this.deaf = true;
		return this;
	}

	/**
	 * Read the journal in pages.
	 * @param entries how many entries a page has
	 * @return this
	 */
	ModelMirrors inPagesOf(int entries) {
		this.page = entries;
		return this;
	}

	/**
	 * Have something done by another thread between the reading of the bits and the look
	 * at the trust.
	 * @param action what is done
	 */
	void whileAsked(Runnable action) {
		this.whileAsked = action;
	}

	/**
	 * Have something done by another thread between the reading of the record and the
	 * arrival of the reply.
	 * @param action what is done
	 */
	void whileRenewed(Runnable action) {
		this.whileRenewed = action;
	}

	private <T> CompletableFuture<T> step(String name, Function<World, Outcome<T>> effect) {
		if (this.adder) {
			return this.turn.start(name, effect);
		}
		receive();
		return CompletableFuture.completedFuture(this.turn.make(name, effect));
	}

	/**
	 * Take the messages that have arrived.
	 */
	void receive() {
		this.turn.awaitAll();
		if (this.receiver != null && !this.deaf) {
			for (MirrorWorld.Message message : this.turn.make("receive", World::receive)) {
				this.receiver.added(new Sender(message.adder(), message.token()),
						(this.flaw == Flaw.ACKNOWLEDGED_WITHOUT_KEYS) ? List.of() : message.keys());
			}
		}
	}

	/**
	 * The id of an incarnation is random; it gets a name that is the same in each run.
	 */
	private LeaseHolder stable(LeaseHolder holder) {
		if (this.incarnation == null) {
			this.incarnation = holder.incarnation();
		}
		return new LeaseHolder(holder.instance(), holder.incarnation().equals(this.incarnation) ? "first" : "second");
	}

	// ControlStore

	@Override
	public CompletableFuture<Appended> append(List<String> keys, List<Generation> known, Sender sender,
			LeaseHolder author) {
		if (this.flaw == Flaw.ACK_TIMEOUT_FROM_SENDING) {
			return step("read clock", World::clock).thenCompose((now) -> {
				this.appendedAt = now;
				return appended(keys, known, sender, author);
			});
		}
		return appended(keys, known, sender, author);
	}

	private CompletableFuture<Appended> appended(List<String> keys, List<Generation> known, Sender sender,
			@Nullable LeaseHolder author) {
		List<String> ids = known.stream().map(Generation::id).toList();
		String by = (author != null) ? stable(author).incarnation() : "";
		return step("append " + keys,
				(world) -> world.append(keys, ids, sender.instance(), sender.token(),
						(world.mirrors().hasRemoved() && this.flaw != Flaw.ORDER_UNREAD) ? "" : by))
			.thenApply((appended) -> {
				appended.holders()
					.stream()
					.filter((holder) -> !holder.instance().equals(this.who))
					.forEach((holder) -> this.unheard.add(() -> hear(sender, holder, appended.position())));
				return (this.flaw == Flaw.FAILOVER_UNNOTICED) ? unnoticed(appended) : appended;
			});
	}

	private static Appended unnoticed(Appended appended) {
		ControlRecord record = appended.record();
		ControlRecord same = new ControlRecord(record.epoch(), record.generations(), record.trust(), true,
				record.journalSince(), record.journalEnd(), record.now(), record.created(), record.removed(), null);
		return new Appended(same, appended.written(), appended.holders(), appended.position());
	}

	/**
	 * Hear of a mirror, or never.
	 */
	private void hear(Sender sender, LeaseHolder holder, JournalPosition position) {
		MirrorWorld.Confirmation confirmation = new MirrorWorld.Confirmation(sender.instance(), sender.token(), holder);
		this.turn.start("hear confirmation", (world) -> world.isConfirmed(confirmation))
			.thenAccept((heard) -> this.receiver.acknowledged(sender.token(), holder));
		this.turn.start("hear announcement", (world) -> world.isApplied(holder, position))
			.thenAccept((heard) -> this.receiver.applied(holder, position));
	}

	@Override
	public CompletableFuture<Renewal> refresh(Evidence evidence, LeaseHolder holder, JournalPosition after) {
		JournalPosition from = (this.flaw == Flaw.POSITION_AFTER_THE_COPY && this.end.covers(after)) ? this.end : after;
		LeaseHolder stable = stable(holder);
		CompletableFuture<Renewal> renewal = step("renew",
				(world) -> world.renew(stable, from, this.page, stable.incarnation(), this.flaw));
		Runnable action = this.whileRenewed;
		this.whileRenewed = () -> {
		};
		action.run();
		return renewal;
	}

	@Override
	public CompletableFuture<JournalPage> journal(String after, int count, LeaseHolder except) {
		String by = stable(except).incarnation();
		return step("read on after " + after, (world) -> world.page(JournalPosition.of(after), this.page, by));
	}

	@Override
	public CompletableFuture<MirrorLease> acquireMirrorLease(LeaseHolder holder) {
		LeaseHolder stable = stable(holder);
		return step("hold", (world) -> world.acquireMirrorLease(stable));
	}

	@Override
	public CompletableFuture<Void> releaseMirrorLease(LeaseHolder holder) {
		LeaseHolder stable = stable(holder);
		return step("leave", (world) -> world.releaseMirrorLease(stable)).thenApply((left) -> null);
	}

	@Override
	public CompletableFuture<Boolean> revokeMirrorLease(LeaseHolder holder, JournalPosition lacking) {
		return step("revoke",
				(world) -> world.revokeMirrorLease(holder, lacking, this.flaw == Flaw.REVOKED_AFTER_RENEWAL));
	}

	@Override
	public MirrorChannel channel() {
		return this;
	}

	// MirrorChannel

	@Override
	public String instance() {
		return this.who;
	}

	@Override
	public CompletableFuture<Void> open(Receiver receiver) {
		this.receiver = receiver;
		if (!this.deaf) {
			this.unheard.forEach(Runnable::run);
		}
		this.unheard.clear();
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void acknowledge(Sender adder, LeaseHolder by) {
		MirrorWorld.Confirmation confirmation = new MirrorWorld.Confirmation(adder.instance(), adder.token(),
				stable(by));
		this.turn.make("confirm " + adder.instance(), (world) -> world.confirm(confirmation));
	}

	@Override
	public void announce(LeaseHolder holder, JournalPosition applied) {
		LeaseHolder stable = stable(holder);
		this.turn.make("announce " + applied, (world) -> world.announce(stable, applied));
	}

	@Override
	public CompletableFuture<Void> announceEnd(LeaseHolder holder) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void close() {
	}

	// MonotonicClock

	@Override
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		if (this.flaw == Flaw.ACK_TIMEOUT_BELOW_LEASE && delay.compareTo(ControlRecord.LEASE_ENDS) < 0
				&& !delay.isZero()) {
			return this.clock.after(ControlRecord.LEASE.dividedBy(2));
		}
		if (this.flaw == Flaw.ACK_TIMEOUT_FROM_SENDING && !delay.isZero()) {
			long until = this.appendedAt + delay.toMillis();
			return this.turn.start("wait until " + until, (world) -> world.reached(until)).thenApply((rung) -> null);
		}
		return this.clock.after(delay);
	}

	// FilterStore

	@Override
	public StoredFilter open(GenerationId id, FilterSpecification specification) {
		StoredFilter bits = super.open(id, specification);
		return this.adder ? bits : new Copied(bits, id.id());
	}

	/**
	 * Bits of which a copy can be made.
	 */
	private final class Copied implements StoredFilter {

		private final StoredFilter bits;

		private final String name;

		Copied(StoredFilter bits, String name) {
			this.bits = bits;
			this.name = name;
		}

		@Override
		public CompletableFuture<Membership> lookup(String element) {
			return this.bits.lookup(element);
		}

		@Override
		public CompletableFuture<List<Membership>> lookup(List<String> elements) {
			return this.bits.lookup(elements);
		}

		@Override
		public CompletableFuture<Boolean> isIntact() {
			return this.bits.isIntact();
		}

		@Override
		public CompletableFuture<Void> add(Collection<String> elements) {
			return this.bits.add(elements);
		}

		@Override
		public CompletableFuture<Boolean> seal() {
			return this.bits.seal();
		}

		@Override
		public CompletableFuture<Occupancy> occupancy() {
			return this.bits.occupancy();
		}

		@Override
		public Optional<FilterCopy> copy(String prefix) {
			return Optional.of(new Copy(this.name, prefix));
		}

	}

	/**
	 * A copy of the bits, which are read at once.
	 */
	private final class Copy implements FilterCopy {

		private final String name;

		private final String prefix;

		private final Set<String> elements = new HashSet<>();

		Copy(String name, String prefix) {
			this.name = name;
			this.prefix = prefix;
		}

		@Override
		public CompletableFuture<Boolean> load() {
			return step("copy " + this.name, (world) -> world.bits(this.name)).thenCompose((bits) -> {
				this.elements.addAll(bits);
				boolean sealed = bits.contains(World.SEAL);
				return (ModelMirrors.this.flaw != Flaw.POSITION_AFTER_THE_COPY)
						? CompletableFuture.completedFuture(sealed)
						: step("read position", (world) -> Outcome.of(world, world.mirrors().last()))
							.thenApply((last) -> {
								ModelMirrors.this.end = last;
								return sealed;
							});
			});
		}

		@Override
		public boolean add(String key) {
			return this.elements.add(this.prefix + key);
		}

		@Override
		public boolean mightContain(String key) {
			boolean found = this.elements.contains(this.prefix + key);
			Runnable action = ModelMirrors.this.whileAsked;
			ModelMirrors.this.whileAsked = () -> {
			};
			action.run();
			return found;
		}

	}

}
