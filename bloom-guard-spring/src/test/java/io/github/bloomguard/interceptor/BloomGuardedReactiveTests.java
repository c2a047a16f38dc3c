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
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.bloomguard.annotation.BloomGuarded;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BloomGuarded} methods that return a reactive type.
 */
class BloomGuardedReactiveTests {

	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void nothingHappensBeforeTheSubscription() {
		Mono<String> mono = this.products.find(1);
		Flux<String> flux = this.products.findAll(2);
		assertThat(this.filter.checked()).isEmpty();
		assertThat(this.products.calls()).isZero();
		StepVerifier.create(mono).expectNext("product 1").verifyComplete();
		StepVerifier.create(flux).expectNext("a", "b").verifyComplete();
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE found", "2 MAYBE found");
	}

	@Test
	void eachSubscriptionIsCheckedAndCallsTheMethod() {
		Mono<String> mono = this.products.find(1);
		StepVerifier.create(mono).expectNextCount(1).verifyComplete();
		StepVerifier.create(mono).expectNextCount(1).verifyComplete();
		assertThat(this.products.calls()).isEqualTo(2);
		this.filter.absent(1L);
		StepVerifier.create(mono).verifyComplete();
		assertThat(this.filter.checked()).hasSize(3);
		assertThat(this.products.calls()).isEqualTo(2);
	}

	@Test
	void absentKeyIsAnsweredByAnEmptyOne() {
		this.filter.absent(1L);
		StepVerifier.create(this.products.find(1)).verifyComplete();
		StepVerifier.create(this.products.findAll(1)).verifyComplete();
		StepVerifier.create(this.products.publisher(1)).verifyComplete();
		StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(this.products.flow(1))).verifyComplete();
		this.products.flowable(1).test().assertNoValues().assertComplete();
		this.products.maybe(1).test().assertNoValues().assertComplete();
		assertThat(this.products.calls()).isZero();
	}

	@Test
	void possibleKeyGoesThroughWhateverTheReactiveType() {
		StepVerifier.create(this.products.publisher(1)).expectNext("x").verifyComplete();
		StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(this.products.flow(2))).expectNext("x").verifyComplete();
		this.products.flowable(3).test().assertValue("x").assertComplete();
		this.products.maybe(4).test().assertValue("x").assertComplete();
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE found", "2 MAYBE found", "3 MAYBE found",
				"4 MAYBE found");
	}

	@Test
	void whatCompletesWithoutAnElementIsEmpty() {
		StepVerifier.create(this.products.find(-1)).verifyComplete();
		StepVerifier.create(this.products.findAll(-2)).verifyComplete();
		StepVerifier.create(this.products.list(-3)).expectNext(List.of()).verifyComplete();
		assertThat(this.filter.loaded()).containsExactly("-1 MAYBE empty", "-2 MAYBE empty", "-3 MAYBE empty");
	}

	@Test
	void methodThatReturnsNullIsEmpty() {
		StepVerifier.create(this.products.nullMono(1)).verifyComplete();
		StepVerifier.create(this.products.nullFlux(2)).verifyComplete();
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE empty", "2 MAYBE empty");
	}

	@Test
	void failureIsHandedOnAndNotReported() {
		StepVerifier.create(this.products.failing(1)).verifyErrorMessage("database");
		StepVerifier.create(this.products.failingFlux(1)).expectNext("a").verifyErrorMessage("database");
		StepVerifier.create(this.products.throwing(1)).verifyErrorMessage("assembly");
		assertThat(this.filter.checked()).hasSize(3);
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void cancelledSubscriptionIsNotReported() {
		StepVerifier.create(this.products.findAll(1), 1).expectNext("a").thenCancel().verify();
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void subscriberDoesNotWaitForTheFilter() {
		this.filter.hold();
		StepVerifier.create(this.products.find(1))
			.expectSubscription()
			.then(() -> assertThat(this.products.calls()).isZero())
			.then(this.filter::release)
			.expectNext("product 1")
			.verifyComplete();
	}

	@Test
	void cancelledSubscriptionLeavesTheFiltersAnswerToOthers() {
		this.filter.hold();
		StepVerifier.create(this.products.find(1)).expectSubscription().thenCancel().verify();
		this.filter.release();
		assertThat(this.products.calls()).isZero();
	}

	@Test
	void keyThatCanNotBeCheckedGoesThrough() {
		StepVerifier.create(this.products.findByObject(RecordingFilter.UNSUPPORTED)).expectNext("x").verifyComplete();
		StepVerifier.create(this.products.findByObject(null)).expectNext("x").verifyComplete();
		assertThat(this.filter.uncheckedCalls()).isEqualTo(1);
	}

	@Test
	void demandReachesTheMethod() {
		TestPublisher<String> source = TestPublisher.create();
		this.products.source(source);
		StepVerifier.create(this.products.fromSource(1), 0)
			.then(source::assertSubscribers)
			.thenRequest(1)
			.then(() -> source.assertMinRequested(1))
			.then(() -> source.assertMaxRequested(1))
			.then(() -> source.next("x").complete())
			.expectNext("x")
			.verifyComplete();
	}

	@Test
	void methodIsCalledOnTheSubscribersThreadIfTheAnswerIsThereAlready() {
		StepVerifier.create(this.products.thread(1).subscribeOn(Schedulers.parallel()))
			.assertNext((thread) -> assertThat(thread).isInstanceOf(NonBlocking.class))
			.verifyComplete();
	}

	@Test
	void keysAreNarrowedForEachSubscription() {
		this.filter.absent(2L);
		Flux<Long> flux = this.products.findAllById(List.of(1L, 2L, 3L));
		StepVerifier.create(flux).expectNext(1L, 3L).verifyComplete();
		StepVerifier.create(flux).expectNext(1L, 3L).verifyComplete();
		StepVerifier.create(this.products.findAllById(List.of(2L))).verifyComplete();
	}

	static class Products {

		private final AtomicInteger calls = new AtomicInteger();

		private @Nullable TestPublisher<String> source;

		public void source(TestPublisher<String> source) {
			this.source = source;
		}

		public int calls() {
			return this.calls.get();
		}

		@BloomGuarded("products")
		public Mono<String> find(long id) {
			this.calls.incrementAndGet();
			return Mono.just("product " + id).filter((product) -> id > 0);
		}

		@BloomGuarded("products")
		public Flux<String> findAll(long id) {
			this.calls.incrementAndGet();
			return Flux.just("a", "b").filter((product) -> id > 0);
		}

		@BloomGuarded("products")
		public Mono<List<String>> list(long id) {
			return Mono.just(new ArrayList<>());
		}

		@BloomGuarded("products")
		public Publisher<String> publisher(long id) {
			return Flux.just("x");
		}

		@BloomGuarded("products")
		public Flow.Publisher<String> flow(long id) {
			return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("x"));
		}

		@BloomGuarded("products")
		public Flowable<String> flowable(long id) {
			return Flowable.just("x");
		}

		@BloomGuarded("products")
		public Maybe<String> maybe(long id) {
			return Maybe.just("x");
		}

		@BloomGuarded("products")
		public @Nullable Mono<String> nullMono(long id) {
			return null;
		}

		@BloomGuarded("products")
		public @Nullable Flux<String> nullFlux(long id) {
			return null;
		}

		@BloomGuarded("products")
		public Mono<String> failing(long id) {
			return Mono.error(new IllegalStateException("database"));
		}

		@BloomGuarded("products")
		public Flux<String> failingFlux(long id) {
			return Flux.just("a").concatWith(Flux.error(new IllegalStateException("database")));
		}

		@BloomGuarded("products")
		public Flux<String> throwing(long id) {
			throw new IllegalStateException("assembly");
		}

		@BloomGuarded("products")
		public Mono<String> findByObject(@Nullable Object key) {
			return Mono.just("x");
		}

		@BloomGuarded("products")
		public Flux<String> fromSource(long id) {
			return this.source.flux();
		}

		@BloomGuarded("products")
		public Mono<Thread> thread(long id) {
			return Mono.just(Thread.currentThread());
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Flux<Long> findAllById(List<Long> ids) {
			return Flux.fromIterable(ids);
		}

	}

}
