package io.github.bloomguard.benchmarks.call;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;

/**
 * Methods that do nothing, each with one annotation.
 */
public class Catalogue {

	private static final Object PRODUCT = new Object();

	/**
	 * Cached, with the key that Spring makes by default.
	 * @param id the key
	 * @return something
	 */
	@Cacheable("products")
	public @Nullable Object cached(long id) {
		return PRODUCT;
	}

	/**
	 * Cached, with the key as an expression.
	 * @param id the key
	 * @return something
	 */
	@Cacheable(cacheNames = "productsByExpression", key = "#id")
	public @Nullable Object cachedByExpression(long id) {
		return PRODUCT;
	}

	/**
	 * Guarded, with the only parameter as the key.
	 * @param id the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", emptyTtl = "0s")
	public @Nullable Object guarded(long id) {
		return PRODUCT;
	}

	/**
	 * Guarded, with the key as an expression.
	 * @param id the key
	 * @return something
	 */
	@BloomGuarded(filter = "products", key = "#id", emptyTtl = "0s")
	public @Nullable Object guardedByExpression(long id) {
		return PRODUCT;
	}

}
