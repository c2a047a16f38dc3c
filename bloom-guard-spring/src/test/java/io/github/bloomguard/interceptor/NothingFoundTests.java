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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.result.NothingFound;
import io.github.bloomguard.testsupport.LogLines;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.data.repository.Repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link NothingFound}: look-ups that throw, and name no exception.
 */
class NothingFoundTests {

	private final GuardContext context = GuardContext.of(Products.class, Unmarked.class, BooksFactory.class,
			MissingTests.CacheConfiguration.class);

	private final Products products = this.context.bean(Products.class);

	private final Unmarked unmarked = this.context.bean(Unmarked.class);

	private final Books books = this.context.bean(Books.class);

	private final RecordingFilter filter = this.context.products();

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void repositoryThatNeverReturnsNullThrowsForAnAbsentKeyWhatSpringDataThrows() {
		this.filter.absent(7L);
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.books.getById(7))
			.withMessage("Not found (filter 'products')")
			.satisfies((exception) -> {
				assertThat(exception.getExpectedSize()).isEqualTo(1);
				assertThat(exception.getActualSize()).isZero();
			});
		assertThat(this.filter.loaded()).isEmpty();
		assertThat(this.books.findById(7)).isNull();
		assertThat(this.books.countById(7)).isZero();
	}

	@Test
	void whatARepositoryThrowsMeansThatNothingWasFoundAndIsRemembered() {
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.books.getById(-1));
		assertThat(this.filter.loaded()).containsExactly("-1 MAYBE empty");
		this.filter.absent(-1L);
		this.filter.remember();
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.books.getById(-1));
	}

	@Test
	void defaultMethodOfARepositoryMayThrowSomethingElse() {
		this.filter.absent(-1L);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(MissingTests.NotFoundException.class).isThrownBy(() -> this.books.require(-1))
				.withMessage("-1");
		}
	}

	@Test
	void methodThatNeverReturnsNullIsCalledUntilItIsKnownWhatItThrows() {
		this.filter.absent(-1L, -2L);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(-1))
			.withMessage("-1");
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
		for (long id : new long[] { -1, -2 }) {
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(id))
				.withMessage("Not found (filter 'products')");
		}
		assertThat(this.filter.loaded()).hasSize(1);
	}

	@Test
	void methodOfAPossibleKeyTellsItAsWell() {
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(-1));
		assertThat(this.filter.loaded()).containsExactly("-1 MAYBE empty");
		this.filter.absent(-2L);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(-2))
			.withMessage("Not found (filter 'products')");
	}

	@Test
	void rowThatIsFoundMeanwhileIsReported() {
		this.filter.absent(1L);
		assertThat(this.products.get(1)).isEqualTo("product");
		assertThat(this.filter.loaded()).containsExactly("1 ABSENT found");
	}

	@Test
	void methodThatReturnsNullAllTheSameIsAnsweredWithNull() {
		this.filter.absent(-1L);
		assertThat(this.products.carelessly(-1)).isNull();
		assertThat(this.products.carelessly(-1)).isNull();
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
	}

	@Test
	void numberThatIsNeverNullIsZeroOnceThatWasSeen() {
		this.filter.absent(-1L, -2L);
		assertThat(this.products.count(-1)).isZero();
		assertThat(this.products.count(-2)).isZero();
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
	}

	@Test
	void manyKeysAreNotLeftOutWhileItIsNotKnownWhatTheMethodDoes() {
		this.filter.absent(-1L, -2L);
		assertThat(this.products.report(List.of(-1L, -2L))).isEqualTo("[-1, -2]");
		assertThat(this.products.report(List.of(-1L, 3L))).isEqualTo("[3]");
	}

	@Test
	void exceptionThatMayMeanAnythingProvesNothingAndIsNamedOnce() {
		this.filter.absent(-1L);
		try (LogLines log = LogLines.of(NothingFound.class, Level.WARN)) {
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(MissingTests.NotFoundException.class)
					.isThrownBy(() -> this.products.getOrFail(-1))
					.withMessage("-1");
			}
			assertThat(log.lines()).singleElement()
				.asString()
				.endsWith("WARN @BloomGuarded on NothingFoundTests.Products.getOrFail(long) has failed with "
						+ MissingTests.ProductNotFoundException.class.getName()
						+ " for a key that is not in the filter, which proves nothing; if it means that there is no such"
						+ " row, write missing = ProductNotFoundException.class");
		}
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void exceptionThatCanNotBeMadeLetsCallsThrough() {
		this.filter.absent(-1L);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(OwnException.class).isThrownBy(() -> this.products.getOwn(-1));
		}
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void namedExceptionIsThrownAlthoughTheMethodThrowsAnother() {
		this.filter.shadow();
		this.filter.absent(-1L);
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.products.named(-1));
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.products.named(-2));
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty", "-2 MAYBE empty");
		this.filter.enforce();
		assertThatExceptionOfType(MissingTests.NotFoundException.class).isThrownBy(() -> this.products.named(-1));
	}

	@Test
	void exceptionOfSpringCanBeNamed() {
		this.filter.absent(7L);
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.products.namedEmpty(7))
			.withMessage("Not found (filter 'products')");
	}

	@Test
	void typeThatMayBeNullIsAnsweredWithItUntilTheMethodWasSeenToThrow() {
		this.filter.absent(-1L);
		assertThat(this.unmarked.get(-1)).isNull();
		this.filter.shadow();
		try (LogLines log = LogLines.of(NothingFound.class, Level.WARN)) {
			assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.unmarked.get(-1));
			assertThat(log.lines()).singleElement()
				.asString()
				.endsWith("Unmarked.get(long) throws " + EmptyResultDataAccessException.class.getName()
						+ " for what is missing, and so does the guard from now on; to have that from the start, write"
						+ " missing = EmptyResultDataAccessException.class");
		}
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty");
		this.filter.enforce();
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.unmarked.get(-1))
			.withMessage("Not found (filter 'products')");
	}

	@Test
	void rowThatIsAMapIsEmptyForAnAbsentKeyAndItIsSaidOnceThatTheMethodReturnsNull() {
		this.filter.absent(-1L);
		try (LogLines log = LogLines.of(NothingFound.class, Level.WARN)) {
			for (int i = 0; i < 2; i++) {
				assertThat(this.unmarked.row(-2)).isNull();
				assertThat(this.unmarked.row(-1)).isEmpty();
			}
			assertThat(log.lines()).singleElement()
				.asString()
				.endsWith("Unmarked.row(long) returns null for what is missing, and the guard an empty map;"
						+ " return an Optional of the map, or an empty one");
		}
		assertThat(this.filter.loaded()).containsExactly("-2 MAYBE empty", "-2 MAYBE empty");
	}

	@Test
	void failureForAPossibleKeyIsNotRememberedIfTheTypeDoesNotTell() {
		assertThatException().isThrownBy(() -> this.unmarked.get(-1));
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void futureAndPublisherFailOnceThatWasSeen() {
		this.filter.absent(-1L);
		assertThat(this.unmarked.future(-1)).isCompletedWithValue(null);
		StepVerifier.create(this.unmarked.mono(-1)).verifyComplete();
		this.filter.shadow();
		assertThatThrownBy(this.unmarked.future(-1)::join).hasCauseInstanceOf(NoSuchElementException.class);
		StepVerifier.create(this.unmarked.mono(-1)).verifyErrorMessage("-1");
		this.filter.enforce();
		assertThatThrownBy(this.unmarked.future(-1)::join).hasCauseInstanceOf(NoSuchElementException.class)
			.hasMessageContaining("Not found");
		StepVerifier.create(this.unmarked.mono(-1)).verifyErrorMessage("Not found (filter 'products')");
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty", "-1 ABSENT empty");
		this.filter.hold();
		CompletableFuture<String> later = this.unmarked.future(-1);
		this.filter.release();
		assertThatThrownBy(later::join).hasCauseInstanceOf(NoSuchElementException.class);
	}

	@Test
	void verificationTakesItForFindingNothing() {
		this.filter.absent(-1L, 1L);
		this.filter.verifyAll();
		assertThatException().isThrownBy(() -> this.books.getById(-1));
		assertThat(this.unmarked.get(-1)).isNull();
		assertThat(this.unmarked.get(1)).isNull();
		assertThat(this.filter.verified()).containsExactly("-1 false", "-1 false", "1 true");
	}

	@Test
	void sentinelsRememberOnRequestWhatNoCacheDoes() {
		this.products.cached(1);
		this.products.cachedAndRemembered(1);
		assertThat(this.filter.ttls()).containsExactly(Duration.ZERO, Duration.ofSeconds(9));
	}

	private static String load(long id, RuntimeException failure) {
		if (id < 0) {
			throw failure;
		}
		return "product";
	}

	static class OwnException extends NoSuchElementException {

		private static final long serialVersionUID = 1L;

		OwnException(long id) {
			super(String.valueOf(id));
		}

	}

	static class Products {

		@BloomGuarded("products")
		public String get(long id) {
			return load(id, new NoSuchElementException(String.valueOf(id)));
		}

		@BloomGuarded("products")
		public String getOrFail(long id) {
			return load(id, new MissingTests.ProductNotFoundException(id));
		}

		@BloomGuarded("products")
		public String getOwn(long id) {
			return load(id, new OwnException(id));
		}

		@BloomGuarded("products")
		@SuppressWarnings("NullAway")
		public String carelessly(long id) {
			return null;
		}

		@BloomGuarded("products")
		public Integer count(long id) {
			return 0;
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public Object report(List<Long> ids) {
			return new ArrayList<>(ids).toString();
		}

		@BloomGuarded(filter = "products", missing = MissingTests.NotFoundException.class)
		public String named(long id) {
			return load(id, new EmptyResultDataAccessException(1));
		}

		@BloomGuarded(filter = "products", missing = EmptyResultDataAccessException.class)
		public String namedEmpty(long id) {
			return load(id, new EmptyResultDataAccessException(1));
		}

		@Cacheable("cached")
		@BloomGuarded("products")
		public String cached(long id) {
			return load(id, new NoSuchElementException());
		}

		@Cacheable("cached")
		@BloomGuarded(filter = "products", emptyTtl = "9s")
		public String cachedAndRemembered(long id) {
			return load(id, new NoSuchElementException());
		}

	}

	@NullUnmarked
	static class Unmarked {

		@BloomGuarded("products")
		public Map<String, Object> row(long id) {
			return (id < 0) ? null : Map.of("id", id);
		}

		@BloomGuarded("products")
		public String get(long id) {
			return load(id, new EmptyResultDataAccessException(1));
		}

		@BloomGuarded("products")
		public CompletableFuture<String> future(long id) {
			return CompletableFuture.supplyAsync(() -> load(id, new NoSuchElementException(String.valueOf(id))),
					Runnable::run);
		}

		@BloomGuarded("products")
		public Mono<String> mono(long id) {
			return Mono.fromSupplier(() -> load(id, new NoSuchElementException(String.valueOf(id))));
		}

	}

	interface Books extends Repository<String, Long> {

		@BloomGuarded("products")
		String getById(long id);

		@BloomGuarded("products")
		@Nullable String findById(long id);

		@BloomGuarded("products")
		int countById(long id);

		@BloomGuarded("products")
		default String require(long id) {
			return load(id, new MissingTests.ProductNotFoundException(id));
		}

	}

	/**
	 * Makes what Spring Data makes of an interface.
	 */
	static class BooksFactory implements FactoryBean<Books> {

		@Override
		public Books getObject() {
			return (Books) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Books.class },
					(proxy, method, arguments) -> method.getName().equals("require")
							? load((long) arguments[0], new MissingTests.ProductNotFoundException((long) arguments[0]))
							: load((long) arguments[0],
									new EmptyResultDataAccessException("Result must not be null", 1)));
		}

		@Override
		public Class<?> getObjectType() {
			return Books.class;
		}

	}

}
