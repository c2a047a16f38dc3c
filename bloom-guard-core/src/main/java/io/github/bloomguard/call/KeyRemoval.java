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

import java.time.Duration;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * The removal of keys from one filter, decided before or right after their rows are
 * deleted: a key that was added since then, or not long before, is not removed. Never
 * waits for Redis or fails because of it; what can't be removed stays a false positive.
 */
public interface KeyRemoval {

	/**
	 * Remove keys after the commits of the transaction of Spring's that is bound to the
	 * thread, and of those that are suspended meanwhile; at once if there is none.
	 * Nothing is removed if one of them is rolled back, even to a savepoint.
	 * @param keys a collection or an array is one key of several parts, {@code null}
	 * removes nothing
	 */
	void remove(Collection<? extends @Nullable Object> keys);

	/**
	 * Remove keys now, after the deletion of their rows was committed.
	 * @param ago for how long, at most, it was over when this removal was decided
	 */
	void removeNow(Collection<? extends @Nullable Object> keys, Duration ago);

}
