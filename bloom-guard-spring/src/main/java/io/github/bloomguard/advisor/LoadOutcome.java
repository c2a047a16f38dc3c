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

package io.github.bloomguard.advisor;

import java.util.Set;

/**
 * How a load has ended.
 */
public enum LoadOutcome {

	FOUND,

	EMPTY,

	FAILED;

	private static final Set<String> MISSING = Set.of("NoSuchElementException", "EmptyResultDataAccessException",
			"ObjectRetrievalFailureException");

	/**
	 * Return what an exception means, by its name: most applications have one of their
	 * own that ends like {@code EntityNotFoundException}.
	 */
	static LoadOutcome of(Throwable failure) {
		for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
			if (MISSING.contains(type.getSimpleName()) || type.getSimpleName().endsWith("NotFoundException")) {
				return EMPTY;
			}
		}
		return FAILED;
	}

}
