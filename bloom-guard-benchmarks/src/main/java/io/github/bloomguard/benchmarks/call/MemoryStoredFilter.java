package io.github.bloomguard.benchmarks.call;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.StoredFilter;

/**
 * Answers at once that an element is absent if there is a minus sign in it.
 */
final class MemoryStoredFilter implements StoredFilter {

	private final StoredFilter delegate;

	MemoryStoredFilter(StoredFilter delegate) {
		this.delegate = delegate;
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		return CompletableFuture.completedFuture((element.indexOf('-') >= 0) ? Membership.ABSENT : Membership.MAYBE);
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		return this.delegate.lookup(elements);
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		return this.delegate.isIntact();
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		return this.delegate.add(elements);
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return this.delegate.seal();
	}

	@Override
	public CompletableFuture<Long> bitsSet() {
		return this.delegate.bitsSet();
	}

}
