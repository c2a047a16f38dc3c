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

package io.github.bloomguard.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@code fallback.max-concurrent-loads}.
 */
@Tag("slow")
class LoadLimitTests {

	private static final String LIMIT = "bloom-guard.filters.products.fallback.max-concurrent-loads=";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final CountDownLatch warmUp = new CountDownLatch(1);

	private final Keys keys = new Keys("products", 100);

	@BeforeEach
	void holdTheWarmUp() {
		redis.command("FLUSHALL");
		this.keys.beforeRead(() -> {
			try {
				this.warmUp.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	@AfterEach
	void letTheWarmUpGo() {
		this.warmUp.countDown();
	}

	@Test
	void callsAboveTheLimitAreRejectedUntilOthersHaveEnded() {
		try (GuardApplication application = start(LIMIT + 2)) {
			Products products = application.bean(Products.class);
			CountDownLatch held = new CountDownLatch(1);
			List<CompletableFuture<String>> loading = IntStream.of(1, 2)
				.mapToObj((id) -> CompletableFuture.supplyAsync(() -> products.find(id, held),
						(task) -> new Thread(task).start()))
				.toList();
			Awaitility.await().until(() -> products.held() == 2);
			assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> products.find(3, null))
				.withMessage("The filter 'products' can't tell (it is LOADING), and 2 calls are loading already:"
						+ " as many as bloom-guard.filters.products.fallback.max-concurrent-loads allows");
			assertThat(application.bean(RecordingListener.class).events()).containsOnlyOnce("products rejected");
			held.countDown();
			assertThat(loading).extracting(CompletableFuture::join).containsExactly("product 1", "product 2");
			assertThat(products.find(3, null)).isEqualTo("product 3");
		}
	}

	private static boolean isRejected(Products products) {
		try {
			products.find(3, null);
			return false;
		}
		catch (LoadRejectedException ex) {
			return true;
		}
	}

	@Test
	void nothingIsRejectedByDefault() {
		try (GuardApplication application = start()) {
			Products products = application.bean(Products.class);
			CountDownLatch all = new CountDownLatch(20);
			List<Thread> callers = IntStream.range(0, 20).mapToObj((id) -> new Thread(() -> {
				all.countDown();
				products.find(id, all);
			})).toList();
			callers.forEach(Thread::start);
			Awaitility.await().until(() -> callers.stream().noneMatch(Thread::isAlive));
			assertThat(products.find(1, null)).isEqualTo("product 1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "shadow", "off" })
	void filterThatDoesNotAnswerDoesNotRejectEither(String mode) {
		try (GuardApplication application = start(LIMIT + 1, "bloom-guard.filters.products.mode=" + mode)) {
			assertThat(inside(application, () -> application.bean(Products.class).find(1, null)))
				.isEqualTo("product 1");
		}
	}

	@Test
	void nothingIsRejectedOnceTheFilterKnows() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			assertThat(inside(application, () -> {
				assertThat(isRejected(products)).isTrue();
				this.warmUp.countDown();
				application.awaitReady();
				return products.find(3, null);
			})).isEqualTo("product 3");
		}
	}

	@Test
	void questionsAndCallsWithoutAKeyNeedNoPermit() {
		try (GuardApplication application = start(LIMIT + 1)) {
			BloomGuard guard = application.guard();
			assertThat(inside(application, () -> {
				assertThat(guard.mightContain("products", 1)).isTrue();
				assertThat(guard.membership("products", 1)).isEqualTo(Membership.UNKNOWN);
				assertThat(application.bean(Products.class).findByObject(null)).isEqualTo("null");
				return guard.get("products", null, () -> "for null");
			})).isEqualTo("for null");
		}
	}

	@Test
	void permitOfALoaderIsGivenBackAlsoByAnException() {
		try (GuardApplication application = start(LIMIT + 1)) {
			BloomGuard guard = application.guard();
			for (int i = 0; i < 3; i++) {
				assertThatIllegalStateException().isThrownBy(() -> guard.get("products", 1, () -> {
					throw new IllegalStateException("database");
				}));
			}
			assertThat(guard.get("products", 1, () -> {
				assertThatExceptionOfType(LoadRejectedException.class)
					.isThrownBy(() -> guard.get("products", 2, () -> "two"));
				return "one";
			})).isEqualTo("one");
		}
	}

	@Test
	void permitOfAMethodIsGivenBackAlsoByAnException() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			assertThatIllegalStateException().isThrownBy(products::fail);
			assertThatIllegalStateException().isThrownBy(() -> products.failAll(List.of(1L)));
			assertThat(products.find(1, null)).isEqualTo("product 1");
		}
	}

	@Test
	void callWithManyKeysNeedsOnePermit() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			assertThat(products.findAll(List.of(1L, 2L, 3L))).hasSize(3);
			assertThat(products.findAll(List.of(1L, 2L, 3L))).hasSize(3);
			assertThatExceptionOfType(LoadRejectedException.class)
				.isThrownBy(() -> inside(application, () -> products.findAll(List.of(1L)).toString()));
			assertThat(products.findAll(List.of())).isEmpty();
		}
	}

	@Test
	void callThatAnotherFilterAnswersNeedsNoPermit() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			Awaitility.await().until(() -> application.guard().membership("orders", 1) == Membership.MAYBE);
			assertThat(products.findOrder(1, 1)).isEqualTo("order");
			assertThat(inside(application, () -> {
				assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> products.findOrder(1, 1));
				return products.findOrder(1, 1_000_000);
			})).isNull();
			assertThat(products.findOrder(1, 1)).isEqualTo("order");
		}
	}

	@Test
	void twoKeysOfOneFilterNeedOnePermit() {
		try (GuardApplication application = start(LIMIT + 1)) {
			assertThat(application.bean(Products.class).findPair(1, 2)).isEqualTo("pair");
		}
	}

	@Test
	void permitOfAFutureIsGivenBackHoweverItEnds() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			for (int i = 0; i < 50; i++) {
				assertThat(products.findLater(CompletableFuture.completedFuture("product")).join())
					.isEqualTo("product");
			}
			assertThatExceptionOfType(CompletionException.class).isThrownBy(
					() -> products.findLater(CompletableFuture.failedFuture(new IllegalStateException())).join());
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> products.findLater(null).get());
			CompletableFuture<String> open = new CompletableFuture<>();
			CompletableFuture<String> cancelled = products.findLater(open);
			Awaitility.await().until(() -> open.getNumberOfDependents() > 0);
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> products.findLater(CompletableFuture.completedFuture("other")).get())
				.withCauseInstanceOf(LoadRejectedException.class);
			cancelled.cancel(true);
			assertThat(open).isCancelled();
			assertThat(products.findLater(CompletableFuture.completedFuture("product")).join()).isEqualTo("product");
		}
	}

	@Test
	void permitOfAMonoIsGivenBackHoweverItEnds() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			for (int i = 0; i < 50; i++) {
				assertThat(products.findMono(Mono.just("product")).block()).isEqualTo("product");
			}
			assertThat(products.findMono(Mono.empty()).block()).isNull();
			assertThatIllegalStateException()
				.isThrownBy(() -> products.findMono(Mono.error(new IllegalStateException())).block());
			assertThatIllegalStateException().isThrownBy(() -> products.findMono(null).block());
			Sinks.One<String> open = Sinks.one();
			Disposable subscription = products.findMono(open.asMono()).subscribe();
			Awaitility.await().until(() -> open.currentSubscriberCount() == 1);
			assertThatExceptionOfType(LoadRejectedException.class)
				.isThrownBy(() -> products.findMono(Mono.just("other")).block());
			subscription.dispose();
			assertThat(products.findMono(Mono.just("product")).block()).isEqualTo("product");
		}
	}

	@Test
	void permitOfAFluxIsGivenBackHoweverItEnds() {
		try (GuardApplication application = start(LIMIT + 1)) {
			Products products = application.bean(Products.class);
			for (int i = 0; i < 50; i++) {
				assertThat(products.findFlux(Flux.just("a", "b")).collectList().block()).containsExactly("a", "b");
			}
			assertThatIllegalStateException()
				.isThrownBy(() -> products.findFlux(Flux.error(new IllegalStateException())).blockLast());
			assertThat(products.findFlux(Flux.just("a").concatWith(Flux.never())).blockFirst()).isEqualTo("a");
			assertThat(products.findFlux(Flux.just("a")).blockLast()).isEqualTo("a");
		}
	}

	@Test
	void negativeLimitIsRefused() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> start(LIMIT + -1).close())
			.havingRootCause()
			.isInstanceOf(InvalidGuardException.class)
			.withMessageContaining("bloom-guard.filters.products.fallback.max-concurrent-loads is -1")
			.withMessageContaining("0 for no limit");
	}

	private GuardApplication start(String... properties) {
		List<String> all = new ArrayList<>(List.of("bloom-guard.filters.orders.expected-insertions=100",
				"bloom-guard.filters.orders.false-positive-probability=0.000000001",
				"bloom-guard.filters.orders.verification.required-calls=0",
				"bloom-guard.filters.orders.rebuild.settle=0s",
				"bloom-guard.filters.orders.rebuild.longest-transaction=100ms"));
		all.addAll(List.of(properties));
		return GuardApplication.start(redis,
				List.of(this.keys, new Keys("orders", 100), Products.class, new RecordingListener()),
				all.toArray(String[]::new));
	}

	/**
	 * Do something while a call holds a permit.
	 */
	private static @Nullable String inside(GuardApplication application, Loading action) {
		return application.guard().get("products", 1, action::run);
	}

	@FunctionalInterface
	interface Loading {

		@Nullable String run();

	}

	static class Products {

		private final AtomicInteger held = new AtomicInteger();

		public int held() {
			return this.held.get();
		}

		@BloomGuarded(filter = "products", key = "#id")
		public @Nullable String find(long id, @Nullable CountDownLatch held) {
			if (held != null) {
				this.held.incrementAndGet();
				try {
					held.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			return "product " + id;
		}

		@BloomGuarded("products")
		public String findByObject(@Nullable Object key) {
			return String.valueOf(key);
		}

		@BloomGuarded(filter = "products", key = "1")
		public String fail() {
			throw new IllegalStateException("database");
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
