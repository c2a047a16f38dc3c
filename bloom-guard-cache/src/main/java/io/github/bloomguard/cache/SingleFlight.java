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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.cache.EntryScripts.Miss;
import org.jspecify.annotations.Nullable;

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
 * One that others wait for does not wait for them in turn ({@link LoadChain}). Whether a
 * thread waits meanwhile is left to the {@link Caller}.
 */
final class SingleFlight {

	private final ConcurrentMap<EntryKey, Flight> flights = new ConcurrentHashMap<>();

	private final EntryScripts scripts;

	private final EntryScripts missScripts;

	private final CacheEvents events;

	private final LateCommands late;

	private final TokenReturns returns;

	private final Epoch epoch;

	SingleFlight(EntryScripts scripts, EntryScripts missScripts, CacheEvents events, LateCommands late,
			TokenReturns returns, Epoch epoch) {
		this.scripts = scripts;
		this.missScripts = missScripts;
		this.events = events;
		this.late = late;
		this.returns = returns;
		this.epoch = epoch;
	}

	/**
	 * Return the flight that has brought the value, or one without a value, by which the
	 * caller is to load it.
	 */
	CompletableFuture<Flight> board(Caller caller) {
		LoadChain chain = caller.chain();
		LoadChain leader = (chain != null) ? chain : new LoadChain();
		Flight flight = new Flight(leader);
		Flight other = join(flight, caller);
		if (other == null) {
			return depart(flight, caller, () -> claim(flight, caller, leader.asOwner()));
		}
		return (chain == null || chain.awaits(other)) ? follow(other, caller) : alone(caller);
	}

	/**
	 * Return the same without sharing it.
	 */
	CompletableFuture<Flight> alone(Caller caller) {
		if (!caller.rules().evictWins()) {
			return CompletableFuture.completedFuture(Flight.loading(null));
		}
		Flight flight = new Flight(caller.chain());
		return depart(flight, caller, () -> {
			long asked = System.nanoTime();
			answered(flight, caller, this.missScripts.miss(caller.entry(), caller.rules()), asked);
			return true;
		});
	}

	/**
	 * Have an entry loaded that is there, unless it is being loaded.
	 */
	boolean refresh(EntryLoad load, Executor executor) {
		LoadChain leader = new LoadChain();
		Flight flight = new Flight(leader);
		if (join(flight, load) != null) {
			return false;
		}
		byte[] owner = leader.asOwner();
		try {
			Miss miss = this.scripts.claimAgain(load.entry(), load.rules(), owner);
			if (miss.granted()) {
				releaseAfter(flight, load, owner);
				flight.loads(miss.token());
				executor.execute(() -> load.refresh(flight));
				return true;
			}
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			this.returns.add(load.entry(), flight.token());
			this.events.redisFailed(load.entry().cache(), "a value could not be refreshed", ex);
		}
		flight.cancelled();
		return false;
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

	/**
	 * Return the flight that is there already.
	 */
	private @Nullable Flight join(Flight flight, Caller caller) {
		Flight other = this.flights.putIfAbsent(caller.entry(), flight);
		if (other == null) {
			flight.outcome().whenComplete((value, failure) -> this.flights.remove(caller.entry(), flight));
		}
		return other;
	}

	private CompletableFuture<Flight> follow(Flight flight, Caller caller) {
		long start = System.nanoTime();
		return caller.await(flight.outcome(), caller.patience())
			.thenCompose((value) -> (value != null) ? CompletableFuture.completedFuture(value)
					: caller.await(flight.outcome(), flight.remaining(caller.patience())))
			.whenComplete((value, failure) -> {
				LoadChain chain = caller.chain();
				if (chain != null) {
					chain.goesOn(flight);
				}
				waited(caller, start, value != null || failure != null);
			})
			.thenCompose((value) -> {
				if (value == null || !caller.mayHave(value)) {
					return alone(caller);
				}
				if (flight.isSharedWith(caller.arrived(), value)) {
					return CompletableFuture.completedFuture(flight);
				}
				this.flights.remove(caller.entry(), flight);
				return board(caller);
			});
	}

	private CompletableFuture<Flight> depart(Flight flight, Caller caller, BooleanSupplier question) {
		return caller.ask(question).handle((again, failure) -> {
			if (failure != null) {
				this.events.redisFailed(caller.entry().cache(), "a value is loaded without asking Redis", failure);
				flight.loads(this.epoch.token());
			}
			else if (again) {
				waited(caller, flight.begun(), flight.value() != null);
			}
			return flight;
		});
	}

	private boolean claim(Flight flight, Caller caller, byte[] owner) {
		boolean mayHaveRight = false;
		while (true) {
			long asked = System.nanoTime();
			try {
				Miss miss = this.missScripts.claim(caller.entry(), caller.rules(), owner);
				if (miss.granted() && !mayHaveRight) {
					releaseAfter(flight, caller, owner);
				}
				if (miss.owner() != null && mayWait(flight, caller) && !closesCycle(caller, miss.owner())) {
					return false;
				}
				answered(flight, caller, miss, asked);
				return true;
			}
			catch (RuntimeException ex) {
				if (!mayHaveRight) {
					releaseAfter(flight, caller, owner);
					mayHaveRight = true;
				}
				if (!BoundedRedisCacheWriter.isLate(ex) || !mayWait(flight, caller)) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Return whether an instance that has the right to load an entry waits for what the
	 * caller's chain leads. If Redis does not tell, the caller waits until it is out of
	 * patience.
	 */
	private boolean closesCycle(Caller caller, byte[] owner) {
		LoadChain chain = caller.chain();
		return chain != null && Boolean.TRUE.equals(this.events.attempt(caller.entry().cache(),
				() -> this.scripts.closesCycle(chain, owner), "whether two loads need each other is not known"));
	}

	private static boolean mayWait(Flight flight, Caller caller) {
		return System.nanoTime() - flight.begun() < caller.patience() && !Thread.currentThread().isInterrupted();
	}

	private void answered(Flight flight, Caller caller, Miss miss, long asked) {
		byte[] value = miss.value();
		if (value != null && !EntryScripts.isNull(value)) {
			flight.landed(value, asked);
		}
		else if (miss.granted() || !caller.rules().evictWins()) {
			flight.loads(miss.token());
		}
		else {
			flight.loads(this.missScripts.token(caller.entry(), caller.rules()));
		}
	}

	private void releaseAfter(Flight flight, Caller caller, byte[] owner) {
		EntryKey entry = caller.entry();
		flight.outcome().whenComplete((value, failure) -> caller.ask(() -> {
			try {
				this.scripts.unlock(entry.key(), owner);
			}
			catch (RuntimeException ex) {
				this.events.redisFailed(entry.cache(), "the right to load is given back late, or ends with its lease",
						ex);
				this.late.add(0, (scripts) -> scripts.unlock(entry.key(), owner), (done) -> {
				});
			}
			return true;
		}));
	}

	private void waited(Caller caller, long start, boolean shared) {
		Duration duration = Duration.ofNanos(System.nanoTime() - start);
		this.events.tell((listener) -> listener.onWait(caller.entry().cache(), duration, shared));
	}

}
