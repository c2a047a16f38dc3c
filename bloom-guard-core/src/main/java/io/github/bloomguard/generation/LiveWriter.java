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

package io.github.bloomguard.generation;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.circuit.RedisCircuitBreaker;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.AcknowledgementTracker.PendingAdd;

/**
 * Adds keys to every live generation of one filter, so that no rebuild misses them. The
 * generations that were live lately are written in the step that appends to the journal,
 * so most adds take two steps.
 */
final class LiveWriter {

	/**
	 * An epoch that never is: the server has just changed, and may lack other keys of the
	 * same transaction.
	 */
	static final long UNSURE = 0;

	private static final int CHUNK = 500;

	private final ControlStore control;

	private final LatestSnapshot snapshot;

	private final RedisCircuitBreaker breaker;

	private final MonotonicClock clock;

	private final Mirrors mirrors;

	LiveWriter(ControlStore control, LatestSnapshot snapshot, RedisCircuitBreaker breaker, MonotonicClock clock,
			Mirrors mirrors) {
		this.control = control;
		this.snapshot = snapshot;
		this.breaker = breaker;
		this.clock = clock;
		this.mirrors = mirrors;
	}

	/**
	 * Add keys: append them to the journal, write them to every live generation, and do
	 * it again if the record has changed meanwhile.
	 * @return the epoch in which every lookup anywhere finds them
	 */
	CompletableFuture<Long> add(Collection<String> keys) {
		List<String> all = List.copyOf(keys);
		CompletableFuture<Long> epoch = CompletableFuture.completedFuture(Long.MAX_VALUE);
		for (int from = 0; from < all.size(); from += CHUNK) {
			List<String> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
			epoch = epoch.thenCompose((first) -> addChunk(chunk).thenApply((last) -> Math.min(first, last)));
		}
		return epoch;
	}

	private CompletableFuture<Long> addChunk(List<String> keys) {
		PendingAdd pending = this.mirrors.expect();
		LeaseHolder author = this.mirrors.addToOwn(keys);
		CompletableFuture<Long> epoch = this.breaker
			.insist(() -> this.control.append(keys, this.snapshot.live(), pending.sender(), author))
			.thenCompose((appended) -> {
				this.snapshot.appended(appended.position());
				CompletableFuture<Void> mirrored = this.mirrors.await(pending, keys, author, appended);
				return this.clock.after(appended.record().settlesIn())
					.thenCompose((nothing) -> write(keys, appended))
					.thenCompose((nothing) -> mirrored)
					.thenCompose((nothing) -> confirm(keys, appended, false));
			});
		return epoch.whenComplete((last, failure) -> pending.close());
	}

	/**
	 * Make sure that nothing has happened to the record since the keys were appended.
	 * This comes last: whoever builds after a loss waits for transactions, but not for
	 * adds that wait for something else. A server that has taken over may not know of all
	 * mirrors.
	 */
	private CompletableFuture<Long> confirm(List<String> keys, Appended appended, boolean settled) {
		return this.breaker.insistQuietly(this.control::confirm).thenCompose((record) -> {
			if (record.epoch() != appended.record().epoch() || !record.journalEnd().covers(appended.position())) {
				return addChunk(keys);
			}
			if (record.sameServer() || settled) {
				return CompletableFuture.completedFuture(record.sameServer() ? record.epoch() : UNSURE);
			}
			return this.clock.after(ControlRecord.SETTLING).thenCompose((nothing) -> confirm(keys, appended, true));
		});
	}

	private CompletableFuture<Void> write(List<String> keys, Appended appended) {
		return CompletableFuture.allOf(appended.record()
			.live()
			.stream()
			.filter((generation) -> !appended.written().contains(generation.id()))
			.map((generation) -> addTo(generation, keys))
			.toArray(CompletableFuture<?>[]::new));
	}

	private CompletableFuture<Void> addTo(Generation generation, List<String> keys) {
		CompletableFuture<Void> added = this.breaker
			.insist(() -> this.snapshot.stored(generation).add(generation.elements(keys)));
		return added.exceptionallyCompose((failure) -> {
			// nobody gets an answer from it any more
			return (GenerationalFilter.unwrap(failure) instanceof FilterGoneException)
					? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
		});
	}

}
