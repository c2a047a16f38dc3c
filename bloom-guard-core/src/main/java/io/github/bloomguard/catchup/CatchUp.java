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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Adds the keys of rows that others write to one filter, by one instance in each
 * interval. The checkpoint of a generation is read before its scan and moves behind the
 * rows whose keys are added; of instances that run at the same time, only one moves it.
 * <p>
 * Concurrency: {@link #runIfDue} is called by one thread; runs follow one another on
 * threads of the executor, and publish what others see in volatile fields.
 */
public final class CatchUp implements AutoCloseable {

	private final ThrottledLog failures = new ThrottledLog(CatchUp.class);

	private final CatchUpSpecification specification;

	private final CatchUpSource source;

	private final CheckpointStore checkpoints;

	private final GenerationalFilter filter;

	private final Consumer<List<Object>> adder;

	private final Runnable rebuild;

	private final Executor executor;

	private CompletableFuture<Void> run = CompletableFuture.completedFuture(null);

	private volatile long dueAt = System.nanoTime();

	private volatile CatchUpProgress progress = CatchUpProgress.NOTHING;

	private volatile boolean closed;

	public CatchUp(CatchUpSpecification specification, CatchUpSource source, CheckpointStore checkpoints,
			GenerationalFilter filter, Consumer<List<Object>> adder, Runnable rebuild, Executor executor) {
		this.specification = specification;
		this.source = source;
		this.checkpoints = checkpoints;
		this.filter = filter;
		this.adder = adder;
		this.rebuild = rebuild;
		this.executor = executor;
	}

	public void runIfDue() {
		if (this.run.isDone() && System.nanoTime() - this.dueAt >= 0 && this.filter.isAnswering()) {
			this.run = CompletableFuture.runAsync(this::run, this.executor);
		}
	}

	private void run() {
		Duration interval = this.specification.interval();
		this.dueAt = System.nanoTime() + interval.toNanos();
		Generation active = this.filter.active();
		if (active == null || this.closed) {
			return;
		}
		try {
			Duration wait = this.checkpoints.takeTurn(interval).join();
			if (wait.isZero()) {
				catchUp(active);
			}
			else {
				this.dueAt = System.nanoTime() + wait.toNanos();
			}
		}
		catch (RuntimeException ex) {
			fail((ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	private void catchUp(Generation generation) {
		Checkpoint checkpoint = this.checkpoints.read(generation.id()).join().orElseThrow(() -> {
			this.rebuild.run();
			return new IllegalStateException(
					"It is not known since when rows are missing, so the filter is to be rebuilt");
		});
		CatchUpRun run = new CatchUpRun(this.checkpoints, generation.id(), checkpoint, this.adder,
				() -> !this.closed && isActive(generation));
		try (Stream<CheckpointedKey> rows = this.source.keysAfter(checkpoint)) {
			run.addAll(rows);
		}
		finally {
			CatchUpProgress former = this.progress;
			this.progress = new CatchUpProgress(run.checkpoint().value().toString(), Instant.now(),
					former.added() + run.added(), former.error());
		}
		succeed();
	}

	private boolean isActive(Generation generation) {
		Generation active = this.filter.active();
		return active != null && active.id().equals(generation.id());
	}

	private void succeed() {
		CatchUpProgress now = this.progress;
		if (now.error() != null) {
			this.failures
				.over(LogMessage.format("Catch-up of the filter '%s' works again", this.specification.filter()));
			this.progress = new CatchUpProgress(now.mark(), now.lastRun(), now.added(), null);
		}
	}

	private void fail(Throwable cause) {
		if (this.closed) {
			return;
		}
		CatchUpProgress former = this.progress;
		this.progress = new CatchUpProgress(former.mark(), Instant.now(), former.added(), FailureDescription.of(cause));
		LogFields.withFilter(this.specification.filter(),
				() -> this.failures
					.warn(LogMessage.format("Catch-up of the filter '%s' failed, trying again every %s ms",
							this.specification.filter(), this.specification.interval().toMillis()), cause));
	}

	public CatchUpProgress progress() {
		return this.progress;
	}

	public void open() {
		this.closed = false;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
