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

package io.github.bloomguard.instance;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that a mirror calls absent although their bits are set, because their rows are
 * gone.
 * <p>
 * A key that is added again must be forgotten here before its add returns, but a message
 * about an add may come before the journal brings a removal that was earlier. Therefore a
 * key counts only after the <em>next</em> part of the journal has been added, which
 * begins where the one with the removal ended: it has every add of which a message has
 * told before.
 * <p>
 * Concurrency: {@code since} is written by those who add keys, and by refreshes, one
 * after the other. Only refreshes write {@code refreshes}, after the keys of their part
 * of the journal have been forgotten.
 */
final class RemovedKeys {

	/**
	 * How many keys are remembered. Others are found until the next generation.
	 */
	static final int MAX = 50_000;

	private final Map<String, Long> since = new ConcurrentHashMap<>();

	private volatile long refreshes;

	boolean contains(String key) {
		if (this.since.isEmpty()) {
			return false;
		}
		Long since = this.since.get(key);
		return since != null && since < this.refreshes;
	}

	boolean isEmpty() {
		return this.since.isEmpty();
	}

	boolean forget(String key) {
		return !this.since.isEmpty() && this.since.remove(key) != null;
	}

	void refreshed(Collection<String> removed) {
		long now = this.refreshes + 1;
		this.refreshes = now;
		for (String key : removed) {
			if (this.since.size() >= MAX) {
				return;
			}
			this.since.put(key, now);
		}
	}

}
