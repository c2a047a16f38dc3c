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

package io.github.bloomguard.backend.memory;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the bits of generations, which are gone with the process.
 */
final class MemoryFilterStore implements FilterStore {

	private final Map<GenerationId, BloomBits> bits = new ConcurrentHashMap<>();

	@Override
	public boolean isLocal() {
		return true;
	}

	@Override
	public FilterSpecification withRoom(FilterSpecification configured) {
		return configured.crowded(BloomBits.CROWDING);
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		if (this.bits.putIfAbsent(id, new BloomBits(specification)) != null) {
			return CompletableFuture.failedFuture(new IllegalStateException("There is a generation " + id));
		}
		return CompletableFuture.completedFuture(open(id, specification));
	}

	@Override
	public StoredFilter open(GenerationId id, FilterSpecification specification) {
		return new MemoryStoredFilter(id, this);
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification) {
		BloomBits deleted = this.bits.remove(id);
		if (deleted != null) {
			deleted.delete();
		}
		return CompletableFuture.completedFuture(null);
	}

	@Nullable BloomBits find(GenerationId id) {
		return this.bits.get(id);
	}

}
