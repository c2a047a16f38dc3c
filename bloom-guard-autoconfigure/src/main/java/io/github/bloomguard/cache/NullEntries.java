package io.github.bloomguard.cache;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.core.convert.ConversionException;
import org.springframework.data.redis.cache.RedisCache;
import org.springframework.util.function.SingletonSupplier;

/**
 * The null values that caches hold for keys whose row was not found.
 *
 * @since 0.1.0
 */
public final class NullEntries {

	private final Supplier<List<CacheManager>> cacheManagers;

	/**
	 * Create an instance.
	 * @param cacheManagers gives the managers of the caches; called when the first key is
	 * cleared, so that they need not exist yet
	 */
	public NullEntries(Supplier<Stream<CacheManager>> cacheManagers) {
		this.cacheManagers = SingletonSupplier.of(() -> cacheManagers.get().toList());
	}

	/**
	 * Make sure that a cache doesn't say that a row doesn't exist which is added now. A
	 * null value is removed, at once even if the cache takes part in transactions; any
	 * other value stays.
	 * <p>
	 * In a guarded Redis cache the two are one step, and none is stored for the hold-off
	 * time either, by this instance or another: a reader that has looked before the row
	 * was there can't store what it has not found. In any other cache a null value that
	 * is stored later is not prevented.
	 * @param cache the name of the cache; nothing is done if there is none of that name
	 * @param key the key, as the cache knows it; one of several parts in any container,
	 * whichever the cache knows it in
	 */
	public void clear(String cache, Object key) {
		Set<Object> forms = CompositeKey.forms(key);
		this.cacheManagers.get().forEach((manager) -> {
			Cache found = manager.getCache(cache);
			if (found != null) {
				Cache target = target(found);
				forms.stream()
					.filter((form) -> form == key || mayHave(target, form))
					.forEach((form) -> clear(target, form));
			}
		});
	}

	private static Cache target(Cache cache) {
		return (cache instanceof TransactionAwareCacheDecorator decorator) ? target(decorator.getTargetCache()) : cache;
	}

	/**
	 * Tell whether a cache can have a key: of a part without a text form Redis has none.
	 */
	private static boolean mayHave(Cache cache, Object key) {
		try {
			return !(cache instanceof RedisCache redisCache) || new Keys(redisCache).bytesOf(key).length > 0;
		}
		catch (IllegalStateException | ConversionException ex) {
			return false;
		}
	}

	private static void clear(Cache cache, Object key) {
		if (!(cache instanceof RedisCache redisCache && isCleared(redisCache, key))) {
			Cache.ValueWrapper present = cache.get(key);
			if (present != null && present.get() == null) {
				cache.evictIfPresent(key);
			}
		}
	}

	private static boolean isCleared(RedisCache cache, Object key) {
		return cache.getNativeCache() instanceof GuardedRedisCacheWriter writer
				&& writer.removeNull(cache.getName(), new Keys(cache).bytesOf(key));
	}

	/**
	 * Makes the key in Redis as the cache does, by what the cache lets subclasses see.
	 */
	private static final class Keys extends RedisCache {

		Keys(RedisCache cache) {
			super(cache.getName(), cache.getNativeCache(), cache.getCacheConfiguration());
		}

		byte[] bytesOf(Object key) {
			return serializeCacheKey(createCacheKey(key));
		}

	}

}
