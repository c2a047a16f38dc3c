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

import java.util.Collection;

/**
 * Told of keys that are being added, if it is a bean: who keeps elsewhere that a row was
 * not found, such as a cache of null values, forgets it here.
 * <p>
 * Called inside each add, by the thread that waits for it: after the filter has the keys,
 * in a transaction before the commit, and of {@code @BloomAdd(before = true)} before the
 * method, when there is no row yet. What is stored between this call and the commit, or
 * the end of that method, {@link #onKeysCommitted} forgets. Only what a reader has looked
 * for before the commit and stores after that stays.
 * <p>
 * A key counts as added only if nothing goes on calling it absent. So an add fails if a
 * listener throws, and its transaction is rolled back, as if Redis had not taken the key;
 * with {@code add-failure: mistrust} the row is written, and the filter asked again when
 * it has been rebuilt. All other listeners are told. The add takes as long as this does,
 * so what is called here needs a timeout.
 * <p>
 * The same key may come again, and from a transaction that is rolled back. In the
 * background, keys also come that are about to be looked up anew, because another program
 * may have written their row.
 *
 * @since 1.0.0
 */
@FunctionalInterface
public interface AddedKeysListener {

	/**
	 * Forget that keys were not found.
	 * @param filter the name of the filter
	 * @param keys each as it was added, and once more as text, or as a list of texts if
	 * it has several parts, in the form that all ways to write it have in common
	 */
	void onKeysAdded(String filter, Collection<?> keys);

	/**
	 * Forget once more that keys were not found. The guard calls this right after the
	 * commit of rows whose keys were passed to {@link #onKeysAdded} before it. By default
	 * it calls that method again. If this fails, the filter is not believed until it has
	 * been rebuilt.
	 * @param filter the name of the filter
	 * @param keys as they were added
	 */
	default void onKeysCommitted(String filter, Collection<?> keys) {
		onKeysAdded(filter, keys);
	}

	/**
	 * Return whether anything is kept of rows that a filter guards. By default, it is of
	 * all. Asked once.
	 * @param filter the name of the filter
	 * @return {@code false} to be told of none of its keys
	 */
	default boolean supports(String filter) {
		return true;
	}

}
