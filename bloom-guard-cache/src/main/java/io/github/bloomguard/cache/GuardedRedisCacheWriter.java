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
import io.github.bloomguard.cache.RepeatedEvictions.Eviction;
import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Applies the {@link CacheRules rules} of caches that have some; reading, writing and
 * counting is left to the writer that it decorates.
 */
final class GuardedRedisCacheWriter extends RedisCacheWriterDecorator {

	private final CacheStatisticsCollector statistics;

	private final RedisCacheWriter uncounted;

	private final StaleCopies staleCopies;

	private final boolean storesItself;

	private final CacheParts guard;

	GuardedRedisCacheWriter(RedisCacheWriter delegate, boolean storesItself, CacheParts guard) {
		this(delegate, storesItself, CacheStatisticsCollector.none(), guard);
	}

	private GuardedRedisCacheWriter(RedisCacheWriter delegate, boolean storesItself,
			CacheStatisticsCollector statistics, CacheParts guard) {
		super(delegate);
		this.storesItself = storesItself;
		this.statistics = statistics;
		this.guard = guard;
		this.uncounted = delegate.withStatisticsCollector(CacheStatisticsCollector.none());
		this.staleCopies = new StaleCopies(this.uncounted, guard.companions());
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		try {
			byte[] value = read(name, key, ttl, rules);
			return (value != null || call == null) ? value : miss(call, new EntryKey(name, key), rules);
		}
		catch (DataAccessException ex) {
			this.guard.events().redisFailed(name, "an entry could not be read", ex);
			if (call != null) {
				call.missed(new EntryKey(name, key), Flight.loading(LoadToken.INVALID));
			}
			return null;
		}
	}

	@Override
	public byte[] get(String name, byte[] key, Supplier<byte[]> valueLoader, @Nullable Duration ttl,
			boolean timeToIdleEnabled) {
		CacheRules rules = rules(name);
		byte[] value = null;
		boolean reachesRedis = true;
		try {
			value = read(name, key, timeToIdleEnabled ? ttl : null, rules);
		}
		catch (RuntimeException ex) {
			this.guard.events().redisFailed(name, "an entry could not be read", ex);
			reachesRedis = false;
		}
		boolean refreshes = value != null && rules.refreshesEarly() && !timeToIdleEnabled
				&& !EntryScripts.isNull(value);
		if (value != null && !refreshes) {
			return value;
		}
		EntryLoad load = new EntryLoad(new EntryKey(name, key), rules, reachesRedis, valueLoader, this.guard,
				this.staleCopies, (loaded, token) -> write(name, key, loaded, ttl, rules, false, token));
		if (value == null) {
			return load.value();
		}
		refreshIfDue(load);
		return value;
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		Duration idle = TimesToLive.positive(ttl);
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		CompletableFuture<byte[]> retrieved = delegate().retrieve(name, key).thenCompose((value) -> {
			if (EntryScripts.isNull(value)) {
				this.guard.events().tell((listener) -> listener.onNullHit(name));
			}
			else if (value != null && idle != null) {
				return this.guard.run(() -> renew(key, idle, rules)).thenApply((done) -> value);
			}
			else if (value == null && call != null) {
				EntryKey entry = new EntryKey(name, key);
				return (call.isShared() && rules.loads().enabled())
						? new AsyncCaller(entry, rules, call, this.guard).value()
						: this.guard.goOn(this.guard.ask(() -> miss(call, entry, rules))
							.exceptionally((ex) -> missedWithoutToken(call, entry, ex)));
			}
			return CompletableFuture.completedFuture(value);
		});
		return (call != null) ? AsyncResults.within(call, retrieved.whenComplete((value, failure) -> {
			if (failure != null) {
				call.missed(new EntryKey(name, key), Flight.loading(LoadToken.INVALID));
			}
		})) : retrieved;
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		Flight flight = loadOrOvertake(new EntryKey(name, key));
		LoadToken token = (flight != null) ? flight.token() : null;
		runWhereItMayBlock(name, () -> writeOrReport(name, key, value, ttl, rules, token, true));
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		Flight flight = loadOrOvertake(new EntryKey(name, key));
		if (rules.evictWins()) {
			LoadToken token = (flight != null) ? flight.token() : null;
			boolean storable = !EntryScripts.isNull(value) || this.guard.mayStoreNull(name, key);
			return this.guard.goOn(this.guard.run(() -> {
				long loaded = System.nanoTime();
				boolean stored = storable && writeOrReport(name, key, value, ttl, rules, token, false);
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
		if (EntryScripts.isNull(value)) {
			return this.guard.mayStoreNull(name, key)
					? this.guard.run(() -> writeNull(name, key, ttl, rules, false, null))
					: CompletableFuture.completedFuture(null);
		}
		Duration drawn = TimesToLive.spread(ttl, rules.jitter());
		CompletableFuture<Void> stored = delegate().store(name, key, value, drawn);
		if (rules.servesStale()) {
			return stored
				.thenCompose((done) -> this.guard.run(() -> this.staleCopies.keep(name, key, value, drawn, rules)));
		}
		return stored;
	}

	@Override
	public byte @Nullable [] putIfAbsent(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		if (EntryScripts.isNull(value)) {
			return writeNull(name, key, ttl, rules, false, null) ? null : this.uncounted.get(name, key);
		}
		return delegate().putIfAbsent(name, key, value, TimesToLive.spread(ttl, rules.jitter()));
	}

	@Override
	public void evict(String name, byte[] key) {
		CacheRules rules = rules(name);
		runWhereItMayBlock(name, () -> evict(delegate(), name, key, rules));
		repeatAfterCommit(name, key, false, rules, () -> evict(this.uncounted, name, key, rules));
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		CacheRules rules = rules(name);
		beforeEviction(name, key, rules);
		repeatAfterCommit(name, key, false, rules, () -> evict(this.uncounted, name, key, rules));
		return delegate().evictIfPresent(name, key);
	}

	@Override
	public void clear(String name, byte[] pattern) {
		CacheRules rules = rules(name);
		runWhereItMayBlock(name, () -> clear(delegate(), name, pattern, rules));
		repeatAfterCommit(name, pattern, true, rules, () -> clear(this.uncounted, name, pattern, rules));
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		CacheRules rules = rules(name);
		beforeClearing(name, pattern, rules);
		repeatAfterCommit(name, pattern, true, rules, () -> clear(this.uncounted, name, pattern, rules));
		return delegate().invalidate(name, pattern);
	}

	@Override
	public GuardedRedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new GuardedRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector),
				this.storesItself, cacheStatisticsCollector, this.guard);
	}

	private CacheRules rules(String name) {
		CacheRules rules = Objects.requireNonNull(this.guard.rules(name));
		return this.storesItself ? rules : rules.withoutTokens();
	}

	CacheParts guard() {
		return this.guard;
	}

	/**
	 * Return the null value to remove for a new row. Loads under way store nothing any
	 * more.
	 */
	NullEntry nullEntry(String name, byte[] key) {
		this.guard.flights().overtake(new EntryKey(name, key));
		return new NullEntry(key, rules(name).nullHoldOff());
	}

	private byte @Nullable [] read(String name, byte[] key, @Nullable Duration ttl, CacheRules rules) {
		Duration idle = TimesToLive.positive(ttl);
		byte[] value = delegate().get(name, key);
		if (EntryScripts.isNull(value)) {
			this.guard.events().tell((listener) -> listener.onNullHit(name));
		}
		else if (value != null && idle != null) {
			renew(key, idle, rules);
		}
		return value;
	}

	private void renew(byte[] key, Duration ttl, CacheRules rules) {
		this.guard.scripts().expire(key, TimesToLive.spreadPositive(ttl, rules.jitter()));
	}

	private @Nullable Flight loadOrOvertake(EntryKey entry) {
		CachedCall call = CachedCall.current();
		Flight flight = (call != null) ? call.loadOf(entry) : null;
		if (flight == null) {
			this.guard.flights().overtake(entry);
		}
		return flight;
	}

	private byte @Nullable [] miss(CachedCall call, EntryKey entry, CacheRules rules) {
		try {
			Miss miss = this.guard.scripts().miss(entry, rules);
			if (miss.value() == null) {
				call.missed(entry, Flight.loading(miss.token()));
			}
			return miss.value();
		}
		catch (RuntimeException ex) {
			return missedWithoutToken(call, entry, ex);
		}
	}

	private byte @Nullable [] missedWithoutToken(CachedCall call, EntryKey entry, Throwable failure) {
		this.guard.events().redisFailed(entry.cache(), "a value will not be stored", failure);
		call.missed(entry, Flight.loading(LoadToken.INVALID));
		return null;
	}

	private boolean writeOrReport(String name, byte[] key, byte[] value, @Nullable Duration ttl, CacheRules rules,
			@Nullable LoadToken token, boolean makeRoom) {
		try {
			return write(name, key, value, ttl, rules, makeRoom, token);
		}
		catch (DataAccessException ex) {
			this.guard.events().redisFailed(name, "an entry could not be written", ex);
			return false;
		}
	}

	private boolean write(String name, byte[] key, byte[] value, @Nullable Duration ttl, CacheRules rules,
			boolean makeRoom, @Nullable LoadToken token) {
		if (rules.evictWins() && token == LoadToken.INVALID) {
			return false;
		}
		if (EntryScripts.isNull(value)) {
			return writeNull(name, key, ttl, rules, makeRoom, token);
		}
		Duration drawn = TimesToLive.spread(ttl, rules.jitter());
		if (!rules.evictWins()) {
			delegate().put(name, key, value, drawn);
			this.staleCopies.keep(name, key, value, drawn, rules);
			return true;
		}
		// before the value, so that what evicts this finds both
		this.staleCopies.keep(name, key, value, drawn, rules);
		boolean stored = token == null || this.guard.scripts()
			.store(new EntryKey(name, key), value, drawn, token, !ThreadTransaction.readsLatest());
		if (token == null) {
			this.guard.scripts().replace(key, value, drawn);
		}
		if (stored) {
			this.statistics.incPuts(name);
		}
		else {
			this.staleCopies.drop(name, key, rules);
		}
		return stored;
	}

	private boolean writeNull(String name, byte[] key, @Nullable Duration ttl, CacheRules rules, boolean makeRoom,
			@Nullable LoadToken token) {
		if (!this.guard.mayStoreNull(name, key)) {
			if (makeRoom) {
				this.guard.scripts().remove(key);
			}
			return false;
		}
		Duration own = TimesToLive.positive(ttl);
		Duration shorter = (own != null && own.compareTo(rules.emptyTtl()) < 0) ? own : rules.emptyTtl();
		boolean stored = this.guard.scripts()
			.storeNull(new EntryKey(name, key), TimesToLive.spreadPositive(shorter, rules.jitter()),
					rules.evictWins() ? token : null, makeRoom);
		if (stored) {
			this.statistics.incPuts(name);
		}
		return stored;
	}

	private void evict(RedisCacheWriter writer, String name, byte[] key, CacheRules rules) {
		beforeEviction(name, key, rules);
		writer.evict(name, key);
	}

	private void clear(RedisCacheWriter writer, String name, byte[] pattern, CacheRules rules) {
		beforeClearing(name, pattern, rules);
		writer.clear(name, pattern);
	}

	private void repeatAfterCommit(String name, byte[] key, boolean many, CacheRules rules, Runnable evict) {
		if (rules.evictWins()) {
			RepeatedEvictions.add(new Eviction(new EntryKey(name, key), many), evict, this.guard.events());
		}
	}

	private void beforeEviction(String name, byte[] key, CacheRules rules) {
		this.guard.flights().overtake(new EntryKey(name, key));
		this.guard.patientScripts().invalidate(key, rules.nullHoldOff());
		this.staleCopies.drop(name, key, rules);
	}

	private void beforeClearing(String name, byte[] pattern, CacheRules rules) {
		this.guard.flights().overtake(name);
		this.guard.patientScripts().invalidateAll(name, rules.nullHoldOff());
		this.staleCopies.dropAll(name, pattern, rules);
	}

	private void refreshIfDue(EntryLoad load) {
		if (this.guard.earlyRefresh().isDue(load.entry(), load.rules())
				&& this.guard.flights().refresh(load, this.guard.loadExecutor())) {
			this.guard.events().tell((listener) -> listener.onEarlyRefresh(load.entry().cache()));
		}
	}

	private void runWhereItMayBlock(String name, Runnable commands) {
		if (!EventLoops.isCurrentThread()) {
			commands.run();
			return;
		}
		this.guard.run(commands).whenComplete((done, ex) -> {
			if (ex != null) {
				this.guard.events().redisFailed(name, "an entry could not be changed", ex);
			}
		});
	}

}
