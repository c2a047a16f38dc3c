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

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.logging.FailureDescription;
import org.jspecify.annotations.Nullable;

/**
 * Reads all keys of one filter from its sources.
 */
public final class SourceScan implements KeyScan {

	private final String filter;

	private final List<KeySource> sources;

	private final KeyFormat format;

	private final WarmUpBulkhead bulkhead;

	private final Consumer<Generation> beforeFirst;

	private final boolean followed;

	private final ProgressRecorder progress;

	private volatile boolean cancelled;

	private volatile boolean reading;

	/**
	 * @param followed whether all rows that anybody writes are followed
	 */
	public SourceScan(String filter, List<KeySource> sources, KeyFormat format, WarmUpBulkhead bulkhead,
			Consumer<Generation> beforeFirst, boolean followed) {
		this.filter = filter;
		this.sources = List.copyOf(sources);
		this.format = format;
		this.bulkhead = bulkhead;
		this.beforeFirst = beforeFirst;
		this.followed = followed;
		this.progress = new ProgressRecorder(filter);
	}

	boolean hasSources() {
		return !this.sources.isEmpty();
	}

	ProgressRecorder progress() {
		return this.progress;
	}

	void resume() {
		this.cancelled = false;
	}

	void cancel() {
		this.cancelled = true;
	}

	void cancelSources() {
		this.sources.forEach(KeySource::cancel);
	}

	boolean isReading() {
		return this.reading;
	}

	Optional<String> doubt() {
		return this.sources.stream().map(KeySource::doubt).flatMap(Optional::stream).findFirst();
	}

	/**
	 * Return in which way rows may come that no writer shows, empty if there is none.
	 */
	Optional<String> unseenWriters() {
		return this.followed ? Optional.empty()
				: this.sources.stream().map(this::unseenWriters).flatMap(Optional::stream).findFirst();
	}

	private Optional<String> unseenWriters(KeySource source) {
		try {
			return this.bulkhead.ask(source::unseenWriters);
		}
		catch (CancellationException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			return Optional.of("a trigger, a view or a routine, for which the database could not be asked ("
					+ FailureDescription.of(ex) + ")");
		}
	}

	@Override
	public void scan(Generation generation, Pass pass, Consumer<List<String>> sink) {
		this.reading = true;
		try {
			read(generation, pass, sink);
		}
		finally {
			this.reading = false;
		}
	}

	private void read(Generation generation, Pass pass, Consumer<List<String>> sink) {
		if (pass.isFirst()) {
			// only once: rows that others write after a later checkpoint may be missing
			// from the first pass
			this.beforeFirst.accept(generation);
			this.progress.running(Instant.now(), count(), pass.count());
		}
		try (KeyPipeline pipeline = new KeyPipeline("bloom-guard-" + this.filter + "-", this::onKey,
				(keys) -> sink.accept(keys.stream().map(this.format::format).toList()))) {
			for (KeySource source : this.sources) {
				pipeline.read(partitions(source));
			}
			pipeline.await();
		}
	}

	private List<Supplier<Stream<?>>> partitions(KeySource source) {
		return this.bulkhead.ask(source::partitions)
			.stream()
			.<Supplier<Stream<?>>>map((keys) -> () -> open(keys))
			.toList();
	}

	private Stream<?> open(Supplier<Stream<?>> keys) {
		throwIfCancelled();
		return this.bulkhead.open(keys);
	}

	private void throwIfCancelled() {
		if (this.cancelled) {
			throw new CancellationException("The application is closing");
		}
	}

	private void onKey(@Nullable Object key) {
		throwIfCancelled();
		if (key != null) {
			this.progress.loaded();
		}
	}

	private OptionalLong count() {
		long total = 0;
		for (KeySource source : this.sources) {
			OptionalLong count = this.bulkhead.ask(source::count);
			if (count.isEmpty()) {
				return OptionalLong.empty();
			}
			total += count.getAsLong();
		}
		return OptionalLong.of(total);
	}

}
