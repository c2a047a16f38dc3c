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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.cache.EntryScripts.Miss;
import io.github.bloomguard.cache.EntryScripts.NullEntry;
import io.github.bloomguard.cache.EntryWrites.Content;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Applies the {@link CacheRules rules} of caches that have some: who may read what, here,
 * what is written, by {@link EntryWrites}, and what is removed, by {@link EntryRemovals}.
 * The commands and their counts are left to the writer that it decorates.
 */
final class GuardedRedisCacheWriter extends RedisCacheWriterDecorator {

	private static final Answer<Boolean> STORABLE = Answer.of(true);

	private static final String UNREAD = "an entry could not be read";

	private final RedisCacheWriter uncounted;

	private final boolean storesItself;

	private final CacheParts parts;

	private final EntryWrites writes;

	private final EntryRemovals removals;

	GuardedRedisCacheWriter(RedisCacheWriter delegate, boolean storesItself, CacheParts parts) {
		this(delegate, storesItself, CacheStatisticsCollector.none(), parts);
	}

	private GuardedRedisCacheWriter(RedisCacheWriter delegate, boolean storesItself,
			CacheStatisticsCollector statistics, CacheParts parts) {
		super(delegate);
		this.storesItself = storesItself;
		this.parts = parts;
		this.uncounted = delegate.withStatisticsCollector(CacheStatisticsCollector.none());
		this.writes = new EntryWrites(delegate, this.uncounted, statistics, parts);
		this.removals = new EntryRemovals(delegate, this.uncounted, parts);
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		byte[] value = this.parts.events().attempt(name, () -> read(name, key, ttl, rules), UNREAD);
		if (call == null) {
			return value;
		}
		EntryKey entry = new EntryKey(name, key);
		return call.found(entry, (value != null) ? value : miss(call, entry, rules));
	}

	@Override
	public byte[] get(String name, byte[] key, Supplier<byte[]> valueLoader, @Nullable Duration ttl,
			boolean timeToIdleEnabled) {
		long arrived = System.nanoTime();
		CacheRules rules = rules(name);
		byte[] value = this.parts.events()
			.attempt(name, () -> read(name, key, timeToIdleEnabled ? ttl : null, rules), UNREAD);
		boolean refreshes = value != null && rules.refreshesEarly() && !timeToIdleEnabled
				&& !EntryScripts.isNull(value);
		if (value != null && !refreshes) {
			return value;
		}
		EntryLoad load = new EntryLoad(new EntryKey(name, key), rules, arrived, valueLoader, this.parts,
				(loaded, token) -> this.writes.writeOrGoOnLater(content(name, key, loaded, ttl), token, false),
				() -> rules.servesStale() ? this.uncounted.get(name, this.parts.companions().stale(key)) : null);
		if (value == null) {
			return load.value();
		}
		refreshIfDue(load);
		return value;
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		long arrived = System.nanoTime();
		CacheRules rules = rules(name);
		Duration idle = TimesToLive.positive(ttl);
		LoadChain chain = LoadChain.current();
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		CompletableFuture<byte[]> read = delegate().retrieve(name, key).thenCompose((value) -> {
			if (EntryScripts.isNull(value)) {
				this.parts.events().tell((listener) -> listener.onNullHit(name));
			}
			else if (value != null && idle != null) {
				return this.parts.run(() -> renew(key, idle, rules)).thenApply((done) -> value);
			}
			return CompletableFuture.completedFuture(value);
		}).exceptionallyAsync((failure) -> {
			this.parts.events().redisFailed(name, UNREAD, failure);
			return null;
		}, this.parts::goOn);
		if (call == null) {
			return read;
		}
		EntryKey entry = new EntryKey(name, key);
		return AsyncResults.within(call, read.thenCompose((value) -> {
			if (value != null) {
				return CompletableFuture.completedFuture(value);
			}
			return (call.isShared() && rules.loads().enabled())
					? new AsyncCaller(entry, rules, arrived, chain, call, this.parts).value()
					: this.parts.goOn(this.parts.ask(() -> miss(call, entry, rules))
						.exceptionally((ex) -> missedWithoutToken(call, entry, ex)));
		}).thenApply((value) -> call.found(entry, value)));
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		Content content = content(name, key, value, ttl);
		Flight flight = loadOrOvertake(content.entry());
		LoadToken token = (flight != null) ? flight.token() : null;
		if (token != null && EntryScripts.isNull(value)) {
			putNull(content, token);
		}
		else {
			this.parts.runWhereItMayBlock(name, () -> this.writes.writeOrGoOnLater(content, token, token == null));
		}
		if (token == null && ThreadTransaction.isActive() && content.rules().evictWins()) {
			this.removals.repeatAfterCommit(name, key, false, () -> this.parts.patientScripts().keep(key, value));
		}
	}

	/**
	 * Store what a load has not found. Its caller does not wait for a source that has to
	 * be asked first: the token decides whether the null value still counts afterwards.
	 */
	private void putNull(Content content, LoadToken token) {
		String name = content.entry().cache();
		Answer<Boolean> storable = content.storable().get();
		Content asked = content.withStorable(() -> storable);
		if (storable.known() != null) {
			this.parts.runWhereItMayBlock(name, () -> this.writes.writeOrGoOnLater(asked, token, false));
			return;
		}
		storable.future()
			.thenCompose((told) -> this.parts.run(() -> this.writes.writeOrGoOnLater(asked, token, false)))
			.exceptionally((ex) -> {
				this.parts.returns().add(content.entry(), token);
				this.parts.events().redisFailed(name, "what was not found will not be stored", ex);
				return null;
			});
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		Content content = content(name, key, value, ttl);
		Flight flight = loadOrOvertake(content.entry());
		LoadToken token = (flight != null) ? flight.token() : null;
		return this.parts.goOn(this.parts.run(() -> {
			long loaded = System.nanoTime();
			boolean stored = this.writes.writeOrGoOnLater(content, token, false);
			if (flight != null) {
				flight.landed(value, stored ? loaded : null);
			}
		})).exceptionally((ex) -> {
			if (flight != null) {
				flight.landed(value, null);
			}
			return null;
		});
	}

	@Override
	public byte @Nullable [] putIfAbsent(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		if (EntryScripts.isNull(value)) {
			return this.writes.write(this.parts.scripts(), content(name, key, value, ttl), null, false) ? null
					: this.uncounted.get(name, key);
		}
		if (rules(name).evictWins()) {
			this.removals.overtake(name, key, rules(name));
		}
		return delegate().putIfAbsent(name, key, value, TimesToLive.spread(ttl, rules(name).jitter()));
	}

	@Override
	public void evict(String name, byte[] key) {
		this.parts.runWhereItMayBlock(name, this.removals.ofEntry(name, key, rules(name), (writer) -> {
			SpringDataRedisVersion.CURRENT.evict(writer, name, key);
			return true;
		})::getAsBoolean);
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		return this.removals
			.ofEntry(name, key, rules(name),
					(writer) -> SpringDataRedisVersion.CURRENT.evictIfPresent(writer, name, key))
			.getAsBoolean();
	}

	@Override
	public void clear(String name, byte[] pattern) {
		this.parts.runWhereItMayBlock(name, this.removals.ofAll(name, pattern, rules(name), (writer) -> {
			SpringDataRedisVersion.CURRENT.clear(writer, name, pattern);
			return true;
		})::getAsBoolean);
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		return this.removals
			.ofAll(name, pattern, rules(name),
					(writer) -> SpringDataRedisVersion.CURRENT.invalidate(writer, name, pattern))
			.getAsBoolean();
	}

	@Override
	public GuardedRedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new GuardedRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector),
				this.storesItself, cacheStatisticsCollector, this.parts);
	}

	private CacheRules rules(String name) {
		CacheRules rules = Objects.requireNonNull(this.parts.rules(name));
		return this.storesItself ? rules : rules.withoutTokens();
	}

	CacheParts parts() {
		return this.parts;
	}

	boolean storesItself() {
		return this.storesItself;
	}

	/**
	 * Return the null value to remove for a new row. Loads under way store nothing any
	 * more.
	 */
	NullEntry nullEntry(String name, byte[] key) {
		this.parts.flights().overtake(new EntryKey(name, key));
		return new NullEntry(key, rules(name).nullHoldOff());
	}

	private byte @Nullable [] read(String name, byte[] key, @Nullable Duration ttl, CacheRules rules) {
		Duration idle = TimesToLive.positive(ttl);
		byte[] value = delegate().get(name, key);
		if (EntryScripts.isNull(value)) {
			this.parts.events().tell((listener) -> listener.onNullHit(name));
		}
		else if (value != null && idle != null) {
			renew(key, idle, rules);
		}
		return value;
	}

	private void renew(byte[] key, Duration ttl, CacheRules rules) {
		this.parts.scripts().expire(key, TimesToLive.spreadPositive(ttl, rules.jitter()));
	}

	private @Nullable Flight loadOrOvertake(EntryKey entry) {
		CachedCall call = CachedCall.current();
		Flight flight = (call != null) ? call.loadOf(entry) : null;
		if (flight == null) {
			this.parts.flights().overtake(entry);
		}
		return flight;
	}

	private byte @Nullable [] miss(CachedCall call, EntryKey entry, CacheRules rules) {
		try {
			Miss miss = this.parts.missScripts().miss(entry, rules);
			if (miss.value() == null) {
				call.missed(entry, Flight.loading(miss.token()), this.parts.returns());
			}
			return miss.value();
		}
		catch (RuntimeException ex) {
			return missedWithoutToken(call, entry, ex);
		}
	}

	private byte @Nullable [] missedWithoutToken(CachedCall call, EntryKey entry, Throwable failure) {
		this.parts.events().redisFailed(entry.cache(), "a value will not be stored", failure);
		call.missed(entry, Flight.loading(this.parts.epoch().token()), this.parts.returns());
		return null;
	}

	private Content content(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		Supplier<Answer<Boolean>> storable = EntryScripts.isNull(value) ? this.parts.mayStoreNull(name, key)
				: () -> STORABLE;
		EntryKey entry = new EntryKey(name, key);
		return new Content(entry, value, ttl, rules(name), storable, CachedCall.unreadable(entry));
	}

	private void refreshIfDue(EntryLoad load) {
		if (this.parts.earlyRefresh().isDue(load.entry(), load.rules())
				&& this.parts.flights().refresh(load, this.parts.loadExecutor())) {
			this.parts.events().tell((listener) -> listener.onEarlyRefresh(load.entry().cache()));
		}
	}

}
