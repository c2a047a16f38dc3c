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

package io.github.bloomguard.hibernate;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.KeyNotAddedException;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;

/**
 * The transactions of Hibernate that are under way. Sessions that are closed without an
 * end of their transaction leave nothing behind.
 * <p>
 * Concurrency: {@code states} is used by all threads, each of its values by the thread of
 * its session only.
 */
final class SessionTransactions<S extends SessionTransactions.State> {

	private final Map<SharedSessionContractImplementor, S> states = Collections.synchronizedMap(new WeakHashMap<>());

	private final Supplier<S> begin;

	SessionTransactions(Supplier<S> begin) {
		this.begin = begin;
	}

	/**
	 * Return whether the end of a transaction will be known. A session on a connection
	 * from outside does not know the transaction of that connection.
	 */
	static boolean isInTransaction(SharedSessionContractImplementor session) {
		return session.getTransactionCoordinator().isTransactionActive();
	}

	S of(SharedSessionContractImplementor session) {
		return this.states.computeIfAbsent(session, this::begin);
	}

	private S begin(SharedSessionContractImplementor session) {
		S state = this.begin.get();
		session.getTransactionCoordinator().addObserver(new AroundCommit(session, state));
		return state;
	}

	/**
	 * Receives the end of a transaction, after all synchronizations: those of the
	 * application may still flush.
	 */
	private final class AroundCommit implements TransactionObserver {

		private final SharedSessionContractImplementor session;

		private final S state;

		AroundCommit(SharedSessionContractImplementor session, S state) {
			this.session = session;
			this.state = state;
		}

		@Override
		public void afterBegin() {
		}

		@Override
		public void beforeCompletion() {
			try {
				this.state.beforeCommit();
			}
			catch (KeyNotAddedException ex) {
				// Spring and JPA hand this on to the caller with its message
				throw new HibernateException(ex.getMessage(), ex);
			}
		}

		@Override
		public void afterCompletion(boolean successful, boolean delayed) {
			SessionTransactions.this.states.remove(this.session);
			this.session.getTransactionCoordinator().removeObserver(this);
			if (successful) {
				this.state.afterCommit();
			}
		}

	}

	interface State {

		/**
		 * Handle the moment after the last flush, right before the commit of the
		 * database. An exception rolls back.
		 */
		default void beforeCommit() {
		}

		void afterCommit();

	}

}
