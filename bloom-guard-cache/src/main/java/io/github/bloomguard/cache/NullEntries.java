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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.AddedKeysListener;
import io.github.bloomguard.cache.EntryScripts.NullEntry;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.filter.KeyFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.cache.support.AbstractValueAdaptingCache;
import org.springframework.cache.support.NoOpCache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.core.convert.ConversionException;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The null values that caches hold for keys whose row was not found.
 */
public class NullEntries implements AddedKeysListener {

	/**
	 * Keys that are cleared at once. Takes Redis about a millisecond for each cache.
	 */
	private static final int TOGETHER = 400;

	/**
	 * For how many commits keys wait to be cleared once more; those of more are not, as
	 * when a cache hangs.
	 */
	private static final int COMMITS = 1000;

	private static final Answer<Boolean> STORABLE = Answer.of(true);

	private static final Answer<Boolean> NOT_STORABLE = Answer.of(false);

	private final Supplier<List<CacheManager>> cacheManagers;

	private final Supplier<FilterCaches> caches;

	private final Executor later = later();

	/**
	 * @param cacheManagers called when the first key is cleared, so that they need not
	 * exist yet
	 * @param caches called then, too
	 */
	public NullEntries(Supplier<Stream<CacheManager>> cacheManagers, Supplier<FilterCaches> caches) {
		this.cacheManagers = SingletonSupplier.of(() -> cacheManagers.get().toList());
		this.caches = SingletonSupplier.of(caches);
	}

	private static Executor later() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("bloom-guard-nulls-");
		threads.setDaemon(true);
		return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(COMMITS), threads, new ThreadPoolExecutor.DiscardPolicy()));
	}

	@Override
	public boolean supports(String filter) {
		return !this.caches.get().of(filter).isEmpty();
	}

	@Override
	public void onKeysAdded(String filter, Collection<?> keys) {
		forget(this.caches.get().of(filter), keys);
	}

	/**
	 * Remove what readers have stored until the rows could be seen, where nothing holds
	 * them off, and a second later what they have looked for until then: they may be held
	 * up, a cache may write in the background, or when the transaction is over.
	 */
	@Override
	public void onKeysCommitted(String filter, Collection<?> keys) {
		List<String> caches = names(filter, (cache) -> mayKeepNulls(cache) && writer(cache) == null);
		forget(caches, keys);
		if (!caches.isEmpty()) {
			CompletableFuture.runAsync(() -> forget(caches, keys), this.later);
		}
	}

	/**
	 * Wait until they are cleared, some at a time, also if the thread is interrupted: it
	 * may be about to commit the row.
	 */
	protected void forget(List<String> caches, Collection<?> keys) {
		List<?> all = List.copyOf(keys);
		for (int from = 0; from < all.size() && !caches.isEmpty(); from += TOGETHER) {
			List<?> some = all.subList(from, Math.min(from + TOGETHER, all.size()));
			clear(caches, some).orTimeout(this.caches.get().addTimeout().toMillis(), TimeUnit.MILLISECONDS).join();
		}
	}

	/**
	 * Return the caches of a filter that may keep null values and are not known to be in
	 * Redis. Each instance may have one of its own, which no other one can clear.
	 */
	public List<String> notKnownToBeShared(String filter) {
		return names(filter, (cache) -> mayKeepNulls(cache) && !(cache instanceof RedisCache)
				&& !cache.getNativeCache().getClass().getName().startsWith("org.redisson."));
	}

	/**
	 * Return those of some caches that may keep null values.
	 */
	public List<String> keptBy(Collection<String> caches) {
		return caches(caches).filter(NullEntries::mayKeepNulls).map(Cache::getName).toList();
	}

	private static boolean mayKeepNulls(Cache cache) {
		return (cache instanceof AbstractValueAdaptingCache values) ? values.isAllowNullValues()
				: !(cache instanceof NoOpCache);
	}

	/**
	 * Return the caches of a filter that have a null value for one of some keys.
	 */
	public List<String> holding(String filter, Collection<?> keys) {
		return names(filter,
				(cache) -> keys.stream().flatMap((key) -> forms(key).stream()).anyMatch((key) -> isNull(cache, key)));
	}

	private List<String> names(String filter, Predicate<Cache> wanted) {
		return caches(this.caches.get().of(filter)).filter(wanted).map(Cache::getName).toList();
	}

	/**
	 * Return whether a null value may be stored in a Redis cache: under a key that
	 * {@link #clear} removes when a row is added that would be found by the guarded call
	 * of the thread, and only if no source has that row now. An expression, a key
	 * generator or a locale may make another key of what the filter was asked for, and
	 * for other calls nothing is known.
	 * @return asks the sources when it is called
	 */
	public Supplier<Answer<Boolean>> mayBeStored(String name, byte[] key) {
		FilterCaches caches = this.caches.get();
		if (caches.names().values().stream().noneMatch((some) -> some.contains(name))) {
			return () -> STORABLE;
		}
		GuardedCall call = CachedCall.guarded();
		boolean cleared = call != null && call.allKeys((filter, asked) -> {
			Object text = caches.of(filter).contains(name) ? caches.clearedByAdd().apply(filter, asked) : null;
			return text != null && caches(List.of(name)).filter(RedisCache.class::isInstance)
				.map((cache) -> new Keys((RedisCache) cache))
				.anyMatch((keys) -> forms(text).stream()
					.anyMatch((form) -> Arrays.equals(keys.bytesOfPossible(form), key)));
		});
		return () -> cleared ? confirmed(Objects.requireNonNull(call), caches) : NOT_STORABLE;
	}

	private static Answer<Boolean> confirmed(GuardedCall call, FilterCaches caches) {
		List<Answer<Boolean>> confirmed = new ArrayList<>();
		boolean each = call.allKeys((filter, key) -> confirmed.add(caches.confirmedBySource().apply(filter, key)));
		return confirmed.stream()
			.reduce((one, other) -> one.then((told) -> told ? other : NOT_STORABLE))
			.filter((all) -> each)
			.orElse(NOT_STORABLE);
	}

	/**
	 * Remove null values of rows that are added now, at once even if the cache takes part
	 * in transactions. Any other value stays.
	 * <p>
	 * In guarded Redis caches this is one step for all keys and caches, and none is
	 * stored for the hold-off time by any instance: a reader that has looked before the
	 * row was there can't store what it has not found. Any other cache is asked on this
	 * thread; what a reader stores there later, {@link #onKeysCommitted} removes.
	 * @param caches their names; unknown ones are ignored
	 */
	public CompletableFuture<Void> clear(Collection<String> caches, Collection<?> keys) {
		Map<CacheParts, List<NullEntry>> guarded = new LinkedHashMap<>();
		caches(caches).forEach((cache) -> clear(cache, keys, guarded));
		return CompletableFuture.allOf(guarded.entrySet()
			.stream()
			.map((of) -> of.getKey().run(() -> of.getKey().patientScripts().removeNulls(of.getValue())))
			.toArray(CompletableFuture<?>[]::new));
	}

	private Stream<Cache> caches(Collection<String> names) {
		return this.cacheManagers.get()
			.stream()
			.flatMap((manager) -> names.stream().map(manager::getCache))
			.filter(Objects::nonNull)
			.map(NullEntries::target);
	}

	static Cache target(Cache cache) {
		return (cache instanceof TransactionAwareCacheDecorator decorator) ? target(decorator.getTargetCache()) : cache;
	}

	private static void clear(Cache cache, Collection<?> keys, Map<CacheParts, List<NullEntry>> guarded) {
		if (cache instanceof RedisCache redisCache) {
			clear(redisCache, keys, guarded);
			return;
		}
		keys.forEach((key) -> forms(key).forEach((form) -> evictNull(cache, form)));
	}

	private static void clear(RedisCache cache, Collection<?> keys, Map<CacheParts, List<NullEntry>> guarded) {
		Keys redisKeys = new Keys(cache);
		Set<ByteBuffer> seen = new HashSet<>();
		for (Object key : keys) {
			for (Object form : forms(key)) {
				byte[] bytes = (form == key) ? redisKeys.bytesOf(form) : redisKeys.bytesOfPossible(form);
				if (bytes != null && seen.add(ByteBuffer.wrap(bytes)) && !isGuarded(cache, bytes, guarded)) {
					evictNull(cache, form);
				}
			}
		}
	}

	private static boolean isGuarded(RedisCache cache, byte[] key, Map<CacheParts, List<NullEntry>> guarded) {
		GuardedRedisCacheWriter writer = writer(cache);
		return writer != null && guarded.computeIfAbsent(writer.parts(), (parts) -> new ArrayList<>())
			.add(writer.nullEntry(cache.getName(), key));
	}

	private static @Nullable GuardedRedisCacheWriter writer(Cache cache) {
		return (cache.getNativeCache() instanceof SelectiveRedisCacheWriter all
				&& all.writer(cache.getName()) instanceof GuardedRedisCacheWriter writer) ? writer : null;
	}

	private static void evictNull(Cache cache, Object key) {
		if (isNull(cache, key)) {
			cache.evictIfPresent(key);
		}
	}

	private static boolean isNull(Cache cache, Object key) {
		Cache.ValueWrapper present = cache.get(key);
		return present != null && present.get() == null;
	}

	/**
	 * Return the keys that a cache may use for a key, as it is first. One of several
	 * parts is a {@link SimpleKey} if the method has several parameters, and a list where
	 * the parts are written down.
	 */
	private static Set<Object> forms(Object key) {
		List<@Nullable Object> parts = (key instanceof byte[]) ? null : KeyFormat.partsOf(key);
		return (parts == null || parts.size() < 2) ? Set.of(key)
				: new LinkedHashSet<>(List.of(key, new SimpleKey(parts.toArray()), parts));
	}

	private static final class Keys extends RedisCache {

		Keys(RedisCache cache) {
			super(cache.getName(), cache.getNativeCache(), cache.getCacheConfiguration());
		}

		byte[] bytesOf(Object key) {
			return serializeCacheKey(createCacheKey(key));
		}

		/**
		 * Return {@code null} if a part of the key has no text form, so that Redis has
		 * none.
		 */
		byte @Nullable [] bytesOfPossible(Object key) {
			try {
				byte[] bytes = bytesOf(key);
				return (bytes.length > 0) ? bytes : null;
			}
			catch (IllegalStateException | ConversionException ex) {
				return null;
			}
		}

	}

}
