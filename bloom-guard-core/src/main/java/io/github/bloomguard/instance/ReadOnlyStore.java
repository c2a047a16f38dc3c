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

import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;

/**
 * The bits of filters that another application owns: they are neither made nor deleted
 * here. A reader that finds them gone stops asking them; their owner deletes them.
 */
record ReadOnlyStore(FilterStore store) implements FilterStore {

	@Override
	public boolean isLocal() {
		return this.store.isLocal();
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("Its owner makes the filter"));
	}

	@Override
	public StoredFilter open(GenerationId id, FilterSpecification specification) {
		return this.store.open(id, specification);
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification) {
		return CompletableFuture.completedFuture(null);
	}

}
