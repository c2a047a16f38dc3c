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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.bloomguard.catchup.Claims.Claim;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.feed.FeedProgress;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;
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
 * published in volatile fields.
 */
public final class ChangeFeed implements RowFeed {

	static final String LACKING = "the change log does not have all rows that this filter lacks";

	private static final Duration INSPECTION = Duration.ofSeconds(2);

	/**
	 * How long it may take to find out whether an answer was wrong: also where calls wait
	 * for nothing.
	 */
	private static final Duration LONGEST_VERIFICATION = Duration.ofSeconds(5);

	private static final Duration POLL = Duration.ofMillis(1);

	private final ThrottledLog gaps = new ThrottledLog(ChangeFeed.class);

	private final String name;

	private final Supplier<ChangeLog> opener;

	private final GenerationalFilter filter;

	private final boolean exclusive;

	private final Executor executor;

	private final Claims claims;

	private final FeedWatch watch;

	private final RepeatedGaps repeated = new RepeatedGaps(System::nanoTime);

	private final AtomicLong added = new AtomicLong();

	private final AtomicLong removed = new AtomicLong();

	private volatile @Nullable ChangeLog log;

	private volatile CountDownLatch closed = new CountDownLatch(0);

	private volatile @Nullable Follower follower;

	private volatile boolean following;

	private volatile long inspectedAt = System.nanoTime();

	private CompletableFuture<Void> inspection = CompletableFuture.completedFuture(null);

	/**
	 * @param opener opens the log, for which it may ask the database
	 * @param exclusive whether all keys of the filter come from the log, so that one
	 * whose row is deleted is gone
	 */
	ChangeFeed(String name, Supplier<ChangeLog> opener, CheckpointStore checkpoints, GenerationalFilter filter,
			boolean exclusive, Executor executor) {
		this.name = name;
		this.opener = opener;
		this.filter = filter;
		this.exclusive = exclusive;
		this.executor = executor;
		this.claims = new Claims(checkpoints, this::log);
		this.watch = new FeedWatch(name, this::log, this.claims, this::gap);
	}

	/**
	 * Define a feed that asks for new rows again and again.
	 */
	public static FeedDefinition polling(CatchUpSpecification specification, CatchUpSource source) {
		return new FeedDefinition(List.of("catch-up " + specification.query(), "from " + specification.start()),
				source::database, Duration.ZERO, Duration.ZERO,
				(filter, checkpoints, executor) -> new ChangeFeed(specification.filter(),
						() -> new PolledLog(specification.interval(), source, checkpoints), checkpoints, filter, false,
						executor));
	}

	/**
	 * Define a feed that follows the log of a database.
	 * @param log opens it when it is needed, and may wait for the database
	 */
	public static FeedDefinition following(FeedSpecification specification, Supplier<ChangeLog> log) {
		return new FeedDefinition(List.of("changes of " + specification.table() + " " + specification.keyColumns()),
				null, specification.longestWait(), LONGEST_VERIFICATION,
				(filter, checkpoints, executor) -> new ChangeFeed(specification.filter(), log, checkpoints, filter,
						specification.exclusive(), executor));
	}

	@Override
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

	@Override
	public AbsenceBarrier barrier(Duration wait) {
		return wait.isZero() ? AbsenceBarrier.NONE : new SharedBarrier(this::pass, wait, this.executor);
	}

	@Override
	public void begin(Generation generation) {
		Duration rest = this.repeated.rest();
		if (!rest.isZero()) {
			throw new IllegalStateException(
					"Its change log had gaps again and again, so it is loaded again in " + rest.toSeconds() + " s");
		}
		this.watch.requireOwn();
		this.claims.begin(generation);
	}

	@Override
	public void start(Sink sink) {
		CountDownLatch closed = new CountDownLatch(1);
		this.closed = closed;
		this.executor.execute(() -> LogFields.withFilter(this.name, () -> run(sink, closed)));
	}

	@Override
	public void inspectIfDue() {
		if (this.closed.getCount() > 0 && this.inspection.isDone()
				&& System.nanoTime() - this.inspectedAt >= INSPECTION.toNanos()) {
			this.inspectedAt = System.nanoTime();
			this.inspection = CompletableFuture.runAsync(() -> LogFields.withFilter(this.name, this::inspect),
					this.executor);
		}
	}

	private void run(Sink sink, CountDownLatch closed) {
		try {
			Duration pause = Duration.ZERO;
			while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
				takeTurn(sink, closed);
				pause = pause();
			}
		}
		catch (InterruptedException ex) {
			// the application ends
		}
	}

	private Duration pause() {
		ChangeLog log = this.log;
		return (log != null) ? log.pause() : ChangeLog.PAUSE;
	}

	private void takeTurn(Sink sink, CountDownLatch closed) throws InterruptedException {
		try {
			Generation active = this.filter.active();
			if (active != null && this.repeated.rest().isZero()) {
				follow(active, sink, closed);
			}
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			// also an error: no other thread follows in this instance
			fail(ex);
		}
	}

	private void follow(Generation active, Sink sink, CountDownLatch closed) throws InterruptedException {
		Claim claim = this.claims.read(active);
		Optional<ChangeReader> turn = claim.isKnown() ? log().follow(claim.position()) : Optional.empty();
		this.following = turn.isPresent();
		if (turn.isPresent()) {
			follow(turn.get(), sink, closed);
		}
		else if (claim.isKnown()) {
			this.watch.leave();
		}
		else {
			gap(active, LACKING);
		}
	}

	private void follow(ChangeReader reader, Sink sink, CountDownLatch closed) throws InterruptedException {
		try (reader) {
			Follower follower = new Follower(reader, this.claims, (lacking) -> gap(lacking, LACKING));
			Generation active = this.filter.active();
			if (active != null) {
				follower.begin(active, log());
			}
			this.follower = follower;
			while (closed.getCount() > 0 && apply(reader.next(), follower, sink)) {
				this.watch.succeed();
			}
		}
		catch (LostLogException ex) {
			Generation active = this.filter.active();
			if (active != null) {
				gap(active, "a part of its change log can't be read: " + ex.getMessage());
			}
			throw ex;
		}
		finally {
			this.follower = null;
		}
	}

	/**
	 * Apply changes.
	 * @return whether to go on: a filter that was lost is followed by a new reader
	 */
	private boolean apply(ChangeReader.@Nullable Changes changes, Follower follower, Sink sink) {
		if (changes == null) {
			return false;
		}
		if (!changes.added().isEmpty()) {
			sink.add(changes.added());
			this.added.addAndGet(changes.added().size());
		}
		if (!changes.removed().isEmpty() && this.exclusive) {
			sink.remove(changes.removed(), changes.since());
			this.removed.addAndGet(changes.removed().size());
		}
		Generation active = this.filter.active();
		if (active == null) {
			this.following = false;
			return false;
		}
		follower.advance(active, changes.position());
		return true;
	}

	/**
	 * On any failure a following instance lets go of the log and begins anew: a server
	 * that shuts down waits until all that it has sent is released, and no longer tells
	 * its status.
	 */
	private void inspect() {
		Follower follower = this.follower;
		try {
			this.watch.inspect(this.filter.active(), follower);
		}
		catch (Throwable ex) {
			// also an error, as in run
			if (follower != null) {
				follower.close();
			}
			fail(ex);
		}
	}

	private void fail(Throwable failure) {
		this.following = false;
		if (this.closed.getCount() > 0) {
			this.watch.fail(failure, pause());
		}
	}

	/**
	 * Give up a generation that lacks rows. There is no claim of one that has been
	 * replaced: its successor has its own.
	 */
	private void gap(Generation generation, String reason) {
		if (!this.claims.latest(generation).isKnown() && isReplaced(generation)) {
			return;
		}
		this.repeated.add(generation.id());
		this.gaps.warn(LogMessage.format("The filter '%s' is loaded again, because %s. Its log is '%s'", this.name,
				reason, this.watch.logName()), null);
		this.filter.mistrust(reason);
	}

	private boolean isReplaced(Generation generation) {
		this.filter.refresh().join();
		Generation active = this.filter.active();
		return active == null || !active.id().equals(generation.id());
	}

	private boolean pass(long deadline) throws InterruptedException {
		Generation active = this.filter.active();
		if (active == null || this.closed.getCount() == 0) {
			return false;
		}
		Claim known = this.claims.latest(active);
		LogPosition claimed = (known.equals(Claim.NONE) ? this.claims.read(active) : known).position();
		LogPosition mark = log().mark(claimed);
		if (mark == null || !mark.reaches(claimed)) {
			// the log tells nothing, or was restored to an earlier state
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
		return this.claims.latest(active).covers(mark)
				|| (this.follower == null && this.claims.read(active).covers(mark));
	}

	@Override
	public FeedProgress progress() {
		return this.watch.progress(this.following && this.closed.getCount() > 0, this.filter.active(), this.added.get(),
				this.removed.get());
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

}
