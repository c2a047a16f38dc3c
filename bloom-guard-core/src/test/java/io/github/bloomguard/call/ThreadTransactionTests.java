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

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ThreadTransaction}.
 */
class ThreadTransactionTests {

	private static final long RECENT = ThreadTransaction.RECENT.toNanos();

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);

	private final Transactions transactions = new Transactions();

	@BeforeEach
	void listen() {
		this.transactions.addListener(ThreadTransaction.listener(this.nanos::get));
	}

	@Test
	void withoutATransactionTheLatestIsRead() {
		assertThat(ThreadTransaction.readsLatest()).isTrue();
		assertThat(ThreadTransaction.readsRecent()).isTrue();
	}

	@Test
	void withoutAnActualTransactionTheLatestIsRead() {
		run(TransactionDefinition.PROPAGATION_SUPPORTS, false, TransactionDefinition.ISOLATION_DEFAULT,
				(status) -> assertThat(ThreadTransaction.readsLatest()).isTrue());
	}

	@Test
	void whatATransactionRemembersIsBegunOnce() {
		run(false, TransactionDefinition.ISOLATION_DEFAULT, (status) -> {
			Remembered first = ThreadTransaction.of(Remembered.class, (known) -> true, Remembered::new);
			assertThat(ThreadTransaction.of(Remembered.class, (known) -> true, Remembered::new)).isSameAs(first);
			assertThat(ThreadTransaction.of(Remembered.class, (known) -> false, Remembered::new)).isNotSameAs(first);
		});
	}

	@Test
	void transactionThatMayWriteReadsItsOwn() {
		for (int isolation : List.of(TransactionDefinition.ISOLATION_DEFAULT,
				TransactionDefinition.ISOLATION_READ_COMMITTED)) {
			run(false, isolation, (status) -> {
				assertThat(ThreadTransaction.readsLatest()).isFalse();
				assertThat(ThreadTransaction.readsRecent()).isFalse();
				run(true, isolation, (participating) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
			});
		}
	}

	@Test
	void readOnlyTransactionReadsWhatIsRecentUntilItIsOld() {
		run(true, TransactionDefinition.ISOLATION_REPEATABLE_READ, (status) -> {
			assertThat(ThreadTransaction.readsLatest()).isFalse();
			assertThat(ThreadTransaction.readsRecent()).isTrue();
			this.nanos.addAndGet(RECENT);
			assertThat(ThreadTransaction.readsRecent()).isTrue();
			this.nanos.addAndGet(1);
			assertThat(ThreadTransaction.readsRecent()).isFalse();
		});
	}

	@Test
	void timeThatTheBeginTakesCounts() {
		this.transactions.onBegin = () -> this.nanos.addAndGet(RECENT + 1);
		run(true, TransactionDefinition.ISOLATION_DEFAULT,
				(status) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
	}

	@Test
	void readOnlyTransactionReadsTheLatestIfItTakesASnapshotForEachStatement() {
		run(true, TransactionDefinition.ISOLATION_READ_COMMITTED, (status) -> {
			this.nanos.addAndGet(RECENT + 1);
			assertThat(ThreadTransaction.readsLatest()).isTrue();
		});
		run(true, TransactionDefinition.ISOLATION_READ_UNCOMMITTED, (status) -> {
			this.nanos.addAndGet(RECENT + 1);
			assertThat(ThreadTransaction.readsRecent()).isFalse();
		});
	}

	@Test
	void independentTransactionHasABeginOfItsOwn() {
		run(true, TransactionDefinition.ISOLATION_DEFAULT, (status) -> {
			this.nanos.addAndGet(RECENT + 1);
			run(TransactionDefinition.PROPAGATION_REQUIRES_NEW, true, TransactionDefinition.ISOLATION_DEFAULT,
					(inner) -> assertThat(ThreadTransaction.readsRecent()).isTrue());
			run(TransactionDefinition.PROPAGATION_REQUIRES_NEW, false, TransactionDefinition.ISOLATION_DEFAULT,
					(inner) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
			assertThat(ThreadTransaction.readsRecent()).isFalse();
		});
	}

	@Test
	void transactionThatOnlyReadsMayReadWhatAnotherOneAroundItHasNotCommitted() {
		Transactions others = new Transactions();
		DefaultTransactionDefinition reading = new DefaultTransactionDefinition();
		reading.setReadOnly(true);
		reading.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		run(false, TransactionDefinition.ISOLATION_DEFAULT, (status) -> {
			new TransactionTemplate(others, reading)
				.executeWithoutResult((inner) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
			others.onBegin = () -> {
				throw new CannotCreateTransactionException("no connection");
			};
			assertThatExceptionOfType(CannotCreateTransactionException.class)
				.isThrownBy(() -> new TransactionTemplate(others, reading).executeWithoutResult((inner) -> {
				}));
			others.onBegin = () -> {
			};
		});
		new TransactionTemplate(others, reading)
			.executeWithoutResult((alone) -> assertThat(ThreadTransaction.readsRecent()).isTrue());
	}

	@Test
	void nestedTransactionIsAsOldAsTheOuterOne() {
		run(true, TransactionDefinition.ISOLATION_DEFAULT, (status) -> {
			this.nanos.addAndGet(RECENT + 1);
			run(TransactionDefinition.PROPAGATION_NESTED, true, TransactionDefinition.ISOLATION_DEFAULT,
					(inner) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
		});
	}

	@Test
	void transactionOfAManagerThatTellsNothingMayBeOld() {
		this.transactions.setTransactionExecutionListeners(List.of());
		run(true, TransactionDefinition.ISOLATION_DEFAULT,
				(status) -> assertThat(ThreadTransaction.readsRecent()).isFalse());
	}

	@Test
	void transactionThatCanNotBeginLeavesNothingBehind() {
		this.transactions.onBegin = () -> {
			throw new CannotCreateTransactionException("no connection");
		};
		assertThatExceptionOfType(CannotCreateTransactionException.class)
			.isThrownBy(() -> run(true, TransactionDefinition.ISOLATION_DEFAULT, (status) -> {
			}));
		this.transactions.onBegin = () -> {
		};
		this.nanos.addAndGet(RECENT + 1);
		run(true, TransactionDefinition.ISOLATION_DEFAULT,
				(status) -> assertThat(ThreadTransaction.readsRecent()).isTrue());
	}

	private void run(boolean readOnly, int isolation, Consumer<TransactionStatus> action) {
		run(TransactionDefinition.PROPAGATION_REQUIRED, readOnly, isolation, action);
	}

	private void run(int propagation, boolean readOnly, int isolation, Consumer<TransactionStatus> action) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
		definition.setReadOnly(readOnly);
		definition.setIsolationLevel(isolation);
		new TransactionTemplate(this.transactions, definition).executeWithoutResult(action);
	}

	/**
	 * Transactions of nothing, one within the other.
	 */
	private static final class Transactions extends AbstractPlatformTransactionManager {

		private int depth;

		private Runnable onBegin = () -> {
		};

		Transactions() {
			setNestedTransactionAllowed(true);
		}

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return this.depth > 0;
		}

		@Override
		protected boolean useSavepointForNestedTransaction() {
			return false;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.onBegin.run();
			this.depth++;
		}

		@Override
		protected Object doSuspend(Object transaction) {
			int depth = this.depth;
			this.depth = 0;
			return depth;
		}

		@Override
		protected void doResume(Object transaction, Object suspended) {
			this.depth = (int) suspended;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.depth--;
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.depth--;
		}

	}

	private static final class Remembered implements TransactionSynchronization {

	}

}
