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

package io.github.bloomguard.instance;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.filter.FilterCopy;

/**
 * A copy that has exactly what was added to it.
 */
final class SetCopy implements FilterCopy {

	private final Set<String> elements = ConcurrentHashMap.newKeySet();

	@Override
	public CompletableFuture<Boolean> load() {
		return CompletableFuture.completedFuture(true);
	}

	@Override
	public boolean add(String element) {
		return this.elements.add(element);
	}

	@Override
	public boolean mightContain(String element) {
		return this.elements.contains(element);
	}

}
