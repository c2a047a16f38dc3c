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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel.Sender;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;

/**
 * Lets adds wait for the mirrors of other instances: until each of them has the keys, or
 * can't answer any more, because its lease has ended.
 * <p>
 * A mirror answers under a record that was read before the keys were appended for
 * {@link ControlRecord#LEASE} after that, by its clock, and then only under one that
 * brought it the keys. So a writer that waits for {@link #MIRROR_LEASE}, by its own clock
 * and from a moment after the keys were appended, need not hear of the mirror.
 * <p>
 * Concurrency: an add is registered before its keys are appended, so an acknowledgement
 * that overtakes the reply is noted. Messages only ever complete futures and add to sets.
 */
final class AcknowledgementTracker {

	/**
	 * How far the speeds of two clocks are from the right one at most. NTP corrects a
	 * clock by half a thousandth at most, and quartz is a tenth of that off.
	 */
	private static final double DRIFT = 0.01;

	/**
	 * How long the lease of a mirror lasts by the slowest clock, as the fastest measures.
	 */
	static final Duration MIRROR_LEASE = Duration
		.ofMillis((long) Math.ceil(ControlRecord.LEASE.toMillis() * (1 + DRIFT) / (1 - DRIFT)));

	private static final int KEPT = 1000;

	private final ThrottledLog silent = new ThrottledLog(AcknowledgementTracker.class);

	private final String filter;

	private final ControlStore control;

	private final MonotonicClock clock;

	private final AtomicLong tokens = new AtomicLong();

	private final Map<Long, PendingAdd> waits = new ConcurrentHashMap<>();

	private final LongAdder count = new LongAdder();

	private final LongAdder nanos = new LongAdder();

	private final Map<LeaseHolder, JournalPosition> applied = new ConcurrentHashMap<>();

	AcknowledgementTracker(String filter, ControlStore control, MonotonicClock clock) {
		this.filter = filter;
		this.control = control;
		this.clock = clock;
	}

	long count() {
		return this.count.sum();
	}

	Duration waited() {
		return Duration.ofNanos(this.nanos.sum());
	}

	PendingAdd expect() {
		PendingAdd pending = new PendingAdd(this.tokens.incrementAndGet());
		this.waits.put(pending.token, pending);
		return pending;
	}

	void acknowledged(long token, LeaseHolder by) {
		PendingAdd pending = this.waits.get(token);
		if (pending != null) {
			pending.done(by);
		}
	}

	void applied(LeaseHolder holder, JournalPosition position) {
		this.applied.merge(holder, position, (one, other) -> one.covers(other) ? one : other);
		this.waits.values().forEach((pending) -> pending.applied(holder, position));
	}

	void ended(LeaseHolder holder) {
		this.applied.remove(holder);
		this.waits.values().forEach((pending) -> pending.done(holder));
	}

	private void forgetOthers(List<LeaseHolder> holders) {
		if (this.applied.size() > KEPT) {
			this.applied.keySet().retainAll(holders);
		}
	}

	private String instance() {
		return this.control.channel().instance();
	}

	/**
	 * One add that waits.
	 */
	final class PendingAdd {

		private final long token;

		private final Set<LeaseHolder> done = ConcurrentHashMap.newKeySet();

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private volatile List<LeaseHolder> awaited = List.of();

		private volatile JournalPosition position = JournalPosition.START;

		private volatile boolean appended;

		PendingAdd(long token) {
			this.token = token;
		}

		public Sender sender() {
			return new Sender(instance(), this.token);
		}

		CompletableFuture<Void> await(Appended reply) {
			forgetOthers(reply.holders());
			this.position = reply.position();
			this.awaited = reply.holders()
				.stream()
				.filter((holder) -> !holder.instance().equals(AcknowledgementTracker.this.instance()))
				.toList();
			this.appended = true;
			endIfDone();
			if (this.end.isDone()) {
				return this.end;
			}
			long begun = System.nanoTime();
			this.awaited.forEach((holder) -> applied(holder,
					AcknowledgementTracker.this.applied.getOrDefault(holder, JournalPosition.START)));
			CompletableFuture<Void> lease = AcknowledgementTracker.this.clock.after(MIRROR_LEASE);
			lease.thenRun(() -> {
				revoke();
				close();
			});
			this.end.thenRun(() -> {
				lease.cancel(false);
				AcknowledgementTracker.this.count.increment();
				AcknowledgementTracker.this.nanos.add(System.nanoTime() - begun);
			});
			return this.end;
		}

		public void close() {
			AcknowledgementTracker.this.waits.remove(this.token);
			this.end.complete(null);
		}

		private void applied(LeaseHolder holder, JournalPosition upTo) {
			if (this.appended && upTo.covers(this.position)) {
				done(holder);
			}
		}

		private void done(LeaseHolder holder) {
			this.done.add(holder);
			endIfDone();
		}

		private void endIfDone() {
			if (this.appended && this.done.containsAll(this.awaited)) {
				close();
			}
		}

		/**
		 * Strike off mirrors whose lease has ended, unless they have read the keys
		 * meanwhile. Those that have not lack all later keys too, so no other add waits
		 * for them.
		 */
		private void revoke() {
			List<LeaseHolder> silent = this.awaited.stream().filter((holder) -> !this.done.contains(holder)).toList();
			silent.forEach(this::tell);
			silent.forEach((holder) -> Attempt
				.of(() -> AcknowledgementTracker.this.control.revokeMirrorLease(holder, this.position))
				.thenAccept((revoked) -> {
					if (revoked) {
						ended(holder);
					}
				}));
		}

		private void tell(LeaseHolder holder) {
			String filter = AcknowledgementTracker.this.filter;
			LogFields.withFilter(filter, () -> AcknowledgementTracker.this.silent.warn(String.format(Locale.ROOT,
					"The mirror of the filter '%s' in the instance %s did not answer, and an add waited %.1f s for it."
							+ " The instance was killed, hangs, or can't reach Redis. No add waits for this mirror again"
							+ " before it has read what was added",
					filter, holder.instance(), MIRROR_LEASE.toMillis() / 1000.0), null));
		}

	}

}
