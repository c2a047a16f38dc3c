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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * What one caller of {@code get} with a loader wants: to load the value of an entry and
 * store it, or to have an expired one if it can't be loaded.
 */
final class EntryLoad {

	private final EntryKey entry;

	private final CacheRules rules;

	private final Supplier<byte[]> loader;

	private final CacheGuard guard;

	private final StaleCopies staleCopies;

	private final Consumer<byte[]> writer;

	EntryLoad(EntryKey entry, CacheRules rules, Supplier<byte[]> loader, CacheGuard guard, StaleCopies staleCopies,
			Consumer<byte[]> writer) {
		this.entry = entry;
		this.rules = rules;
		this.loader = loader;
		this.guard = guard;
		this.staleCopies = staleCopies;
		this.writer = writer;
	}

	EntryKey entry() {
		return this.entry;
	}

	CacheRules rules() {
		return this.rules;
	}

	/**
	 * Call the loader and store what it returns. It is no failure of the load if Redis
	 * doesn't take it.
	 * @param storable asked after the load, whether its value is to be stored
	 */
	byte[] run(BooleanSupplier storable) {
		byte[] value;
		long start = System.nanoTime();
		try {
			value = this.loader.get();
		}
		catch (RuntimeException ex) {
			loaded(start, true);
			return orStale(ex);
		}
		catch (Error ex) {
			loaded(start, true);
			throw ex;
		}
		Duration duration = loaded(start, false);
		this.guard.earlyRefresh().loaded(this.entry.cache(), duration);
		if (storable.getAsBoolean()) {
			store(value);
		}
		return value;
	}

	private Duration loaded(long start, boolean failed) {
		Duration duration = Duration.ofNanos(System.nanoTime() - start);
		this.guard.listener().onLoad(this.entry.cache(), duration, failed);
		return duration;
	}

	private void store(byte[] value) {
		try {
			this.writer.accept(value);
		}
		catch (RuntimeException ex) {
			this.guard.redisFailures()
				.warn(LogMessage.format("Cache '%s': a value that was loaded could not be stored", this.entry.cache()),
						ex);
		}
	}

	private byte[] orStale(RuntimeException failure) {
		String cache = this.entry.cache();
		byte[] stale = staleCopy();
		if (stale == null) {
			throw failure;
		}
		this.guard.failedLoads()
			.warn(LogMessage.format("Cache '%s': a value could not be loaded, so the expired one is served", cache),
					failure);
		this.guard.listener().onStale(cache, failure);
		return stale;
	}

	private byte @Nullable [] staleCopy() {
		try {
			return this.staleCopies.find(this.entry, this.rules);
		}
		catch (RuntimeException ex) {
			this.guard.redisFailures()
				.warn(LogMessage.format("Cache '%s': an expired value could not be read", this.entry.cache()), ex);
			return null;
		}
	}

}
