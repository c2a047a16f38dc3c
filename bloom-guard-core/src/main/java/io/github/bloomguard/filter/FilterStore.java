/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.filter;

import java.util.concurrent.CompletableFuture;

/**
 * Where the bits of generations are kept. Nothing here waits: each future completes,
 * perhaps exceptionally, within the store's own deadline.
 */
public interface FilterStore {

	/**
	 * Return whether the bits are in the memory of this process.
	 */
	default boolean isLocal() {
		return false;
	}

	/**
	 * Return what a filter is created with so that, with as many keys as are configured,
	 * it lets at most the configured probability pass. What is created elsewhere keeps
	 * its size, so only the one who creates a filter asks.
	 */
	default FilterSpecification withRoom(FilterSpecification configured) {
		return configured;
	}

	/**
	 * Create an empty filter that has not been sealed.
	 * @return the filter; exceptionally if there is one of this name
	 */
	CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification);

	/**
	 * Create a filter to be filled with many elements.
	 * @param prefix what all elements begin with, well-formed text
	 * @param maxMemory how many bytes of memory it may take here to fill the filter
	 * @return what fills the filter; exceptionally if there is one of this name
	 */
	default CompletableFuture<FilterLoad> load(GenerationId id, FilterSpecification specification, String prefix,
			long maxMemory) {
		return create(id, specification).thenApply((filter) -> new AddingLoad(id, filter, prefix));
	}

	/**
	 * Return a filter that has been created before, perhaps elsewhere. Nothing is known
	 * yet about its bits.
	 * @param specification the size that it was created with
	 */
	StoredFilter open(GenerationId id, FilterSpecification specification);

	/**
	 * Delete a filter. From then on all of its lookups are {@code UNKNOWN}.
	 * @return completed when all of it is gone
	 */
	CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification);

}
