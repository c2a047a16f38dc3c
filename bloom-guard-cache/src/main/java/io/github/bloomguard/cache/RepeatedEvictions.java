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

package io.github.bloomguard.cache;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.bloomguard.call.ThreadTransaction;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Repeats evictions that came before the commit, after which no reader loads the row as
 * it was before: those of a transaction after its commit, those before a method when it
 * has ended. What was put in a transaction is removed after its commit if it is another
 * value by then.
 */
final class RepeatedEvictions implements TransactionSynchronization {

	private final Map<Eviction, Runnable> evictions = new LinkedHashMap<>();

	private final CacheEvents events;

	private boolean completing;

	private RepeatedEvictions(CacheEvents events) {
		this.events = events;
	}

	static void add(Eviction eviction, Runnable evict, CacheEvents events) {
		CachedCall call = CachedCall.current();
		if (ThreadTransaction.isActive()) {
			ThreadTransaction.of(RepeatedEvictions.class, (known) -> known.events == events,
					() -> new RepeatedEvictions(events)).evictions
				.put(eviction, evict);
		}
		else if (call != null) {
			call.evicted(() -> repeat(eviction, evict, events));
		}
	}

	@Override
	public void beforeCompletion() {
		this.completing = true;
	}

	@Override
	public void afterCommit() {
		this.evictions.forEach((eviction, evict) -> repeat(eviction, evict, this.events));
		this.evictions.clear();
	}

	/**
	 * Repeat what is left: another synchronization has failed after the commit, or it is
	 * not known whether there was one. What has come after the commit is not repeated.
	 */
	@Override
	public void afterCompletion(int status) {
		if (this.completing && status != STATUS_ROLLED_BACK) {
			afterCommit();
		}
	}

	private static void repeat(Eviction eviction, Runnable evict, CacheEvents events) {
		events.attempt(eviction.entry().cache(), evict,
				"what was evicted before a commit could not be evicted again yet");
	}

	record Eviction(EntryKey entry, boolean many) {

	}

}
