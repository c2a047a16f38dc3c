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
record TransactionBegin(LongSupplier clock, long nanos, boolean readOnly) implements TransactionSynchronization {

	private static final ThreadLocal<Integer> suspendedWriters = ThreadLocal.withInitial(() -> 0);

	static boolean isWriterSuspended() {
		return suspendedWriters.get() > 0;
	}

	boolean isRecent() {
		return this.clock.getAsLong() - this.nanos <= ThreadTransaction.RECENT.toNanos();
	}

	@Override
	public void suspend() {
		count(1);
	}

	@Override
	public void resume() {
		count(-1);
	}

	private void count(int change) {
		if (!this.readOnly) {
			suspendedWriters.set(suspendedWriters.get() + change);
		}
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
