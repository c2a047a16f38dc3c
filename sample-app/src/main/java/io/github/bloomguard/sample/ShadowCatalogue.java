package io.github.bloomguard.sample;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/**
 * The products as they are found where the filter only watches, for the demonstration: it
 * is the way of a {@link ProductCatalogue} without a guard.
 */
@Service
class ShadowCatalogue {

	private final ProductRepository repository;

	ShadowCatalogue(ProductRepository repository) {
		this.repository = repository;
	}

	@BloomGuarded(filter = "shadow", key = "#id")
	@Cacheable("shadow")
	public @Nullable Product findById(long id) {
		return this.repository.findById(id);
	}

}
