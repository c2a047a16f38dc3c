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

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.WrittenFilters;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The keys of the rows that one transaction deletes, which are removed together after its
 * commit, if the rows are gone. Only ids are among them: another attribute may have the
 * same value in another row.
 */
final class DeletedKeys implements SessionTransactions.State {

	private final WrittenFilters filters;

	private final Map<String, KeyRemoval> removals = new LinkedHashMap<>();

	private final Map<KeyRemoval, List<Object>> keys = new LinkedHashMap<>();

	private DeletedKeys(WrittenFilters filters) {
		this.filters = filters;
	}

	static DeletedKeys begin(WrittenFilters filters) {
		DeletedKeys deleted = new DeletedKeys(filters);
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new OnSavepointRollback(deleted));
		}
		return deleted;
	}

	void add(String filter, Object key) {
		KeyRemoval removal = this.removals.computeIfAbsent(filter,
				(name) -> this.filters.written(name).removalIfGone());
		this.keys.computeIfAbsent(removal, (begun) -> new ArrayList<>()).add(key);
	}

	@Override
	public void afterCommit() {
		this.keys.forEach((removal, deleted) -> removal.removeNow(deleted, Duration.ZERO));
	}

	/**
	 * Forgets all keys after a rollback to a savepoint: Hibernate does not see which rows
	 * come back.
	 */
	private record OnSavepointRollback(DeletedKeys deleted) implements TransactionSynchronization {

		@Override
		public void savepointRollback(Object savepoint) {
			this.deleted.keys.clear();
		}

	}

}
