package io.github.bloomguard.benchmarks.contender;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;

/**
 * Products behind the guard and Spring's cache.
 */
class GuardedProducts implements Products {

	private final ProductTable table;

	GuardedProducts(ProductTable table) {
		this.table = table;
	}

	@Override
	@BloomGuarded("products")
	@Cacheable("products")
	public @Nullable Product find(long id) {
		return this.table.find(id);
	}

	@Override
	@BloomGuarded("products")
	@Cacheable(cacheNames = "products", sync = true)
	public @Nullable Product findShared(long id) {
		return this.table.findSlowly(id);
	}

}
