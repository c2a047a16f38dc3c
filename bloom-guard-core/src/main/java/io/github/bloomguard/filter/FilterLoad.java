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

/**
 * Fills a new filter that is not known elsewhere yet with all of its elements: several
 * times, in {@linkplain #passes() passes}, if its bits do not fit into the memory that it
 * may take. Many threads may add at the same time; a pass is ended when none does any
 * more.
 * <p>
 * The methods may wait, and throw a {@link FilterGoneException} if the filter was lost.
 */
public interface FilterLoad extends AutoCloseable {

	/**
	 * Return how often all elements have to be added, at least once.
	 */
	int passes();

	/**
	 * Add elements, without the prefix that all have.
	 */
	void add(Collection<String> elements);

	void endPass() throws InterruptedException;

	/**
	 * Keep what has been written from expiring, without waiting. To be called every few
	 * seconds until the filter is sealed.
	 */
	default void keepAlive() {
	}

	/**
	 * Return the filter when the last pass has been ended. More elements may be added to
	 * it; it can be sealed, but is not.
	 */
	StoredFilter filter();

	@Override
	void close();

}
