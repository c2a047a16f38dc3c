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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.warmup.KeyScan.Pass;
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

	/**
	 * For how long a step is repeated that Redis does not answer.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration RETRY = Duration.ofMillis(500);

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

	/**
	 * Set while the sources are to be read again, because they gave no key.
	 */
	private volatile @Nullable FoundEmpty foundEmpty;

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
	 * Begin a journal where there is none that a build could use, and return for how long
	 * it is too young for one. So many filters can wait for their journals together, and
	 * nothing is held meanwhile: neither the lease of the builder nor a thread.
	 * @param latest the record as it was read last, {@code null} if it was not
	 * @param next a generation that stands for the one to come; nothing is written to it,
	 * and the next build retires it
	 * @return zero if a build need not wait, or would find another builder at work
	 */
	public Duration prepare(@Nullable ControlRecord latest, Supplier<Generation> next) {
		if (latest == null) {
			return Duration.ZERO;
		}
		if (latest.journalSince() > 0 && latest.sameServer()) {
			return missing(latest);
		}
		Optional<BuildLease> turn = acquire();
		if (turn.isEmpty()) {
			return Duration.ZERO;
		}
		try (BuildLease lease = turn.get()) {
			begin(lease, next.get());
		}
		return missing(this.control.read().join());
	}

	/**
	 * Return whether the sources gave not a single key a moment ago, so that a build is
	 * to read them again later: after {@code warm-up.recheck-empty}, or when a key is
	 * added.
	 */
	public boolean isToBeReadLater() {
		FoundEmpty found = this.foundEmpty;
		return found != null && this.clock.nanoTime() - found.at() < this.settings.building().recheckEmpty().toNanos()
				&& this.control.journal(found.from(), PAGE).join().keys().isEmpty();
	}

	/**
	 * Build a generation and make it the active one.
	 * @return {@code false} if the sources gave not a single key, which is believed when
	 * they are read again
	 * @throws BuildFailedException if the builder lost its turn, or the generation or the
	 * journal was lost while it was built
	 */
	public boolean build(BuildLease lease, Generation generation, KeyScan scan) throws Exception {
		boolean believed = this.foundEmpty != null || this.settings.building().recheckEmpty().isZero();
		boolean built = build(lease, generation, scan, believed);
		this.foundEmpty = built ? null : foundEmpty();
		removeRetired(lease.token());
		return built;
	}

	public void tidy() {
		acquire().ifPresent((turn) -> {
			try (BuildLease lease = turn) {
				removeRetired(lease.token());
			}
		});
	}

	private boolean build(BuildLease lease, Generation generation, KeyScan scan, boolean mayBeEmpty) throws Exception {
		begin(lease, generation);
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
		long journalSince = start.get().journalSince();
		check(insist(() -> this.steps.activate(lease.token(), generation.id(), journalSince)),
				"another builder took over, or the journal was lost, or had more keys than fit into rebuild.journal-max-memory");
		return true;
	}

	private void begin(BuildLease lease, Generation generation) {
		check(this.steps.begin(lease.token(), generation, this.settings.adding().replayed(), this.running.get()).join(),
				"another builder took over");
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
			check(insist(() -> this.steps.goLive(lease.token(), generation.id(), keys.shapes())),
					"it is not listed as loading any more");
			replay(start.now() - this.settings.adding().replayed().toMillis(), generation, filter);
			check(insist(filter::seal), "some of its bits were lost");
			return Optional.of(start);
		}
	}

	/**
	 * Wait until the journal reaches back as far as a transaction may that was open when
	 * it was lost. An add that was {@linkplain ControlRecord#PROMPT prompt} did not look
	 * whether its key was lost.
	 */
	private ControlRecord awaitJournal() throws InterruptedException {
		while (true) {
			ControlRecord record = this.control.read().join();
			check(record.journalSince() > 0, "the journal was lost");
			Duration missing = missing(record);
			if (missing.isZero()) {
				return record;
			}
			pause(missing);
		}
	}

	private Duration missing(ControlRecord record) {
		long needed = this.settings.adding().longestTransaction().plus(ControlRecord.PROMPT).toMillis();
		long missing = record.journalSince() + needed - record.now();
		if (missing <= 0) {
			return Duration.ZERO;
		}
		this.waits.info(LogMessage
			.format("The load of the filter '%s' begins in %s s: transactions whose adds it does not know may still be"
					+ " open (rebuild.longest-transaction)", this.settings.name(), missing / 1000 + 1));
		return Duration.ofMillis(missing);
	}

	private FoundEmpty foundEmpty() {
		this.emptyAtFirst.warn(LogMessage
			.format("The sources of the filter '%s' gave not a single key. They are read again in %s ms, or when a key"
					+ " is added", this.settings.name(), this.settings.building().recheckEmpty().toMillis()),
				null);
		return new FoundEmpty(this.clock.nanoTime(),
				replayedFrom(this.control.read().join().now() - this.settings.adding().replayed().toMillis()));
	}

	private void pause(Duration duration) throws InterruptedException {
		try {
			this.clock.after(duration).get();
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
	}

	private void replay(long from, Generation generation, StoredFilter filter) throws InterruptedException {
		JournalPage page = page(replayedFrom(from));
		while (!page.last().isEmpty()) {
			List<String> elements = generation.elements(page.keys());
			CompletableFuture<Void> added = filter.add(elements);
			page = page(page.last());
			await(added, () -> filter.add(elements));
		}
	}

	private JournalPage page(String after) throws InterruptedException {
		return insist(() -> this.control.journal(after, PAGE));
	}

	private <T extends @Nullable Object> T insist(Supplier<CompletableFuture<T>> step) throws InterruptedException {
		return await(step.get(), step);
	}

	/**
	 * Wait for the answer to a step that may be repeated. If there is none, repeat it for
	 * a while: what has taken a load long is not done anew for that.
	 */
	private <T extends @Nullable Object> T await(CompletableFuture<T> answer, Supplier<CompletableFuture<T>> step)
			throws InterruptedException {
		long begun = this.clock.nanoTime();
		CompletableFuture<T> latest = answer;
		while (isMissing(latest) && this.clock.nanoTime() - begun < PATIENCE.toNanos()) {
			pause(RETRY);
			latest = step.get();
		}
		return latest.join();
	}

	private static boolean isMissing(CompletableFuture<?> answer) {
		return answer.handle((value, failure) -> isUnanswered(failure)).join();
	}

	private static boolean isUnanswered(@Nullable Throwable failure) {
		return failure instanceof RedisUnavailableException
				|| (failure instanceof CompletionException && failure.getCause() instanceof RedisUnavailableException);
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

	/**
	 * When the sources gave no key, by the monotonic clock, and from where on the journal
	 * may have one.
	 */
	private record FoundEmpty(long at, String from) {

	}

}
