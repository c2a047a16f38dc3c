package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.KeyScan.Pass;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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
 * Each change of the record is fenced by the builder's token. The methods wait, so they
 * are to be called by a thread of the builder's own.
 *
 * @since 0.1.0
 */
public final class GenerationBuilder {

	private static final Log logger = LogFactory.getLog(GenerationBuilder.class);

	private static final int PAGE = 1000;

	private final FilterKeys keys;

	private final FilterStore store;

	private final ControlStore control;

	private final ScheduledExecutorService scheduler;

	private final Duration longestTransaction;

	private final Duration replayed;

	private final long maxMemory;

	/**
	 * Create a builder.
	 * @param keys the names of the keys
	 * @param store where the bits are
	 * @param control where the record is
	 * @param scheduler renews the lease
	 * @param longestTransaction the longest time between adding a key and committing its
	 * row
	 * @param longestAdd the longest time that adding a key takes
	 * @param maxMemory how many bytes of memory it may take to fill a generation
	 */
	public GenerationBuilder(FilterKeys keys, FilterStore store, ControlStore control,
			ScheduledExecutorService scheduler, Duration longestTransaction, Duration longestAdd, long maxMemory) {
		this.keys = keys;
		this.store = store;
		this.control = control;
		this.scheduler = scheduler;
		this.longestTransaction = longestTransaction;
		this.replayed = longestTransaction.plus(longestAdd);
		this.maxMemory = maxMemory;
	}

	/**
	 * Build the next generation, unless another builder is at work.
	 * @param next the generation to build
	 * @param needed whether it is still needed, asked by the one builder
	 * @param scan gives the keys
	 * @return whether this builder had the turn
	 * @throws Exception if the scan fails
	 * @throws BuildFailedException if the builder lost its turn, or the generation or the
	 * journal was lost while it was built
	 */
	public boolean build(Supplier<Generation> next, BooleanSupplier needed, KeyScan scan) throws Exception {
		Optional<BuildLease> turn = BuildLease.acquire(this.control, this.scheduler);
		if (turn.isEmpty()) {
			return false;
		}
		try (BuildLease lease = turn.get()) {
			if (needed.getAsBoolean()) {
				build(lease.token(), next.get(), scan);
			}
			return true;
		}
	}

	private void build(String token, Generation generation, KeyScan scan) throws Exception {
		removeHalfBuilt();
		check(this.control.begin(token, generation, this.replayed).join(), "another builder took over");
		ControlRecord start;
		try {
			start = fill(token, generation, scan);
		}
		catch (Throwable ex) {
			// the record may not list it any more, so nobody else would delete it
			this.store.delete(this.keys.bits(generation.id()));
			throw ex;
		}
		check(this.control.activate(token, generation.id(), start.journalSince()).join(),
				"another builder took over, or the journal was lost");
		removeRetired();
	}

	/**
	 * Make a generation complete.
	 * @return the record as it was before the scan
	 */
	private ControlRecord fill(String token, Generation generation, KeyScan scan) throws Exception {
		String name = this.keys.bits(generation.id());
		try (FilterLoad load = this.store.load(name, generation.specification(), generation.salt(), this.maxMemory)
			.join()) {
			ControlRecord start = awaitJournal();
			for (int number = 1; number <= load.passes(); number++) {
				scan.scan(generation, new Pass(number, load.passes()), load::add);
				load.endPass();
			}
			StoredFilter filter = load.filter();
			check(this.control.goLive(token, generation.id()).join(), "it is not listed as loading any more");
			replay(start.now() - this.replayed.toMillis(), generation, filter);
			check(filter.seal().join(), "some of its bits were lost");
			return start;
		}
	}

	private ControlRecord awaitJournal() throws InterruptedException {
		while (true) {
			ControlRecord record = this.control.read().join();
			check(record.journalSince() > 0, "the journal was lost");
			long missing = record.journalSince() + this.longestTransaction.toMillis() - record.now();
			if (missing <= 0) {
				return record;
			}
			logger.info(LogMessage.format(
					"The add journal of the filter '%s' is new: waiting %s ms for transactions that may be older",
					this.keys.filter(), missing));
			Thread.sleep(missing);
		}
	}

	private void replay(long from, Generation generation, StoredFilter filter) {
		CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
		JournalPage page = this.control.journal(Math.max(from, 0) + "-0", PAGE).join();
		while (!page.last().isEmpty()) {
			added.join();
			added = filter.add(generation.elements(page.keys()));
			page = this.control.journal(page.last(), PAGE).join();
		}
		added.join();
	}

	private void removeHalfBuilt() {
		ControlRecord record = this.control.read().join();
		deleteBits(Stream.of(Phase.LOADING, Phase.LIVE).map(record::inPhase).flatMap(List::stream).toList());
	}

	private void removeRetired() {
		List<Generation> retired = this.control.read().join().inPhase(Phase.RETIRED);
		deleteBits(retired);
		if (!retired.isEmpty()) {
			this.control.drop(retired.stream().map(Generation::id).toList()).join();
		}
	}

	private void deleteBits(List<Generation> generations) {
		List<CompletableFuture<Void>> deletions = new ArrayList<>();
		generations.forEach((generation) -> deletions.add(this.store.delete(this.keys.bits(generation.id()))));
		deletions.forEach(CompletableFuture::join);
	}

	private static void check(boolean condition, String problem) {
		if (!condition) {
			throw new BuildFailedException("The generation was given up: " + problem);
		}
	}

}
