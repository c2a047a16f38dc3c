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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;

/**
 * The bits of one filter. Each answer is decided atomically with the bits that were read,
 * on the primary.
 */
public interface StoredFilter {

	/**
	 * Ask for one element.
	 * @return {@code UNKNOWN} if the filter is not sealed or not intact
	 */
	CompletableFuture<Membership> lookup(String element);

	/**
	 * Ask for one element, if the bits are in the memory of this process.
	 * @param prefix what all elements begin with
	 * @param element the element, without the prefix
	 * @return {@code UNKNOWN}, the default, if {@link #lookup(String)} has to be asked
	 */
	default Membership lookupInMemory(String prefix, String element) {
		return Membership.UNKNOWN;
	}

	/**
	 * Ask as {@link #lookupInMemory(String, String)} does.
	 * @param number its decimal digits are the element
	 */
	default Membership lookupInMemory(String prefix, long number) {
		return Membership.UNKNOWN;
	}

	/**
	 * Ask for many elements.
	 * @return the answers in the same order
	 */
	CompletableFuture<List<Membership>> lookup(List<String> elements);

	/**
	 * Return whether the filter is certainly sealed and all of its bits are still there.
	 */
	CompletableFuture<Boolean> isIntact();

	/**
	 * Set the bits of elements.
	 * @return completed when they are set, exceptionally with a
	 * {@link FilterGoneException} if no lookup can be answered any more of those that
	 * could not be set; a filter that can't take them is given up at that moment, with a
	 * {@link FilterFullException}
	 */
	CompletableFuture<Void> add(Collection<String> elements);

	/**
	 * Mark the filter as complete, unless bits that were written since it was created
	 * have been lost.
	 * @return whether it is sealed
	 */
	CompletableFuture<Boolean> seal();

	/**
	 * Find out how full the filter is, without stopping the server for a large one.
	 */
	CompletableFuture<Occupancy> occupancy();

	/**
	 * Make room for a copy of the bits in the memory of this process, without any bits
	 * yet.
	 * @return empty if this kind of filter can't be copied
	 */
	default Optional<FilterCopy> copy(String prefix) {
		return Optional.empty();
	}

}
