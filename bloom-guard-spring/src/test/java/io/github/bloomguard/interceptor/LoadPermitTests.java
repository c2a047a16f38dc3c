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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for how many calls each kind of method counts as, and when it has ended, where a
 * filter that can't tell lets one load at a time.
 */
class LoadPermitTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@BeforeEach
	void lose() {
		this.filter.lose(1);
	}

	@AfterEach
	void close() {
		assertThat(this.filter.freePermits()).as("each call has given its permit back").isOne();
		this.context.close();
	}

	@Test
	void methodHoldsAPermitUntilItHasReturnedOrThrown() {
		assertThat(this.products.inside(() -> {
			assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> this.products.find(1L));
			assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> this.products.findAll(List.of(1L)));
			assertThat(this.products.find(null)).as("nothing is asked for").isEqualTo("product null");
		})).isEqualTo("inside");
		assertThat(this.products.find(1L)).isEqualTo("product 1");
		assertThatIllegalStateException().isThrownBy(() -> this.products.inside(() -> {
			throw new IllegalStateException("database");
		}));
		assertThatIllegalStateException().isThrownBy(() -> this.products.failAll(List.of(1L)));
	}

	@Test
	void callWithManyKeysNeedsOnePermitAndOneWithoutAKeyNone() {
		assertThat(this.products.findAll(List.of(1L, 2L, 3L))).hasSize(3);
		assertThat(this.products.inside(() -> assertThat(this.products.findAll(List.of())).isEmpty()))
			.isEqualTo("inside");
	}

	@Test
	void twoKeysOfOneFilterNeedOnePermit() {
		assertThat(this.products.findPair(1, 2)).isEqualTo("pair");
	}

	@Test
	void callThatAnotherFilterAnswersNeedsNoPermit() {
		this.context.filter("orders").absent(-1L);
		this.products.inside(() -> {
			assertThat(this.products.findOrder(1, -1)).isNull();
			assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> this.products.findOrder(1, 1));
		});
		assertThat(this.products.findOrder(1, 1)).isEqualTo("order");
	}

	@Test
	void futureHoldsAPermitUntilItIsCompleted() {
		CompletableFuture<String> open = new CompletableFuture<>();
		CompletableFuture<String> found = this.products.findLater(open);
		assertThat(this.products.findLater(CompletableFuture.completedFuture("other"))).failsWithin(0, TimeUnit.SECONDS)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LoadRejectedException.class);
		open.complete("product");
		assertThat(found.join()).isEqualTo("product");
		assertThatExceptionOfType(CompletionException.class).isThrownBy(
				() -> this.products.findLater(CompletableFuture.failedFuture(new IllegalStateException())).join());
		assertThat(this.products.findLater(null)).isCompletedExceptionally();
		CompletableFuture<String> never = new CompletableFuture<>();
		this.products.findLater(never).cancel(true);
		assertThat(never).isCancelled();
	}

	@Test
	void monoHoldsAPermitUntilItHasEnded() {
		Sinks.One<String> open = Sinks.one();
		CompletableFuture<String> found = this.products.findMono(open.asMono()).toFuture();
		StepVerifier.create(this.products.findMono(Mono.just("other"))).verifyError(LoadRejectedException.class);
		open.tryEmitValue("product");
		assertThat(found.join()).isEqualTo("product");
		StepVerifier.create(this.products.findMono(Mono.empty())).verifyComplete();
		StepVerifier.create(this.products.findMono(Mono.error(new IllegalStateException())))
			.verifyError(IllegalStateException.class);
		StepVerifier.create(this.products.findMono(null)).verifyError(IllegalStateException.class);
		Disposable subscription = this.products.findMono(Mono.never()).subscribe();
		assertThat(this.filter.freePermits()).isZero();
		subscription.dispose();
	}

	@Test
	void fluxHoldsAPermitUntilItHasEnded() {
		StepVerifier.create(this.products.findFlux(Flux.just("a", "b"))).expectNext("a", "b").verifyComplete();
		StepVerifier.create(this.products.findFlux(Flux.error(new IllegalStateException())))
			.verifyError(IllegalStateException.class);
		assertThat(this.products.findFlux(Flux.just("a").concatWith(Flux.never())).blockFirst()).isEqualTo("a");
		Disposable subscription = this.products.findFlux(Flux.never()).subscribe();
		StepVerifier.create(this.products.findFlux(Flux.just("other"))).verifyError(LoadRejectedException.class);
		subscription.dispose();
	}

	static class Products {

		@BloomGuarded(filter = "products", key = "1")
		public String inside(Runnable action) {
			action.run();
			return "inside";
		}

		@BloomGuarded("products")
		public @Nullable String find(@Nullable Long id) {
			return "product " + id;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<Long> findAll(List<Long> ids) {
			return ids;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<Long> failAll(List<Long> ids) {
			throw new IllegalStateException("database");
		}

		@BloomGuarded(filter = "products", key = "#product")
		@BloomGuarded(filter = "orders", key = "#order")
		public @Nullable String findOrder(long product, long order) {
			return "order";
		}

		@BloomGuarded(filter = "products", key = "#first")
		@BloomGuarded(filter = "products", key = "#second")
		public @Nullable String findPair(long first, long second) {
			return "pair";
		}

		@BloomGuarded(filter = "products", key = "1")
		public CompletableFuture<String> findLater(@Nullable CompletableFuture<String> found) {
			if (found == null) {
				throw new IllegalStateException("database");
			}
			return found;
		}

		@BloomGuarded(filter = "products", key = "1")
		public Mono<String> findMono(@Nullable Mono<String> found) {
			if (found == null) {
				throw new IllegalStateException("database");
			}
			return found;
		}

		@BloomGuarded(filter = "products", key = "1")
		public Flux<String> findFlux(Flux<String> found) {
			return found;
		}

	}

}
