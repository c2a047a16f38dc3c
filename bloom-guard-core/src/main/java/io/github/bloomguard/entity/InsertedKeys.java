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

package io.github.bloomguard.entity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.NewRows;
import io.github.bloomguard.call.TransactionalKeys;

/**
 * The keys of the rows that one transaction inserts. They are added together before the
 * commit. Where there are many, all but the last ones are sent while the database is
 * still at work.
 */
final class InsertedKeys implements SessionTransactions.State {

	private static final int BATCH = 100;

	private final GuardedFilters filters;

	private final Map<String, List<Object>> waiting = new LinkedHashMap<>();

	private final Map<String, TransactionalKeys> added = new LinkedHashMap<>();

	private boolean committing;

	InsertedKeys(GuardedFilters filters) {
		this.filters = filters;
	}

	/**
	 * Expect keys, because rows will be inserted.
	 * @return those that are there and wait
	 */
	List<Object> expect(String filter) {
		return this.waiting.computeIfAbsent(filter, (name) -> {
			NewRows.note(name);
			return new ArrayList<>();
		});
	}

	/**
	 * Add a key before the commit, or at once if that is about to come.
	 */
	void add(String filter, Object key) {
		if (this.committing) {
			keysOf(filter).add(List.of(key));
			return;
		}
		List<Object> keys = expect(filter);
		if (keys.size() == BATCH) {
			keysOf(filter).begin(keys);
			keys.clear();
		}
		keys.add(key);
	}

	@Override
	public void beforeCommit() {
		this.committing = true;
		this.waiting.forEach((filter, keys) -> {
			if (!keys.isEmpty()) {
				keysOf(filter).beforeCommit(keys);
			}
		});
	}

	@Override
	public void afterCommit() {
		this.added.values().forEach(TransactionalKeys::afterCommit);
	}

	private TransactionalKeys keysOf(String filter) {
		return this.added.computeIfAbsent(filter, (name) -> this.filters.get(name).transactionalKeys());
	}

}
