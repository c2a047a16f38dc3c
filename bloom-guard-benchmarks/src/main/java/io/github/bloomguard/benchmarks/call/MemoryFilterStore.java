package io.github.bloomguard.benchmarks.call;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;

/**
 * Keeps filters where another store does, but answers lookups itself.
 */
final class MemoryFilterStore implements FilterStore {

	private final FilterStore delegate;

	MemoryFilterStore(FilterStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		return this.delegate.create(id, specification).thenApply(MemoryStoredFilter::new);
	}

	@Override
	public StoredFilter open(GenerationId id, FilterSpecification specification) {
		return new MemoryStoredFilter(this.delegate.open(id, specification));
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id) {
		return this.delegate.delete(id);
	}

}
