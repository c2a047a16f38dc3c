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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what a filter learns of keys that it calls absent and that are looked for all
 * the same.
 */
class KeysFoundTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@BeforeEach
	void watch() {
		this.filter.shadow();
		this.filter.absent(1L, 2L);
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	static Stream<Named<BiFunction<Products, List<Long>, @Nullable Object>>> lookups() {
		return Stream.of(Named.of("list", Products::list), Named.of("nulls", Products::listWithNulls),
				Named.of("map", Products::map), Named.of("optionals", Products::optionals),
				Named.of("array", Products::array), Named.of("future", (products, ids) -> products.later(ids).join()),
				Named.of("mono", (products, ids) -> products.mono(ids).block()),
				Named.of("flux", (products, ids) -> products.flux(ids).collectList().block()));
	}

	@ParameterizedTest
	@MethodSource("lookups")
	void filterIsToldWhetherAnythingWasFound(BiFunction<Products, List<Long>, @Nullable Object> lookup) {
		lookup.apply(this.products, List.of(1L, 3L, 2L));
		assertThat(this.filter.loaded()).containsExactly("[1, 3, 2] ABSENT {0, 2} empty");
		this.filter.loaded().clear();
		this.products.add(2);
		lookup.apply(this.products, List.of(1L, 2L));
		assertThat(this.filter.loaded()).containsExactly("[1, 2] ABSENT {0, 1} found");
	}

	@Test
	void filterIsToldNothingIfNoKeyIsAbsent() {
		this.products.list(List.of(3L, 4L));
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void exceptionForAMissingRowMeansThatNothingWasFound() {
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.require(List.of(1L)));
		assertThat(this.filter.loaded()).containsExactly("[1] ABSENT {0} empty");
	}

	@Test
	void whatIsNoContainerTellsNothing() {
		assertThat(this.products.count(List.of(1L))).isZero();
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void filterIsToldNothingOfKeysThatAnotherOneLeavesOut() {
		this.context.filter("orders").absent(1L);
		this.products.listOrdered(List.of(1L, 3L));
		assertThat(this.filter.loaded()).isEmpty();
		this.products.listOrdered(List.of(2L, 3L));
		assertThat(this.filter.loaded()).containsExactly("[2, 3] ABSENT {0} empty");
	}

	static class Products {

		private final Set<Long> rows = new TreeSet<>();

		public void add(long id) {
			this.rows.add(id);
		}

		private List<Long> find(Collection<Long> ids) {
			return ids.stream().filter(this.rows::contains).toList();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<Long> list(List<Long> ids) {
			return find(ids);
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<@Nullable Long> listWithNulls(List<Long> ids) {
			List<@Nullable Long> found = new ArrayList<>();
			ids.forEach((id) -> found.add(this.rows.contains(id) ? id : null));
			return found;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Map<Long, @Nullable Long> map(List<Long> ids) {
			Map<Long, @Nullable Long> found = new LinkedHashMap<>();
			ids.forEach((id) -> found.put(id, this.rows.contains(id) ? id : null));
			return found;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<Optional<Long>> optionals(List<Long> ids) {
			return ids.stream().map((id) -> Optional.of(id).filter(this.rows::contains)).toList();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Long[] array(List<Long> ids) {
			return find(ids).toArray(Long[]::new);
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public CompletableFuture<List<Long>> later(List<Long> ids) {
			return CompletableFuture.completedFuture(find(ids));
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Mono<List<Long>> mono(List<Long> ids) {
			return Mono.fromSupplier(() -> find(ids));
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Flux<Long> flux(List<Long> ids) {
			return Flux.fromStream(() -> find(ids).stream());
		}

		@BloomGuarded(filter = "products", keys = "#ids", missing = NoSuchElementException.class)
		public List<Long> require(List<Long> ids) {
			throw new NoSuchElementException();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Integer count(List<Long> ids) {
			return find(ids).size();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		@BloomGuarded(filter = "orders", keys = "#ids")
		public List<Long> listOrdered(List<Long> ids) {
			return find(ids);
		}

	}

}
