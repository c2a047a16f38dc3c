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

package io.github.bloomguard.adding;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.adding.KeyWriter.Addition;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The keys that one transaction has added to one filter. They were sent at once, and are
 * written again before the commit if the journal may have forgotten them, or if a rebuild
 * or another server is known of, and once more after it. Outside of a transaction that is
 * when the row is known to be written.
 * <p>
 * Concurrency: all state is guarded by {@code lock}. Its holder waits for Redis, and only
 * threads of the same transaction wait for it; it is no monitor, which would hold the
 * carrier of a virtual thread meanwhile.
 */
final class KeysInTransaction implements TransactionalKeys {

	/**
	 * Additions under way, so that a large transaction takes Redis no more at a time.
	 */
	private static final int UNDER_WAY = 3;

	static final CompletableFuture<Long> NOTHING_BEFORE = CompletableFuture.completedFuture(0L);

	private final Lock lock = new ReentrantLock();

	private final KeyWriter writer;

	private final long journalNanos;

	private final Map<String, Object> keys = new LinkedHashMap<>();

	private final Queue<Addition> begun = new ArrayDeque<>();

	private final Queue<CompletableFuture<Long>> window = new ArrayDeque<>();

	private long epoch = Long.MAX_VALUE;

	/**
	 * Whether a key was null or is not known, and the filter is mistrusted for it.
	 */
	private boolean incomplete;

	/**
	 * Taken before the add, so that no pause of this thread makes keys younger than their
	 * entries in the journal.
	 */
	private long oldest;

	KeysInTransaction(KeyWriter writer, Duration longestTransaction) {
		this.writer = writer;
		this.journalNanos = longestTransaction.toNanos() / 2;
	}

	static @Nullable KeysInTransaction ofThread(KeyWriter writer) {
		return ThreadTransaction.isActive()
				? ThreadTransaction.of(OfThread.class, (one) -> true, OfThread::new).keys(writer) : null;
	}

	private void locked(Runnable step) {
		this.lock.lock();
		try {
			step.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void add(Collection<? extends @Nullable Object> keys) {
		locked(() -> {
			send(keys);
			endAll();
		});
	}

	@Override
	public void mistrust(String reason) {
		this.writer.giveUp(reason);
		locked(() -> this.incomplete = true);
	}

	@Override
	public void begin(Collection<? extends @Nullable Object> keys) {
		locked(() -> {
			send(keys);
			while (!this.begun.isEmpty() && this.begun.element().epoch().isDone()) {
				end(this.begun.remove());
			}
		});
	}

	/**
	 * Each addition is sent when the one is over that was begun {@link #UNDER_WAY} before
	 * it, and not at all if that has failed.
	 */
	private void send(Collection<? extends @Nullable Object> keys) {
		CompletableFuture<Long> before = this.window.size() < UNDER_WAY ? NOTHING_BEFORE : this.window.remove();
		Addition addition = this.writer.begin(keys, before);
		this.incomplete |= keys.stream().anyMatch(Objects::isNull);
		this.begun.add(addition);
		this.window.add(addition.epoch());
	}

	private void endAll() {
		this.window.clear();
		while (!this.begun.isEmpty()) {
			end(this.begun.remove());
		}
	}

	private void end(Addition addition) {
		long epoch = KeyWriter.NOT_ADDED;
		try {
			epoch = this.writer.end(addition);
		}
		finally {
			follow(addition.keys(), epoch, addition.begun());
		}
	}

	/**
	 * Look after keys; their epoch is {@link KeyWriter#NOT_ADDED} if they are still to be
	 * added.
	 */
	void follow(Map<String, Object> keys, long epoch, long begun) {
		locked(() -> {
			if (this.keys.isEmpty() || begun - this.oldest < 0) {
				this.oldest = begun;
			}
			this.keys.putAll(keys);
			this.epoch = Math.min(this.epoch, epoch);
		});
	}

	@Override
	public void beforeCommit() {
		locked(() -> {
			if (this.incomplete) {
				this.writer.giveUp("the key of a row that is committed is not known");
			}
			endAll();
			writeAgainIfNeeded();
		});
	}

	private void writeAgainIfNeeded() {
		if (!this.keys.isEmpty() && (isDoubtful() || isOld())) {
			this.oldest = this.writer.clock().nanoTime();
			this.epoch = this.writer.writeOrMistrust(this.keys);
		}
	}

	/**
	 * Keys are not asked about unless this instance knows of something: a builder waits
	 * for young ones, and old ones are written again in any case.
	 */
	private boolean isDoubtful() {
		return !this.writer.isUnmovedSince(this.epoch) && this.writer.hasMovedSince(this.epoch);
	}

	/**
	 * Return whether the journal may forget keys before a commit that begins now is over.
	 */
	private boolean isOld() {
		return this.writer.clock().nanoTime() - this.oldest > this.journalNanos;
	}

	@Override
	public void afterCommit() {
		try {
			confirm();
		}
		catch (KeyNotAddedException ex) {
			confirmAgain(ex);
		}
	}

	private void confirm() {
		// once more: a load that began meanwhile may have found neither key nor row
		beforeCommit();
		locked(() -> {
			if (!this.keys.isEmpty()) {
				this.writer.committed(this.keys);
			}
		});
	}

	/**
	 * A process that was stopped finds all its deadlines over when it goes on, although
	 * Redis answers. All instances would lose the filter for that.
	 */
	private void confirmAgain(KeyNotAddedException failure) {
		if (!this.writer.isAnswered()) {
			this.writer.missingAfterCommit(failure);
			return;
		}
		try {
			confirm();
		}
		catch (KeyNotAddedException ex) {
			this.writer.missingAfterCommit(ex);
		}
	}

	/**
	 * Those of the thread's transaction, by filter.
	 */
	private static final class OfThread implements TransactionSynchronization {

		private final Map<String, KeysInTransaction> filters = new LinkedHashMap<>();

		KeysInTransaction keys(KeyWriter writer) {
			return this.filters.computeIfAbsent(writer.name(), (name) -> writer.transactionalKeys());
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			TransactionalKeys.allBeforeCommit(this.filters.values());
		}

		@Override
		public void afterCommit() {
			afterEachCommit();
			ThreadTransaction.afterOuterCommits(this::afterEachCommit);
		}

		/**
		 * The rows may be part of this transaction or of one within which it took place.
		 */
		private void afterEachCommit() {
			this.filters.values().forEach(KeysInTransaction::afterCommit);
		}

	}

}
