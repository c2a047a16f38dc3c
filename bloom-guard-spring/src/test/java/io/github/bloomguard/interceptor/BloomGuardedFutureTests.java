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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.bloomguard.annotation.BloomGuarded;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BloomGuarded} methods that return a future.
 */
class BloomGuardedFutureTests {

	private final GuardContext context = GuardContext.of(Products.class, Listener.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	private CompletableFuture<@Nullable String> methodsFuture = new CompletableFuture<>();

	@BeforeEach
	void prepare() {
		this.products.returns(this.methodsFuture);
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void callerDoesNotWaitForTheFilter() {
		this.filter.hold();
		CompletableFuture<@Nullable String> found = this.products.find(1);
		assertThat(found).isNotDone();
		assertThat(this.products.calls()).isEmpty();
		this.filter.release();
		assertThat(this.products.calls()).containsExactly(1L);
		assertThat(found).isNotDone();
		this.methodsFuture.complete("product");
		assertThat(found).isCompletedWithValue("product");
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE found");
	}

	@Test
	void methodIsCalledOnTheThreadThatBringsTheAnswer() throws Exception {
		this.filter.hold();
		this.products.find(1);
		Thread thread = new Thread(this.filter::release, "answer");
		thread.start();
		thread.join();
		assertThat(this.products.thread()).isEqualTo("answer");
	}

	@Test
	void absentKeyIsAnsweredWhenTheFilterHasAnswered() {
		this.filter.absent(1L);
		this.filter.hold();
		CompletableFuture<@Nullable String> found = this.products.find(1);
		CompletableFuture<List<String>> all = this.products.findAll(1);
		assertThat(all).isNotDone();
		this.filter.release();
		assertThat(found).isCompletedWithValue(null);
		assertThat(all).isCompletedWithValue(List.of());
		assertThat(this.products.calls()).isEmpty();
	}

	@Test
	void methodsOwnFutureIsReturnedIfTheAnswerIsThereAlready() {
		assertThat(this.products.find(1)).isSameAs(this.methodsFuture);
		assertThat(this.filter.loaded()).isEmpty();
		this.methodsFuture.complete(null);
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE empty");
	}

	@Test
	void whatIsLoadedInATransactionOfTheCallerIsReportedSo() {
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			this.products.find(1);
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
		this.methodsFuture.complete(null);
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE empty in a transaction");
	}

	@Test
	void failureOfTheFutureIsHandedOnUnchanged() {
		this.filter.hold();
		CompletableFuture<@Nullable String> found = this.products.find(1);
		List<@Nullable Throwable> seen = new ArrayList<>();
		found.whenComplete((value, ex) -> seen.add(ex));
		this.filter.release();
		IllegalStateException failure = new IllegalStateException("database");
		this.methodsFuture.completeExceptionally(failure);
		assertThat(seen).containsExactly(failure);
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void exceptionOfTheMethodIsThrownIfTheAnswerIsThereAlreadyAndElseCompletesTheFuture() {
		assertThatIllegalStateException().isThrownBy(() -> this.products.fail(1)).withMessage("fail 1");
		this.filter.hold();
		CompletableFuture<String> failed = this.products.fail(2);
		List<@Nullable Throwable> seen = new ArrayList<>();
		failed.whenComplete((value, ex) -> seen.add(ex));
		this.filter.release();
		assertThat(seen).singleElement().isInstanceOf(IllegalStateException.class);
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void cancelledCallIsNotMadeAnyMore() {
		this.filter.hold();
		this.products.find(1).cancel(true);
		this.filter.release();
		assertThat(this.products.calls()).isEmpty();
	}

	@Test
	void cancellationReachesTheMethodsFuture() {
		this.filter.hold();
		CompletableFuture<@Nullable String> found = this.products.find(1);
		this.filter.release();
		found.cancel(true);
		assertThat(this.methodsFuture).isCancelled();
	}

	@Test
	void methodThatReturnsNoFutureIsEmpty() {
		assertThat(this.products.nothing(1)).isNull();
		assertThat(this.filter.loaded()).containsExactly("1 MAYBE empty");
		this.filter.hold();
		CompletionStage<String> nothing = this.products.nothing(2);
		this.filter.release();
		assertThat(nothing.toCompletableFuture()).isCompletedWithValue(null);
		assertThat(this.filter.loaded()).hasSize(2);
	}

	@Test
	void keyThatCanNotBeCheckedGoesThroughAtOnce() {
		this.filter.hold();
		assertThat(this.products.findByObject(RecordingFilter.UNSUPPORTED).toCompletableFuture())
			.isCompletedWithValue("product");
		assertThat(this.filter.uncheckedCalls()).isEqualTo(1);
		assertThat(this.products.findByObject(null).toCompletableFuture()).isCompletedWithValue("product");
		assertThat(this.filter.uncheckedCalls()).isEqualTo(1);
	}

	@Test
	void filtersAreAskedOneAfterTheOther() {
		RecordingFilter orders = this.context.filter("orders");
		this.filter.hold();
		orders.hold();
		CompletableFuture<String> found = this.products.findOrder(1, 2);
		orders.release();
		assertThat(found).isNotDone();
		this.filter.release();
		assertThat(found).isCompletedWithValue("order");
		orders.absent(2L);
		assertThat(this.products.findOrder(1, 2)).isCompletedWithValue(null);
	}

	@Test
	void adviceInsideTheGuardSeesTheCallItAdvises() throws Exception {
		this.filter.hold();
		this.products.find(1);
		Thread thread = new Thread(this.filter::release);
		thread.start();
		thread.join();
		assertThat(this.context.bean(Listener.class).ids()).containsExactly(1L);
		assertThat(this.products.calls()).containsExactly(1L);
	}

	@Aspect
	static class Listener {

		private final List<Long> ids = new ArrayList<>();

		List<Long> ids() {
			return this.ids;
		}

		@Before("execution(* find(long)) && args(id)")
		void found(long id) {
			this.ids.add(id);
		}

	}

	static class Products {

		private final List<Object> calls = new ArrayList<>();

		private @Nullable CompletableFuture<@Nullable String> future;

		private @Nullable String thread;

		public void returns(CompletableFuture<@Nullable String> future) {
			this.future = future;
		}

		public List<Object> calls() {
			return this.calls;
		}

		public @Nullable String thread() {
			return this.thread;
		}

		@BloomGuarded("products")
		public CompletableFuture<@Nullable String> find(long id) {
			this.thread = Thread.currentThread().getName();
			this.calls.add(id);
			return this.future;
		}

		@BloomGuarded("products")
		public CompletableFuture<List<String>> findAll(long id) {
			this.calls.add(id);
			return CompletableFuture.completedFuture(List.of("product"));
		}

		@BloomGuarded("products")
		public CompletableFuture<String> fail(long id) {
			throw new IllegalStateException("fail " + id);
		}

		@BloomGuarded("products")
		public @Nullable CompletionStage<String> nothing(long id) {
			return null;
		}

		@BloomGuarded("products")
		public CompletionStage<String> findByObject(@Nullable Object key) {
			return CompletableFuture.completedFuture("product");
		}

		@BloomGuarded(filter = "products", key = "#product")
		@BloomGuarded(filter = "orders", key = "#order")
		public CompletableFuture<String> findOrder(long product, long order) {
			return CompletableFuture.completedFuture("order");
		}

	}

}
