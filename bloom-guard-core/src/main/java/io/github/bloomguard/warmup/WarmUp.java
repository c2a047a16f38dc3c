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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.warmup.TurnQueue.Turn;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Loads the keys of one filter unless it has a complete generation: if it is this
 * instance's turn, else it waits, and tries again if the source fails.
 * <p>
 * A run has a thread only while it has something to do, and only when its turn has come:
 * it looks whether the filter has to be loaded, is loaded, and looks again. In between,
 * and during pauses, nothing of it runs.
 * <p>
 * Concurrency: runs follow one another on threads of the executor; {@code runs},
 * {@code missing}, {@code tidiedAt}, {@code rebuild}, {@code replaced} and what is known
 * of migrations are guarded by this object's monitor, under which nothing waits.
 */
public final class WarmUp implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(WarmUp.class);

	private static final int CLOSING_ATTEMPTS = 8;

	private static final Duration CLOSING_ATTEMPT = Duration.ofMillis(250);

	private static final Duration TURN_POLL = Duration.ofMillis(200);

	private static final Duration EMPTY_POLL = Duration.ofMillis(200);

	private static final Duration REDIS_PAUSE = Duration.ofMillis(500);

	private static final Duration TIDYING = Duration.ofMinutes(1);

	/**
	 * For so long rows of a migration may be called absent.
	 */
	private static final Duration MIGRATIONS = Duration.ofSeconds(1);

	private final ThrottledLog failures = new ThrottledLog(WarmUp.class);

	private final FilterSpecification specification;

	private final GenerationalFilter filter;

	private final FillLevel fillLevel;

	private final GenerationBuilder builder;

	private final SourceScan scan;

	private final WarmUpBulkhead bulkhead;

	private final LongSupplier demand;

	private final Executor executor;

	private final BloomGuardListener listener;

	private volatile boolean closed;

	private volatile @Nullable Thread runner;

	/**
	 * The run that has begun last.
	 */
	private volatile @Nullable Run run;

	private final ProgressRecorder progress;

	private final RebuildPause rest = new RebuildPause(System::nanoTime);

	private CompletableFuture<Void> runs = CompletableFuture.completedFuture(null);

	private CompletableFuture<Void> rebuild = CompletableFuture.completedFuture(null);

	private @Nullable String replaced;

	private @Nullable CompletableFuture<Void> missing;

	private long tidiedAt = System.nanoTime();

	private CompletableFuture<Void> migrations = CompletableFuture.completedFuture(null);

	private long migrationsLookedForAt = System.nanoTime();

	/**
	 * The least number of keys, learnt from a full generation. Only runs use it.
	 */
	private volatile long outgrown;

	/**
	 * Whether the run under way has asked for unseen writers and not used the answer.
	 * Only runs use it.
	 */
	private volatile boolean writersAreKnown;

	/**
	 * @param bulkhead where filters wait for their turn
	 * @param demand how often the filter is asked, which decides whose turn it is
	 */
	public WarmUp(FilterSpecification specification, GenerationalFilter filter, FillLevel fillLevel,
			GenerationBuilder builder, SourceScan scan, WarmUpBulkhead bulkhead, LongSupplier demand, Executor executor,
			BloomGuardListener listener) {
		this.specification = specification;
		this.filter = filter;
		this.fillLevel = fillLevel;
		this.builder = builder;
		this.scan = scan;
		this.bulkhead = bulkhead;
		this.demand = demand;
		this.executor = executor;
		this.listener = listener;
		this.progress = scan.progress();
	}

	/**
	 * Load the keys unless an intact generation of the wanted size is there.
	 * @return completed when there is one, or if there is no source of keys
	 */
	public synchronized CompletableFuture<Void> loadIfMissing() {
		if (!this.scan.hasSources()) {
			return CompletableFuture.completedFuture(null);
		}
		if (this.missing == null || this.missing.isDone()) {
			this.missing = start(() -> !this.filter.isServed(this.specification));
		}
		return this.missing.copy();
	}

	/**
	 * Load the keys into a new generation, while the present one goes on answering.
	 * Callers that come meanwhile await the same rebuild; between rebuilds there is a
	 * pause.
	 * @return completed when a newer generation than the present one answers;
	 * exceptionally if there is no source of keys, because without one the new generation
	 * would call every key absent
	 */
	public synchronized CompletableFuture<Void> rebuild() {
		if (!this.scan.hasSources()) {
			String name = this.specification.filter();
			return CompletableFuture
				.failedFuture(new InvalidGuardException("The filter '" + name + "' has no source of keys",
						"Rebuild it in an instance that has one, set bloom-guard.filters." + name
								+ ".warm-up.query, or declare a KeySource bean"));
		}
		if (!this.filter.isCurrent()) {
			return start(() -> !this.filter.isCurrent()).thenCompose((nothing) -> rebuild());
		}
		String former = activeId();
		if (this.rebuild.isDone() || !Objects.equals(this.replaced, former)) {
			this.replaced = former;
			this.rebuild = start(() -> {
				String active = activeId();
				return active == null || active.equals(former);
			});
		}
		return this.rebuild.copy();
	}

	public synchronized void rebuildIfIdle() {
		if (this.runs.isDone()) {
			rebuild();
		}
	}

	public synchronized void findOriginIfIdle() {
		if (this.runs.isDone() && this.filter.isOriginDue()) {
			start(this.filter::isOriginDue);
		}
	}

	/**
	 * Look whether a migration was run, once a second, also while keys are loaded. A look
	 * that fails proves nothing.
	 */
	public synchronized void lookForMigrationIfDue() {
		long now = System.nanoTime();
		if (!this.scan.hasSources() || !this.migrations.isDone()
				|| now - this.migrationsLookedForAt < MIGRATIONS.toNanos()) {
			return;
		}
		this.migrationsLookedForAt = now;
		CompletableFuture<Void> looked = new CompletableFuture<>();
		this.migrations = looked;
		this.bulkhead.looks().submit(this.demand, this.executor, () -> {
			lookForMigration();
			looked.complete(null);
		}, () -> looked.complete(null));
	}

	private void lookForMigration() {
		try {
			this.filter.lookForMigration();
		}
		catch (RuntimeException | Error ex) {
			logger.debug(LogMessage.format("Migrations of the filter '%s' could not be looked for",
					this.specification.filter()), ex);
		}
	}

	/**
	 * Remove unneeded generations if nothing is under way, at most once a minute.
	 */
	public synchronized void tidyIfDue() {
		ControlRecord record = this.filter.record();
		long now = System.nanoTime();
		if (record == null || record.generations().size() < 2 || !this.runs.isDone()
				|| now - this.tidiedAt < TIDYING.toNanos()) {
			return;
		}
		this.tidiedAt = now;
		this.runs = CompletableFuture.runAsync(this.builder::tidy, this.executor).exceptionally((failure) -> null);
	}

	/**
	 * Give the filter up while a source doubts that it has all keys.
	 */
	public void mistrustIfDoubtful() {
		if (this.filter.active() != null) {
			this.scan.doubt().ifPresent(this.filter::mistrust);
		}
	}

	/**
	 * Also if nothing is there yet: what others have loaded may lack the keys, too.
	 */
	private void refuseDoubt() {
		this.scan.doubt().ifPresent((doubt) -> {
			this.filter.mistrust(doubt);
			throw new IllegalStateException(doubt);
		});
	}

	private @Nullable String activeId() {
		Generation active = this.filter.active();
		return (active != null) ? active.id() : null;
	}

	public WarmUpProgress progress() {
		WarmUpProgress progress = this.progress.snapshot();
		Run run = this.run;
		OptionalInt position = (run != null) ? run.position() : OptionalInt.empty();
		return position.isPresent() ? progress.waiting(position.getAsInt()) : progress;
	}

	public void open() {
		this.closed = false;
		this.scan.resume();
	}

	/**
	 * Begin nothing any more, and cancel what waits. To be called for all filters before
	 * one of them is closed, since another one would take its turn.
	 */
	public void cancel() {
		this.closed = true;
		this.scan.cancel();
		Run run = this.run;
		if (run != null) {
			run.wake();
		}
	}

	/**
	 * Cancel what is under way, and wait a moment for it to end, so that another instance
	 * may begin at once.
	 */
	@Override
	public void close() {
		cancel();
		if (!lastRun().isDone()) {
			CompletableFuture.completedFuture(null).thenRunAsync(this::cancelUntilEnded, this.executor);
		}
		for (int i = 0; i < CLOSING_ATTEMPTS && !lastRun().isDone(); i++) {
			Thread runner = this.runner;
			if (runner != null && (!this.scan.isReading() || i > CLOSING_ATTEMPTS / 2)) {
				// as late as possible: H2 closes the file that an interrupted thread
				// reads
				runner.interrupt();
			}
			awaitLastRun();
		}
	}

	/**
	 * Again and again, because a query may be about to begin: on a busy machine when the
	 * application waits no more.
	 */
	private void cancelUntilEnded() {
		while (!lastRun().isDone() && this.closed && !Thread.currentThread().isInterrupted()) {
			this.scan.cancelSources();
			awaitLastRun();
		}
	}

	private void awaitLastRun() {
		try {
			lastRun().get(CLOSING_ATTEMPT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
		}
	}

	synchronized CompletableFuture<Void> lastRun() {
		return this.runs;
	}

	private CompletableFuture<Void> start(BooleanSupplier needed) {
		Run run = new Run(needed);
		this.runs.whenComplete((nothing, failure) -> run.begin());
		this.runs = run.end;
		return this.runs;
	}

	private KeyScan observed(boolean replaces) {
		return (generation, pass, sink) -> {
			if (pass.isFirst()) {
				this.listener.onLoadStarted(this.specification.filter(), replaces);
			}
			this.scan.scan(generation, pass, sink);
			refuseDoubt();
		};
	}

	/**
	 * The database may have other triggers, views and routines than at the load before.
	 */
	private Generation next() {
		if (!this.writersAreKnown) {
			this.filter.setUnseenWriters(this.scan.unseenWriters().orElse(null));
		}
		this.writersAreKnown = false;
		return this.fillLevel.next(this.specification, this.outgrown);
	}

	private static BackOffExecution newBackOff() {
		ExponentialBackOff backOff = new ExponentialBackOff(500, 2);
		backOff.setMaxInterval(TimeUnit.MINUTES.toMillis(1));
		return backOff.start();
	}

	/**
	 * Return after which time to try again: a back-off for a source that fails, a short
	 * pause for Redis, since only trying shows that it answers again.
	 */
	private Duration fail(Throwable ex, BackOffExecution backOff) {
		Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
		this.progress.failed(cause);
		if (cause instanceof FilterFullException full) {
			this.outgrown = Math.max(full.getInsertions(), this.outgrown);
			logger.info(LogMessage.format("%s. The filter '%s' is loaded again, larger", cause.getMessage(),
					this.specification.filter()));
			return Duration.ZERO;
		}
		if (cause instanceof RedisUnavailableException) {
			logger.debug(LogMessage.format("Warm-up of the filter '%s' waits for Redis: %s",
					this.specification.filter(), cause.getMessage()));
			return REDIS_PAUSE;
		}
		Duration pause = Duration.ofMillis(backOff.nextBackOff());
		this.failures.warn(LogMessage.format("Warm-up of the filter '%s' failed, trying again in %s ms",
				this.specification.filter(), pause.toMillis()), cause);
		return pause;
	}

	/**
	 * One run: until the filter is loaded, by this instance or another, or the
	 * application closes.
	 * <p>
	 * Concurrency: its steps follow one another. {@link #wake()} may be called at any
	 * time, after the filter was closed, and each step looks at that after it has said
	 * what it waits for.
	 */
	private final class Run {

		private final BooleanSupplier needed;

		private final BackOffExecution backOff = newBackOff();

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private volatile @Nullable Turn turn;

		private volatile @Nullable Turn load;

		private volatile CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);

		Run(BooleanSupplier needed) {
			this.needed = needed;
		}

		void begin() {
			WarmUp.this.run = this;
			WarmUp.this.writersAreKnown = false;
			look();
		}

		/**
		 * Return the place among the filters that wait to be loaded.
		 */
		OptionalInt position() {
			Turn load = this.load;
			return (load != null) ? load.position() : OptionalInt.empty();
		}

		/**
		 * End at once what waits, because the application closes.
		 */
		void wake() {
			Turn turn = this.turn;
			if (turn != null && turn.withdraw()) {
				cancel();
			}
			this.pause.complete(null);
		}

		private void cancel() {
			fail(new CancellationException("The application is closing"));
		}

		private void fail(Throwable failure) {
			this.end.completeExceptionally(new CompletionException(failure));
		}

		private void look() {
			await(WarmUp.this.bulkhead.looks(), this::lookInTurn);
		}

		private void load() {
			this.load = await(WarmUp.this.bulkhead.loads(), this::loadInTurn);
		}

		private @Nullable Turn await(TurnQueue queue, Supplier<Runnable> step) {
			if (WarmUp.this.closed) {
				cancel();
				return null;
			}
			Turn turn = queue.submit(WarmUp.this.demand, WarmUp.this.executor, () -> take(step),
					() -> pause(REDIS_PAUSE));
			this.turn = turn;
			if (WarmUp.this.closed) {
				wake();
			}
			return turn;
		}

		/**
		 * Take a step on this thread, and then hand over to what comes next.
		 */
		private void take(Supplier<Runnable> step) {
			AtomicReference<Runnable> next = new AtomicReference<>(this::cancel);
			WarmUp.this.runner = Thread.currentThread();
			try {
				if (!WarmUp.this.closed) {
					LogFields.withFilter(WarmUp.this.specification.filter(), () -> next.set(step.get()));
				}
			}
			catch (Throwable ex) {
				next.set(() -> fail(ex));
			}
			finally {
				WarmUp.this.runner = null;
			}
			Objects.requireNonNull(next.get()).run();
		}

		/**
		 * Look whether there is something to load, and find the origin of the keys first:
		 * the generation may be there already.
		 */
		private Runnable lookInTurn() {
			if (!isNeeded()) {
				WarmUp.this.progress.done(activeId() != null);
				WarmUp.this.failures.over(LogMessage.format("Warm-up of the filter '%s' works again",
						WarmUp.this.specification.filter()));
				return () -> this.end.complete(null);
			}
			Duration rest = WarmUp.this.rest.remaining(activeId() != null);
			if (!rest.isZero()) {
				return () -> pause(Collections.min(List.of(rest, TURN_POLL)));
			}
			return attempt(() -> {
				refuseDoubt();
				if (WarmUp.this.filter.isOriginDue()) {
					WarmUp.this.filter.findOrigin(WarmUp.this.scan::unseenWriters);
					WarmUp.this.writersAreKnown = true;
					return this::look;
				}
				Duration early = WarmUp.this.builder.prepare(WarmUp.this.filter.record(),
						() -> WarmUp.this.fillLevel.next(WarmUp.this.specification, WarmUp.this.outgrown));
				return early.isZero() ? this::load : () -> pause(early);
			});
		}

		private boolean isNeeded() {
			WarmUp.this.filter.refresh().join();
			return this.needed.getAsBoolean();
		}

		private Runnable loadInTurn() {
			return attempt(() -> {
				boolean replaces = activeId() != null;
				long begun = System.nanoTime();
				if (WarmUp.this.builder.isToBeReadLater()) {
					return () -> pause(EMPTY_POLL);
				}
				Optional<BuildLease> turn = WarmUp.this.builder.acquire();
				if (turn.isEmpty()) {
					WarmUp.this.progress.waiting();
					return () -> pause(TURN_POLL);
				}
				try (BuildLease lease = turn.get()) {
					if (isNeeded() && !WarmUp.this.builder.build(lease, next(), observed(replaces))) {
						return () -> pause(EMPTY_POLL);
					}
				}
				WarmUp.this.listener.onLoadEnded(WarmUp.this.specification.filter(), null);
				WarmUp.this.outgrown = 0;
				if (replaces) {
					WarmUp.this.rest.begin(begun);
				}
				return this::look;
			});
		}

		private Runnable attempt(Callable<Runnable> step) {
			try {
				return step.call();
			}
			catch (Throwable ex) {
				// also an error, after which the filter must still become complete
				WarmUp.this.listener.onLoadEnded(WarmUp.this.specification.filter(), ex);
				if (WarmUp.this.closed) {
					return this::cancel;
				}
				Duration pause = WarmUp.this.fail(ex, this.backOff);
				return () -> pause(pause);
			}
		}

		private void pause(Duration duration) {
			if (duration.isZero()) {
				look();
				return;
			}
			CompletableFuture<Void> pause = new CompletableFuture<Void>().completeOnTimeout(null, duration.toMillis(),
					TimeUnit.MILLISECONDS);
			this.pause = pause;
			pause.thenRun(this::look);
			if (WarmUp.this.closed) {
				pause.complete(null);
			}
		}

	}

}
