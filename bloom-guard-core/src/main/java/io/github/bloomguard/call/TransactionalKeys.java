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

import io.github.bloomguard.KeyNotAddedException;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one transaction adds to one filter. A rebuild that begins between the add
 * and the commit may not know them, so they are looked after until the row can be seen.
 * May be used by several threads.
 */
public interface TransactionalKeys {

	/**
	 * Add the keys of new rows. Waits for Redis.
	 * @throws KeyNotAddedException if Redis did not take the keys, or one is {@code null}
	 */
	void add(Collection<? extends @Nullable Object> keys);

	/**
	 * Begin to add the keys of new rows; {@link #beforeCommit} waits for Redis.
	 * @throws KeyNotAddedException if Redis did not take keys that were begun before, or
	 * one is {@code null}
	 */
	void begin(Collection<? extends @Nullable Object> keys);

	/**
	 * Report new rows whose keys are not known: nothing is called absent until the filter
	 * was loaded again after the commit.
	 */
	void mistrust(String reason);

	/**
	 * Make sure that the keys are in the filter, right before the commit. Waits for
	 * Redis.
	 * @throws KeyNotAddedException if keys may be missing: the transaction must be rolled
	 * back
	 */
	void beforeCommit();

	/**
	 * Make sure that the keys are in the filter, right after the commit; if they can't
	 * be, it is not believed until it is rebuilt. Waits for Redis.
	 */
	void afterCommit();

	/**
	 * Make sure of the keys of all filters of a transaction, right before its commit.
	 * While one waits for Redis, those before it may lose what they had, so each is asked
	 * once more.
	 * @throws KeyNotAddedException if keys may be missing
	 */
	static void allBeforeCommit(Collection<? extends TransactionalKeys> filters) {
		filters.forEach(TransactionalKeys::beforeCommit);
		if (filters.size() > 1) {
			filters.forEach(TransactionalKeys::beforeCommit);
		}
	}

}
