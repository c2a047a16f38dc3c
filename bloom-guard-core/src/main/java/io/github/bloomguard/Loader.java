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
 * Loads the value of a key that may exist.
 *
 * @param <T> the type of the value
 * @param <X> what the loader may throw; a lambda that throws no checked exception makes
 * it a {@link RuntimeException}
 * @since 1.0.0
 */
@FunctionalInterface
public interface Loader<T extends @Nullable Object, X extends Throwable> {

	/**
	 * Load the value.
	 * @return the value, or {@code null} if there is none
	 * @throws X if it can't be loaded
	 */
	T load() throws X;

}
