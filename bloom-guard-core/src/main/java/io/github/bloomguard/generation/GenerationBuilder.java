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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.KeyScan.Pass;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Builds the next generation of one filter, without a gap in which a new key could get
 * lost:
 * <ol>
 * <li>list it as loading; wait until the journal reaches back far enough</li>
 * <li>scan the source into it: has all rows committed before the scan</li>
 * <li>make it live: gets all keys added from now on</li>
 * <li>replay the journal from <em>start - longest transaction - longest add</em>: has all
 * keys added between, and those of transactions that were open when the scan began. An
 * add appends its keys to the journal first, so its end, from which the transaction
 * counts, is later than its entries by as long as it takes</li>
 * <li>seal it, make it active and retire its predecessor</li>
 * <li>delete the predecessor's bits, and only then drop it from the record</li>
 * </ol>
 * The methods wait, so they are to be called by a thread of the builder's own.
 */
public final class GenerationBuilder {

	/**
	 * How long a builder that has ended without giving its turn back holds others up.
	 */
	public static final Duration LEASE = BuildLease.DURATION;

	private static final int PAGE = 1000;

	private static final Duration EMPTY_POLL = Duration.ofMillis(200);

	private final ThrottledLog waits = new ThrottledLog(GenerationBuilder.class);

	private final ThrottledLog emptyAtFirst = new ThrottledLog(GenerationBuilder.class);

	private final ThrottledLog empty = new ThrottledLog(GenerationBuilder.class);

	private final FilterStore store;

	private final ControlStore control;

	private final RecordSteps steps;

	private final ScheduledExecutorService scheduler;

	private final MonotonicClock clock;

	private final FilterSettings settings;

	private final Supplier<Duration> running;

	private volatile @Nullable String unanswered;

	public GenerationBuilder(FilterStore store, ControlStore control, RecordSteps steps,
			ScheduledExecutorService scheduler, MonotonicClock clock, FilterSettings settings,
			Supplier<Duration> running) {
		this.store = store;
		this.control = control;
		this.steps = steps;
		this.scheduler = scheduler;
		this.clock = clock;
		this.settings = settings;
		this.running = running;
	}

	/**
	 * Take the turn to build, which one builder has at a time. The caller asks after that
	 * whether a new generation is still needed, and closes the lease in any case.
	 * <p>
	 * A token that Redis was sent without an answer is tried again: it may have the lease
	 * by now, for which this builder would wait as for that of another. Others are drawn
	 * when they are needed, as a process may be restored several times (CRaC).
	 * @return empty if another builder is at work
	 */
	public Optional<BuildLease> acquire() {
		String token = Objects.requireNonNullElseGet(this.unanswered, () -> Generation.randomHex(12));
		this.unanswered = token;
		Optional<BuildLease> turn = BuildLease.acquire(this.control, this.scheduler, token);
		this.unanswered = null;
		return turn;
	}

	/**
	 * Build a generation and make it the active one. If the sources give no key at all,
	 * they are read once more after a while before that is believed.
	 * @throws BuildFailedException if the builder lost its turn, or the generation or the
	 * journal was lost while it was built
	 */
	public void build(BuildLease lease, Generation generation, KeyScan scan) throws Exception {
		boolean believed = this.settings.building().recheckEmpty().isZero();
		if (!build(lease, generation, scan, believed)) {
			awaitKeys();
			build(lease, generation.anew(), scan, true);
		}
		removeRetired(lease.token());
	}

	public void tidy() {
		acquire().ifPresent((turn) -> {
			try (BuildLease lease = turn) {
				removeRetired(lease.token());
			}
		});
	}

	private boolean build(BuildLease lease, Generation generation, KeyScan scan, boolean mayBeEmpty) throws Exception {
		check(this.steps.begin(lease.token(), generation, this.settings.adding().replayed(), this.running.get()).join(),
				"another builder took over");
		Optional<ControlRecord> start;
		try {
			start = fill(lease, generation, scan, mayBeEmpty);
		}
		catch (Throwable ex) {
			// the record may not list it any more, so no other builder would delete it
			delete(generation);
			throw ex;
		}
		if (start.isEmpty()) {
			delete(generation);
			return false;
		}
		check(this.steps.activate(lease.token(), generation.id(), start.get().journalSince()).join(),
				"another builder took over, or the journal was lost, or had more keys than fit into rebuild.journal-max-memory");
		return true;
	}

	private Optional<ControlRecord> fill(BuildLease lease, Generation generation, KeyScan scan, boolean mayBeEmpty)
			throws Exception {
		try (FilterLoad load = this.store
			.load(generation.bits(), generation.specification(), generation.salt(),
					this.settings.building().maxMemory())
			.join()) {
			lease.alsoKeep(load::keepAlive);
			ControlRecord start = awaitJournal();
			TextForms forms = generation.forms();
			ScannedKeys keys = new ScannedKeys((scanned) -> load.add(forms.stored(scanned)));
			for (int number = 1; number <= load.passes(); number++) {
				scan.scan(generation, new Pass(number, load.passes()), keys);
				if (keys.isEmpty() && !mayBeEmpty) {
					return Optional.empty();
				}
				load.endPass();
			}
			if (keys.isEmpty()) {
				this.empty
					.warn(LogMessage.format("The sources of the filter '%s' gave not a single key, so every key that"
							+ " is not added is absent", this.settings.name()), null);
			}
			StoredFilter filter = load.filter();
			check(this.steps.goLive(lease.token(), generation.id(), keys.shapes()).join(),
					"it is not listed as loading any more");
			replay(start.now() - this.settings.adding().replayed().toMillis(), generation, filter);
			check(filter.seal().join(), "some of its bits were lost");
			return Optional.of(start);
		}
	}

	/**
	 * Wait until the journal reaches back as far as a transaction may that was open when
	 * it was lost. An add that was {@linkplain ControlRecord#PROMPT prompt} did not look
	 * whether its key was lost.
	 */
	private ControlRecord awaitJournal() throws InterruptedException {
		long needed = this.settings.adding().longestTransaction().plus(ControlRecord.PROMPT).toMillis();
		while (true) {
			ControlRecord record = this.control.read().join();
			check(record.journalSince() > 0, "the journal was lost");
			long missing = record.journalSince() + needed - record.now();
			if (missing <= 0) {
				return record;
			}
			this.waits.info(LogMessage.format(
					"The load of the filter '%s' begins in %s s: transactions whose adds it does not know may still be"
							+ " open (rebuild.longest-transaction)",
					this.settings.name(), missing / 1000 + 1));
			pause(Duration.ofMillis(missing));
		}
	}

	private void awaitKeys() throws InterruptedException {
		Duration longest = this.settings.building().recheckEmpty();
		this.emptyAtFirst.warn(LogMessage
			.format("The sources of the filter '%s' gave not a single key. They are read again in %s ms, or when a key"
					+ " is added", this.settings.name(), longest.toMillis()),
				null);
		long begun = this.clock.nanoTime();
		String from = replayedFrom(this.control.read().join().now() - this.settings.adding().replayed().toMillis());
		while (this.control.journal(from, PAGE).join().keys().isEmpty()
				&& this.clock.nanoTime() - begun < longest.toNanos()) {
			pause(EMPTY_POLL);
		}
	}

	private void pause(Duration duration) throws InterruptedException {
		try {
			this.clock.after(duration).get();
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
	}

	private void replay(long from, Generation generation, StoredFilter filter) {
		CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
		JournalPage page = this.control.journal(replayedFrom(from), PAGE).join();
		while (!page.last().isEmpty()) {
			added.join();
			added = filter.add(generation.elements(page.keys()));
			page = this.control.journal(page.last(), PAGE).join();
		}
		added.join();
	}

	private static String replayedFrom(long time) {
		return Math.max(time, 0) + "-0";
	}

	private void removeRetired(String token) {
		List<Generation> retired = this.steps.retire(token).join();
		CompletableFuture.allOf(retired.stream().map(this::delete).toArray(CompletableFuture<?>[]::new)).join();
		if (!retired.isEmpty()) {
			this.steps.drop(retired.stream().map(Generation::id).toList()).join();
		}
	}

	private CompletableFuture<Void> delete(Generation generation) {
		return this.store.delete(generation.bits(), generation.specification());
	}

	private static void check(boolean condition, String problem) {
		if (!condition) {
			throw new BuildFailedException("The generation was given up: " + problem);
		}
	}

}
