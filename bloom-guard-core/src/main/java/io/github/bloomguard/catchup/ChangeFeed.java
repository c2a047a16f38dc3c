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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Follows the change log of a database, by one instance at a time, and adds the keys of
 * its rows to one filter: change data capture with the filter as its sink.
 * <p>
 * The checkpoint of a generation is a claim: <em>the keys of all rows that were committed
 * before it are in the filter.</em> It is read before the scan, so each row is in the
 * scan or behind it, and is moved only after the keys up to there were added. Then the
 * log is released, never before. A log that begins behind the checkpoint has a gap, so
 * the filter is mistrusted until it has been rebuilt.
 * <p>
 * A generation that is loaded while another one is complete needs no reading again: its
 * builder replays the journal.
 * <p>
 * Concurrency: one thread follows, another one at a time inspects; what others see is
 * published in volatile fields. A claim is true in any instance, so two that follow at
 * the same time, as a frozen one may for a moment, do no harm.
 */
public final class ChangeFeed implements AutoCloseable {

	private static final int CHUNK = 1000;

	private static final Duration RETRY = Duration.ofSeconds(1);

	private static final Duration INSPECTION = Duration.ofSeconds(2);

	/**
	 * How long a checkpoint may be behind what was released.
	 */
	private static final Duration OUTRUN = Duration.ofSeconds(10);

	private static final Duration POLL = Duration.ofMillis(1);

	/**
	 * Bytes of the log that may be behind the feed without counting as behind.
	 */
	private static final long NEAR = 1 << 20;

	private static final String LACKING = "the change log does not have all rows that this filter lacks";

	private final ThrottledLog failures = new ThrottledLog(ChangeFeed.class);

	private final ThrottledLog gaps = new ThrottledLog(ChangeFeed.class);

	private static final Duration LONGEST_VERIFICATION = Duration.ofSeconds(5);

	private final FeedSpecification specification;

	private final Supplier<ChangeLog> opener;

	private final CheckpointStore checkpoints;

	private final GenerationalFilter filter;

	private final Executor executor;

	private final AtomicLong added = new AtomicLong();

	private final AtomicLong removed = new AtomicLong();

	private final AbsenceBarrier barrier;

	private final AbsenceBarrier verification;

	private final RepeatedGaps repeated = new RepeatedGaps(System::nanoTime);

	private volatile @Nullable ChangeLog log;

	private volatile CountDownLatch closed = new CountDownLatch(0);

	private volatile @Nullable Sink sink;

	private volatile @Nullable Follower follower;

	/**
	 * The latest claim that this instance knows of. A lower one may replace a higher one,
	 * which costs a moment.
	 */
	private volatile Claim claim = Claim.NONE;

	private volatile @Nullable FeedStatus status;

	private volatile @Nullable Instant behindSince;

	private volatile @Nullable String error;

	private volatile long inspectedAt = System.nanoTime();

	/**
	 * A claim that was behind what was released, and since when. Only inspections use it.
	 */
	private volatile Claim outrun = Claim.NONE;

	private volatile long outrunSince;

	private CompletableFuture<Void> inspection = CompletableFuture.completedFuture(null);

	/**
	 * @param opener opens the log, for which it may ask the database
	 */
	public ChangeFeed(FeedSpecification specification, Supplier<ChangeLog> opener, CheckpointStore checkpoints,
			GenerationalFilter filter, Executor executor) {
		this.specification = specification;
		this.opener = opener;
		this.checkpoints = checkpoints;
		this.filter = filter;
		this.executor = executor;
		this.barrier = specification.longestWait().isZero() ? AbsenceBarrier.NONE
				: new SharedBarrier(this::pass, specification.longestWait(), executor);
		this.verification = new SharedBarrier(this::pass, LONGEST_VERIFICATION, executor);
	}

	public void check() {
		log().check();
	}

	private synchronized ChangeLog log() {
		ChangeLog log = this.log;
		if (log == null) {
			log = this.opener.get();
			this.log = log;
		}
		return log;
	}

	public AbsenceBarrier barrier() {
		return this.barrier;
	}

	/**
	 * Return the barrier of those who find out whether an answer was wrong: there is one
	 * also where calls wait for nothing.
	 */
	public AbsenceBarrier verification() {
		return this.verification;
	}

	/**
	 * Begin before the rows of a generation are read.
	 * @throws IllegalStateException if gaps repeat, so that it would be of no use now
	 */
	public void begin(Generation generation) {
		Duration rest = this.repeated.rest();
		if (!rest.isZero()) {
			throw new IllegalStateException(
					"Its change log had gaps again and again, so it is loaded again in " + rest.toSeconds() + " s");
		}
		if (!this.checkpoints.start(generation.id(), log().begin().checkpoint()).join()) {
			throw new IllegalStateException("Another builder took over before the scan");
		}
	}

	public void start(Sink sink) {
		CountDownLatch closed = new CountDownLatch(1);
		this.closed = closed;
		this.sink = sink;
		this.executor.execute(() -> LogFields.withFilter(this.specification.filter(), () -> run(sink, closed)));
	}

	public void inspectIfDue() {
		if (this.sink != null && this.inspection.isDone()
				&& System.nanoTime() - this.inspectedAt >= INSPECTION.toNanos()) {
			this.inspectedAt = System.nanoTime();
			this.inspection = CompletableFuture
				.runAsync(() -> LogFields.withFilter(this.specification.filter(), this::inspect), this.executor);
		}
	}

	private void run(Sink sink, CountDownLatch closed) {
		while (closed.getCount() > 0) {
			try {
				Generation active = this.filter.active();
				if (active != null && this.repeated.rest().isZero()) {
					Optional<ChangeReader> turn = log().follow(checkpoint(active));
					if (turn.isPresent()) {
						follow(turn.get(), sink, closed);
					}
					succeed();
				}
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (Throwable ex) {
				// also an error: no other thread follows in this instance
				fail(ex);
			}
			if (isClosedAfter(RETRY, closed)) {
				return;
			}
		}
	}

	private static boolean isClosedAfter(Duration pause, CountDownLatch closed) {
		try {
			return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	private void follow(ChangeReader reader, Sink sink, CountDownLatch closed) throws InterruptedException {
		try (reader) {
			Follower follower = new Follower(reader, sink);
			follower.begin();
			this.follower = follower;
			while (closed.getCount() > 0 && follower.apply(reader.next())) {
				succeed();
			}
		}
		catch (LostLogException ex) {
			gap("a part of its change log can't be read: " + ex.getMessage());
			throw ex;
		}
		finally {
			this.follower = null;
		}
	}

	/**
	 * On any failure a following instance lets go of the log and begins anew: a server
	 * that shuts down waits until all that it has sent is released, and no longer tells
	 * its status.
	 */
	private void inspect() {
		Follower follower = this.follower;
		try {
			Generation active = this.filter.active();
			if (follower != null) {
				follower.release(active);
			}
			FeedStatus status = log().status(known(active).position());
			this.status = status;
			boolean near = status.follower() != null && status.lag() < NEAR;
			this.behindSince = near ? null : (this.behindSince != null) ? this.behindSince : Instant.now();
			if (follower != null) {
				follower.check(status);
			}
			else if (active != null) {
				checkClaim(active, status);
			}
		}
		catch (Throwable ex) {
			// also an error, as in run
			if (follower != null) {
				follower.close();
			}
			if (this.behindSince == null) {
				this.behindSince = Instant.now();
			}
			fail(ex);
		}
	}

	/**
	 * Look for a log that is another one, or was released past this filter, as another
	 * deployment with another Redis would. The checkpoint of a generation that has just
	 * become active may still be moved.
	 * @param status read before the claim is
	 */
	private void checkClaim(Generation active, FeedStatus status) {
		Claim claim = claim(active);
		if (claim.covers(status.released())) {
			this.outrun = Claim.NONE;
		}
		else if (!this.outrun.equals(claim)) {
			this.outrun = claim;
			this.outrunSince = System.nanoTime();
		}
		else if (System.nanoTime() - this.outrunSince > OUTRUN.toNanos()) {
			gap((status.follower() != null && claim.position().isOfLogOf(status.released()))
					? "another application of this name follows the change log for another Redis: give one of them"
							+ " another bloom-guard.application"
					: LACKING);
		}
	}

	private void gap() {
		gap(LACKING);
	}

	private void gap(String reason) {
		Generation active = this.filter.active();
		if (active != null) {
			this.repeated.add(active.id());
		}
		this.gaps.warn(LogMessage.format("The filter '%s' is loaded again, because %s. Its log is '%s'",
				this.specification.filter(), reason, (this.status != null) ? this.status.name() : "not known yet"),
				null);
		this.filter.mistrust(reason);
	}

	private LogPosition checkpoint(Generation generation) {
		return this.checkpoints.read(generation.id()).join().map(log()::position).orElse(FilePosition.NONE);
	}

	private Claim claim(Generation generation) {
		Claim claim = new Claim(generation.id(), checkpoint(generation));
		this.claim = claim;
		return claim;
	}

	private Claim known(@Nullable Generation active) {
		Claim known = this.claim;
		return (active != null && known.isOf(active)) ? known : Claim.NONE;
	}

	private boolean pass(long deadline) throws InterruptedException {
		Generation active = this.filter.active();
		if (active == null || this.closed.getCount() == 0) {
			return false;
		}
		Claim known = known(active);
		LogPosition claimed = (known.equals(Claim.NONE) ? claim(active) : known).position();
		LogPosition mark = log().mark(claimed);
		if (!mark.reaches(claimed)) {
			// the log was restored to an earlier state
			return false;
		}
		while (!isPassed(active, mark)) {
			if (deadline - System.nanoTime() < 0 || this.closed.getCount() == 0) {
				return false;
			}
			TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
		}
		return true;
	}

	private boolean isPassed(Generation active, LogPosition mark) {
		return known(active).covers(mark) || (this.follower == null && claim(active).covers(mark));
	}

	private void succeed() {
		if (this.error != null) {
			this.error = null;
			this.failures
				.over(LogMessage.format("The change feed of the filter '%s' works again", this.specification.filter()));
		}
	}

	private void fail(Throwable failure) {
		if (this.closed.getCount() == 0) {
			return;
		}
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		this.error = FailureDescription.of(cause);
		this.failures.warn(LogMessage.format("The change feed of the filter '%s' failed, trying again in %s ms",
				this.specification.filter(), RETRY.toMillis()), cause);
	}

	public FeedProgress progress() {
		return new FeedProgress(this.follower != null, this.status, this.behindSince, this.added.get(),
				this.removed.get(), this.error);
	}

	@Override
	public void close() {
		this.closed.countDown();
		Follower follower = this.follower;
		if (follower != null) {
			follower.close();
		}
		ChangeLog log = this.log;
		if (log != null) {
			log.close();
		}
	}

	/**
	 * Takes the keys of changes.
	 */
	public interface Sink {

		/**
		 * Add keys, and return when each lookup in any instance finds them.
		 */
		void add(List<?> keys);

		/**
		 * @param since a time at or before the first deletion, as of
		 * {@link System#nanoTime()}
		 */
		void remove(List<?> keys, long since);

	}

	private record Claim(String generation, LogPosition position) {

		static final Claim NONE = new Claim("", FilePosition.NONE);

		boolean isOf(Generation generation) {
			return this.generation.equals(generation.id());
		}

		/**
		 * Return whether it claims all up to a position: nothing of another log.
		 */
		boolean covers(LogPosition position) {
			return this.position.isOfLogOf(position) && this.position.reaches(position);
		}

	}

	/**
	 * Brings what one reader reads to the filter.
	 * <p>
	 * Concurrency: one thread applies changes, another one inspects; the one that moves
	 * the checkpoint holds the lock. What is read has been applied by the time
	 * {@link ChangeReader#next} waits.
	 */
	private final class Follower {

		private final ChangeReader reader;

		private final Sink sink;

		private final ReentrantLock lock = new ReentrantLock();

		/**
		 * Whether all that the filter lacks is behind where the reader began. Once that
		 * holds for a generation, it holds for those that are begun after it.
		 */
		private boolean complete;

		/**
		 * Up to where the keys of all changes were added. Most readers report a position
		 * once, so it is claimed again for each generation that becomes active.
		 */
		private @Nullable LogPosition applied;

		Follower(ChangeReader reader, Sink sink) {
			this.reader = reader;
			this.sink = sink;
		}

		/**
		 * A log that has not come to the claim yet was restored to an earlier state.
		 */
		void begin() {
			Generation active = ChangeFeed.this.filter.active();
			if (active != null) {
				LogPosition known = read(active).position();
				this.complete = this.complete && log().mark(known).reaches(known);
				if (!this.complete) {
					gap();
				}
			}
		}

		/**
		 * Go on where the log has nothing for this feed, so that it is released.
		 */
		void release(@Nullable Generation active) {
			if (active == null) {
				close();
				return;
			}
			advance(active, this.reader.idle());
		}

		void check(FeedStatus status) {
			if (!this.reader.identity().equals(status.follower())
					|| !this.reader.start().isOfLogOf(status.released())) {
				close();
			}
		}

		void close() {
			this.reader.close();
		}

		/**
		 * Apply changes.
		 * @return whether to go on: a filter that was lost is followed by a new reader
		 */
		boolean apply(ChangeReader.Changes changes) {
			for (int from = 0; from < changes.added().size(); from += CHUNK) {
				List<?> chunk = changes.added().subList(from, Math.min(from + CHUNK, changes.added().size()));
				this.sink.add(chunk);
				ChangeFeed.this.added.addAndGet(chunk.size());
			}
			if (!changes.removed().isEmpty() && ChangeFeed.this.specification.exclusive()) {
				this.sink.remove(changes.removed(), changes.since());
				ChangeFeed.this.removed.addAndGet(changes.removed().size());
			}
			Generation active = ChangeFeed.this.filter.active();
			if (active != null) {
				advance(active, changes.position());
			}
			return active != null;
		}

		private void advance(Generation active, @Nullable LogPosition position) {
			this.lock.lock();
			try {
				if (position != null && (this.applied == null || !this.applied.reaches(position))) {
					this.applied = position;
				}
				if (this.applied != null) {
					move(active, this.applied);
				}
			}
			finally {
				this.lock.unlock();
			}
		}

		private void move(Generation active, LogPosition position) {
			Claim known = ChangeFeed.this.claim;
			if (!this.complete || !known.isOf(active)) {
				known = read(active);
			}
			if (!this.complete || !position.isOfLogOf(known.position())) {
				gap();
			}
			else if (known.position().reaches(position)) {
				this.reader.release(position);
			}
			else if (ChangeFeed.this.checkpoints.move(active.id(), known.position().checkpoint(), position.checkpoint())
				.join()) {
				ChangeFeed.this.claim = new Claim(active.id(), position);
				this.reader.release(position);
			}
			else {
				// another instance has moved it, or the generation is gone
				ChangeFeed.this.claim = Claim.NONE;
			}
		}

		private Claim read(Generation active) {
			Claim read = claim(active);
			this.complete = read.position().isOfLogOf(this.reader.start())
					&& (this.complete || read.covers(this.reader.start()));
			return read;
		}

	}

}
