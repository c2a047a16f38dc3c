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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Reads streams of keys and has all processors work on them. Batches go through a short
 * queue; a reader that finds it full works on its batch itself, so readers can't get
 * ahead of the workers, and the memory stays constant.
 * <p>
 * Concurrency: a pipeline is used once, by the thread that has made it. What workers have
 * done happens before {@link #await()} returns. After a failure, readers and workers stop
 * at their next key or batch.
 */
final class KeyPipeline implements AutoCloseable {

	private static final int BATCH = 512;

	private static final int QUEUED = 16;

	private final CustomizableThreadFactory threads;

	private final Consumer<@Nullable Object> onKey;

	private final Consumer<List<Object>> work;

	private final ThreadPoolExecutor workers;

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	/**
	 * @param onKey called by the readers for each key; may throw an exception to stop
	 */
	KeyPipeline(String name, Consumer<@Nullable Object> onKey, Consumer<List<Object>> work) {
		this.threads = new CustomizableThreadFactory(name);
		this.threads.setDaemon(true);
		this.onKey = onKey;
		this.work = work;
		int processors = Runtime.getRuntime().availableProcessors();
		this.workers = new ThreadPoolExecutor(processors, processors, 0, TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(QUEUED), this.threads, new ThreadPoolExecutor.CallerRunsPolicy());
	}

	/**
	 * Read all parts: a single one by this thread, several each by a thread of its own,
	 * none of which is left afterwards.
	 */
	void read(List<? extends Supplier<? extends Stream<?>>> parts) {
		if (parts.size() == 1) {
			read(parts.get(0));
			return;
		}
		ExecutorService readers = Executors.newFixedThreadPool(parts.size(), this.threads);
		try {
			ExecutorCompletionService<Void> reads = new ExecutorCompletionService<>(readers);
			parts.forEach((part) -> reads.submit(() -> read(part), null));
			for (int i = 0; i < parts.size(); i++) {
				reads.take().get();
			}
		}
		catch (InterruptedException ex) {
			CancellationException interrupted = interrupted();
			fail(interrupted);
			throw interrupted;
		}
		catch (ExecutionException ex) {
			fail(ex.getCause());
			throwIfFailed();
		}
		finally {
			stop(readers);
		}
	}

	private void read(Supplier<? extends Stream<?>> part) {
		try (Stream<?> keys = part.get()) {
			Batches batches = new Batches();
			keys.forEach(batches::add);
			batches.submit();
		}
	}

	void await() {
		this.workers.shutdown();
		try {
			while (!this.workers.awaitTermination(1, TimeUnit.MINUTES)) {
				throwIfFailed();
			}
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
		throwIfFailed();
	}

	/**
	 * Stop, and wait until nothing that was given to this pipeline is used any more.
	 */
	@Override
	public void close() {
		this.failure.compareAndSet(null, new CancellationException("Closed"));
		stop(this.workers);
	}

	private static void stop(ExecutorService executor) {
		executor.shutdownNow();
		boolean interrupted = Thread.interrupted();
		while (!executor.isTerminated()) {
			try {
				executor.awaitTermination(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void work(List<Object> batch) {
		if (this.failure.get() == null) {
			try {
				this.work.accept(batch);
			}
			catch (Throwable ex) {
				// stops the readers, too
				fail(ex);
			}
		}
	}

	private void fail(@Nullable Throwable ex) {
		this.failure.compareAndSet(null, ex);
	}

	private void throwIfFailed() {
		Throwable failure = this.failure.get();
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw (failure instanceof RuntimeException unchecked) ? unchecked : new IllegalStateException(failure);
		}
	}

	private static CancellationException interrupted() {
		Thread.currentThread().interrupt();
		return new CancellationException("Interrupted");
	}

	private final class Batches {

		private List<Object> batch = new ArrayList<>(BATCH);

		void add(@Nullable Object key) {
			throwIfFailed();
			KeyPipeline.this.onKey.accept(key);
			if (key != null) {
				this.batch.add(key);
				if (this.batch.size() == BATCH) {
					submit();
				}
			}
		}

		void submit() {
			List<Object> full = this.batch;
			this.batch = new ArrayList<>(BATCH);
			KeyPipeline.this.workers.execute(() -> work(full));
		}

	}

}
