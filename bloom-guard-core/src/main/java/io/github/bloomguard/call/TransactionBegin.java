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

package io.github.bloomguard.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * When a transaction of the thread began: nothing that it reads is older. One that may
 * write can be read in a transaction of another database, which suspends this but not its
 * connection.
 */
final class TransactionBegin implements TransactionSynchronization {

	/**
	 * The transactions of the thread that are suspended, the innermost first.
	 */
	private static final ThreadLocal<Deque<TransactionBegin>> suspended = ThreadLocal.withInitial(ArrayDeque::new);

	private final LongSupplier clock;

	private final long nanos;

	private final boolean readOnly;

	/**
	 * What transactions within this one have left to be done.
	 */
	private final List<Runnable> left = new ArrayList<>();

	private TransactionBegin(LongSupplier clock, long nanos, boolean readOnly) {
		this.clock = clock;
		this.nanos = nanos;
		this.readOnly = readOnly;
	}

	static boolean isWriterSuspended() {
		return suspended.get().stream().anyMatch((outer) -> !outer.readOnly);
	}

	/**
	 * Leave something to be done after the commits of all transactions of the thread that
	 * are suspended.
	 * @return {@code false} if there are none
	 */
	static boolean afterOuterCommits(Runnable action) {
		TransactionBegin outer = suspended.get().peek();
		return outer != null && outer.left.add(action);
	}

	boolean isRecent() {
		return this.clock.getAsLong() - this.nanos <= ThreadTransaction.RECENT.toNanos();
	}

	@Override
	public void suspend() {
		suspended.get().push(this);
	}

	@Override
	public void resume() {
		suspended.get().remove(this);
	}

	@Override
	public void afterCommit() {
		this.left.forEach((action) -> {
			if (!afterOuterCommits(action)) {
				action.run();
			}
		});
	}

	/**
	 * Registers a synchronization with each transaction, so that the time is suspended
	 * with it, and tells of the ends of transactions.
	 */
	static final class Listener implements TransactionExecutionListener {

		private final ThreadLocal<Long> beginning = new ThreadLocal<>();

		private final LongSupplier clock;

		Listener(LongSupplier clock) {
			this.clock = clock;
		}

		@Override
		public void beforeBegin(TransactionExecution transaction) {
			this.beginning.set(this.clock.getAsLong());
		}

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
			Long nanos = this.beginning.get();
			this.beginning.remove();
			if (nanos != null && beginFailure == null && transaction.isNewTransaction()
					&& TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager
					.registerSynchronization(new TransactionBegin(this.clock, nanos, transaction.isReadOnly()));
			}
		}

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			InnerTransactions.beforeCommit();
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
			if (commitFailure == null) {
				InnerTransactions.afterCommit();
			}
			else {
				InnerTransactions.afterRollback();
			}
		}

		@Override
		public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
			InnerTransactions.afterRollback();
		}

	}

}
