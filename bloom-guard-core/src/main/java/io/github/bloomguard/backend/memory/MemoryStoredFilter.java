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

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;
import org.jspecify.annotations.Nullable;

/**
 * The bits of one generation, under its id.
 * <p>
 * Concurrency: any thread may write {@code known}, without order, because all write the
 * same: bits are never replaced, only deleted for good, which they tell themselves.
 */
final class MemoryStoredFilter implements StoredFilter {

	private final GenerationId id;

	private final MemoryFilterStore store;

	private @Nullable BloomBits known;

	MemoryStoredFilter(GenerationId id, MemoryFilterStore store) {
		this.id = id;
		this.store = store;
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		return CompletableFuture.completedFuture(lookupInMemory("", element));
	}

	@Override
	public Membership lookupInMemory(String prefix, String element) {
		BloomBits bits = bits();
		return (bits != null) ? bits.lookup(prefix, element) : Membership.UNKNOWN;
	}

	@Override
	public Membership lookupInMemory(String prefix, long number) {
		BloomBits bits = bits();
		return (bits != null) ? bits.lookup(prefix, number) : Membership.UNKNOWN;
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		return CompletableFuture.completedFuture(elements.stream().map((text) -> lookupInMemory("", text)).toList());
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		BloomBits bits = bits();
		return CompletableFuture.completedFuture(bits != null && bits.isSealed());
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		BloomBits bits = bits();
		if (bits == null || !bits.add(elements)) {
			return CompletableFuture.failedFuture(new FilterGoneException(this.id, "its bits are not there"));
		}
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		BloomBits bits = bits();
		return CompletableFuture.completedFuture(bits != null && bits.seal());
	}

	@Override
	public CompletableFuture<Occupancy> occupancy() {
		BloomBits bits = bits();
		return CompletableFuture.completedFuture((bits != null) ? bits.occupancy() : Occupancy.NOTHING);
	}

	private @Nullable BloomBits bits() {
		BloomBits bits = this.known;
		if (bits == null) {
			bits = this.store.find(this.id);
			this.known = bits;
		}
		return bits;
	}

}
