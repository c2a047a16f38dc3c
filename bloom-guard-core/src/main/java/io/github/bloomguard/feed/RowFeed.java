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

package io.github.bloomguard.feed;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.generation.Generation;

/**
 * Adds the keys of rows that other programs write to one filter.
 */
public interface RowFeed extends AutoCloseable {

	/**
	 * Check that rows can be found, as far as their database tells.
	 * @throws io.github.bloomguard.InvalidGuardException if the configuration or the
	 * database must be changed first
	 */
	void check();

	/**
	 * Create a barrier for callers that wait for what was committed before they came.
	 * @param wait how long it may take, zero for no barrier
	 */
	AbsenceBarrier barrier(Duration wait);

	/**
	 * Begin before the rows of a generation are read: each row is either read, or added
	 * after that.
	 * @throws IllegalStateException if it would be of no use now
	 */
	void begin(Generation generation);

	void start(Sink sink);

	void inspectIfDue();

	FeedProgress progress();

	@Override
	void close();

	/**
	 * Takes the keys of changes.
	 */
	interface Sink {

		/**
		 * Add keys, and return when each lookup in any instance finds them.
		 */
		void add(List<?> keys);

		/**
		 * @param since a time at or before the first deletion, as of
		 * {@link System#nanoTime()}
		 */
		void remove(List<?> keys, long since);

	}

}
