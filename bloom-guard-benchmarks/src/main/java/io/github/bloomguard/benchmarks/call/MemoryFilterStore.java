package io.github.bloomguard.benchmarks.call;

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
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
	public CompletableFuture<StoredFilter> create(String name, FilterSpecification specification) {
		return this.delegate.create(name, specification).thenApply(MemoryStoredFilter::new);
	}

	@Override
	public StoredFilter open(String name, FilterSpecification specification) {
		return new MemoryStoredFilter(this.delegate.open(name, specification));
	}

	@Override
	public CompletableFuture<Void> delete(String name) {
		return this.delegate.delete(name);
	}

}
