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

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Keeps copies of values beyond their expiry. They are dropped before the entries are, so
 * that what was evicted is not served again.
 */
final class StaleCopies {

	private final RedisCacheWriter writer;

	private final CompanionKeys companions;

	StaleCopies(RedisCacheWriter writer, CompanionKeys companions) {
		this.writer = writer;
		this.companions = companions;
	}

	void keep(String cache, byte[] key, byte[] value, @Nullable Duration ttl, CacheRules rules) {
		Duration expiring = TimesToLive.positive(ttl);
		if (rules.servesStale() && expiring != null) {
			this.writer.put(cache, this.companions.stale(key), value, expiring.plus(rules.staleOnError()));
		}
	}

	byte @Nullable [] find(EntryKey entry, CacheRules rules) {
		return rules.servesStale() ? this.writer.get(entry.cache(), this.companions.stale(entry.key())) : null;
	}

	void drop(String cache, byte[] key, CacheRules rules) {
		if (rules.servesStale()) {
			this.writer.evictIfPresent(cache, this.companions.stale(key));
		}
	}

	void dropAll(String cache, byte[] pattern, CacheRules rules) {
		if (rules.servesStale()) {
			this.writer.invalidate(cache, this.companions.stale(pattern));
		}
	}

}
