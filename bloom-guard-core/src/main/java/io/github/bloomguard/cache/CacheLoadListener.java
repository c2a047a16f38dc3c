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
 * Receives what happens around the loads of a guarded cache. The methods are called where
 * things happen, on the path of user calls, so they must be quick and must not block.
 * What they throw is logged and otherwise ignored.
 */
public interface CacheLoadListener {

	/**
	 * A value was loaded, or could not be loaded.
	 * @param failed whether the load has failed
	 */
	default void onLoad(String cache, Duration duration, boolean failed) {
	}

	/**
	 * A caller has waited for the load of another one, in this instance or in another.
	 * @param shared whether it was given the outcome of that load; otherwise it had
	 * waited long enough and loads by itself
	 */
	default void onWait(String cache, Duration duration, boolean shared) {
	}

	/**
	 * A value is loaded again before it expires.
	 */
	default void onEarlyRefresh(String cache) {
	}

	/**
	 * A load has failed, and a value that has expired is served instead.
	 */
	default void onStale(String cache, Throwable cause) {
	}

	/**
	 * A caller was answered with a null value.
	 */
	default void onNullHit(String cache) {
	}

}
