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

package io.github.bloomguard.backend.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.Shards.Place;
import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;

/**
 * A filter whose bits are computed here and lie in one string where {@code RBloomFilter}
 * would put them, or in several. Each string answers for itself. One that is lost is the
 * loss of the filter, but what the others say until every instance knows is right:
 * additions write them for as long as they are there.
 */
final class RedisStoredFilter implements StoredFilter {

	/**
	 * Elements that are added at once. Takes Redis about a millisecond, for which adds
	 * and lookups wait while a builder replays the journal.
	 */
	private static final int CHUNK = 100;

	private final PrimaryCommands writes;

	private final GenerationId id;

	private final Shards shards;

	private final List<BitString> strings;

	private final boolean onOneServer;

	RedisStoredFilter(PrimaryCommands writes, GenerationId id, Shards shards, List<BitString> strings,
			boolean onOneServer) {
		this.onOneServer = onOneServer;
		this.writes = writes;
		this.id = id;
		this.shards = shards;
		this.strings = strings;
	}

	GenerationId id() {
		return this.id;
	}

	Shards shards() {
		return this.shards;
	}

	List<BitString> strings() {
		return this.strings;
	}

	CompletableFuture<StoredFilter> create() {
		return all(BitString::create)
			.thenCompose((created) -> created ? CompletableFuture.completedFuture(this) : nameInUse(this.id));
	}

	CompletableFuture<Boolean> isMissing() {
		return all(BitString::isMissing);
	}

	static <T> CompletableFuture<T> nameInUse(GenerationId id) {
		return CompletableFuture.failedFuture(new IllegalStateException("There is a generation " + id));
	}

	CompletableFuture<Void> keepAlive() {
		return all(BitString::keepAlive).thenApply((kept) -> null);
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		Place place = this.shards.place(element);
		Lookup lookup = new Lookup(place.indexes());
		this.strings.get(place.shard()).answer(lookup);
		return lookup;
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		List<Lookup> lookups = new ArrayList<>(elements.size());
		Map<Integer, List<Lookup>> byShard = new HashMap<>();
		for (String element : elements) {
			Place place = this.shards.place(element);
			Lookup lookup = new Lookup(place.indexes());
			lookups.add(lookup);
			byShard.computeIfAbsent(place.shard(), (shard) -> new ArrayList<>()).add(lookup);
		}
		return CompletableFuture
			.allOf(byShard.entrySet()
				.stream()
				.map((asked) -> this.strings.get(asked.getKey()).answer(asked.getValue()))
				.toArray(CompletableFuture<?>[]::new))
			.thenApply((nothing) -> lookups.stream().map(CompletableFuture::join).toList());
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		CompletableFuture<Boolean> together = (this.onOneServer && this.strings.size() > 1)
				? BitString.areIntact(this.strings) : CompletableFuture.completedFuture(false);
		return together
			.thenCompose((intact) -> intact ? CompletableFuture.completedFuture(true) : all(BitString::isIntact));
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		Map<Integer, List<long[]>> byShard = new HashMap<>();
		for (String element : elements) {
			Place place = this.shards.place(element);
			byShard.computeIfAbsent(place.shard(), (shard) -> new ArrayList<>()).add(place.indexes());
		}
		return all(byShard.entrySet()
			.stream()
			.map((added) -> add(this.strings.get(added.getKey()), added.getValue()))
			.toList())
			.thenCompose((added) -> added ? CompletableFuture.completedFuture(null)
					: CompletableFuture.failedFuture(new FilterGoneException(this.id, "its bits are not there")));
	}

	private static CompletableFuture<Boolean> add(BitString string, List<long[]> elements) {
		CompletableFuture<Boolean> added = CompletableFuture.completedFuture(true);
		for (int from = 0; from < elements.size(); from += CHUNK) {
			List<long[]> chunk = elements.subList(from, Math.min(from + CHUNK, elements.size()));
			added = added.thenCompose((there) -> there ? string.add(chunk) : CompletableFuture.completedFuture(false));
		}
		return added;
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return all(BitString::seal);
	}

	@Override
	public CompletableFuture<Occupancy> occupancy() {
		int counted = (int) Math.min(this.shards.count(), 1 + BitCount.PART / this.shards.layout().lengthInBytes());
		List<CompletableFuture<Long>> counts = this.strings.subList(0, counted)
			.stream()
			.map(BitString::bitsSet)
			.toList();
		return CompletableFuture.allOf(counts.toArray(CompletableFuture<?>[]::new))
			.thenApply((nothing) -> Occupancy.ofBits(this.shards.specification(),
					counts.stream().mapToLong(CompletableFuture::join).sum() * this.shards.count() / counted,
					BloomLayout.crowding(this.shards.layout().hashFunctions())));
	}

	@Override
	public Optional<FilterCopy> copy(String prefix) {
		return Optional.of(new RedisFilterCopy(this.writes, this.shards, this.strings, prefix));
	}

	private CompletableFuture<Boolean> all(Function<BitString, CompletableFuture<Boolean>> step) {
		return all(this.strings.stream().map(step).toList());
	}

	/**
	 * Return whether a step was made with all strings; exceptionally if one did not
	 * answer, whatever the others say.
	 */
	private static CompletableFuture<Boolean> all(List<CompletableFuture<Boolean>> steps) {
		return CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new))
			.thenApply((nothing) -> steps.stream().allMatch(CompletableFuture::join));
	}

}
