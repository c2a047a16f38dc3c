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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.instance.AcknowledgementTracker.PendingAdd;

/**
 * Adds keys to every live generation of one filter, so that no rebuild misses them. The
 * generations that were live lately are written in the step that appends to the journal,
 * so most adds take one step.
 * <p>
 * A builder needs only that a row is committed soon after its key was appended: it
 * replays the journal from long enough before its scan, and waits as long after a loss.
 * So an add looks at the record once more only if it was not {@link ControlRecord#PROMPT
 * prompt}.
 *
 * @param longest how long an add may take, for which its caller waits
 */
record LiveWriter(ControlStore control, LatestSnapshot snapshot, CircuitBreaker breaker, MonotonicClock clock,
		Mirrors mirrors, Duration longest) {

	/**
	 * An epoch that never is: the server has just changed, and may lack other keys of the
	 * same transaction.
	 */
	static final long UNSURE = 0;

	private static final int CHUNK = 500;

	CompletableFuture<Long> add(Collection<String> keys) {
		List<String> all = List.copyOf(keys);
		long begun = this.clock.nanoTime();
		AddingPace pace = new AddingPace(all.size(), CHUNK, this.longest, begun);
		CompletableFuture<Added> added = CompletableFuture.completedFuture(Added.NOTHING);
		for (int from = 0; from < all.size(); from += CHUNK) {
			List<String> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
			added = added.thenCompose((before) -> addChunk(chunk).thenApply((next) -> {
				pace.written(this.clock.nanoTime());
				return before.and(next);
			}));
		}
		return added.thenCompose((last) -> (all.isEmpty() || isCertain(last, begun))
				? CompletableFuture.completedFuture(last.epoch()) : confirm(all, last, false));
	}

	private CompletableFuture<Added> addChunk(List<String> keys) {
		PendingAdd pending = this.mirrors.expect();
		LeaseHolder author = this.mirrors.addToOwn(keys);
		CompletableFuture<Added> added = this.breaker
			.insist(() -> this.control.append(keys, this.snapshot.live(), pending.sender(), author))
			.thenCompose((appended) -> {
				this.snapshot.appended(appended.position());
				CompletableFuture<Void> mirrored = this.mirrors.await(pending, keys, author, appended);
				return this.clock.after(appended.record().leasesEndIn())
					.thenCompose((nothing) -> write(keys, appended))
					.thenCompose((nothing) -> mirrored)
					.thenApply((nothing) -> Added.of(appended));
			});
		return added.whenComplete((last, failure) -> pending.close());
	}

	/**
	 * Return whether nothing can have happened to the record that a builder would not
	 * wait for. The clock comes last: everything else may take its time.
	 */
	private boolean isCertain(Added added, long begun) {
		return added.sameServer() && !this.control.awaitsReplicas()
				&& this.clock.nanoTime() - begun <= ControlRecord.PROMPT.toNanos();
	}

	/**
	 * Make sure that nothing has happened to the record since the keys were appended.
	 * This comes last: a builder waits after a loss for transactions, but not for adds
	 * that wait for something else. A server that has taken over may not know of all
	 * mirrors. The server may hold back this answer until replicas have the keys, so a
	 * late one does not count as an outage.
	 */
	private CompletableFuture<Long> confirm(List<String> keys, Added added, boolean waited) {
		CompletableFuture<ControlRecord> confirmed = Attempt.of(this.control::confirm)
			.copy()
			.orTimeout(this.breaker.longest().toNanos(), TimeUnit.NANOSECONDS);
		return confirmed.thenCompose((record) -> {
			if (record.epoch() != added.epoch() || !record.journalEnd().covers(added.position())) {
				return add(keys);
			}
			if (record.sameServer() || waited) {
				return CompletableFuture.completedFuture(record.sameServer() ? record.epoch() : UNSURE);
			}
			return this.clock.after(ControlRecord.LEASE_ENDS).thenCompose((nothing) -> confirm(keys, added, true));
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
			// it gives no answers any more
			return (GenerationalFilter.unwrap(failure) instanceof FilterGoneException)
					? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
		});
	}

	private record Added(long epoch, boolean sameServer, JournalPosition position) {

		static final Added NOTHING = new Added(Long.MAX_VALUE, true, JournalPosition.START);

		static Added of(Appended appended) {
			return new Added(appended.record().epoch(), appended.record().sameServer(), appended.position());
		}

		Added and(Added later) {
			return new Added(Math.min(this.epoch, later.epoch), this.sameServer && later.sameServer, later.position);
		}

	}

}
