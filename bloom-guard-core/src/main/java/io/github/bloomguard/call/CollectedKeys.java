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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The keys of one filter whose rows one transaction writes. They are sent while the
 * database works: at once where they are few, as in most transactions, and together where
 * they are many. A key that was announced before its row is written is sent once.
 * <p>
 * Concurrency: used by the thread of the transaction only.
 */
public final class CollectedKeys {

	private static final int BATCH = 100;

	private static final int MANY = 25;

	private final Supplier<TransactionalKeys> transaction;

	private final Set<@Nullable Object> announced = new HashSet<>();

	private final List<@Nullable Object> waiting = new ArrayList<>();

	private int sent;

	/**
	 * @param transaction gives what looks after the keys until the transaction is over
	 */
	public CollectedKeys(Supplier<TransactionalKeys> transaction) {
		this.transaction = transaction;
	}

	/**
	 * Collect the key of a row that is about to be written, unless it has been announced
	 * already.
	 */
	public void announce(@Nullable Object key) {
		if (this.announced.add(key)) {
			collect(key);
		}
	}

	/**
	 * Return whether the key of a row that was written has been announced. The next row
	 * with this key has not.
	 */
	public boolean wasAnnounced(@Nullable Object key) {
		return this.announced.remove(key);
	}

	/**
	 * Collect the key of a row that is written. Sends those that wait if they are many.
	 */
	public void collect(@Nullable Object key) {
		if (this.waiting.size() == BATCH) {
			begin();
		}
		this.waiting.add(key);
	}

	/**
	 * Send the keys that wait if they are as many as were sent before, so that rows that
	 * come one by one take few steps.
	 */
	public void beginIfWorthwhile() {
		if (this.waiting.size() >= Math.min(this.sent, MANY)) {
			begin();
		}
	}

	/**
	 * Send the keys that wait, without waiting for the answer.
	 */
	public void begin() {
		if (!this.waiting.isEmpty()) {
			this.transaction.get().begin(this.waiting);
			this.sent += this.waiting.size();
			this.waiting.clear();
		}
	}

	/**
	 * Send the keys that wait, and wait for the answers to all that were sent.
	 */
	public void add() {
		this.transaction.get().add(this.waiting);
		this.sent += this.waiting.size();
		this.waiting.clear();
	}

}
