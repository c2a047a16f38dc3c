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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.cache.EntryScripts.Miss;
import io.github.bloomguard.cache.EntryScripts.NullEntry;
import io.github.bloomguard.cache.RepeatedEvictions.Eviction;
import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.cache.CacheStatisticsCollector;
import org.springframework.data.redis.cache.RedisCacheWriter;

/**
 * Applies the {@link CacheRules rules} of caches that have some; reading, writing and
 * counting is left to the writer that it decorates.
 */
final class GuardedRedisCacheWriter extends RedisCacheWriterDecorator {

	private static final String UNREAD = "an entry could not be read";

	private final CacheStatisticsCollector statistics;

	private final RedisCacheWriter uncounted;

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
	}

	@Override
	public byte @Nullable [] get(String name, byte[] key, @Nullable Duration ttl) {
		CacheRules rules = rules(name);
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		byte[] value = this.guard.events().attempt(name, () -> read(name, key, ttl, rules), UNREAD);
		return (value != null || call == null) ? value : miss(call, new EntryKey(name, key), rules);
	}

	@Override
	public byte[] get(String name, byte[] key, Supplier<byte[]> valueLoader, @Nullable Duration ttl,
			boolean timeToIdleEnabled) {
		long arrived = System.nanoTime();
		CacheRules rules = rules(name);
		byte[] value = this.guard.events()
			.attempt(name, () -> read(name, key, timeToIdleEnabled ? ttl : null, rules), UNREAD);
		boolean refreshes = value != null && rules.refreshesEarly() && !timeToIdleEnabled
				&& !EntryScripts.isNull(value);
		if (value != null && !refreshes) {
			return value;
		}
		EntryLoad load = new EntryLoad(new EntryKey(name, key), rules, arrived, valueLoader, this.guard,
				(loaded, token) -> writeOrGoOnLater(content(name, key, loaded, ttl), token, false),
				() -> rules.servesStale() ? this.uncounted.get(name, copyOf(key)) : null);
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
		CachedCall call = rules.evictWins() ? CachedCall.current() : null;
		CompletableFuture<byte[]> read = delegate().retrieve(name, key).thenCompose((value) -> {
			if (EntryScripts.isNull(value)) {
				this.guard.events().tell((listener) -> listener.onNullHit(name));
			}
			else if (value != null && idle != null) {
				return this.guard.run(() -> renew(key, idle, rules)).thenApply((done) -> value);
			}
			return CompletableFuture.completedFuture(value);
		}).exceptionallyAsync((failure) -> {
			this.guard.events().redisFailed(name, UNREAD, failure);
			return null;
		}, this.guard::goOn);
		if (call == null) {
			return read;
		}
		EntryKey entry = new EntryKey(name, key);
		return AsyncResults.within(call, read.thenCompose((value) -> {
			if (value != null) {
				return CompletableFuture.completedFuture(value);
			}
			return (call.isShared() && rules.loads().enabled())
					? new AsyncCaller(entry, rules, arrived, call, this.guard).value()
					: this.guard.goOn(this.guard.ask(() -> miss(call, entry, rules))
						.exceptionally((ex) -> missedWithoutToken(call, entry, ex)));
		}));
	}

	@Override
	public void put(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		Content content = content(name, key, value, ttl);
		Flight flight = loadOrOvertake(content.entry());
		LoadToken token = (flight != null) ? flight.token() : null;
		runWhereItMayBlock(name, () -> writeOrGoOnLater(content, token, token == null));
		if (token == null && ThreadTransaction.isActive() && content.rules().evictWins()) {
			repeatAfterCommit(name, key, false, () -> this.guard.patientScripts().keep(key, value));
		}
	}

	@Override
	public CompletableFuture<Void> store(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		Content content = content(name, key, value, ttl);
		Flight flight = loadOrOvertake(content.entry());
		LoadToken token = (flight != null) ? flight.token() : null;
		return this.guard.goOn(this.guard.run(() -> {
			long loaded = System.nanoTime();
			boolean stored = writeOrGoOnLater(content, token, false);
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
			return write(this.guard.scripts(), content(name, key, value, ttl), null, false) ? null
					: this.uncounted.get(name, key);
		}
		if (rules(name).evictWins()) {
			beforeEviction(name, key);
		}
		return delegate().putIfAbsent(name, key, value, TimesToLive.spread(ttl, rules(name).jitter()));
	}

	@Override
	public void evict(String name, byte[] key) {
		runWhereItMayBlock(name, removal(name, key, false, (writer) -> {
			beforeEviction(name, key);
			SpringDataRedisVersion.CURRENT.evict(writer, name, key);
			return true;
		})::get);
	}

	@Override
	public boolean evictIfPresent(String name, byte[] key) {
		return removal(name, key, false, (writer) -> {
			beforeEviction(name, key);
			return SpringDataRedisVersion.CURRENT.evictIfPresent(writer, name, key);
		}).get();
	}

	@Override
	public void clear(String name, byte[] pattern) {
		Runnable beforeClearing = beforeClearing(name, pattern);
		runWhereItMayBlock(name, removal(name, pattern, true, (writer) -> {
			beforeClearing.run();
			SpringDataRedisVersion.CURRENT.clear(writer, name, pattern);
			return true;
		})::get);
	}

	@Override
	public boolean invalidate(String name, byte[] pattern) {
		Runnable beforeClearing = beforeClearing(name, pattern);
		return removal(name, pattern, true, (writer) -> {
			beforeClearing.run();
			return SpringDataRedisVersion.CURRENT.invalidate(writer, name, pattern);
		}).get();
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
			Miss miss = this.guard.missScripts().miss(entry, rules);
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
		call.missed(entry, Flight.loading(this.guard.epoch().token()));
		return null;
	}

	private Content content(String name, byte[] key, byte[] value, @Nullable Duration ttl) {
		boolean storable = !EntryScripts.isNull(value) || this.guard.mayStoreNull(name, key);
		return new Content(new EntryKey(name, key), value, ttl, rules(name), storable);
	}

	private byte[] copyOf(byte[] key) {
		return this.guard.companions().stale(key);
	}

	private boolean writeOrGoOnLater(Content content, @Nullable LoadToken token, boolean replaces) {
		String cache = content.entry().cache();
		try {
			return write(this.guard.scripts(), content, token, replaces);
		}
		catch (RuntimeException ex) {
			this.guard.events()
				.redisFailed(cache, replaces ? "an entry could not be replaced in time, so an older value may be read"
						+ " until Redis has removed it" : "an entry could not be written in time", ex);
		}
		Consumer<Boolean> outcome = (stored) -> this.guard.events()
			.tell((listener) -> listener.onLatePut(cache, stored));
		if (token != null && ThreadTransaction.readsLatest()) {
			this.guard.late().add(content.value().length, (scripts) -> writeLate(scripts, content, token), outcome);
		}
		else if (replaces && content.rules().evictWins()) {
			// the value itself may be outdated by then
			this.guard.owe(cache, () -> this.guard.patientScripts().remove(content.entry().key()));
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
	private boolean write(EntryScripts scripts, Content content, @Nullable LoadToken token, boolean replaces) {
		if (content.rules().evictWins() && token != null && !token.permits(content.value())) {
			return false;
		}
		if (!content.storable()) {
			if (replaces) {
				scripts.remove(content.entry().key());
			}
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
			delegate().put(entry.cache(), entry.key(), content.value(), ttl);
			if (copyTtl != null) {
				this.uncounted.put(entry.cache(), copyOf(entry.key()), content.value(), copyTtl);
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
	 * Prepare to remove entries: again after the commit, and if it fails, until it does
	 * not. The caller that is told of a failure may have gone on.
	 */
	private Supplier<Boolean> removal(String name, byte[] key, boolean many,
			Function<RedisCacheWriter, Boolean> remove) {
		if (!rules(name).evictWins()) {
			return () -> remove.apply(delegate());
		}
		repeatAfterCommit(name, key, many, () -> remove.apply(this.uncounted));
		return () -> removeOrOwe(name, () -> remove.apply(delegate()), () -> remove.apply(this.uncounted));
	}

	private void repeatAfterCommit(String name, byte[] key, boolean many, Runnable again) {
		RepeatedEvictions.add(new Eviction(new EntryKey(name, key), many),
				() -> runWhereItMayBlock(name, () -> removeOrOwe(name, () -> {
					again.run();
					return true;
				}, again)), this.guard.events());
	}

	private boolean removeOrOwe(String name, BooleanSupplier removal, Runnable again) {
		try {
			return removal.getAsBoolean();
		}
		catch (RuntimeException ex) {
			this.guard.owe(name, again);
			throw ex;
		}
	}

	private void beforeEviction(String name, byte[] key) {
		this.guard.flights().overtake(new EntryKey(name, key));
		this.guard.patientScripts().invalidate(key, rules(name).nullHoldOff());
	}

	/**
	 * The keys are those of this thread, because a prefix may depend on its tenant.
	 */
	private Runnable beforeClearing(String name, byte[] pattern) {
		CacheRules rules = rules(name);
		CompanionKeys companions = this.guard.companions();
		Map<String, List<byte[]>> keys = this.guard.cleared()
			.by(name)
			.collect(Collectors.toMap(Function.identity(), companions::ofClear));
		return () -> {
			keys.forEach((cleared, ofClear) -> {
				this.guard.flights().overtake(cleared);
				this.guard.patientScripts().invalidate(ofClear, rules.nullHoldOff());
			});
			if (rules.servesStale()) {
				SpringDataRedisVersion.CURRENT.invalidate(this.uncounted, name, companions.stalePattern(pattern));
			}
		};
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

	/**
	 * What is to be written.
	 *
	 * @param storable {@code false} for a null value that might hide a row
	 */
	private record Content(EntryKey entry, byte[] value, @Nullable Duration ttl, CacheRules rules, boolean storable) {

	}

}
