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
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import io.github.bloomguard.annotation.BloomGuarded;
import io.reactivex.rxjava3.core.Single;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.domain.Slice;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for guarded methods that throw an exception for what is missing.
 */
class MissingTests {

	private final GuardContext context = GuardContext.of(Products.class, CacheConfiguration.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void absentKeyThrowsAnExceptionThatNamesTheFilterAndNotTheKey() {
		this.filter.absent(4711L);
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.find(4711))
			.withMessage("Not found (filter 'products')");
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void rememberedAbsenceThrowsAsWell() {
		this.filter.absent(7L);
		this.filter.remember();
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.find(7));
	}

	@Test
	void exceptionNeedsNoMessage() {
		this.filter.absent(7L);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.element(7));
		assertThatExceptionOfType(SilentException.class).isThrownBy(() -> this.products.silent(7));
	}

	@Test
	void anyTypeCanBeReturned() {
		this.filter.absent(7L);
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.response(7));
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.price(7));
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.slice(7));
	}

	@Test
	void absentKeyFailsTheFutureOrThePublisher() throws Exception {
		this.filter.absent(7L);
		assertThat(this.products.future(7)).isCompletedExceptionally();
		assertThatThrownBy(this.products.future(7)::join).hasCauseInstanceOf(NotFoundException.class);
		assertThatThrownBy(this.products.plainFuture(7)::get).isInstanceOf(ExecutionException.class)
			.hasCauseInstanceOf(NotFoundException.class);
		StepVerifier.create(this.products.mono(7)).verifyError(NotFoundException.class);
		StepVerifier.create(this.products.flux(7)).verifyError(NotFoundException.class);
		this.products.single(7).test().assertError(NotFoundException.class);
	}

	@Test
	void futureFailsAlsoIfTheAnswerComesLater() {
		this.filter.absent(7L);
		this.filter.hold();
		CompletableFuture<String> future = this.products.future(7);
		assertThat(future).isNotDone();
		this.filter.release();
		assertThatThrownBy(future::join).hasCauseInstanceOf(NotFoundException.class);
	}

	@Test
	void callThrowsIfNoneOfItsKeysMayExist() {
		this.filter.absent(7L, 8L);
		assertThat(this.products.findAllById(List.of(7L, 9L))).containsExactly(9L);
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.findAllById(List.of(7L, 8L)));
	}

	@Test
	void exceptionOfTheMethodMeansThatNothingWasFound() {
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.find(-1)).withMessage("-1");
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.findTwice(-2, "b"));
		assertThatThrownBy(this.products.future(-3)::join).hasCauseInstanceOf(NotFoundException.class);
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.stage(-4));
		StepVerifier.create(this.products.mono(-5)).verifyErrorMessage("-5");
		StepVerifier.create(this.products.flux(-6)).verifyErrorMessage("-6");
		assertThat(this.filter.loaded()).containsExactly("-1 MAYBE empty", "-2 MAYBE empty", "-3 MAYBE empty",
				"-4 MAYBE empty", "-5 MAYBE empty", "-6 MAYBE empty");
		assertThat(this.context.filter("orders").loaded()).isEmpty();
	}

	@Test
	void exceptionOfTheMethodMeansTheSameIfTheAnswerComesLater() {
		this.filter.hold();
		CompletableFuture<String> failed = this.products.future(-1);
		CompletionStage<String> stage = this.products.stage(-2);
		this.filter.release();
		assertThatThrownBy(failed::join).hasCauseInstanceOf(NotFoundException.class);
		assertThatThrownBy(stage.toCompletableFuture()::join).hasCauseInstanceOf(NotFoundException.class);
		assertThat(this.filter.loaded()).containsExactlyInAnyOrder("-1 MAYBE empty", "-2 MAYBE empty");
	}

	@Test
	void otherFailuresMeanNothing() {
		assertThatException().isThrownBy(() -> this.products.find(0)).withMessage("database");
		assertThatException().isThrownBy(this.products.future(0)::join);
		StepVerifier.create(this.products.mono(0)).verifyErrorMessage("database");
		StepVerifier.create(this.products.broken(0)).expectNext("a").verifyError(NotFoundException.class);
		assertThat(this.filter.checked()).hasSize(4);
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void eachAnnotationSaysWhatItsFilterThrows() {
		this.filter.absent(7L);
		this.context.filter("orders").absent("b");
		assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.findTwice(7, "a"))
			.withMessage("Not found (filter 'products')");
		assertThat(this.products.findTwice(8, "b")).isNull();
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void verificationTakesTheExceptionForFindingNothing() {
		this.filter.verifyAll();
		this.filter.absent(0L, -1L, 1L);
		for (long id : new long[] { 0, -1, 1 }) {
			assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> this.products.find(id));
			assertThat(this.products.future(id)).isCompletedExceptionally();
			StepVerifier.create(this.products.mono(id)).verifyError(NotFoundException.class);
		}
		assertThat(this.filter.verified()).hasSize(9);
		assertThat(this.filter.verified().subList(0, 3)).allMatch((verified) -> verified.endsWith("database"));
		assertThat(this.filter.verified().subList(3, 9)).containsExactly("-1 false", "-1 false", "-1 false", "1 true",
				"1 true", "1 true");
	}

	@Test
	void cacheDoesNotRememberTheExceptionButASentinelDoesOnRequest() {
		assertThat(this.products.cached(1)).isEqualTo("product");
		assertThat(this.products.cachedAndRemembered(2)).isEqualTo("product");
		assertThat(this.filter.ttls()).hasToString("[PT0S, PT9S]");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class CacheConfiguration {

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	static class NotFoundException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotFoundException(String message) {
			super(message);
		}

	}

	static final class ProductNotFoundException extends NotFoundException {

		private static final long serialVersionUID = 1L;

		ProductNotFoundException(long id) {
			super(String.valueOf(id));
		}

	}

	static class SilentException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	static class Products {

		/**
		 * Find a product with a positive key; there is none with a negative one.
		 */
		private static String load(long id) {
			if (id == 0) {
				throw new IllegalStateException("database");
			}
			if (id < 0) {
				throw new ProductNotFoundException(id);
			}
			return "product";
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public String find(long id) {
			return load(id);
		}

		@BloomGuarded(filter = "products", missing = NoSuchElementException.class)
		public String element(long id) {
			return load(id);
		}

		@BloomGuarded(filter = "products", missing = SilentException.class)
		public String silent(long id) {
			return load(id);
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public ResponseEntity<String> response(long id) {
			return ResponseEntity.ok("product");
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public int price(long id) {
			return 1;
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Slice<String> slice(long id) {
			throw new UnsupportedOperationException();
		}

		@BloomGuarded(filter = "products", key = "#id", missing = NotFoundException.class)
		@BloomGuarded(filter = "orders", key = "#order")
		public @Nullable String findTwice(long id, String order) {
			return load(id);
		}

		@BloomGuarded(filter = "products", keys = "#ids", missing = NotFoundException.class)
		public List<Long> findAllById(List<Long> ids) {
			return ids;
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public CompletableFuture<String> future(long id) {
			return CompletableFuture.supplyAsync(() -> load(id), Runnable::run);
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public CompletionStage<String> stage(long id) {
			return CompletableFuture.completedFuture(load(id));
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Future<String> plainFuture(long id) {
			return CompletableFuture.completedFuture(load(id));
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Mono<String> mono(long id) {
			return Mono.fromSupplier(() -> load(id));
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Flux<String> flux(long id) {
			return Flux.just(load(id));
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Flux<String> broken(long id) {
			return Flux.just("a").concatWith(Mono.error(new ProductNotFoundException(id)));
		}

		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public Single<String> single(long id) {
			return Single.just(load(id));
		}

		@Cacheable("cached")
		@BloomGuarded(filter = "products", missing = NotFoundException.class)
		public String cached(long id) {
			return load(id);
		}

		@Cacheable("cached")
		@BloomGuarded(filter = "products", missing = NotFoundException.class, emptyTtl = "9s")
		public String cachedAndRemembered(long id) {
			return load(id);
		}

	}

}
