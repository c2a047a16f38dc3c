package io.github.bloomguard.generation;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.StoredFilter;

/**
 * Adds keys to every live generation of one filter, so that no rebuild misses them.
 */
final class LiveWriter {

	private static final int CHUNK = 1000;

	private final ControlStore control;

	private final Function<Generation, StoredFilter> stored;

	/**
	 * Create a writer.
	 * @param control where the record is
	 * @param stored gives the bits of a generation
	 */
	LiveWriter(ControlStore control, Function<Generation, StoredFilter> stored) {
		this.control = control;
		this.stored = stored;
	}

	/**
	 * Add keys: append them to the journal, write them to every live generation, and do
	 * it again if the record has changed meanwhile.
	 * @param keys the keys in their one form
	 * @return the epoch in which every lookup anywhere finds them
	 */
	CompletableFuture<Long> add(Collection<String> keys) {
		List<String> all = List.copyOf(keys);
		CompletableFuture<Long> epoch = CompletableFuture.completedFuture(Long.MAX_VALUE);
		for (int from = 0; from < all.size(); from += CHUNK) {
			List<String> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
			epoch = epoch.thenCompose((first) -> addChunk(chunk).thenApply((last) -> Math.min(first, last)));
		}
		return epoch;
	}

	private CompletableFuture<Long> addChunk(List<String> keys) {
		return this.control.append(keys)
			.thenCompose((record) -> settled(record).thenCompose((nothing) -> write(keys, record))
				.thenCompose((nothing) -> this.control.confirm().thenApply(ControlRecord::epoch))
				.thenCompose((epoch) -> (epoch == record.epoch()) ? CompletableFuture.completedFuture(epoch)
						: addChunk(keys)));
	}

	private static CompletableFuture<Void> settled(ControlRecord record) {
		long delay = record.settlesIn().toMillis();
		// not a delayed executor: that one may have to wait for a thread of the common
		// pool
		return (delay == 0) ? CompletableFuture.completedFuture(null)
				: new CompletableFuture<Void>().completeOnTimeout(null, delay, TimeUnit.MILLISECONDS);
	}

	private CompletableFuture<Void> write(List<String> keys, ControlRecord record) {
		return CompletableFuture.allOf(record.live()
			.stream()
			.map((generation) -> addTo(generation, keys))
			.toArray(CompletableFuture<?>[]::new));
	}

	private CompletableFuture<Void> addTo(Generation generation, List<String> keys) {
		List<String> elements = keys.stream().map(generation::element).toList();
		return this.stored.apply(generation).add(elements).exceptionallyCompose((failure) -> {
			// nobody gets an answer from it any more
			return (GenerationalFilter.unwrap(failure) instanceof FilterGoneException)
					? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
		});
	}

}
