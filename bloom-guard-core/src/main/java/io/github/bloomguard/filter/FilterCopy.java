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
 * A copy of the bits of one filter in the memory of this process. Bits are only ever set,
 * so what sets them may come in any order, twice, and at the same time. Elements come
 * without the prefix that all have.
 * <p>
 * An element whose {@link #add} has returned is found by each later question of any
 * thread.
 */
public interface FilterCopy {

	/**
	 * Copy all bits that are set where the filter is kept, piece by piece.
	 * @return whether the filter was sealed and intact when the last piece was read
	 */
	CompletableFuture<Boolean> load();

	/**
	 * Set the bits of an element.
	 * @return whether one of them was not set
	 */
	boolean add(String element);

	/**
	 * Return whether all bits of an element are set.
	 * @return {@code false} if it has not been added, or not been copied yet
	 */
	boolean mightContain(String element);

	/**
	 * Return whether all bits of the decimal digits of a number are set.
	 */
	default boolean mightContain(long number) {
		return mightContain(Long.toString(number));
	}

}
