package io.github.bloomguard.filter.redisson;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.StoredFilter;
import org.jspecify.annotations.Nullable;

/**
 * A filter that was opened before it was known of which kind it is. Nothing is asked of
 * it before that is known.
 * <p>
 * Concurrency: {@code known} is set by whoever learns it; all learn the same kind, and it
 * does not matter which of several handles stays.
 */
final class UncheckedFilter implements StoredFilter {

	private final Supplier<CompletableFuture<StoredFilter>> source;

	private volatile @Nullable StoredFilter known;

	/**
	 * Create a filter.
	 * @param source opens the filter as soon as its kind is known; is asked again after a
	 * failure
	 */
	UncheckedFilter(Supplier<CompletableFuture<StoredFilter>> source) {
		this.source = source;
	}

	private <T> CompletableFuture<T> with(Function<StoredFilter, CompletableFuture<T>> question) {
		StoredFilter filter = this.known;
		return (filter != null) ? question.apply(filter) : this.source.get().thenCompose((opened) -> {
			this.known = opened;
			return question.apply(opened);
		});
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		StoredFilter filter = this.known;
		return (filter != null) ? filter.lookup(element) : with((opened) -> opened.lookup(element));
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		return with((filter) -> filter.lookup(elements));
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		return with(StoredFilter::isIntact);
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		return with((filter) -> filter.add(elements));
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return with(StoredFilter::seal);
	}

	@Override
	public CompletableFuture<Long> bitsSet() {
		return with(StoredFilter::bitsSet);
	}

}
