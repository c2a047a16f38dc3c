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

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.filter.StoredFilterContractTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryStoredFilter}.
 */
class MemoryStoredFilterTests extends StoredFilterContractTests {

	private static final int READERS = 3;

	private final FilterStore store = new MemoryBackend().filters();

	@Override
	protected FilterStore newStore() {
		return this.store;
	}

	@Override
	protected Map<String, Consumer<GenerationId>> damages() {
		return Map.of("deleted", (id) -> this.store.delete(id, specification(KEYS)).join());
	}

	/**
	 * With independent indexes {@code (1 - e^(-kn/m))^k} pass.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 0.1, 0.01, 0.001, 0.0001 })
	void fullFilterLetsAtMostTheConfiguredShareOfAbsentKeysPass(double probability) {
		FilterSpecification made = this.store.withRoom(new FilterSpecification("products", 1_000_000, probability));
		double fill = -Math.expm1(-1_000_000.0 * made.hashes() / made.bits());
		assertThat(Math.pow(fill, made.hashes())).isBetween(0.9 * probability, probability);
	}

	@Test
	void answersAreKnownAtOnce() {
		StoredFilter filter = createSealed(newId());
		assertThat(filter.lookup("present")).isCompletedWithValue(Membership.MAYBE);
		assertThat(filter.lookup("absent")).isCompletedWithValue(Membership.ABSENT);
	}

	@Test
	void answersAreGivenWithoutAFuture() {
		StoredFilter filter = createSealed(newId());
		filter.add(List.of("salt7")).join();
		assertThat(filter.lookupInMemory("salt", 7)).isEqualTo(Membership.MAYBE);
		assertThat(filter.lookupInMemory("salt", "8")).isEqualTo(Membership.ABSENT);
	}

	@Test
	void whatHasBeenAddedIsFoundByEachThread() throws Exception {
		int count = 200_000;
		StoredFilter filter = this.store.create(newId(), new FilterSpecification("products", count, 0.01)).join();
		filter.seal().join();
		AtomicInteger added = new AtomicInteger();
		ExecutorService threads = Executors.newFixedThreadPool(READERS);
		try {
			List<Future<?>> readers = IntStream.range(0, READERS).<Future<?>>mapToObj((i) -> threads.submit(() -> {
				int last = added.get();
				while (last < count) {
					last = added.get();
					assertThat(last == 0 || isFound(filter, last - 1)).isTrue();
				}
			})).toList();
			for (int i = 0; i < count; i++) {
				filter.add(List.of(String.valueOf(i))).join();
				added.set(i + 1);
			}
			for (Future<?> reader : readers) {
				reader.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void writersOfTheSameWordsLoseNothing() throws Exception {
		FilterSpecification small = new FilterSpecification("products", 20, 0.5);
		for (int round = 0; round < 200; round++) {
			StoredFilter filter = this.store.create(newId(), small).join();
			ExecutorService threads = Executors.newFixedThreadPool(2);
			try {
				List<Future<?>> writers = IntStream.range(0, 2)
					.<Future<?>>mapToObj((writer) -> threads.submit(
							() -> IntStream.range(0, 20).forEach((i) -> filter.add(List.of(writer + "-" + i)).join())))
					.toList();
				for (Future<?> writer : writers) {
					writer.get();
				}
			}
			finally {
				threads.shutdownNow();
			}
			filter.seal().join();
			assertThat(filter.lookup(IntStream.range(0, 40).mapToObj((i) -> i / 20 + "-" + i % 20).toList()).join())
				.containsOnly(Membership.MAYBE);
		}
	}

	private static boolean isFound(StoredFilter filter, int element) {
		return filter.lookup(String.valueOf(element)).join() == Membership.MAYBE;
	}

}
