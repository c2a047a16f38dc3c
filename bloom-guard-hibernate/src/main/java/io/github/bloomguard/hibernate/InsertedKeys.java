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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.call.WrittenFilters;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the rows that one transaction inserts or updates, all in the filter before
 * the commit. They are sent while the database works: at once where they are few, as in
 * most transactions, and together where they are many.
 */
final class InsertedKeys implements SessionTransactions.State {

	private final WrittenFilters filters;

	private final Map<String, KeysOfFilter> keys = new LinkedHashMap<>();

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
			KeysOfFilter keys = of(filter);
			keys.announce(key);
			keys.beginIfWorthwhile();
		}
	}

	void add(String filter, Object key) {
		KeysOfFilter keys = of(filter);
		if (keys.announced.remove(key)) {
			return;
		}
		if (this.committing) {
			keys.transactional().add(List.of(key));
			return;
		}
		keys.enqueue(key);
		keys.beginIfWorthwhile();
	}

	/**
	 * Report new rows whose keys are not known.
	 */
	void mistrust(String filter, String reason) {
		of(filter).transactional().mistrust(reason);
	}

	@Override
	public void beforeCommit() {
		this.committing = true;
		this.keys.values().forEach(KeysOfFilter::beginLast);
		TransactionalKeys.allBeforeCommit(transactional().toList());
	}

	@Override
	public void afterCommit() {
		transactional().forEach(TransactionalKeys::afterCommit);
	}

	private Stream<TransactionalKeys> transactional() {
		return this.keys.values().stream().map((keys) -> keys.transactional).filter(Objects::nonNull);
	}

	private KeysOfFilter of(String filter) {
		return this.keys.computeIfAbsent(filter, (name) -> {
			UncommittedInserts.note(name);
			return new KeysOfFilter(name);
		});
	}

	private final class KeysOfFilter {

		private static final int BATCH = 100;

		private static final int MANY = 25;

		private final String filter;

		private final Set<Object> announced = new HashSet<>();

		private final List<Object> waiting = new ArrayList<>();

		private int sent;

		private @Nullable TransactionalKeys transactional;

		KeysOfFilter(String filter) {
			this.filter = filter;
		}

		void announce(Object key) {
			if (this.announced.add(key)) {
				enqueue(key);
			}
		}

		void enqueue(Object key) {
			if (this.waiting.size() == BATCH) {
				begin();
			}
			this.waiting.add(key);
		}

		/**
		 * Send those that wait if they are as many as were sent before, so that rows that
		 * come one by one take few steps.
		 */
		void beginIfWorthwhile() {
			if (this.waiting.size() >= Math.min(this.sent, MANY)) {
				beginLast();
			}
		}

		private void begin() {
			transactional().begin(this.waiting);
			this.sent += this.waiting.size();
			this.waiting.clear();
		}

		void beginLast() {
			if (!this.waiting.isEmpty()) {
				begin();
			}
		}

		TransactionalKeys transactional() {
			TransactionalKeys keys = this.transactional;
			if (keys == null) {
				keys = InsertedKeys.this.filters.written(this.filter).transactionalKeys();
				this.transactional = keys;
			}
			return keys;
		}

	}

}
