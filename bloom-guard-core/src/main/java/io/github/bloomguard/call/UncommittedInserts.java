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

import java.util.HashSet;
import java.util.Set;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The filters that don't know new rows of the thread's transaction before its commit. The
 * transaction sees those rows, so to its calls nothing is absent.
 */
public final class UncommittedInserts implements TransactionSynchronization {

	private final Set<String> filters = new HashSet<>();

	private UncommittedInserts() {
	}

	public static void note(String filter) {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			ThreadTransaction.of(UncommittedInserts.class, (rows) -> true, UncommittedInserts::new).filters.add(filter);
		}
	}

	public static boolean areThere(String filter) {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& ThreadTransaction.find(UncommittedInserts.class, (rows) -> rows.filters.contains(filter))
					.isPresent();
	}

}
