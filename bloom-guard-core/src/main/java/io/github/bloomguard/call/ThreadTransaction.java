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

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that is bound to the thread.
 */
public final class ThreadTransaction {

	/**
	 * The greatest age of a transaction whose snapshot is recent.
	 */
	public static final Duration RECENT = Duration.ofSeconds(10);

	private ThreadTransaction() {
	}

	public static boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	/**
	 * Add keys to a filter right before the transaction is committed, at once if there is
	 * none. All that are added so are looked after before the commit, too.
	 */
	public static void beforeCommit(WrittenFilter filter, Runnable add) {
		if (!isActive()) {
			add.run();
			return;
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public int getOrder() {
				return Ordered.LOWEST_PRECEDENCE - 1;
			}

			@Override
			public void beforeCommit(boolean readOnly) {
				add.run();
			}

		});
		// what is registered during the commit is not asked before it
		filter.keysOfThread();
	}

	/**
	 * Leave something to be done after the commits of the transactions within which the
	 * one of the thread takes place, and not at all if one of them is rolled back. One of
	 * another transaction manager is suspended, but not its connection: what is written
	 * meanwhile may be part of it.
	 * @return {@code false} if there are none
	 */
	public static boolean afterOuterCommits(Runnable action) {
		return TransactionBegin.afterOuterCommits(action);
	}

	/**
	 * Return the listener by which it is known when transactions began and ended.
	 * @param clock in the terms of {@link System#nanoTime()}
	 */
	public static TransactionExecutionListener listener(LongSupplier clock) {
		return new TransactionBegin.Listener(clock);
	}

	/**
	 * Return whether the thread reads in a transaction. Such a thread may see rows that
	 * no other session sees, or not see rows that others do.
	 */
	public static boolean isReading() {
		return TransactionSynchronizationManager.isActualTransactionActive();
	}

	/**
	 * Return whether a cache may remember what the thread does not find: the thread reads
	 * nothing that is not committed, and all that was committed before {@link #RECENT}. A
	 * transaction that is not read-only may read its own writes.
	 */
	public static boolean readsRecent() {
		return readsLatest() || (onlyReads() && TransactionSynchronizationManager.isSynchronizationActive()
				&& find(TransactionBegin.class, (outermost) -> true).filter(TransactionBegin::isRecent).isPresent());
	}

	/**
	 * Return whether the thread reads all that was committed before it reads, and nothing
	 * else.
	 */
	public static boolean readsLatest() {
		return !TransactionSynchronizationManager.isActualTransactionActive()
				|| readsLatest(onlyReads(), TransactionSynchronizationManager.getCurrentTransactionIsolationLevel());
	}

	private static boolean onlyReads() {
		return TransactionSynchronizationManager.isCurrentTransactionReadOnly()
				&& !TransactionBegin.isWriterSuspended();
	}

	/**
	 * @param isolation {@code null} for that of the database, which may be any
	 */
	private static boolean readsLatest(boolean readOnly, @Nullable Integer isolation) {
		return readOnly && isolation != null && isolation == TransactionDefinition.ISOLATION_READ_COMMITTED;
	}

	/**
	 * Return the first such synchronization. Synchronizations must be active.
	 */
	public static <S extends TransactionSynchronization> Optional<S> find(Class<S> type, Predicate<S> wanted) {
		return TransactionSynchronizationManager.getSynchronizations()
			.stream()
			.filter(type::isInstance)
			.map(type::cast)
			.filter(wanted)
			.findFirst();
	}

	/**
	 * Return the first such synchronization, a new one if there is none. Synchronizations
	 * must be active.
	 */
	public static <S extends TransactionSynchronization> S of(Class<S> type, Predicate<S> wanted, Supplier<S> begin) {
		return find(type, wanted).orElseGet(() -> {
			S begun = begin.get();
			TransactionSynchronizationManager.registerSynchronization(begun);
			return begun;
		});
	}

}
