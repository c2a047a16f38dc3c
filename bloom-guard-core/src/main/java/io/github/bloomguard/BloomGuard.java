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

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * The guard, for code that does not want an annotation. A bean of this type is
 * auto-configured. Safe for use by many threads.
 * <p>
 * Keys of the same value are one key, whatever their type: {@code 7}, {@code 7L} and
 * {@code "7"}.
 *
 * @since 1.0.0
 */
public interface BloomGuard {

	/**
	 * Return whether a key may exist. {@code false} is certain, and never given by a
	 * filter in {@link FilterMode#SHADOW} or {@link FilterMode#OFF}. Nothing is loaded
	 * here that could show that the filter is wrong, so it is believed from the start,
	 * and verified by sources that can {@linkplain KeySource#contains look up} a key.
	 * @param filter the name of the filter
	 * @param key the key; {@code null} may always exist
	 * @return {@code false} if the key certainly does not exist
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if the key's type has no canonical form
	 */
	boolean mightContain(String filter, @Nullable Object key);

	/**
	 * Return whether a key certainly does not exist, such as a name that is still free:
	 * the opposite of {@link #mightContain}. {@code false} says nothing: the key may be
	 * there, or the filter can't tell, as while it is loaded, while Redis does not
	 * answer, and in {@link FilterMode#SHADOW} and {@link FilterMode#OFF}. So ask the
	 * database then.
	 * @param filter the name of the filter
	 * @param key the key; {@code null} may always exist
	 * @return {@code true} if the key certainly does not exist
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if the key's type has no canonical form
	 */
	default boolean isAbsent(String filter, @Nullable Object key) {
		return !mightContain(filter, key);
	}

	/**
	 * Return what a filter knows about a key, waiting at most
	 * {@code bloom-guard.timeout}.
	 * @param filter the name of the filter
	 * @param key the key; {@code null} is {@link Membership#UNKNOWN}
	 * @return what is known
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if the key's type has no canonical form
	 */
	Membership membership(String filter, @Nullable Object key);

	/**
	 * Add the keys of new rows, and forget that they were absent. Call it before the rows
	 * become visible to readers. The keys in a collection are given as its
	 * {@code toArray()}.
	 * @param filter the name of the filter
	 * @param keys a collection or an array is one key of several parts
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if a key's type has no canonical form
	 * @throws KeyNotAddedException if Redis did not take the keys, or one is {@code null}
	 */
	void add(String filter, @Nullable Object... keys);

	/**
	 * Note that the rows of keys are deleted. To be called right after that, in the same
	 * transaction: it counts after the commit, and at once if no transaction is bound to
	 * the thread. From then on, mirrors call the keys absent, and they count towards a
	 * rebuild. Does not wait.
	 * <p>
	 * No row is ever hidden by this: a key that is added at the same time or afterwards,
	 * or was shortly before, is not removed, and neither is any while Redis can't be
	 * reached. It stays a false positive until the next rebuild.
	 * @param filter the name of the filter
	 * @param keys a collection or an array is one key of several parts, {@code null}
	 * removes nothing
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if a key's type has no canonical form
	 */
	void remove(String filter, @Nullable Object... keys);

	/**
	 * Load a value unless its key certainly does not exist. A key for which nothing is
	 * found is remembered for the filter's {@code empty-ttl}. All loaders that are used
	 * with one filter this way must look for the same thing. To verify an answer, the
	 * loader may be called in the background too.
	 * @param <T> the type of the value
	 * @param <X> what the loader may throw
	 * @param filter the name of the filter
	 * @param key the key; {@code null} is always loaded
	 * @param loader loads the value
	 * @return the value, or {@code null} if there is none
	 * @throws X if the loader does
	 * @throws LoadRejectedException if the filter can't tell and too many load already
	 * @throws UnknownFilterException if there is no such filter
	 * @throws UnsupportedKeyException if the key's type has no canonical form
	 */
	<T, X extends Throwable> @Nullable T get(String filter, @Nullable Object key,
			Loader<? extends @Nullable T, X> loader) throws X;

	/**
	 * Start to build a new generation of a filter from its sources of keys. The present
	 * one answers until the new one is complete.
	 * @param filter the name of the filter
	 * @return completed when the new generation answers, also if another instance of the
	 * application has built it; cancelling it does not stop the build
	 * @throws UnknownFilterException if there is no such filter
	 */
	CompletableFuture<Void> rebuild(String filter);

}
