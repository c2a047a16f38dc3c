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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.cache.EntryLoad.Loaded;
import io.github.bloomguard.cache.EntryScripts.Miss;

/**
 * Does what {@link SingleFlight} does, with the same flights, for calls whose results
 * arrive later. No thread waits: a leader that waits for another instance comes back
 * later.
 */
final class AsyncSingleFlight {

	private final SingleFlight flights;

	private final CacheLoadListener listener;

	private final Executor commands;

	private final Executor loads;

	AsyncSingleFlight(SingleFlight flights, CacheLoadListener listener, Executor commands, Executor loads) {
		this.flights = flights;
		this.listener = listener;
		this.commands = commands;
		this.loads = loads;
	}

	/**
	 * Return a value, {@code null} if the call is to load it.
	 */
	CompletableFuture<byte @Nullable []> retrieve(CachedCall call, EntryKey entry, CacheRules rules) {
		Flight flight = new Flight();
		Flight other = this.flights.join(entry, flight);
		return (other != null) ? follow(other, call, entry, rules) : lead(new Lead(flight, entry, rules), call);
	}

	CompletableFuture<byte @Nullable []> miss(CachedCall call, EntryKey entry, CacheRules rules) {
		CompletableFuture<byte @Nullable []> answer = new CompletableFuture<>();
		try {
			this.commands.execute(() -> {
				Miss miss = this.flights.miss(entry, rules);
				if (miss.value() == null) {
					call.missed(entry, miss.token());
				}
				goOn(() -> answer.complete(miss.value()));
			});
		}
		catch (RejectedExecutionException ex) {
			call.missed(entry, LoadToken.INVALID);
			answer.complete(null);
		}
		return answer;
	}

	CompletableFuture<@Nullable Void> store(Runnable store) {
		CompletableFuture<@Nullable Void> stored = new CompletableFuture<>();
		try {
			this.commands.execute(() -> {
				try {
					store.run();
				}
				finally {
					goOn(() -> stored.complete(null));
				}
			});
		}
		catch (RejectedExecutionException ex) {
			stored.complete(null);
		}
		return stored;
	}

	private CompletableFuture<byte @Nullable []> follow(Flight flight, CachedCall call, EntryKey entry,
			CacheRules rules) {
		long arrived = System.nanoTime();
		return flight.outcome()
			.completeOnTimeout(null, rules.loads().longestWait().toNanos(), TimeUnit.NANOSECONDS)
			.whenComplete((value, failure) -> this.listener.onWait(entry.cache(),
					Duration.ofNanos(System.nanoTime() - arrived), value != null || failure != null))
			.thenCompose((value) -> {
				if (value == null) {
					return miss(call, entry, rules);
				}
				if (flight.isSharedWith(arrived, value)) {
					return CompletableFuture.completedFuture(value);
				}
				this.flights.leave(entry, flight);
				return retrieve(call, entry, rules);
			});
	}

	private CompletableFuture<byte @Nullable []> lead(Lead lead, CachedCall call) {
		CompletableFuture<byte @Nullable []> answer = new CompletableFuture<>();
		try {
			this.commands.execute(() -> claim(lead, call, answer, SingleFlight.FIRST_PAUSE));
		}
		catch (RejectedExecutionException ex) {
			lead.cancelled();
			call.missed(lead.entry, LoadToken.INVALID);
			answer.complete(null);
		}
		return answer;
	}

	private void claim(Lead lead, CachedCall call, CompletableFuture<byte @Nullable []> answer, long pause) {
		long asked = System.nanoTime();
		Miss miss = this.flights.claim(lead.entry, lead.rules, lead.owner);
		byte[] value = miss.value();
		if (value != null && !EntryScripts.isNull(value)) {
			lead.landed(Loaded.current(value, asked));
			goOn(() -> answer.complete(value));
		}
		else if (value == null && !miss.granted() && miss.token() != LoadToken.INVALID && lead.mayWait()) {
			later(SingleFlight.spread(pause),
					() -> claim(lead, call, answer, Math.min(2 * pause, SingleFlight.LONGEST_PAUSE)));
		}
		else {
			call.missed(lead.entry, (value == null) ? miss.token() : this.flights.token(lead.entry, lead.rules));
			lead.loads(miss.granted());
			call.leads(lead);
			// a load that never ends, or stores nothing, must not keep others from
			// loading
			later(lead.rules.loads().lease().toNanos(), lead::cancelled);
			goOn(() -> answer.complete(null));
		}
	}

	private void later(long nanos, Runnable commands) {
		CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, this.commands).execute(commands);
	}

	private void goOn(Runnable next) {
		try {
			this.loads.execute(next);
		}
		catch (RejectedExecutionException ex) {
			next.run();
		}
	}

	final class Lead {

		private final Flight flight;

		private final EntryKey entry;

		private final CacheRules rules;

		private final byte[] owner = SingleFlight.owner();

		private final long start = System.nanoTime();

		private final AtomicBoolean ended = new AtomicBoolean();

		private volatile long loadStart;

		private volatile boolean granted;

		private Lead(Flight flight, EntryKey entry, CacheRules rules) {
			this.flight = flight;
			this.entry = entry;
			this.rules = rules;
		}

		private boolean mayWait() {
			return System.nanoTime() - this.start < this.rules.loads().longestWait().toNanos();
		}

		private void loads(boolean granted) {
			this.granted = granted;
			this.loadStart = System.nanoTime();
			this.flight.loads();
		}

		void landed(Loaded loaded) {
			if (end(false)) {
				this.flight.landed(loaded);
			}
		}

		void crashed(Throwable failure) {
			if (end(true)) {
				this.flight.crashed(failure);
			}
		}

		private void cancelled() {
			if (end(true)) {
				this.flight.cancelled();
			}
		}

		private boolean end(boolean failed) {
			if (!this.ended.compareAndSet(false, true)) {
				return false;
			}
			AsyncSingleFlight.this.flights.leave(this.entry, this.flight);
			if (this.granted) {
				later(0, () -> AsyncSingleFlight.this.flights.release(this.entry, this.owner));
			}
			if (this.loadStart != 0) {
				AsyncSingleFlight.this.listener.onLoad(this.entry.cache(),
						Duration.ofNanos(System.nanoTime() - this.loadStart), failed);
			}
			return true;
		}

	}

}
