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

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether an entry is loaded again before it expires, by probabilistic early
 * expiration (XFetch: Vattani, Chierichetti, Lowenstein, <i>Optimal Probabilistic Cache
 * Stampede Prevention</i>, VLDB 2015): if <code>-delta · beta · ln(u)</code> is at least
 * what remains of it. <i>delta</i> is a moving average of what loads take this instance.
 * <p>
 * Redis is asked what remains only when what is remembered is little enough: an entry
 * that was written again has more. Both maps may be written by all threads, and lose
 * updates without harm.
 */
final class EarlyRefresh {

	private static final int REMEMBERED = 10_000;

	private final ConcurrentMap<String, Long> loadNanos = new ConcurrentHashMap<>();

	private final ConcurrentMap<EntryKey, Long> expiries = new ConcurrentHashMap<>();

	private final EntryScripts scripts;

	private final CacheEvents events;

	EarlyRefresh(EntryScripts scripts, CacheEvents events) {
		this.scripts = scripts;
		this.events = events;
	}

	void loaded(String cache, Duration duration) {
		this.loadNanos.merge(cache, duration.toNanos(), (before, now) -> before + (now - before) / 4);
	}

	boolean isDue(EntryKey entry, CacheRules rules) {
		Long delta = this.loadNanos.get(entry.cache());
		if (delta == null) {
			return false;
		}
		double headStart = -delta * rules.earlyRefresh() * Math.log(1 - ThreadLocalRandom.current().nextDouble());
		Long expiry = this.expiries.get(entry);
		if (expiry != null && expiry - System.nanoTime() > headStart) {
			return false;
		}
		Long remaining = remainingNanos(entry);
		return remaining != null && remaining <= headStart;
	}

	private @Nullable Long remainingNanos(EntryKey entry) {
		Long millis = this.events.attempt(entry.cache(), () -> this.scripts.remainingMillis(entry.key()),
				"the expiry of an entry could not be read");
		if (millis == null) {
			return null;
		}
		long nanos = (millis >= 0) ? Duration.ofMillis(millis).toNanos() : Long.MAX_VALUE / 2;
		if (this.expiries.size() >= REMEMBERED) {
			this.expiries.clear();
		}
		this.expiries.put(entry, System.nanoTime() + nanos);
		return nanos;
	}

}
