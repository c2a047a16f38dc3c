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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.cache.EntryLoad.Loaded;
import io.github.bloomguard.cache.EntryScripts.Miss;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Lets one caller load a missing entry and all others have what it has loaded.
 * <p>
 * In one JVM, the caller that puts a {@link Flight} into the map leads it. It is removed
 * after the value was stored and the outcome was published, unless the entry changes
 * before. So a caller that finds no flight finds either a value or no load. Across
 * instances, one script on the primary returns the value or the right to load, a key with
 * a token and a lease. The value is stored before the right is given back, and it is
 * given back by its token, so one whose lease has passed takes nothing away from the
 * next.
 * <p>
 * A value is shared with callers that came after its load began only if it was stored
 * after they came: then its {@link LoadToken} was still valid. A null value is shared
 * only with callers that came before its load began, so that it hides no row that was
 * committed before they came. What a transaction has not found is not shared.
 * <p>
 * No caller waits for ever or in a lock: leaders ask Redis with growing pauses, the
 * others wait for their flight, and either load by themselves when their time is over.
 */
final class SingleFlight {

	static final long FIRST_PAUSE = Duration.ofMillis(2).toNanos();

	static final long LONGEST_PAUSE = Duration.ofMillis(40).toNanos();

	private final ConcurrentMap<EntryKey, Flight> flights = new ConcurrentHashMap<>();

	private final EntryScripts scripts;

	private final CacheLoadListener listener;

	private final ThrottledLog redisFailures;

	private final ThrottledLog failedLoads;

	SingleFlight(EntryScripts scripts, CacheLoadListener listener, ThrottledLog redisFailures,
			ThrottledLog failedLoads) {
		this.scripts = scripts;
		this.listener = listener;
		this.redisFailures = redisFailures;
		this.failedLoads = failedLoads;
	}

	/**
	 * Return the value of an entry that was not found.
	 * @param reachable if not, only callers in this JVM share loads
	 */
	byte[] load(EntryLoad load, boolean reachable) {
		long arrived = System.nanoTime();
		while (true) {
			Flight flight = new Flight();
			flight.ledByCurrentThread();
			Flight other = this.flights.putIfAbsent(load.entry(), flight);
			if (other == null) {
				return lead(flight, load, reachable);
			}
			byte[] value = other.isLedByCurrentThread() ? null : follow(other, load);
			if (value == null || (EntryScripts.isNull(value) && !ThreadTransaction.readsLatest())) {
				return loadAlone(load, reachable);
			}
			if (other.isSharedWith(arrived, value)) {
				return value;
			}
			this.flights.remove(load.entry(), other);
		}
	}

	byte[] loadAlone(EntryLoad load, boolean reachable) {
		return load.run(reachable ? token(load.entry(), load.rules()) : LoadToken.INVALID, () -> reachable).value();
	}

	Miss miss(EntryKey entry, CacheRules rules) {
		try {
			return this.scripts.miss(entry, rules);
		}
		catch (RuntimeException ex) {
			this.redisFailures.warn(LogMessage.format("Cache '%s': a value will not be stored", entry.cache()), ex);
			return new Miss(null, false, LoadToken.INVALID);
		}
	}

	@Nullable Flight join(EntryKey entry, Flight flight) {
		return this.flights.putIfAbsent(entry, flight);
	}

	void leave(EntryKey entry, Flight flight) {
		this.flights.remove(entry, flight);
	}

	boolean refresh(EntryLoad load, Executor executor) {
		EntryKey entry = load.entry();
		Flight flight = new Flight();
		if (this.flights.putIfAbsent(entry, flight) != null) {
			return false;
		}
		byte[] owner = owner();
		try {
			Miss miss = this.scripts.claimAgain(entry, load.rules(), owner);
			if (!miss.granted()) {
				cancel(entry, flight);
				return false;
			}
			executor.execute(() -> refresh(flight, load, owner, miss.token()));
			return true;
		}
		catch (RejectedExecutionException ex) {
			cancel(entry, flight);
			release(entry, owner);
			return false;
		}
		catch (RuntimeException ex) {
			cancel(entry, flight);
			this.redisFailures.warn(LogMessage.format("Cache '%s': a value could not be refreshed", entry.cache()), ex);
			return false;
		}
	}

	/**
	 * Forget the load of an entry that has changed: it is not shared with new callers,
	 * and not stored. Other instances learn of it when they store.
	 */
	void overtake(EntryKey entry) {
		Flight flight = this.flights.remove(entry);
		if (flight != null) {
			flight.overtake();
		}
	}

	void overtake(String cache) {
		this.flights.keySet().stream().filter((entry) -> entry.cache().equals(cache)).forEach(this::overtake);
	}

	private byte[] lead(Flight flight, EntryLoad load, boolean reachable) {
		try {
			Loaded loaded = reachable ? claim(flight, load) : runWithoutRedis(flight, load);
			if (EntryScripts.isNull(loaded.value()) && !ThreadTransaction.readsLatest()) {
				flight.cancelled();
			}
			else {
				flight.landed(loaded);
			}
			return loaded.value();
		}
		catch (RuntimeException | Error ex) {
			flight.crashed(ex);
			throw ex;
		}
		finally {
			this.flights.remove(load.entry(), flight);
		}
	}

	private byte @Nullable [] follow(Flight flight, EntryLoad load) {
		long start = System.nanoTime();
		boolean shared = true;
		try {
			byte[] value = flight.await(load.rules().loads().longestWait());
			shared = value != null;
			return value;
		}
		finally {
			waited(load, start, shared);
		}
	}

	private Loaded claim(Flight flight, EntryLoad load) {
		EntryKey entry = load.entry();
		byte[] owner = owner();
		long start = System.nanoTime();
		long deadline = start + load.rules().loads().longestWait().toNanos();
		boolean waited = false;
		for (long pause = FIRST_PAUSE;; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			long asked = System.nanoTime();
			Miss miss = claim(entry, load.rules(), owner);
			byte[] value = miss.value();
			if (miss.granted() || value != null || miss.token() == LoadToken.INVALID) {
				boolean found = value != null && !EntryScripts.isNull(value);
				if (waited) {
					waited(load, start, found);
				}
				if (value != null) {
					return found ? Loaded.current(value, asked) : run(flight, load, token(load.entry(), load.rules()));
				}
				return miss.granted() ? runAndRelease(flight, load, owner, miss.token())
						: run(flight, load, miss.token());
			}
			long remaining = deadline - System.nanoTime();
			if (remaining <= 0 || Thread.currentThread().isInterrupted()) {
				waited(load, start, false);
				return run(flight, load, miss.token());
			}
			waited = true;
			LockSupport.parkNanos(Math.min(remaining, spread(pause)));
		}
	}

	Miss claim(EntryKey entry, CacheRules rules, byte[] owner) {
		try {
			return this.scripts.claim(entry, rules, owner);
		}
		catch (RuntimeException ex) {
			this.redisFailures.warn(LogMessage
				.format("Cache '%s': other instances could not be asked whether they load", entry.cache()), ex);
			return new Miss(null, false, LoadToken.INVALID);
		}
	}

	@Nullable LoadToken token(EntryKey entry, CacheRules rules) {
		try {
			return rules.evictWins() ? this.scripts.token(entry, rules) : null;
		}
		catch (RuntimeException ex) {
			this.redisFailures.warn(LogMessage.format("Cache '%s': a value will not be stored", entry.cache()), ex);
			return LoadToken.INVALID;
		}
	}

	private Loaded runAndRelease(Flight flight, EntryLoad load, byte[] owner, @Nullable LoadToken token) {
		try {
			return run(flight, load, token);
		}
		finally {
			release(load.entry(), owner);
		}
	}

	private Loaded runWithoutRedis(Flight flight, EntryLoad load) {
		flight.loads();
		return Loaded.current(load.run(LoadToken.INVALID, () -> false).value(), System.nanoTime());
	}

	private Loaded run(Flight flight, EntryLoad load, @Nullable LoadToken token) {
		flight.loads();
		return load.run(token, flight::isStorable);
	}

	private void refresh(Flight flight, EntryLoad load, byte[] owner, @Nullable LoadToken token) {
		flight.ledByCurrentThread();
		try {
			Loaded loaded = runAndRelease(flight, load, owner, token);
			flight.landed(loaded);
		}
		catch (RuntimeException ex) {
			flight.crashed(ex);
			this.failedLoads.warn(LogMessage.format("Cache '%s': a value could not be loaded before it expires",
					load.entry().cache()), ex);
		}
		catch (Error ex) {
			flight.crashed(ex);
			throw ex;
		}
		finally {
			this.flights.remove(load.entry(), flight);
		}
	}

	private void cancel(EntryKey entry, Flight flight) {
		this.flights.remove(entry, flight);
		flight.cancelled();
	}

	void release(EntryKey entry, byte[] owner) {
		try {
			this.scripts.unlock(entry.key(), owner);
		}
		catch (RuntimeException ex) {
			this.redisFailures.warn(LogMessage
				.format("Cache '%s': the right to load could not be given back and ends with its lease", entry.cache()),
					ex);
		}
	}

	private void waited(EntryLoad load, long start, boolean shared) {
		this.listener.onWait(load.entry().cache(), Duration.ofNanos(System.nanoTime() - start), shared);
	}

	static long spread(long pause) {
		return pause / 2 + ThreadLocalRandom.current().nextLong(pause);
	}

	static byte[] owner() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return new UUID(random.nextLong(), random.nextLong()).toString().getBytes(StandardCharsets.US_ASCII);
	}

}
