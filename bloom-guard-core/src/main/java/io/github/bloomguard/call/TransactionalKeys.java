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

package io.github.bloomguard.call;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.UnsupportedKeyException;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one transaction adds to one filter. A rebuild that begins between the add
 * and the commit may not know them, so they have to be looked after until the row can be
 * seen. May be used by several threads.
 * <p>
 * {@link GuardedFilter#add} does this by itself in a transaction of Spring's that is
 * bound to the thread, and {@code @BloomAdd} in a reactive one.
 */
public interface TransactionalKeys {

	/**
	 * Add the keys of new rows, as {@link GuardedFilter#add} does. Waits for Redis.
	 * @throws UnsupportedKeyException if a key's type has no canonical form
	 * @throws KeyNotAddedException if Redis did not take the keys
	 */
	void add(Collection<? extends @Nullable Object> keys);

	/**
	 * Begin to add the keys of new rows. The waiting for Redis is done before the commit.
	 * @throws UnsupportedKeyException if a key's type has no canonical form
	 * @throws KeyNotAddedException if Redis did not take keys that were begun before
	 */
	void begin(Collection<? extends @Nullable Object> keys);

	/**
	 * Make sure that the keys are in the filter, right before the commit. Waits for
	 * Redis.
	 * @throws KeyNotAddedException if they may not be, so that the transaction must be
	 * rolled back
	 */
	default void beforeCommit() {
		beforeCommit(List.of());
	}

	/**
	 * Add the last keys, and make sure that all are in the filter, right before the
	 * commit. Waits for Redis.
	 * @param last keys that were not added yet
	 * @throws UnsupportedKeyException if a key's type has no canonical form
	 * @throws KeyNotAddedException if the keys may not be in the filter, so that the
	 * transaction must be rolled back
	 */
	void beforeCommit(Collection<? extends @Nullable Object> last);

	/**
	 * Make sure that the keys are in the filter, right after the commit. If they can't
	 * be, the filter is not believed until it has been rebuilt. Waits for Redis.
	 */
	void afterCommit();

}
