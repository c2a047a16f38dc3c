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

import java.util.Optional;
import java.util.function.Predicate;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that is bound to the thread, and what is known of it.
 *
 * @since 1.0.0
 */
public final class ThreadTransaction {

	private ThreadTransaction() {
	}

	/**
	 * Tell whether there is a transaction whose end Spring tells.
	 * @return whether there is one
	 */
	public static boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	/**
	 * Return what was registered with the transaction. Not to be asked where there are no
	 * synchronizations.
	 * @param <S> the type of it
	 * @param type the type of it
	 * @param wanted tells it from others of its type
	 * @return the first that was registered, empty if there is none
	 */
	public static <S extends TransactionSynchronization> Optional<S> find(Class<S> type, Predicate<S> wanted) {
		return TransactionSynchronizationManager.getSynchronizations()
			.stream()
			.filter(type::isInstance)
			.map(type::cast)
			.filter(wanted)
			.findFirst();
	}

}
