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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls whose absent answers are looked up, in each kind of method.
 */
class VerifiedCallTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.filter.release();
		this.context.close();
	}

	static Stream<Named<BiFunction<Products, Long, Boolean>>> calls() {
		return Stream.of(call("value", (products, id) -> products.find(id) != null),
				call("Optional", (products, id) -> products.findOptional(id).isPresent()),
				call("future", (products, id) -> products.findLater(id).join() != null),
				call("Mono", (products, id) -> products.findMono(id).block() != null),
				call("Flux", (products, id) -> products.findFlux(id).blockLast() != null),
				call("one of two filters", (products, id) -> products.findTwice(id, 1) != null),
				call("many keys", (products, id) -> products.findAll(List.of(2L, id)).contains(id)),
				call("many keys later", (products, id) -> products.findAllLater(Set.of(id)).join().contains(id)));
	}

	private static Named<BiFunction<Products, Long, Boolean>> call(String name,
			BiFunction<Products, Long, Boolean> call) {
		return Named.of(name, call);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void absentAnswerIsLookedUpByTheMethodItselfWhichNobodyWaitsFor(BiFunction<Products, Long, Boolean> call) {
		this.filter.absent(-1L, -2L);
		this.filter.verifyAll();
		assertThat(call.apply(this.products, -1L)).isFalse();
		this.products.insert(-2L);
		assertThat(call.apply(this.products, -2L)).as("the answer stands").isFalse();
		assertThat(this.filter.verified()).filteredOn((verified) -> verified.startsWith("-"))
			.containsExactly("-1 false", "-2 true");
	}

	@ParameterizedTest
	@MethodSource("calls")
	void methodIsCalledIfTheLookUpThatIsWaitedForHasFoundTheRow(BiFunction<Products, Long, Boolean> call) {
		this.filter.absent(-1L);
		this.filter.verifyAll();
		this.filter.findByLookUps();
		this.products.insert(-1L);
		assertThat(call.apply(this.products, -1L)).isTrue();
		assertThat(this.products.calls()).filteredOn((id) -> id == -1).as("by the look-up, and by the call").hasSize(2);
		assertThat(this.filter.loaded()).anyMatch((loaded) -> loaded.contains("ABSENT"));
	}

	@Test
	void futureWaitsForTheLookUpWithoutAThread() {
		this.filter.absent(-1L);
		this.filter.verifyAll();
		this.filter.findByLookUps();
		this.products.insert(-1L);
		this.filter.hold();
		CompletableFuture<@Nullable String> found = this.products.findLater(-1);
		CompletableFuture<String> mono = this.products.findMono(-1).toFuture();
		assertThat(found).isNotDone();
		assertThat(mono).isNotDone();
		this.filter.release();
		assertThat(found.join()).isEqualTo("product -1");
		assertThat(mono.join()).isEqualTo("product -1");
	}

	@Test
	void callOfAMethodThatReturnsAValueWaitsForTheLookUp() {
		this.filter.absent(-1L);
		this.filter.verifyAll();
		this.filter.findByLookUps();
		this.products.insert(-1L);
		this.filter.hold();
		CompletableFuture<@Nullable String> found = CompletableFuture.supplyAsync(() -> this.products.find(-1),
				(task) -> new Thread(task).start());
		Awaitility.await().until(() -> this.filter.checked().contains(-1L));
		assertThat(found).isNotDone();
		this.filter.release();
		assertThat(found.join()).isEqualTo("product -1");
	}

	static class Products {

		private final Set<Long> rows = ConcurrentHashMap.newKeySet();

		private final List<Long> calls = new CopyOnWriteArrayList<>();

		public void insert(long id) {
			this.rows.add(id);
		}

		public List<Long> calls() {
			return this.calls;
		}

		private @Nullable String load(long id) {
			this.calls.add(id);
			return this.rows.contains(id) ? "product " + id : null;
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return load(id);
		}

		@BloomGuarded("products")
		public Optional<String> findOptional(long id) {
			return Optional.ofNullable(load(id));
		}

		@BloomGuarded("products")
		public CompletableFuture<@Nullable String> findLater(long id) {
			return CompletableFuture.completedFuture(load(id));
		}

		@BloomGuarded("products")
		public Mono<String> findMono(long id) {
			return Mono.fromSupplier(() -> load(id));
		}

		@BloomGuarded("products")
		public Flux<String> findFlux(long id) {
			return Mono.fromSupplier(() -> load(id)).flux();
		}

		@BloomGuarded(filter = "orders", key = "#order")
		@BloomGuarded(filter = "products", key = "#id")
		public @Nullable String findTwice(long id, long order) {
			return load(id);
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<Long> findAll(List<Long> ids) {
			return ids.stream().filter((id) -> load(id) != null).toList();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public CompletableFuture<List<Long>> findAllLater(Set<Long> ids) {
			return CompletableFuture.completedFuture(ids.stream().filter((id) -> load(id) != null).toList());
		}

	}

}
