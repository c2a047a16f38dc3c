package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;

/**
 * Products behind Spring's cache.
 */
class CachedProducts implements Products {

	private final ProductTable table;

	CachedProducts(ProductTable table) {
		this.table = table;
	}

	@Override
	@Cacheable("products")
	public @Nullable Product find(long id) {
		return this.table.find(id);
	}

	@Override
	@Cacheable(cacheNames = "products", sync = true)
	public @Nullable Product findShared(long id) {
		return this.table.findSlowly(id);
	}

}
