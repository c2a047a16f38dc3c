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

package io.github.bloomguard.backend.memory;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Which keys were not found lately.
 * <p>
 * Concurrency: written under the monitor of its {@link FilterMemory}, so that none is
 * written for a key that is being added. Any thread may read, and finds what a step that
 * has returned left behind.
 */
final class Sentinels {

	private final Map<String, Sentinel> byKey = new ConcurrentHashMap<>();

	private final Queue<Sentinel> byExpiry = new PriorityQueue<>(Comparator.comparingLong(Sentinel::expiresAt));

	boolean isEmpty() {
		return this.byKey.isEmpty();
	}

	boolean contains(String key, String origin, String scope, long epoch, long now) {
		Sentinel sentinel = this.byKey.get(key);
		if (sentinel == null || sentinel.expiresAt() <= now) {
			return false;
		}
		Long written = sentinel.epochs().get(new Scope(origin, scope));
		return written != null && written == epoch;
	}

	boolean containsAny(String key, String end, String origin, long epoch, long now) {
		Sentinel sentinel = this.byKey.get(key);
		return sentinel != null && sentinel.epochs()
			.keySet()
			.stream()
			.anyMatch((scope) -> scope.origin().equals(origin) && scope.name().endsWith(end)
					&& contains(key, origin, scope.name(), epoch, now));
	}

	/**
	 * Write a sentinel. One that is there for the key does not live longer for it.
	 */
	void put(String key, String origin, String scope, long epoch, Duration ttl, long now) {
		removeExpired(now);
		Sentinel sentinel = this.byKey.get(key);
		if (sentinel == null) {
			sentinel = new Sentinel(key, now + ttl.toMillis(), new ConcurrentHashMap<>());
			this.byExpiry.add(sentinel);
			this.byKey.put(key, sentinel);
		}
		if (sentinel.epochs().size() < EmptySentinels.MAX_SCOPES) {
			sentinel.epochs().put(new Scope(origin, scope), epoch);
		}
	}

	void remove(Collection<String> keys) {
		keys.forEach(this.byKey::remove);
	}

	int size() {
		return this.byKey.size();
	}

	private void removeExpired(long now) {
		Sentinel next = this.byExpiry.peek();
		while (next != null && next.expiresAt() <= now) {
			this.byExpiry.remove();
			if (this.byKey.get(next.key()) == next) {
				this.byKey.remove(next.key());
			}
			next = this.byExpiry.peek();
		}
	}

	private record Sentinel(String key, long expiresAt, Map<Scope, Long> epochs) {

	}

	private record Scope(String origin, String name) {

	}

}
