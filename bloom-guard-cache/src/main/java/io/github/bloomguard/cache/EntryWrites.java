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
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Writes entries as the rules of their caches say: values under the token of their load,
 * null values for a shorter time.
 */
record EntryWrites(RedisCacheWriter delegate, RedisCacheWriter uncounted, CacheStatisticsCollector statistics,
		CacheParts parts) {

	/**
	 * Write what is to be there in time; else a value goes on to be stored if its token
	 * still permits it, and what it was to replace is removed.
	 * @param token of the load, {@code null} if there was none
	 * @param replaces whether what is there is outdated
	 * @return whether it is written now
	 */
	boolean writeOrGoOnLater(Content content, @Nullable LoadToken token, boolean replaces) {
		String cache = content.entry().cache();
		try {
			return write(this.parts.scripts(), content, token, replaces);
		}
		catch (RuntimeException ex) {
			this.parts.events()
				.redisFailed(cache, replaces ? "an entry could not be replaced in time, so an older value may be read"
						+ " until Redis has removed it" : "an entry could not be written in time", ex);
		}
		Consumer<Boolean> outcome = (stored) -> this.parts.events()
			.tell((listener) -> listener.onLatePut(cache, stored));
		if (token != null && ThreadTransaction.readsLatest()) {
			this.parts.late().add(content.value().length, (scripts) -> writeLate(scripts, content, token), outcome);
		}
		else if (replaces && content.rules().evictWins()) {
			// the value itself may be outdated by then
			this.parts.owe(cache, () -> this.parts.patientScripts().remove(content.entry().key()));
			outcome.accept(false);
		}
		else {
			outcome.accept(false);
		}
		return false;
	}

	private boolean writeLate(EntryScripts scripts, Content content, LoadToken token) {
		EntryKey entry = content.entry();
		return write(scripts, content, token, false)
				|| Arrays.equals(content.value(), this.uncounted.get(entry.cache(), entry.key()));
	}

	/**
	 * @param token of the load, {@code null} if there was none, or it needs none
	 * @param replaces whether what is there is outdated
	 */
	boolean write(EntryScripts scripts, Content content, @Nullable LoadToken token, boolean replaces) {
		if (content.rules().evictWins() && token != null && !token.permits(content.value())) {
			return false;
		}
		byte[] unreadable = content.unreadable();
		if (unreadable != null) {
			scripts.removeIfStill(content.entry().key(), unreadable);
			return false;
		}
		if (!content.storable().get().await()) {
			if (replaces) {
				scripts.remove(content.entry().key());
			}
			this.parts.returns().add(content.entry(), token);
			return false;
		}
		boolean stored = EntryScripts.isNull(content.value()) ? storeNull(scripts, content, token, replaces)
				: store(scripts, content, token);
		if (stored && (content.rules().evictWins() || EntryScripts.isNull(content.value()))) {
			this.statistics.incPuts(content.entry().cache());
		}
		return stored;
	}

	private boolean store(EntryScripts scripts, Content content, @Nullable LoadToken token) {
		EntryKey entry = content.entry();
		CacheRules rules = content.rules();
		Duration ttl = TimesToLive.spread(content.ttl(), rules.jitter());
		Duration expiring = rules.servesStale() ? TimesToLive.positive(ttl) : null;
		Duration copyTtl = (expiring != null) ? expiring.plus(rules.staleOnError()) : null;
		if (!rules.evictWins()) {
			this.delegate.put(entry.cache(), entry.key(), content.value(), ttl);
			if (copyTtl != null) {
				this.uncounted.put(entry.cache(), this.parts.companions().stale(entry.key()), content.value(), copyTtl);
			}
			return true;
		}
		if (token != null) {
			return scripts.store(entry, content.value(), ttl, copyTtl, token, !ThreadTransaction.readsLatest());
		}
		scripts.replace(entry.key(), content.value(), ttl, copyTtl);
		return true;
	}

	private boolean storeNull(EntryScripts scripts, Content content, @Nullable LoadToken token, boolean replaces) {
		CacheRules rules = content.rules();
		Duration own = TimesToLive.positive(content.ttl());
		Duration shorter = (own != null && own.compareTo(rules.emptyTtl()) < 0) ? own : rules.emptyTtl();
		return scripts.storeNull(content.entry(), TimesToLive.spreadPositive(shorter, rules.jitter()),
				rules.evictWins() ? token : null, replaces);
	}

	/**
	 * What is to be written.
	 *
	 * @param storable tells {@code false} for a null value that might hide a row, for
	 * which a source may be asked
	 * @param unreadable what is there that the call could not read, and had no token for:
	 * it is removed, so that the next one has
	 */
	record Content(EntryKey entry, byte[] value, @Nullable Duration ttl, CacheRules rules,
			Supplier<Answer<Boolean>> storable, byte @Nullable [] unreadable) {

		Content withStorable(Supplier<Answer<Boolean>> storable) {
			return new Content(this.entry, this.value, this.ttl, this.rules, storable, this.unreadable);
		}

	}

}
