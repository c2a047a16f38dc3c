package io.github.bloomguard.filter;

import java.util.concurrent.CompletableFuture;

/**
 * Where the bits of filters are kept. Nothing here waits: each future completes, perhaps
 * exceptionally, within the store's own deadline.
 *
 * @since 0.1.0
 */
public interface FilterStore {

	/**
	 * Create an empty filter that has not been sealed.
	 * @param name the name, never used before
	 * @param specification the size
	 * @return the filter; exceptionally if the name was in use
	 */
	CompletableFuture<StoredFilter> create(String name, FilterSpecification specification);

	/**
	 * Create a filter to be filled with many elements.
	 * @param name the name, never used before
	 * @param specification the size
	 * @param prefix what all elements begin with, well-formed text
	 * @param maxMemory how many bytes of memory it may take here to fill the filter
	 * @return what fills the filter; exceptionally if the name was in use
	 */
	default CompletableFuture<FilterLoad> load(String name, FilterSpecification specification, String prefix,
			long maxMemory) {
		return create(name, specification).thenApply((filter) -> new AddingLoad(filter, prefix));
	}

	/**
	 * Return a filter that has been created before, perhaps elsewhere.
	 * @param name the name
	 * @param specification the size that it was created with
	 * @return the filter; nothing is known yet about its bits
	 */
	StoredFilter open(String name, FilterSpecification specification);

	/**
	 * Delete a filter. From then on all of its lookups are {@code UNKNOWN}.
	 * @param name the name
	 * @return completed when it is gone
	 */
	CompletableFuture<Void> delete(String name);

}
