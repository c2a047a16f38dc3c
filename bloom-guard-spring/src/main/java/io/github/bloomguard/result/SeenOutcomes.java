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

package io.github.bloomguard.result;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How calls of a method have ended for keys that no row has. An outcome counts when
 * several different keys had it, of which so many are kept.
 */
final class SeenOutcomes {

	static final int ENOUGH = 3;

	private final Map<Object, Set<Object>> keys = new LinkedHashMap<>();

	/**
	 * Return whether it would tell something new that a key had an outcome.
	 */
	synchronized boolean isNew(Object outcome, Object key) {
		Set<Object> keys = this.keys.getOrDefault(outcome, Set.of());
		return keys.size() < ENOUGH && !keys.contains(key);
	}

	synchronized void add(Object outcome, Object key) {
		if (isNew(outcome, key)) {
			this.keys.computeIfAbsent(outcome, (added) -> new HashSet<>()).add(key);
		}
	}

	/**
	 * Return an outcome that several keys had.
	 */
	synchronized Optional<Object> first() {
		return this.keys.keySet().stream().filter(this::isEnough).findFirst();
	}

	/**
	 * Return the outcome that all keys had, if they were several.
	 */
	synchronized Optional<Object> only() {
		return (this.keys.size() == 1) ? first() : Optional.empty();
	}

	private boolean isEnough(Object outcome) {
		return this.keys.getOrDefault(outcome, Set.of()).size() >= ENOUGH;
	}

}
