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

package io.github.bloomguard.instance;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.instance.Mirrors.Refreshed;
import org.jspecify.annotations.Nullable;

/**
 * The latest snapshot of one filter in this instance.
 * <p>
 * Concurrency: all that lookups need is in one immutable {@link FilterSnapshot}. It is
 * replaced by a refresh, of which there is at most one at a time unless one hangs, by the
 * thread that mistrusts what there is, and by one that has found something which changes
 * the standing; all do so atomically. What was found is noted <em>before</em> the
 * standing is computed, and computed anew in each replacement. Mistrust is counted in
 * {@code mistrusted} <em>before</em> the snapshot changes, and in {@code givenUp} by a
 * refresh that has read the record after that, so one that has read it earlier can't
 * bring anything back. Only refreshes write {@code lost}. Adds move {@code appended} on,
 * which is looked at <em>before</em> a record is read.
 */
final class LatestSnapshot {

	private static final String MAY_LACK_KEYS = "it may lack keys";

	private final FilterStore store;

	private final ControlStore control;

	private final Map<String, StoredFilter> open = new ConcurrentHashMap<>();

	private final Set<String> lost = Collections.newSetFromMap(new ConcurrentHashMap<>());

	private final Judge judge;

	private final Choice choice;

	private final AtomicReference<FilterSnapshot> snapshot;

	private final AtomicLong mistrusted = new AtomicLong();

	private final AtomicLong givenUp = new AtomicLong();

	private final AtomicReference<JournalPosition> appended = new AtomicReference<>(JournalPosition.START);

	LatestSnapshot(FilterStore store, ControlStore control, Judge judge, Choice choice) {
		this.store = store;
		this.control = control;
		this.judge = judge;
		this.choice = choice;
		this.snapshot = new AtomicReference<>(judged(null, List.of(), null, 0, null));
	}

	/**
	 * @param active all that has to call a key absent; several only of an application
	 * that another one owns
	 */
	private FilterSnapshot judged(@Nullable ControlRecord record, List<ActiveGeneration> active, @Nullable String loss,
			long readAt, @Nullable Mirror mirror) {
		return new FilterSnapshot(record, active.isEmpty() ? null : active.get(0),
				(active.size() > 1) ? active.subList(1, active.size()) : List.of(), loss, readAt, mirror,
				this.judge.judge(record, !active.isEmpty(), loss != null, readAt));
	}

	FilterSnapshot get() {
		return Objects.requireNonNull(this.snapshot.get());
	}

	List<Generation> live() {
		ControlRecord record = get().record();
		return (record != null) ? record.live() : List.of();
	}

	StoredFilter stored(Generation generation) {
		return this.open.computeIfAbsent(generation.id(),
				(id) -> this.store.open(generation.bits(), generation.specification()));
	}

	void mistrust(String reason) {
		this.mistrusted.incrementAndGet();
		this.snapshot.updateAndGet((shown) -> (shown.active() != null)
				? judged(shown.record(), List.of(), reason, shown.readAt(), null) : shown);
	}

	/**
	 * Compute the standing anew, because something was found or configured.
	 */
	void judgeAnew() {
		this.snapshot
			.updateAndGet((shown) -> judged(shown.record(), shown.all(), shown.loss(), shown.readAt(), shown.mirror()));
	}

	void appended(JournalPosition position) {
		this.appended.accumulateAndGet(position, LatestSnapshot::later);
	}

	private static JournalPosition later(JournalPosition one, JournalPosition other) {
		return one.covers(other) ? one : other;
	}

	/**
	 * Return what is known now, to be asked before the record is read.
	 */
	Known known() {
		ControlRecord record = get().record();
		JournalPosition appended = Objects.requireNonNull(this.appended.get());
		return new Known(this.mistrusted.get(), (record != null) ? record.epoch() : 0,
				(record != null) ? later(record.journalEnd(), appended) : appended);
	}

	/**
	 * Return whether nothing is known of the journal that a snapshot does not have, so
	 * that an older one in its place would be noticed.
	 */
	boolean hasAllOf(FilterSnapshot shown) {
		return shown.record() != null && known().journalEnd().equals(shown.record().journalEnd());
	}

	/**
	 * Go on showing a snapshot whose record was still the same later, unless something
	 * else is shown meanwhile.
	 * @param readAt when that was asked, by the monotonic clock
	 * @param now when that was so, in milliseconds of the server's clock
	 * @return whether it is shown
	 */
	boolean unchanged(FilterSnapshot shown, long readAt, long now) {
		ControlRecord record = shown.record();
		return record != null && this.snapshot.compareAndSet(shown,
				judged(record.seenAt(now), shown.all(), shown.loss(), readAt, shown.mirror()));
	}

	/**
	 * Show a record, unless a newer one is shown already, and ask its active generation
	 * if that is intact.
	 */
	CompletableFuture<Void> update(Refreshed refreshed, long readAt, Known known, String origin) {
		FilterSnapshot shown = get();
		return isNewer(shown, readAt) ? CompletableFuture.completedFuture(null)
				: apply(refreshed, shown, readAt, known, origin);
	}

	private static boolean isNewer(FilterSnapshot shown, long readAt) {
		return shown.record() != null && shown.readAt() - readAt > 0;
	}

	/**
	 * @param shown what was shown when the record was found to be no older: what another
	 * refresh shows meanwhile may be newer than the record, which says nothing about it
	 */
	private CompletableFuture<Void> apply(Refreshed refreshed, FilterSnapshot shown, long readAt, Known known,
			String origin) {
		ControlRecord record = refreshed.record();
		List<String> listed = record.generations().stream().map(Generation::id).toList();
		this.open.keySet().retainAll(listed);
		this.lost.retainAll(listed);
		if (this.givenUp.get() < known.mistrusted() || (record.sameServer() && known.isAheadOf(record))) {
			this.lost.addAll(listed);
			this.givenUp.set(known.mistrusted());
			this.appended.set(JournalPosition.START);
		}
		record.generations().stream().filter((generation) -> this.lost.contains(generation.id())).forEach(this::delete);
		ActiveGeneration former = shown.active();
		if (former != null && !record.lists(former.generation())) {
			// it never comes back; if the record was lost, it is known here only
			delete(former.generation());
		}
		List<Generation> next = this.choice.asked(record, origin);
		if (next.isEmpty()) {
			return show(record, List.of(), lossOf(reason(former, origin)), readAt, null);
		}
		if (next.stream().anyMatch((generation) -> this.lost.contains(generation.id()))) {
			return show(record, List.of(), reasonOf(shown), readAt, null);
		}
		if (!record.sameServer()) {
			next.forEach(this::lose);
			return show(record, List.of(), "another server has taken over, which may lack keys", readAt, null);
		}
		List<ActiveGeneration> active = next.stream().map(this::active).toList();
		return firstGone(active, 0).thenCompose((gone) -> (gone != null) ? lookAgain(gone, readAt, known, origin)
				: show(record, active, null, readAt, mirrorOf(next, refreshed)));
	}

	/**
	 * Return the first generation whose bits are gone, {@code null} if none are.
	 */
	private static CompletableFuture<@Nullable Generation> firstGone(List<ActiveGeneration> active, int from) {
		ActiveGeneration one = active.get(from);
		return one.filter()
			.isIntact()
			.thenCompose((intact) -> !intact ? CompletableFuture.completedFuture(one.generation())
					: (from + 1 < active.size()) ? firstGone(active, from + 1)
							: CompletableFuture.completedFuture(null));
	}

	private CompletableFuture<Void> lookAgain(Generation gone, long readAt, Known known, String origin) {
		return this.control.refresh(Evidence.NONE).thenCompose((record) -> {
			List<Generation> active = this.choice.asked(record, origin);
			if (isNewer(get(), readAt)
					|| !active.isEmpty() && active.stream().noneMatch((one) -> one.id().equals(gone.id()))) {
				return update(new Refreshed(record, null), readAt, known, origin);
			}
			lose(gone);
			return show(record, List.of(), "its bits are gone", readAt, null);
		});
	}

	private static String reason(@Nullable ActiveGeneration former, String origin) {
		return (former == null || former.generation().origin().equals(origin)) ? "the record does not list it any more"
				: "its database is another one, or has another schema now";
	}

	private @Nullable String lossOf(String reason) {
		FilterSnapshot snapshot = get();
		return (snapshot.active() != null) ? reason : snapshot.loss();
	}

	private ActiveGeneration active(Generation next) {
		return get().all()
			.stream()
			.filter((former) -> former.is(next))
			.findFirst()
			.orElseGet(() -> new ActiveGeneration(next, stored(next)));
	}

	/**
	 * A mirror is a copy of one generation, so it can't answer where several are asked.
	 */
	private static @Nullable Mirror mirrorOf(List<Generation> next, Refreshed refreshed) {
		Mirror mirror = refreshed.mirror();
		return (mirror != null && next.size() == 1 && mirror.isOf(next.get(0)) && mirror.isComplete()) ? mirror : null;
	}

	/**
	 * Return why what was lost is lost, which is what was found out first.
	 */
	private static String reasonOf(FilterSnapshot shown) {
		String loss = (shown.active() == null) ? shown.loss() : null;
		return (loss != null) ? loss : MAY_LACK_KEYS;
	}

	private CompletableFuture<Void> show(ControlRecord record, List<ActiveGeneration> active, @Nullable String loss,
			long readAt, @Nullable Mirror mirror) {
		this.snapshot.updateAndGet((shown) -> isNewer(shown, readAt) ? shown
				: (this.givenUp.get() == this.mistrusted.get()) ? judged(record, active, loss, readAt, mirror)
						: judged(record, List.of(), reasonOf(shown), readAt, null));
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Delete the bits of a generation, so that instances that still ask it miss the seal.
	 */
	private void lose(Generation generation) {
		this.lost.add(generation.id());
		delete(generation);
	}

	private void delete(Generation generation) {
		this.store.delete(generation.bits(), generation.specification());
	}

	/**
	 * Chooses the generations of a record that are asked.
	 */
	@FunctionalInterface
	interface Choice {

		/**
		 * The active generation of an origin.
		 */
		Choice OF_ORIGIN = (record, origin) -> Stream.ofNullable(record.active(origin)).toList();

		List<Generation> asked(ControlRecord record, String origin);

	}

	/**
	 * Computes how far a filter is believed.
	 */
	@FunctionalInterface
	interface Judge {

		/**
		 * @param active whether there is an intact generation
		 * @param lost whether there was one
		 * @param readAt when the record was read, by the monotonic clock
		 */
		Standing judge(@Nullable ControlRecord record, boolean active, boolean lost, long readAt);

	}

	record Known(long mistrusted, long epoch, JournalPosition journalEnd) {

		/**
		 * Return whether a record is older, so that older data has taken the place of
		 * what was there. A record that was lost begins at a later epoch.
		 */
		boolean isAheadOf(ControlRecord record) {
			return record.epoch() > 0 && (record.epoch() < this.epoch || !record.journalEnd().covers(this.journalEnd));
		}

	}

}
