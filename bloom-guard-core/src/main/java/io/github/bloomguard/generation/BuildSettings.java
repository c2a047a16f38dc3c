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

package io.github.bloomguard.generation;

import java.time.Duration;

/**
 * What a builder has to know of a filter.
 *
 * @param longestTransaction the longest time between adding a key and committing its row
 * @param longestAdd the longest time that adding a key takes
 * @param maxMemory how many bytes of memory it may take to fill a generation
 * @param recheckEmpty how long to wait before looking again if there is not a single key;
 * zero if that is believed at once
 * @since 1.0.0
 */
public record BuildSettings(Duration longestTransaction, Duration longestAdd, long maxMemory, Duration recheckEmpty) {

	/**
	 * Return how far back from its start a build has to read the journal.
	 */
	Duration replayed() {
		return this.longestTransaction.plus(this.longestAdd);
	}

}
