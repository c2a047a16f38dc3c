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

package io.github.bloomguard.backend.redis.module;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.LookupQueue;
import io.github.bloomguard.backend.redis.PrimaryCommands;
import io.github.bloomguard.filter.FilterFullException;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;

/**
 * A filter of the server's own. It has no word past its bits, so its seal are elements.
 */
final class ModuleStoredFilter implements StoredFilter {

	private static final Duration LOADING = Duration.ofSeconds(60);

	private static final int CHUNK = 1000;

	private final PrimaryCommands writes;

	private final ModuleScripts scripts;

	private final GenerationId id;

	private final List<String> names;

	private final FilterSize size;

	private final SealElements seal;

	private final ElementReads reads;

	private final LookupQueue<ElementLookup> lookups;

	ModuleStoredFilter(FilterKind kind, PrimaryCommands reads, PrimaryCommands writes, Duration readTimeout,
			GenerationId id, String name, FilterSpecification specification) {
		this.writes = writes;
		this.scripts = new ModuleScripts(kind);
		this.id = id;
		this.names = List.of(name);
		this.size = kind.sizes().apply(specification);
		this.seal = SealElements.of(name, this.size);
		this.reads = new ElementReads(kind, reads, name, this.seal);
		this.lookups = new LookupQueue<>(this.reads, readTimeout);
	}

	GenerationId id() {
		return this.id;
	}

	long capacity() {
		return this.size.capacity();
	}

	CompletableFuture<StoredFilter> create() {
		List<String> reservation = this.size.reservation(this.seal.count());
		List<Object> arguments = new ArrayList<>(
				List.of(String.valueOf(LOADING.toMillis()), String.valueOf(reservation.size())));
		arguments.addAll(reservation);
		arguments.addAll(this.seal.loading());
		return this.writes.test(this.names, this.scripts.create(), arguments.toArray())
			.thenCompose((created) -> created ? CompletableFuture.completedFuture(this)
					: CompletableFuture.failedFuture(new IllegalStateException("There is a generation " + this.id)));
	}

	void keepAlive() {
		List<Object> arguments = sealArguments();
		arguments.add(0, String.valueOf(LOADING.toMillis()));
		this.writes.test(this.names, this.scripts.keepAlive(), arguments.toArray());
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		ElementLookup lookup = new ElementLookup(element);
		this.lookups.add(lookup);
		return lookup;
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		if (elements.isEmpty()) {
			return CompletableFuture.completedFuture(List.of());
		}
		List<ElementLookup> batch = elements.stream().map(ElementLookup::new).toList();
		return this.reads.send(batch).handle((reply, failure) -> {
			this.reads.answer(batch, reply, failure);
			return batch;
		}).thenApply((asked) -> asked.stream().map(CompletableFuture::join).toList());
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		return lookup(List.of("")).thenApply((answers) -> answers.get(0) != Membership.UNKNOWN);
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		List<String> all = new ArrayList<>(elements);
		CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
		for (int from = 0; from < all.size(); from += CHUNK) {
			List<String> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
			added = added.thenCompose((nothing) -> addChunk(chunk));
		}
		return added;
	}

	private CompletableFuture<Void> addChunk(List<String> elements) {
		return this.writes
			.count(this.names, this.scripts.write(), ModuleWrites.arguments(this.seal, elements).toArray())
			.thenCompose((written) -> {
				if (written > 0) {
					return CompletableFuture.completedFuture(null);
				}
				return CompletableFuture.failedFuture(
						(written < 0) ? full() : new FilterGoneException(this.id, "it is not there any more"));
			});
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return this.writes.count(this.names, this.scripts.seal(), sealArguments().toArray())
			.thenCompose((sealed) -> (sealed < 0) ? CompletableFuture.failedFuture(full())
					: CompletableFuture.completedFuture(sealed > 0));
	}

	private List<Object> sealArguments() {
		List<Object> arguments = new ArrayList<>();
		arguments.add(String.valueOf(this.seal.loading().size()));
		arguments.addAll(this.seal.loading());
		arguments.addAll(this.seal.sealed());
		return arguments;
	}

	private FilterFullException full() {
		return new FilterFullException(this.id, capacity() + 1);
	}

	@Override
	public CompletableFuture<Occupancy> occupancy() {
		return this.writes.list(this.names, this.scripts.info())
			.thenApply((info) -> this.size.occupancy(Math.max(Long.parseLong(info.get(0)) - this.seal.count(), 0),
					Long.parseLong(info.get(1))));
	}

}
