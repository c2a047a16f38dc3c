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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.call.CollectedKeys;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.call.WrittenFilters;

/**
 * The keys of the rows that one transaction inserts or updates, all in the filter before
 * the commit. They are sent while the database works: at once where they are few, as in
 * most transactions, and together where they are many.
 */
final class InsertedKeys implements SessionTransactions.State {

	private final WrittenFilters filters;

	private final Map<String, CollectedKeys> keys = new LinkedHashMap<>();

	private final Map<String, TransactionalKeys> transactional = new LinkedHashMap<>();

	private boolean committing;

	InsertedKeys(WrittenFilters filters) {
		this.filters = filters;
	}

	void expect(String filter) {
		of(filter);
	}

	/**
	 * Add the key of a row that is going to be inserted. During the commit there is
	 * nothing to gain by that: the key is added with the row.
	 */
	void announce(String filter, Object key) {
		if (!this.committing) {
			of(filter).announce(key);
		}
	}

	/**
	 * Add the key of a row that is inserted next, unless it was announced, and send those
	 * that wait: the database begins to work.
	 */
	void inserting(String filter, Object key) {
		if (!this.committing) {
			CollectedKeys keys = of(filter);
			keys.announce(key);
			keys.beginIfWorthwhile();
		}
	}

	void add(String filter, Object key) {
		CollectedKeys keys = of(filter);
		if (keys.wasAnnounced(key)) {
			return;
		}
		if (this.committing) {
			transactional(filter).add(List.of(key));
			return;
		}
		keys.collect(key);
		keys.beginIfWorthwhile();
	}

	/**
	 * Report new rows whose keys are not known.
	 */
	void mistrust(String filter, String reason) {
		transactional(filter).mistrust(reason);
	}

	@Override
	public void beforeCommit() {
		this.committing = true;
		this.keys.values().forEach(CollectedKeys::begin);
		TransactionalKeys.allBeforeCommit(this.transactional.values());
	}

	@Override
	public void afterCommit() {
		this.transactional.values().forEach(TransactionalKeys::afterCommit);
	}

	private CollectedKeys of(String filter) {
		return this.keys.computeIfAbsent(filter, (name) -> {
			UncommittedInserts.note(name);
			return new CollectedKeys(() -> transactional(name));
		});
	}

	private TransactionalKeys transactional(String filter) {
		return this.transactional.computeIfAbsent(filter, (name) -> this.filters.written(name).transactionalKeys());
	}

}
