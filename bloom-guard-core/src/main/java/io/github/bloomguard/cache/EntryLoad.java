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
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The request of one caller of {@code get} with a loader.
 */
final class EntryLoad {

	private final EntryKey entry;

	private final CacheRules rules;

	private final Supplier<byte[]> loader;

	private final CacheGuard guard;

	private final StaleCopies staleCopies;

	private final Store store;

	EntryLoad(EntryKey entry, CacheRules rules, Supplier<byte[]> loader, CacheGuard guard, StaleCopies staleCopies,
			Store store) {
		this.entry = entry;
		this.rules = rules;
		this.loader = loader;
		this.guard = guard;
		this.staleCopies = staleCopies;
		this.store = store;
	}

	EntryKey entry() {
		return this.entry;
	}

	CacheRules rules() {
		return this.rules;
	}

	/**
	 * Call the loader and store what it returns, if Redis takes it.
	 * @param storable asked after the load
	 */
	Loaded run(@Nullable LoadToken token, BooleanSupplier storable) {
		byte[] value;
		long start = System.nanoTime();
		try {
			value = this.loader.get();
		}
		catch (RuntimeException ex) {
			loaded(start, true);
			return Loaded.current(orStale(ex), System.nanoTime());
		}
		catch (Error ex) {
			loaded(start, true);
			throw ex;
		}
		Duration duration = loaded(start, false);
		this.guard.earlyRefresh().loaded(this.entry.cache(), duration);
		long loaded = System.nanoTime();
		boolean stored = storable.getAsBoolean() && store(value, token);
		return (stored || !this.rules.evictWins()) ? Loaded.current(value, loaded) : Loaded.outdated(value);
	}

	private Duration loaded(long start, boolean failed) {
		Duration duration = Duration.ofNanos(System.nanoTime() - start);
		this.guard.listener().onLoad(this.entry.cache(), duration, failed);
		return duration;
	}

	private boolean store(byte[] value, @Nullable LoadToken token) {
		try {
			return this.store.store(value, token);
		}
		catch (RuntimeException ex) {
			this.guard.redisFailures()
				.warn(LogMessage.format("Cache '%s': a value that was loaded could not be stored", this.entry.cache()),
						ex);
			return false;
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

	@FunctionalInterface
	interface Store {

		boolean store(byte[] value, @Nullable LoadToken token);

	}

	/**
	 * The outcome of a load.
	 *
	 * @param currentAt a moment of {@link System#nanoTime()} since the load began, at
	 * which the entry had not been invalidated; {@code null} if there may be none
	 */
	record Loaded(byte[] value, @Nullable Long currentAt) {

		static Loaded current(byte[] value, long at) {
			return new Loaded(value, at);
		}

		static Loaded outdated(byte[] value) {
			return new Loaded(value, null);
		}

	}

}
