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

package io.github.bloomguard;

import org.jspecify.annotations.Nullable;

/**
 * Receives what the guard does, if it is a bean. The methods are called on the path of
 * user calls, so they must be quick and must not block. What they throw is logged and
 * otherwise ignored.
 *
 * @since 1.0.0
 */
public interface BloomGuardListener {

	/**
	 * A call was decided; called by the thread that goes on with the call.
	 * @param filter the name of the filter
	 * @param verdict what was decided
	 */
	default void onVerdict(String filter, Verdict verdict) {
	}

	/**
	 * A key that the filter let pass was not found.
	 * @param filter the name of the filter
	 */
	default void onFalsePositive(String filter) {
	}

	/**
	 * A key that the filter called absent was found. This must never happen.
	 * @param filter the name of the filter
	 */
	default void onFalseNegative(String filter) {
	}

	/**
	 * A call was rejected, because the filter could not tell and too many loaded already.
	 * @param filter the name of the filter
	 */
	default void onRejected(String filter) {
	}

	/**
	 * Keys are about to be added by this thread, or it waits for keys that it has sent.
	 * @param filter the name of the filter
	 * @param keys how many
	 */
	default void onAddStarted(String filter, int keys) {
	}

	/**
	 * Keys were added.
	 * @param filter the name of the filter
	 * @param keys how many
	 */
	default void onAdded(String filter, int keys) {
	}

	/**
	 * Keys could not be added.
	 * @param filter the name of the filter
	 * @param keys how many
	 * @param cause why
	 */
	default void onAddFailed(String filter, int keys, Throwable cause) {
	}

	/**
	 * The keys of a filter are about to be loaded, by this thread.
	 * @param filter the name of the filter
	 * @param rebuild whether the filter answers meanwhile
	 */
	default void onLoadStarted(String filter, boolean rebuild) {
	}

	/**
	 * The keys of a filter have been loaded, or could not be. Called by the thread that
	 * has started to load them.
	 * @param filter the name of the filter
	 * @param failure what went wrong, {@code null} if nothing did
	 */
	default void onLoadEnded(String filter, @Nullable Throwable failure) {
	}

	/**
	 * The state of a filter has changed.
	 * @param filter the name of the filter
	 * @param from the state it was in
	 * @param to the state it is in
	 * @param cause why, if it is a failure
	 */
	default void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
	}

	/**
	 * A filter is flooded: more absent answers are given than can be verified.
	 * @param filter the name of the filter
	 */
	default void onFloodStarted(String filter) {
	}

	/**
	 * A flood is over.
	 * @param filter the name of the filter
	 */
	default void onFloodEnded(String filter) {
	}

}
