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

package io.github.bloomguard.sentinel;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Remembers which keys passed a filter and were not found. A scope names those who look
 * for the same, and the key itself if others share the name. An add forgets a name in the
 * step that makes it known as added. Nothing here waits.
 */
public interface EmptySentinels {

	/**
	 * The name that keys share of which rows may have any form, so that every add forgets
	 * them all. No key has this form.
	 */
	String UNCERTAIN = "(?";

	/**
	 * How many scopes are remembered under one name, so that what a caller chooses takes
	 * a bounded memory.
	 */
	int MAX_SCOPES = 10_000;

	/**
	 * Return whether it is known without asking that no key is remembered; {@code false}
	 * by default.
	 */
	default boolean areNone() {
		return false;
	}

	/**
	 * Return whether a key was not found lately, exceptionally if Redis did not answer.
	 */
	CompletableFuture<Boolean> contains(String key, String scope);

	/**
	 * Return the same for all scopes that end with a text.
	 */
	CompletableFuture<Boolean> containsAny(String key, String end);

	/**
	 * Remember that a key was not found, until the epoch moves, unless the key has been
	 * added meanwhile, or so much has happened since that this can't be known, or
	 * {@link #MAX_SCOPES} are remembered under its name.
	 * @param ttl for how long; shorter if something else was not found for the key before
	 * @param epoch the epoch of the filter before the row was looked for
	 */
	CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch);

}
