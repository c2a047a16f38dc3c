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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.bloomguard.call.ThreadTransaction;

import org.jspecify.annotations.Nullable;

/**
 * The caller of {@code get} with a loader, which runs on its thread.
 */
final class EntryLoad extends Caller {

	private final Supplier<byte[]> loader;

	private final CacheParts parts;

	private final BiPredicate<byte[], @Nullable LoadToken> store;

	private final Supplier<byte @Nullable []> copy;

	EntryLoad(EntryKey entry, CacheRules rules, long arrived, Supplier<byte[]> loader, CacheParts parts,
			BiPredicate<byte[], @Nullable LoadToken> store, Supplier<byte @Nullable []> copy) {
		super(entry, rules, arrived, LoadChain.current());
		this.loader = loader;
		this.parts = parts;
		this.store = store;
		this.copy = copy;
	}

	byte[] value() {
		SingleFlight flights = this.parts.flights();
		Flight flight = flown(rules().loads().enabled() ? flights.board(this) : flights.alone(this));
		byte[] value = flight.value();
		return (value != null) ? value : run(flight);
	}

	void refresh(Flight flight) {
		try {
			run(flight);
		}
		catch (RuntimeException ex) {
			this.parts.events().loadFailed(entry().cache(), "a value could not be loaded before it expires", ex);
		}
	}

	/**
	 * Call the loader and store what it returns, if Redis takes it.
	 */
	private byte[] run(Flight flight) {
		try {
			byte[] value = load(flight.leader());
			land(flight, value, System.nanoTime());
			return value;
		}
		catch (RuntimeException ex) {
			this.parts.returns().add(entry(), flight.token());
			long asked = System.nanoTime();
			byte[] stale = staleCopy(ex);
			if (stale == null) {
				flight.crashed(ex);
				throw ex;
			}
			flight.landed(stale, asked);
			return stale;
		}
		catch (Error ex) {
			this.parts.returns().add(entry(), flight.token());
			flight.crashed(ex);
			throw ex;
		}
	}

	private byte[] load(@Nullable LoadChain chain) {
		long start = System.nanoTime();
		boolean loaded = false;
		LoadChain outer = LoadChain.begin(chain);
		try {
			byte[] value = this.loader.get();
			loaded = true;
			return value;
		}
		finally {
			LoadChain.end(outer);
			loaded(Duration.ofNanos(System.nanoTime() - start), !loaded);
		}
	}

	private void loaded(Duration duration, boolean failed) {
		this.parts.events().tell((listener) -> listener.onLoad(entry().cache(), duration, failed));
		if (!failed) {
			this.parts.earlyRefresh().loaded(entry().cache(), duration);
		}
	}

	private void land(Flight flight, byte[] value, long loaded) {
		boolean stored = flight.isStorable() && this.store.test(value, flight.token());
		if (EntryScripts.isNull(value) && !ThreadTransaction.readsLatest()) {
			flight.cancelled();
		}
		else {
			flight.landed(value, (stored || !rules().evictWins()) ? loaded : null);
		}
	}

	/**
	 * Return the value that has expired, as long as it is kept.
	 */
	private byte @Nullable [] staleCopy(RuntimeException failure) {
		String cache = entry().cache();
		CacheEvents events = this.parts.events();
		byte[] stale = events.attempt(cache, this.copy, "an expired value could not be read");
		if (stale != null) {
			events.loadFailed(cache, "a value could not be loaded, so the expired one is served", failure);
			events.tell((listener) -> listener.onStale(cache, failure));
		}
		return stale;
	}

	@Override
	CompletableFuture<Boolean> ask(BooleanSupplier question) {
		try {
			int before = 0;
			while (!question.getAsBoolean()) {
				LockSupport.parkNanos(pause(before++));
			}
			return CompletableFuture.completedFuture(before > 0);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	CompletableFuture<byte @Nullable []> await(CompletableFuture<byte @Nullable []> value, long nanos) {
		try {
			value.get(nanos, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return CompletableFuture.completedFuture(null);
		}
		catch (TimeoutException ex) {
			return CompletableFuture.completedFuture(null);
		}
		catch (ExecutionException ex) {
			// is in the future, too
		}
		return value;
	}

	private static Flight flown(CompletableFuture<Flight> flight) {
		try {
			return flight.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (ex.getCause() instanceof RuntimeException exception) ? exception : ex;
		}
	}

}
