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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.cache.EntryScripts.NullEntry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * The {@link RedisCacheWriter} that applies the {@link CacheRules rules}. It changes what
 * is written and when the loader is called; reading, writing and counting is left to the
 * writer that it decorates. A cache without rules is passed on as it is.
 */
final class GuardedRedisCacheWriter extends RedisCacheWriterDecorator {

	private final CacheStatisticsCollector statistics;

	private final RedisCacheWriter uncounted;

	private final StaleCopies staleCopies;

	private final CacheGuard guard;

	GuardedRedisCacheWriter(RedisCacheWriter delegate, CacheGuard guard) {
		this(delegate, CacheStatisticsCollector.none(), guard);
	}

	private GuardedRedisCacheWriter(RedisCacheWriter delegate, CacheStatisticsCollector statistics, CacheGuard guard) {
		super(delegate);
		this.statistics = statistics;
		this.guard = guard;
		this.uncounted = delegate.withStatisticsCollector(CacheStatisticsCollector.none());
		this.staleCopies = new StaleCopies(this.uncounted, guard.companions());
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return delegate().get(name, key, ttl);
		}
		try {
			return read(name, key, ttl, rules);
		}
		catch (DataAccessException ex) {
			this.guard.redisFailures().warn(LogMessage.format("Cache '%s': an entry could not be read", name), ex);
			return null;
		}
	}

	@Override
	public byte[] get(String name, byte[] key, Supplier<byte[]> valueLoader, @Nullable Duration ttl,
			boolean timeToIdleEnabled) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return delegate().get(name, key, valueLoader, ttl, timeToIdleEnabled);
		}
		EntryLoad load = new EntryLoad(new EntryKey(name, key), rules, valueLoader, this.guard, this.staleCopies,
				(value) -> write(name, key, value, ttl, rules, false));
		byte[] value;
		try {
			value = read(name, key, timeToIdleEnabled ? ttl : null, rules);
		}
		catch (RuntimeException ex) {
			this.guard.redisFailures().warn(LogMessage.format("Cache '%s': an entry could not be read", name), ex);
			return load(load, false);
		}
		if (value == null) {
			return load(load, true);
		}
		if (rules.refreshesEarly() && !timeToIdleEnabled && !EntryScripts.isNull(value)) {
			refreshIfDue(load);
		}
		return value;
	}

	@Override
	public CompletableFuture<byte[]> retrieve(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return delegate().retrieve(name, key, ttl);
		}
		Duration idle = TimesToLive.positive(ttl);
		return delegate().retrieve(name, key).thenCompose((value) -> {
			if (EntryScripts.isNull(value)) {
				this.guard.listener().onNullHit(name);
			}
			else if (value != null && idle != null) {
				return this.guard.run(() -> renew(key, idle, rules)).thenApply((done) -> value);
			}
			return CompletableFuture.completedFuture(value);
		});
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			delegate().put(name, key, value, ttl);
		}
		else {
			this.guard.flights().overtake(new EntryKey(name, key));
			runWhereItMayBlock(name, () -> writeOrReport(name, key, value, ttl, rules));
		}
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return delegate().store(name, key, value, ttl);
		}
		this.guard.flights().overtake(new EntryKey(name, key));
		if (EntryScripts.isNull(value)) {
			return this.guard.mayStoreNull(name, key) ? this.guard.run(() -> writeNull(name, key, ttl, rules, false))
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
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return delegate().putIfAbsent(name, key, value, ttl);
		}
		if (EntryScripts.isNull(value)) {
			return writeNull(name, key, ttl, rules, false) ? null : this.uncounted.get(name, key);
		}
		return delegate().putIfAbsent(name, key, value, TimesToLive.spread(ttl, rules.jitter()));
	}

	@Override
	public void evict(String name, byte[] key) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			delegate().evict(name, key);
		}
		else {
			runWhereItMayBlock(name, () -> {
				beforeEviction(name, key, rules);
				delegate().evict(name, key);
			});
		}
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		CacheRules rules = this.guard.rules(name);
		if (rules != null) {
			beforeEviction(name, key, rules);
		}
		return delegate().evictIfPresent(name, key);
	}

	@Override
	public void clear(String name, byte[] pattern) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			delegate().clear(name, pattern);
		}
		else {
			runWhereItMayBlock(name, () -> {
				beforeClearing(name, pattern, rules);
				delegate().clear(name, pattern);
			});
		}
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		CacheRules rules = this.guard.rules(name);
		if (rules != null) {
			beforeClearing(name, pattern, rules);
		}
		return delegate().invalidate(name, pattern);
	}

	@Override
	public RedisCacheWriter withStatisticsCollector(CacheStatisticsCollector cacheStatisticsCollector) {
		return new GuardedRedisCacheWriter(delegate().withStatisticsCollector(cacheStatisticsCollector),
				cacheStatisticsCollector, this.guard);
	}

	/**
	 * Return what guards this cache.
	 */
	CacheGuard guard() {
		return this.guard;
	}

	/**
	 * Return the entry whose null value is to be removed because its row is added. Loads
	 * of it that are under way store nothing any more.
	 * @return the entry, {@code null} if this cache is not guarded
	 */
	@Nullable NullEntry nullEntry(String name, byte[] key) {
		CacheRules rules = this.guard.rules(name);
		if (rules == null) {
			return null;
		}
		this.guard.flights().overtake(new EntryKey(name, key));
		return new NullEntry(key, rules.nullHoldOff());
	}

	private byte @Nullable [] read(String name, byte[] key, @Nullable Duration ttl, CacheRules rules) {
		Duration idle = TimesToLive.positive(ttl);
		byte[] value = delegate().get(name, key);
		if (EntryScripts.isNull(value)) {
			this.guard.listener().onNullHit(name);
		}
		else if (value != null && idle != null) {
			renew(key, idle, rules);
		}
		return value;
	}

	private byte[] load(EntryLoad load, boolean reachable) {
		return load.rules().loads().enabled() ? this.guard.flights().load(load, reachable) : load.run(() -> reachable);
	}

	private void renew(byte[] key, Duration ttl, CacheRules rules) {
		this.guard.scripts().expire(key, TimesToLive.spreadPositive(ttl, rules.jitter()));
	}

	private void writeOrReport(String name, byte[] key, byte[] value, @Nullable Duration ttl, CacheRules rules) {
		try {
			write(name, key, value, ttl, rules, true);
		}
		catch (DataAccessException ex) {
			this.guard.redisFailures().warn(LogMessage.format("Cache '%s': an entry could not be written", name), ex);
		}
	}

	private void write(String name, byte[] key, byte[] value, @Nullable Duration ttl, CacheRules rules,
			boolean makeRoom) {
		if (EntryScripts.isNull(value)) {
			writeNull(name, key, ttl, rules, makeRoom);
			return;
		}
		Duration drawn = TimesToLive.spread(ttl, rules.jitter());
		delegate().put(name, key, value, drawn);
		this.staleCopies.keep(name, key, value, drawn, rules);
	}

	/**
	 * Store a null value, unless it is what only a transaction of this thread has not
	 * found, or would stay when its row is added.
	 */
	private boolean writeNull(String name, byte[] key, @Nullable Duration ttl, CacheRules rules, boolean makeRoom) {
		if (!this.guard.mayStoreNull(name, key)) {
			if (makeRoom) {
				this.guard.scripts().remove(key);
			}
			return false;
		}
		Duration own = TimesToLive.positive(ttl);
		Duration shorter = (own != null && own.compareTo(rules.emptyTtl()) < 0) ? own : rules.emptyTtl();
		boolean stored = this.guard.scripts()
			.storeNull(name, key, TimesToLive.spreadPositive(shorter, rules.jitter()), makeRoom);
		if (stored) {
			this.statistics.incPuts(name);
		}
		return stored;
	}

	private void beforeEviction(String name, byte[] key, CacheRules rules) {
		this.guard.flights().overtake(new EntryKey(name, key));
		this.guard.patientScripts().holdOffNull(key, rules.nullHoldOff());
		this.staleCopies.drop(name, key, rules);
	}

	private void beforeClearing(String name, byte[] pattern, CacheRules rules) {
		this.guard.flights().overtake(name);
		this.guard.patientScripts().holdOffNulls(name, rules.nullHoldOff());
		this.staleCopies.dropAll(name, pattern, rules);
	}

	private void refreshIfDue(EntryLoad load) {
		if (this.guard.earlyRefresh().isDue(load.entry(), load.rules())
				&& this.guard.flights().refresh(load, this.guard.loadExecutor())) {
			this.guard.listener().onEarlyRefresh(load.entry().cache());
		}
	}

	/**
	 * Run commands at once, unless this is the thread on which their answer would arrive.
	 */
	private void runWhereItMayBlock(String name, Runnable commands) {
		if (!EventLoops.isCurrentThread()) {
			commands.run();
			return;
		}
		this.guard.run(commands).whenComplete((done, ex) -> {
			if (ex != null) {
				this.guard.redisFailures()
					.warn(LogMessage.format("Cache '%s': an entry could not be changed", name), ex);
			}
		});
	}

}
