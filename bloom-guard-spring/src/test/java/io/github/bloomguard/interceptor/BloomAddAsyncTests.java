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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.annotation.BloomAdd;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BloomAdd} methods that return a future or a reactive type.
 */
class BloomAddAsyncTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	private final List<String> threads = Collections.synchronizedList(new ArrayList<>());

	BloomAddAsyncTests() {
		this.filter.onAdd(() -> this.threads.add(Thread.currentThread().getName()));
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void futureIsCompletedAfterTheKeyHasBeenAddedElsewhere() {
		CompletableFuture<@Nullable String> source = new CompletableFuture<>();
		CountDownLatch adding = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.filter.onAdd(() -> {
			this.threads.add(Thread.currentThread().getName());
			adding.countDown();
			await(goOn);
		});
		CompletableFuture<@Nullable String> created = this.products.create(source);
		assertThat(this.filter.added()).isEmpty();
		source.complete("a");
		await(adding);
		assertThat(created).isNotDone();
		goOn.countDown();
		assertThat(created.join()).isEqualTo("a");
		assertThat(this.filter.added()).containsExactly("key a");
		assertThat(this.threads).containsExactly("add");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void failedFutureAddsNothingAndFailsUnchanged() {
		IllegalStateException failure = new IllegalStateException("database");
		CompletableFuture<@Nullable String> created = this.products.create(CompletableFuture.failedFuture(failure));
		List<@Nullable Throwable> seen = new ArrayList<>();
		created.whenComplete((value, ex) -> seen.add(ex));
		assertThat(seen).containsExactly(failure);
		assertThat(this.filter.added()).isEmpty();
	}

	@Test
	void futureFailsIfTheKeyCanNotBeAdded() {
		this.filter.refuseAdds();
		CompletableFuture<@Nullable String> created = this.products.create(CompletableFuture.completedFuture("a"));
		assertThatExceptionOfType(Exception.class).isThrownBy(created::join)
			.withCauseInstanceOf(KeyNotAddedException.class);
	}

	@Test
	void futureFailsIfTheExecutorRefuses() {
		this.context.bean(ExecutorService.class).shutdown();
		CompletableFuture<@Nullable String> created = this.products.create(CompletableFuture.completedFuture("a"));
		assertThat(created).isCompletedExceptionally();
	}

	@Test
	void keyOfAFutureOfNothingIsAddedToo() {
		this.products.insert("a").toCompletableFuture().join();
		assertThat(this.filter.added()).containsExactly("a");
		assertThat(this.products.noFuture("b")).isNull();
		assertThat(this.filter.added()).containsExactly("a", "b");
	}

	@Test
	void monoEmitsAfterTheKeyHasBeenAddedOffTheThreadOfTheResult() {
		StepVerifier.create(this.products.createMono("a").doOnNext((name) -> this.threads.add("emitted")))
			.expectNext("a")
			.verifyComplete();
		assertThat(this.filter.added()).containsExactly("key a");
		assertThat(this.threads).hasSize(2);
		assertThat(this.threads.get(0)).startsWith("boundedElastic-");
		assertThat(this.threads.get(1)).isEqualTo("emitted");
	}

	@Test
	void nothingIsAddedBeforeTheSubscriptionAndAgainForEach() {
		Mono<String> mono = this.products.createMono("a");
		assertThat(this.filter.added()).isEmpty();
		mono.block();
		mono.block();
		assertThat(this.filter.added()).hasSize(2);
	}

	@Test
	void keyOfAMonoOfNothingIsAddedBeforeItCompletes() {
		StepVerifier.create(this.products.insertMono("a")).verifyComplete();
		assertThat(this.filter.added()).containsExactly("a");
		StepVerifier.create(this.products.nullMono("b")).verifyComplete();
		assertThat(this.filter.added()).containsExactly("a", "b");
		this.products.insertCompletable("c").blockingAwait();
		assertThat(this.filter.added()).containsExactly("a", "b", "c");
		assertThat(this.products.createSingle("d").blockingGet()).isEqualTo("d");
		assertThat(this.filter.added()).containsExactly("a", "b", "c", "key d");
	}

	@Test
	void failedMonoAddsNothing() {
		StepVerifier.create(this.products.failMono("a")).verifyErrorMessage("database");
		StepVerifier.create(this.products.failFlux("a")).verifyErrorMessage("database");
		assertThat(this.filter.added()).isEmpty();
	}

	@Test
	void monoFailsIfTheKeyCanNotBeAdded() {
		this.filter.refuseAdds();
		StepVerifier.create(this.products.createMono("a")).verifyError(KeyNotAddedException.class);
		StepVerifier.create(this.products.createFlux("a", "b")).verifyError(KeyNotAddedException.class);
		StepVerifier.create(this.products.importFlux("a")).verifyError(KeyNotAddedException.class);
	}

	@Test
	void eachElementOfAFluxIsEmittedAfterItsKeyHasBeenAdded() {
		StepVerifier.create(this.products.createFlux("a", "b"))
			.assertNext((name) -> assertThat(this.filter.added()).contains("key " + name))
			.assertNext((name) -> assertThat(this.filter.added()).contains("key " + name))
			.verifyComplete();
		assertThat(this.filter.added()).containsExactly("key a", "key b");
	}

	@Test
	void keyThatDoesNotDependOnTheElementsIsAddedOnceAndBeforeAll() {
		StepVerifier.create(this.products.importFlux("a"), 0)
			.thenRequest(1)
			.expectNext("x")
			.then(() -> assertThat(this.filter.added()).containsExactly("a"))
			.thenRequest(2)
			.expectNext("y")
			.verifyComplete();
		StepVerifier.create(this.products.importFlux("")).verifyComplete();
		assertThat(this.filter.added()).containsExactly("a", "");
		assertThat(this.threads).allMatch((thread) -> thread.startsWith("boundedElastic-"));
	}

	@Test
	void optionalInAFutureIsUnwrapped() {
		assertThat(this.products.createOptional("a").join()).contains("a");
		assertThat(this.filter.added()).containsExactly("key a");
	}

	@Test
	void resultOfNothingAddsNothing() {
		assertThat(this.products.lengthLater(null).join()).isNull();
		StepVerifier.create(this.products.lengthOf("")).verifyComplete();
		assertThat(this.filter.added()).isEmpty();
		assertThat(this.products.lengthLater("ab").join()).isEqualTo("ab");
		StepVerifier.create(this.products.lengthOf("abc")).expectNext("abc").verifyComplete();
		assertThat(this.filter.added()).containsExactly(2, 3);
	}

	@Test
	void keyThatIsNullFailsTheFutureAndTheMono() {
		assertThatExceptionOfType(Exception.class).isThrownBy(this.products.insert(null).toCompletableFuture()::join)
			.withCauseInstanceOf(KeyNotAddedException.class);
		StepVerifier.create(this.products.insertMono(null)).verifyError(KeyNotAddedException.class);
	}

	static class Products {

		@BloomAdd(filter = "products", key = "#result.length()")
		public CompletableFuture<@Nullable String> lengthLater(@Nullable String name) {
			return CompletableFuture.completedFuture(name);
		}

		@BloomAdd(filter = "products", key = "#result.length()")
		public Mono<String> lengthOf(String name) {
			return name.isEmpty() ? Mono.empty() : Mono.just(name);
		}

		@BloomAdd(filter = "products", key = "'key ' + #result")
		public CompletableFuture<@Nullable String> create(CompletableFuture<@Nullable String> source) {
			return source;
		}

		@BloomAdd(filter = "products", key = "'key ' + #result")
		public CompletableFuture<Optional<String>> createOptional(String name) {
			return CompletableFuture.completedFuture(Optional.of(name));
		}

		@BloomAdd("products")
		public CompletionStage<@Nullable Void> insert(@Nullable String name) {
			return CompletableFuture.completedFuture(null);
		}

		@BloomAdd("products")
		public @Nullable CompletableFuture<String> noFuture(String name) {
			return null;
		}

		@BloomAdd(filter = "products", key = "'key ' + #result")
		public Mono<String> createMono(String name) {
			return Mono.just(name).subscribeOn(Schedulers.parallel());
		}

		@BloomAdd("products")
		public Mono<Void> insertMono(@Nullable String name) {
			return Mono.empty();
		}

		@BloomAdd("products")
		public @Nullable Mono<Void> nullMono(String name) {
			return null;
		}

		@BloomAdd("products")
		public Completable insertCompletable(String name) {
			return Completable.complete();
		}

		@BloomAdd(filter = "products", key = "'key ' + #result")
		public Single<String> createSingle(String name) {
			return Single.just(name);
		}

		@BloomAdd("products")
		public Mono<String> failMono(String name) {
			return Mono.error(new IllegalStateException("database"));
		}

		@BloomAdd("products")
		public Flux<String> failFlux(String name) {
			return Flux.error(new IllegalStateException("database"));
		}

		@BloomAdd(filter = "products", key = "'key ' + #result")
		public Flux<String> createFlux(String... names) {
			return Flux.fromArray(names);
		}

		@BloomAdd("products")
		public Flux<String> importFlux(String batch) {
			return batch.isEmpty() ? Flux.empty() : Flux.just("x", "y");
		}

	}

}
