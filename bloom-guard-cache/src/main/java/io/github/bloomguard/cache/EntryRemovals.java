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

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.bloomguard.cache.RepeatedEvictions.Eviction;

import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Removes entries so that no load that began before stores its value any more: again
 * after the commit, and if it fails, until it does not. The caller that is told of a
 * failure may have gone on.
 */
record EntryRemovals(RedisCacheWriter delegate, RedisCacheWriter uncounted, CacheParts parts) {

	/**
	 * Prepare to remove one entry.
	 * @return does it
	 */
	BooleanSupplier ofEntry(String name, byte[] key, CacheRules rules, Predicate<RedisCacheWriter> removal) {
		return prepared(name, key, false, rules, (writer) -> {
			overtake(name, key, rules);
			return removal.test(writer);
		});
	}

	/**
	 * Prepare to remove the entries of a pattern. Their keys are those of this thread,
	 * because a prefix may depend on its tenant.
	 * @return does it
	 */
	BooleanSupplier ofAll(String name, byte[] pattern, CacheRules rules, Predicate<RedisCacheWriter> removal) {
		CompanionKeys companions = this.parts.companions();
		Map<String, List<byte[]>> keys = this.parts.cleared()
			.by(name)
			.collect(Collectors.toMap(Function.identity(), companions::ofClear));
		return prepared(name, pattern, true, rules, (writer) -> {
			keys.forEach((cleared, ofClear) -> {
				this.parts.flights().overtake(cleared);
				this.parts.patientScripts().invalidate(ofClear, rules.nullHoldOff());
			});
			if (rules.servesStale()) {
				SpringDataRedisVersion.CURRENT.invalidate(this.uncounted, name, companions.stalePattern(pattern));
			}
			return removal.test(writer);
		});
	}

	/**
	 * Invalidate the tokens of all loads of an entry.
	 */
	void overtake(String name, byte[] key, CacheRules rules) {
		this.parts.flights().overtake(new EntryKey(name, key));
		this.parts.patientScripts().invalidate(key, rules.nullHoldOff());
	}

	void repeatAfterCommit(String name, byte[] key, boolean many, Runnable again) {
		RepeatedEvictions.add(new Eviction(new EntryKey(name, key), many),
				() -> this.parts.runWhereItMayBlock(name, () -> removeOrOwe(name, () -> {
					again.run();
					return true;
				}, again)), this.parts.events());
	}

	private BooleanSupplier prepared(String name, byte[] key, boolean many, CacheRules rules,
			Predicate<RedisCacheWriter> removal) {
		if (!rules.evictWins()) {
			return () -> removal.test(this.delegate);
		}
		repeatAfterCommit(name, key, many, () -> removal.test(this.uncounted));
		return () -> removeOrOwe(name, () -> removal.test(this.delegate), () -> removal.test(this.uncounted));
	}

	private boolean removeOrOwe(String name, BooleanSupplier removal, Runnable again) {
		try {
			return removal.getAsBoolean();
		}
		catch (RuntimeException ex) {
			this.parts.owe(name, again);
			throw ex;
		}
	}

}
