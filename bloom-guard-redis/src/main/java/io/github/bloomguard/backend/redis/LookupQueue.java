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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisTimeoutException;

/**
 * Lets lookups that wait at the same moment travel together. A lookup is sent at once
 * while nothing is under way, and the one that finishes a batch answers it and then sends
 * what has come in the meantime. Where the way is long, up to {@value #UNDER_WAY} batches
 * are under way at a time, a {@link #PACE} apart.
 * <p>
 * Concurrency: callers put lookups in {@code waiting}; the holder of a place in
 * {@code underWay} takes them out. A place is taken by compare-and-set of a turn of one's
 * own, and left by compare-and-set of that same turn. A caller first puts its lookup in
 * the queue and then looks for a free place; it gives up only if it has seen a turn of
 * someone else, or if someone else took the place it wanted. A finished batch first
 * leaves its place and then looks into the queue; one that has taken a place empties the
 * queue after that. So the holder that made a caller give up finds its lookup, or gives
 * up for the same reason.
 * <p>
 * A batch that does not come back within {@code stuck} loses its place to the next one:
 * dead connections hold up only those that are on them.
 */
public final class LookupQueue<L extends QueuedLookup> {

	static final int UNDER_WAY = 4;

	/**
	 * How long a batch is under way before another follows. A fast network and Redis take
	 * less, so that there batches are as large as can be.
	 */
	static final Duration PACE = Duration.ofNanos(250_000);

	static final int MOST = 128;

	private final Queue<L> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicReferenceArray<@Nullable Turn> underWay = new AtomicReferenceArray<>(UNDER_WAY);

	private final Sender<L> sender;

	private final Duration timeout;

	private final long pace;

	private final long stuck;

	public LookupQueue(Sender<L> sender, Duration timeout) {
		this(sender, timeout, PACE);
	}

	LookupQueue(Sender<L> sender, Duration timeout, Duration pace) {
		this.sender = sender;
		this.timeout = timeout;
		this.pace = pace.toNanos();
		this.stuck = timeout.toNanos() / 4;
	}

	public void add(L lookup) {
		this.waiting.add(lookup);
		sendWaiting();
	}

	private void sendWaiting() {
		while (!this.waiting.isEmpty()) {
			Turn turn = take();
			if (turn == null) {
				return;
			}
			List<L> batch = nextBatch();
			CompletableFuture<List<Object>> sent = send(batch);
			if (sent.isDone()) {
				// not below: many failures in a row would pile up on the stack
				finish(turn, batch, sent);
			}
			else {
				sent.whenComplete((reply, failure) -> {
					try {
						finish(turn, batch, sent);
					}
					finally {
						sendWaiting();
					}
				});
			}
		}
	}

	private void finish(Turn turn, List<L> batch, CompletableFuture<List<Object>> sent) {
		try {
			answer(batch, sent);
		}
		finally {
			leave(turn);
		}
	}

	private CompletableFuture<List<Object>> send(List<L> batch) {
		try {
			return batch.isEmpty() ? CompletableFuture.completedFuture(List.of()) : this.sender.send(batch);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void answer(List<L> batch, CompletableFuture<List<Object>> sent) {
		sent.whenComplete((reply, failure) -> {
			if (!batch.isEmpty()) {
				this.sender.answer(batch, reply, failure);
			}
		});
	}

	private List<L> nextBatch() {
		List<L> batch = new ArrayList<>();
		long now = System.nanoTime();
		while (batch.size() < MOST) {
			L next = this.waiting.poll();
			if (next == null) {
				break;
			}
			if (now - next.askedAt() < this.timeout.toNanos()) {
				batch.add(next);
			}
			else {
				next.completeExceptionally(
						new RedisTimeoutException("Redis has not answered earlier lookups within " + this.timeout));
			}
		}
		return batch;
	}

	private @Nullable Turn take() {
		long now = System.nanoTime();
		Turn former = null;
		int free = -1;
		for (int place = 0; place < UNDER_WAY; place++) {
			Turn holder = this.underWay.get(place);
			boolean taken = holder != null && now - holder.since() <= this.stuck;
			if (taken && now - holder.since() < this.pace) {
				return null;
			}
			if (!taken && free < 0) {
				free = place;
				former = holder;
			}
		}
		if (free < 0) {
			return null;
		}
		Turn turn = new Turn(free, now);
		return this.underWay.compareAndSet(free, former, turn) ? turn : null;
	}

	private void leave(Turn turn) {
		this.underWay.compareAndSet(turn.place(), turn, null);
	}

	/**
	 * One batch in its place. Compared by identity.
	 */
	private static final class Turn {

		private final int place;

		private final long since;

		Turn(int place, long since) {
			this.place = place;
			this.since = since;
		}

		int place() {
			return this.place;
		}

		long since() {
			return this.since;
		}

	}

	/**
	 * Sends lookups, at least one, in one command.
	 */
	public interface Sender<L extends QueuedLookup> {

		CompletableFuture<List<Object>> send(List<L> batch);

		void answer(List<L> batch, @Nullable List<Object> reply, @Nullable Throwable failure);

	}

}
