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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BloomGuarded#keys()}.
 */
class BloomGuardedKeysTests {

	private final GuardContext context = GuardContext.of(ProductsBean.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void methodIsCalledWithThePossibleKeysOnly(boolean proxyTargetClass) {
		try (GuardContext context = proxyTargetClass ? GuardContext.of(ProductsBean.class)
				: GuardContext.ofJdkProxies(ProductsBean.class)) {
			context.products().absent(2L, 4L);
			List<Long> ids = List.of(5L, 4L, 3L, 2L, 1L);
			assertThat(context.bean(Products.class).findAll(ids)).containsExactly("5", "3", "1");
			assertThat(context.products().possibleAsked()).containsExactly(ids);
		}
	}

	@Test
	void methodIsNotCalledIfNoKeyIsPossible() {
		this.filter.absent(1L, 2L);
		assertThat(this.products.findAll(List.of(1L, 2L))).isEmpty();
		assertThat(this.products.arguments()).isEmpty();
	}

	@Test
	void argumentIsTheCallersIfAllKeysArePossible() {
		List<Long> ids = List.of(1L, 2L);
		this.products.findAll(ids);
		assertThat(this.products.arguments()).singleElement().isSameAs(ids);
	}

	@Test
	void emptyAndMissingArgumentsGoThroughUnasked() {
		assertThat(this.products.findAll(List.of())).isEmpty();
		assertThat(this.products.findByIds()).isEqualTo("");
		this.products.findSet(null);
		assertThat(this.products.arguments()).hasSize(3);
		assertThat(this.filter.possibleAsked()).isEmpty();
		assertThat(this.filter.uncheckedCalls()).isZero();
	}

	@Test
	void nullElementsAreKeptWhereTheyAre() {
		this.filter.absent(2L);
		assertThat(this.products.findAll(Arrays.asList(1L, null, 2L, null, 3L))).containsExactly("1", "null", "null",
				"3");
		assertThat(this.products.findAll(Arrays.asList(2L, null))).containsExactly("null");
	}

	@Test
	void callersArgumentsAreNotChanged() {
		this.filter.absent(2L);
		List<Long> list = new ArrayList<>(List.of(1L, 2L));
		Long[] array = { 1L, 2L };
		long[] primitives = { 1, 2 };
		this.products.findAll(list);
		this.products.findArray(array);
		this.products.findPrimitives("x", primitives);
		assertThat(list).containsExactly(1L, 2L);
		assertThat(array).containsExactly(1L, 2L);
		assertThat(primitives).containsExactly(1, 2);
	}

	@Test
	void arraysAreNarrowedToArraysOfTheirType() {
		this.filter.absent(2L);
		assertThat(this.products.findArray(new Long[] { 1L, 2L, null, 3L })).isEqualTo("[1, null, 3]");
		assertThat(this.products.findPrimitives("x", new long[] { 1, 2, 3 })).isEqualTo("x[1, 3]");
		assertThat(this.products.findByIds(1L, 2L, 3L)).isEqualTo("1,3");
	}

	@Test
	void collectionsAreNarrowedToTheTypeOfTheParameter() {
		this.filter.absent(2L);
		this.products.findSet(new HashSet<>(Set.of(1L, 2L, 3L)));
		SortedSet<Long> descending = new TreeSet<>(Comparator.reverseOrder());
		Collections.addAll(descending, 1L, 2L, 3L);
		this.products.findSorted(descending);
		this.products.findDeque(new ArrayDeque<>(List.of(1L, 2L, 3L)));
		this.products.findConcrete(new LinkedHashSet<>(List.of(3L, 2L, 1L)));
		assertThat(this.products.arguments()).hasSize(4);
		assertThat(argument(0)).isInstanceOf(Set.class).containsExactlyInAnyOrder(1L, 3L);
		assertThat(argument(1)).isInstanceOf(SortedSet.class).containsExactly(3L, 1L);
		assertThat(argument(2)).isInstanceOf(Deque.class).containsExactly(1L, 3L);
		assertThat(argument(3)).isInstanceOf(LinkedHashSet.class).containsExactly(3L, 1L);
	}

	@SuppressWarnings("unchecked")
	private Collection<Object> argument(int call) {
		return (Collection<Object>) this.products.arguments().get(call);
	}

	@Test
	void iterableThatCanBeReadOnceIsReadOnce() {
		Iterator<Long> once = List.of(1L, 2L).iterator();
		assertThat(this.products.findIterable(() -> once)).isEqualTo("[1, 2]");
	}

	@Test
	void setGivenAsIterableStaysASet() {
		this.filter.absent(2L);
		this.products.findIterable(Set.of(1L, 2L));
		assertThat(this.products.arguments()).singleElement().isEqualTo(Set.of(1L));
	}

	@Test
	void unsupportedKeyLetsAllOfThemThrough() {
		this.filter.absent(1L);
		List<Object> keys = List.of(1L, RecordingFilter.UNSUPPORTED);
		this.products.findObjects(keys);
		assertThat(this.products.arguments()).singleElement().isSameAs(keys);
		assertThat(this.filter.uncheckedCalls()).isEqualTo(1);
	}

	@Test
	void falseConditionGoesThroughUnasked() {
		this.products.findIf(List.of(1L), false);
		assertThat(this.filter.possibleAsked()).isEmpty();
		this.products.findIf(List.of(1L), true);
		assertThat(this.filter.possibleAsked()).hasSize(1);
	}

	@Test
	void eachOfTwoFiltersLeavesKeysOut() {
		this.filter.absent(1L);
		this.context.filter("orders").absent(2L);
		assertThat(this.products.findBoth(List.of(1L, 2L, 3L))).containsExactly(3L);
		assertThat(this.products.findBoth(List.of(1L, 2L))).isEmpty();
	}

	@Test
	void keysOfAFutureAreNarrowedWhenTheAnswerIsThere() {
		this.filter.absent(2L);
		this.filter.hold();
		CompletableFuture<List<Long>> found = this.products.findAsync(List.of(1L, 2L));
		CompletableFuture<List<Long>> none = this.products.findAsync(List.of(2L));
		assertThat(found).isNotDone();
		assertThat(this.products.arguments()).isEmpty();
		this.filter.release();
		assertThat(found).isCompletedWithValue(List.of(1L));
		assertThat(none).isCompletedWithValue(List.of());
	}

	interface Products {

		List<Object> arguments();

		List<String> findAll(Collection<Long> ids);

		String findArray(@Nullable Long[] ids);

		String findPrimitives(String prefix, long[] ids);

		String findByIds(Long... ids);

		String findSet(@Nullable Set<Long> ids);

		String findSorted(SortedSet<Long> ids);

		String findDeque(Deque<Long> ids);

		String findConcrete(LinkedHashSet<Long> ids);

		String findIterable(Iterable<Long> ids);

		String findObjects(List<Object> keys);

		String findIf(List<Long> ids, boolean guarded);

		List<Long> findBoth(List<Long> ids);

		CompletableFuture<List<Long>> findAsync(List<Long> ids);

	}

	static class ProductsBean implements Products {

		private final List<Object> arguments = new ArrayList<>();

		@Override
		public List<Object> arguments() {
			return this.arguments;
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public List<String> findAll(Collection<Long> ids) {
			this.arguments.add(ids);
			return ids.stream().map(String::valueOf).toList();
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#p0")
		public String findArray(@Nullable Long[] ids) {
			return Arrays.toString(ids);
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#a1")
		public String findPrimitives(String prefix, long[] ids) {
			return prefix + Arrays.toString(ids);
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findByIds(Long... ids) {
			this.arguments.add(ids);
			return String.join(",", Arrays.stream(ids).map(String::valueOf).toList());
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findSet(@Nullable Set<Long> ids) {
			this.arguments.add((ids != null) ? ids : "null");
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findSorted(SortedSet<Long> ids) {
			this.arguments.add(ids);
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findDeque(Deque<Long> ids) {
			this.arguments.add(ids);
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findConcrete(LinkedHashSet<Long> ids) {
			this.arguments.add(ids);
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public String findIterable(Iterable<Long> ids) {
			this.arguments.add(ids);
			List<Long> all = new ArrayList<>();
			ids.forEach(all::add);
			return all.toString();
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#keys")
		public String findObjects(List<Object> keys) {
			this.arguments.add(keys);
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids", condition = "#guarded")
		public String findIf(List<Long> ids, boolean guarded) {
			return "found";
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		@BloomGuarded(filter = "orders", keys = "#ids")
		public List<Long> findBoth(List<Long> ids) {
			return ids;
		}

		@Override
		@BloomGuarded(filter = "products", keys = "#ids")
		public CompletableFuture<List<Long>> findAsync(List<Long> ids) {
			this.arguments.add(ids);
			return CompletableFuture.completedFuture(ids);
		}

	}

}
