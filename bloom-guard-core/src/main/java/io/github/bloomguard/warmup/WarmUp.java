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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.BuildLease;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.GenerationBuilder;
import io.github.bloomguard.generation.KeyScan;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
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
 * Concurrency: runs follow one another on threads of the executor; {@code runs},
 * {@code missing}, {@code tidiedAt}, {@code rebuild}, {@code replaced} and what is known
 * of migrations are guarded by this object's monitor, under which nothing waits.
 */
public final class WarmUp implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(WarmUp.class);

	private static final int CLOSING_ATTEMPTS = 8;

	private static final Duration CLOSING_ATTEMPT = Duration.ofMillis(250);

	private static final Duration TURN_POLL = Duration.ofMillis(200);

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

	private final Executor executor;

	private final BloomGuardListener listener;

	private volatile CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Thread runner;

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

	public WarmUp(FilterSpecification specification, GenerationalFilter filter, FillLevel fillLevel,
			GenerationBuilder builder, SourceScan scan, Executor executor, BloomGuardListener listener) {
		this.specification = specification;
		this.filter = filter;
		this.fillLevel = fillLevel;
		this.builder = builder;
		this.scan = scan;
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
		this.migrations = CompletableFuture.runAsync(this.filter::lookForMigration, this.executor)
			.exceptionally((failure) -> {
				logger.debug(LogMessage.format("Migrations of the filter '%s' could not be looked for",
						this.specification.filter()), failure);
				return null;
			});
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
		return this.progress.snapshot();
	}

	public void open() {
		this.closed = new CountDownLatch(1);
		this.scan.resume();
	}

	/**
	 * Cancel what is under way, and wait a moment for it to end, so that another instance
	 * may begin at once.
	 */
	@Override
	public void close() {
		this.closed.countDown();
		this.scan.cancel();
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
		while (!lastRun().isDone() && this.closed.getCount() == 0 && !Thread.currentThread().isInterrupted()) {
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
		this.runs = this.runs.handleAsync((nothing, failure) -> {
			this.runner = Thread.currentThread();
			try {
				LogFields.withFilter(this.specification.filter(), () -> run(needed));
			}
			finally {
				this.runner = null;
			}
			return null;
		}, this.executor);
		return this.runs;
	}

	private void run(BooleanSupplier needed) {
		BackOffExecution backOff = newBackOff();
		this.writersAreKnown = false;
		BooleanSupplier stillNeeded = () -> {
			this.filter.refresh().join();
			return needed.getAsBoolean();
		};
		while (stillNeeded.getAsBoolean()) {
			Duration rest = this.rest.remaining(activeId() != null);
			pause(rest.isZero() ? build(stillNeeded, backOff) : Collections.min(List.of(rest, TURN_POLL)));
		}
		this.progress.done(activeId() != null);
		this.failures.over(LogMessage.format("Warm-up of the filter '%s' works again", this.specification.filter()));
	}

	/**
	 * Build a generation, and return after which time to look whether it is there. The
	 * origin of the keys is found first, because the generation may be there already.
	 */
	private Duration build(BooleanSupplier needed, BackOffExecution backOff) {
		try {
			refuseDoubt();
			if (this.filter.isOriginDue()) {
				this.filter.findOrigin(this.scan::unseenWriters);
				this.writersAreKnown = true;
				return Duration.ZERO;
			}
			boolean replaces = activeId() != null;
			long begun = System.nanoTime();
			Optional<BuildLease> turn = this.builder.acquire();
			if (turn.isEmpty()) {
				this.progress.waiting();
				return TURN_POLL;
			}
			try (BuildLease lease = turn.get()) {
				if (needed.getAsBoolean()) {
					this.builder.build(lease, next(), observed(replaces));
				}
			}
			this.listener.onLoadEnded(this.specification.filter(), null);
			this.outgrown = 0;
			if (replaces) {
				this.rest.begin(begun);
			}
			return Duration.ZERO;
		}
		catch (Throwable ex) {
			// also an error, after which the filter must still become complete
			this.listener.onLoadEnded(this.specification.filter(), ex);
			if (this.closed.getCount() == 0) {
				throw new CancellationException("The application is closing");
			}
			return fail(ex, backOff);
		}
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

	private void pause(Duration duration) {
		try {
			if (this.closed.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new CancellationException("The application is closing");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("Interrupted");
		}
	}

}
