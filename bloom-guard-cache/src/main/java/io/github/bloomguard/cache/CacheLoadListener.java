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

package io.github.bloomguard.cache;

import java.time.Duration;

/**
 * Receives what happens around the loads of a guarded cache, on the path of user calls:
 * implementations must be quick and must not block. What they throw is logged and
 * ignored.
 */
public interface CacheLoadListener {

	default void onLoad(String cache, Duration duration, boolean failed) {
	}

	/**
	 * A caller has waited for the load of another one, in any instance.
	 * @param shared {@code false} if it had waited long enough and loads by itself
	 */
	default void onWait(String cache, Duration duration, boolean shared) {
	}

	default void onEarlyRefresh(String cache) {
	}

	/**
	 * A load has failed, and an expired value is served instead.
	 */
	default void onStale(String cache, Throwable cause) {
	}

	default void onNullHit(String cache) {
	}

	/**
	 * A value that Redis did not take in time has been stored later, in the background.
	 * @param stored {@code false} if it was dropped: the entry was evicted meanwhile, too
	 * many values were waiting, or the value may not be stored late
	 */
	default void onLatePut(String cache, boolean stored) {
	}

}
