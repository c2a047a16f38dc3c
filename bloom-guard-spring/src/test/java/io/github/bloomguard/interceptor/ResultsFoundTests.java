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

package io.github.bloomguard.interceptor;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.OffsetScrollPosition;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Window;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a filter learns of a key from each type of result.
 */
class ResultsFoundTests {

	private static final Pageable FIRST = PageRequest.of(0, 10);

	private static final Pageable SECOND = PageRequest.of(1, 10);

	private final GuardContext context = GuardContext.of(Orders.class);

	private final Orders orders = this.context.bean(Orders.class);

	private final RecordingFilter filter = this.context.products();

	ResultsFoundTests() {
		this.filter.shadow();
		this.filter.absent(1L);
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	static Stream<Named<Function<Orders, @Nullable Object>>> lookups() {
		return Stream.of(Named.of("page", (orders) -> orders.page(1, FIRST)),
				Named.of("slice", (orders) -> orders.slice(1, FIRST)),
				Named.of("window", (orders) -> orders.window(1, ScrollPosition.offset())),
				Named.of("page later", (orders) -> orders.pageLater(1, FIRST).join()),
				Named.of("page in a mono", (orders) -> orders.pageMono(1, FIRST).block()),
				Named.of("stream", (orders) -> orders.stream(1).toList()),
				Named.of("first of a stream", (orders) -> orders.stream(1).findFirst().orElse(null)),
				Named.of("parallel stream", (orders) -> orders.stream(1).parallel().toList()),
				Named.of("numbers", (orders) -> orders.numbers(1).sum()),
				Named.of("stream later", (orders) -> orders.streamLater(1).join().toList()),
				Named.of("iterator", (orders) -> orders.iterator(1).hasNext()),
				Named.of("iterable", (orders) -> orders.iterable(1).iterator().hasNext()),
				Named.of("boolean", (orders) -> orders.exists(1)), Named.of("Boolean", (orders) -> orders.isThere(1)),
				Named.of("Boolean in a mono", (orders) -> orders.existsMono(1).block()),
				Named.of("long", (orders) -> orders.count(1)), Named.of("Integer", (orders) -> orders.number(1)));
	}

	@ParameterizedTest
	@MethodSource("lookups")
	void filterIsToldOnceWhetherAnythingWasFound(Function<Orders, @Nullable Object> lookup) {
		lookup.apply(this.orders);
		assertThat(this.filter.loaded()).containsExactly("1 ABSENT empty");
		this.filter.loaded().clear();
		this.orders.insert(List.of(7L));
		lookup.apply(this.orders);
		assertThat(this.filter.loaded()).containsExactly("1 ABSENT found");
	}

	@Test
	void streamThatNobodyReadsTellsNothingAndIsClosedWithTheMethodsOwn() {
		this.orders.stream(1).close();
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(this.orders.closed()).isOne();
	}

	@Test
	void streamIsNotReadBeforeItsReaderDoes() {
		this.orders.insert(List.of(7L, 8L));
		Stream<Long> stream = this.orders.stream(1);
		assertThat(this.orders.read()).isZero();
		assertThat(stream.findFirst()).contains(7L);
		assertThat(this.orders.read()).isOne();
	}

	@Test
	void emptyPageThatIsNotTheFirstIsNotTakenForNothing() {
		this.orders.slice(1, SECOND);
		this.orders.window(1, ScrollPosition.offset(7));
		assertThat(this.filter.loaded()).isEmpty();
		this.orders.insert(List.of(7L));
		this.orders.page(1, SECOND);
		assertThat(this.filter.loaded()).containsExactly("1 ABSENT found");
	}

	@Test
	void zeroOfARowThatMayBeThereIsNotTakenForNothing() {
		assertThat(this.orders.count(2)).isZero();
		assertThat(this.orders.isThere(2)).isFalse();
		assertThat(this.filter.loaded()).isEmpty();
		this.orders.optional(1);
		assertThat(this.filter.loaded()).containsExactly("1 ABSENT found");
	}

	@Test
	void primitiveResultOfADefiniteMissIsFalseOrZero() {
		this.filter.enforce();
		this.orders.insert(List.of(7L));
		assertThat(this.orders.exists(1)).isFalse();
		assertThat(this.orders.count(1)).isZero();
		assertThat(this.orders.exists(2)).isTrue();
		assertThat(this.orders.count(2)).isOne();
		assertThat(this.orders.isThere(1)).isNull();
	}

	static class Orders {

		private List<Long> rows = List.of();

		private int read;

		private int closed;

		public void insert(List<Long> rows) {
			this.rows = rows;
		}

		public int read() {
			return this.read;
		}

		public int closed() {
			return this.closed;
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Page<Long> page(long customer, Pageable pageable) {
			return (pageable.getOffset() > 0) ? new PageImpl<>(List.of(), pageable, this.rows.size())
					: new PageImpl<>(this.rows, pageable, this.rows.size());
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public CompletableFuture<Page<Long>> pageLater(long customer, Pageable pageable) {
			return CompletableFuture.completedFuture(new PageImpl<>(this.rows));
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Mono<Page<Long>> pageMono(long customer, Pageable pageable) {
			return Mono.just(new PageImpl<>(this.rows));
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Slice<Long> slice(long customer, Pageable pageable) {
			return new SliceImpl<>(this.rows, pageable, false);
		}

		@BloomGuarded(filter = "products", key = "#customer")
		public Window<Long> window(long customer, ScrollPosition position) {
			return Window.from(this.rows, OffsetScrollPosition.positionFunction(0));
		}

		@BloomGuarded("products")
		public Stream<Long> stream(long customer) {
			return this.rows.stream().peek((row) -> this.read++).onClose(() -> this.closed++);
		}

		@BloomGuarded("products")
		public IntStream numbers(long customer) {
			return this.rows.stream().mapToInt(Long::intValue);
		}

		@BloomGuarded("products")
		public CompletableFuture<Stream<Long>> streamLater(long customer) {
			return CompletableFuture.completedFuture(this.rows.stream());
		}

		@BloomGuarded("products")
		public Iterator<Long> iterator(long customer) {
			return this.rows.iterator();
		}

		@BloomGuarded("products")
		public Iterable<Long> iterable(long customer) {
			return LongStream.of(this.rows.stream().mapToLong(Long::longValue).toArray())::iterator;
		}

		@BloomGuarded("products")
		public boolean exists(long customer) {
			return !this.rows.isEmpty();
		}

		@BloomGuarded("products")
		public @Nullable Boolean isThere(long customer) {
			return !this.rows.isEmpty();
		}

		@BloomGuarded("products")
		public Mono<Boolean> existsMono(long customer) {
			return Mono.just(!this.rows.isEmpty());
		}

		@BloomGuarded("products")
		public long count(long customer) {
			return this.rows.size();
		}

		@BloomGuarded("products")
		public @Nullable Integer number(long customer) {
			return this.rows.size();
		}

		@BloomGuarded("products")
		public Optional<Integer> optional(long customer) {
			return Optional.of(0);
		}

	}

}
