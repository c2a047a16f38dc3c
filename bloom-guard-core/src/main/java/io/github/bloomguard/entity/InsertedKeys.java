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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.call.TransactionalKeys;

/**
 * The keys of the rows that one transaction inserts or updates. All of them are in the
 * filter before the commit; where there are many, they are sent while the database is
 * still at work.
 */
final class InsertedKeys implements SessionTransactions.State {

	private static final int BATCH = 100;

	private final GuardedFilters filters;

	private final Map<String, Set<Object>> announced = new LinkedHashMap<>();

	private final Map<String, List<Object>> waiting = new LinkedHashMap<>();

	private final Map<String, TransactionalKeys> added = new LinkedHashMap<>();

	private boolean committing;

	InsertedKeys(GuardedFilters filters) {
		this.filters = filters;
	}

	/**
	 * Expect keys, because rows will be inserted.
	 */
	Set<Object> expect(String filter) {
		return this.announced.computeIfAbsent(filter, (name) -> {
			UncommittedInserts.note(name);
			return new HashSet<>();
		});
	}

	/**
	 * Add the key of a row that is going to be inserted. While the transaction is being
	 * committed there is nothing to gain by it: the key is added when the row is.
	 */
	void announce(String filter, Object key) {
		Set<Object> announced = expect(filter);
		if (!this.committing && announced.add(key)) {
			enqueue(filter, key);
		}
	}

	/**
	 * Add the key of a row that is inserted, unless it was announced. If others were,
	 * too, the database has much to do now.
	 */
	void add(String filter, Object key) {
		Set<Object> announced = expect(filter);
		if (announced.remove(key)) {
			if (!announced.isEmpty()) {
				begin(filter);
			}
		}
		else if (this.committing) {
			keysOf(filter).add(List.of(key));
		}
		else {
			enqueue(filter, key);
		}
	}

	private void enqueue(String filter, Object key) {
		List<Object> keys = this.waiting.computeIfAbsent(filter, (name) -> new ArrayList<>(BATCH));
		if (keys.size() == BATCH) {
			begin(filter);
		}
		keys.add(key);
	}

	private void begin(String filter) {
		List<Object> keys = this.waiting.getOrDefault(filter, List.of());
		if (!keys.isEmpty()) {
			keysOf(filter).begin(keys);
			keys.clear();
		}
	}

	@Override
	public void beforeCommit() {
		this.committing = true;
		this.waiting.forEach((filter, keys) -> keysOf(filter).beforeCommit(keys));
	}

	@Override
	public void afterCommit() {
		this.added.values().forEach(TransactionalKeys::afterCommit);
	}

	private TransactionalKeys keysOf(String filter) {
		return this.added.computeIfAbsent(filter, (name) -> this.filters.get(name).transactionalKeys());
	}

}
