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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

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
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link NothingFound}: look-ups that throw, and name no exception.
 */
class NothingFoundTests {

	private static final List<RuntimeException> OUTAGES = List.of(new DataAccessResourceFailureException("connection"),
			new QueryTimeoutException("slow"), new PessimisticLockingFailureException("lock"),
			new CannotCreateTransactionException("transaction"), new UncheckedIOException(new IOException("I/O")),
			new CompletionException(new TimeoutException()), new IllegalStateException(new SQLException("connection")),
			causedBy(new SQLException("connection")));

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
	void methodThatNeverReturnsNullIsCalledUntilSeveralKeysHaveToldWhatItThrows() {
		this.filter.absent(-1L, -2L, -3L, -4L);
		for (long id : new long[] { -1, -1, -2, -3 }) {
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(id))
				.withMessage(String.valueOf(id));
		}
		assertThat(this.filter.loaded()).hasSize(4).contains("-1 ABSENT empty");
		for (long id : new long[] { -1, -4 }) {
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(id))
				.withMessage("Not found (filter 'products')");
		}
		assertThat(this.filter.loaded()).hasSize(4);
	}

	@Test
	void methodOfAPossibleKeyTellsItAsWellIfNoRowHasIt() {
		this.filter.rows(-1L, -2L, -3L);
		this.filter.absent(-9L);
		for (long id : new long[] { -1, -2, -3, -9, -4, -5 }) {
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(id))
				.withMessage(String.valueOf(id));
		}
		assertThat(this.filter.loaded()).startsWith("-1 MAYBE empty").hasSize(6);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(-9))
			.withMessage("Not found (filter 'products')");
	}

	@Test
	void whatIsKnownIsNotChangedByWhatCallsDoLater() {
		this.filter.absent(-1L, -2L, -3L, -4L, -5L);
		for (long id : new long[] { -1, -2, -3 }) {
			assertThatException().isThrownBy(() -> this.products.get(id));
		}
		assertThat(this.unmarked.getOrNull(-1)).isNull();
		this.filter.shadow();
		for (long id : new long[] { -1, -2, -3, -4, -5 }) {
			assertThatExceptionOfType(EmptyResultDataAccessException.class)
				.isThrownBy(() -> this.products.get(id - 1000));
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.books.getById(id - 1000));
			assertThatExceptionOfType(NoSuchElementException.class)
				.isThrownBy(() -> this.unmarked.getOrNull(id - 1000));
		}
		this.filter.enforce();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.get(-1));
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.books.getById(-1));
		assertThat(this.unmarked.getOrNull(-1)).isNull();
	}

	@Test
	void methodThatReturnsNullIsAnsweredWithItHoweverManyMalformedKeysItHasRefused() {
		this.filter.absent(-1L, -1001L, -1002L, -1003L, -1004L);
		this.filter.shadow();
		for (long malformed : new long[] { -1001, -1002, -1003, -1004 }) {
			assertThatExceptionOfType(NoSuchElementException.class)
				.isThrownBy(() -> this.unmarked.getOrNull(malformed));
		}
		assertThat(this.unmarked.getOrNull(-1)).isNull();
		this.filter.enforce();
		assertThat(this.unmarked.getOrNull(-1)).isNull();
		assertThat(this.unmarked.getOrNull(-1001)).isNull();
	}

	@Test
	void callerWhoIsTheOnlyOneDoesNotChooseByMalformedKeysWhatIsThrown() {
		this.filter.absent("?", "??", "x?", "7-7-7", "b-9");
		this.filter.shadow();
		assertThat(this.unmarked.byCode("a-7")).isEqualTo("product");
		for (String malformed : List.of("?", "??", "x?", "7-7-7")) {
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.unmarked.byCode(malformed));
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.products.byCode(malformed));
		}
		this.filter.enforce();
		assertThat(this.unmarked.byCode("b-9")).isNull();
		assertThat(this.unmarked.byCode("?")).isNull();
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.products.byCode("b-9"))
			.as("it is called, as nothing is known")
			.withMessage("code");
	}

	@Test
	void keyThatIsWrittenAsThoseOfRowsTellsWhatTheMethodDoes() {
		this.filter.absent("b-9", "b-10", "abc-77");
		assertThat(this.products.byCode("a-7")).isEqualTo("product");
		for (String absent : List.of("b-9", "b-10", "abc-77")) {
			assertThatExceptionOfType(EmptyResultDataAccessException.class)
				.isThrownBy(() -> this.products.byCode(absent))
				.withMessage("code");
		}
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.products.byCode("b-9"))
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
		this.filter.absent(-1L, -2L, -3L, -4L);
		for (long id : new long[] { -1, -2, -3, -4 }) {
			assertThat(this.products.carelessly(id)).isNull();
		}
		assertThat(this.filter.loaded()).hasSize(3);
	}

	@Test
	void numberThatCountsIsZeroAlsoIfItIsBoxed() {
		this.filter.absent(-1L);
		assertThat(this.products.count(-1)).isZero();
		assertThat(this.unmarked.existsById(-1)).isFalse();
		assertThat(this.unmarked.countById(-1)).isCompletedWithValue(0L);
		assertThat(this.unmarked.stockOf(-1)).isNull();
		assertThat(this.filter.loaded()).isEmpty();
	}

	@Test
	void otherNumberThatIsNeverNullIsZeroOnceThatWasSeen() {
		this.filter.absent(-1L, -2L, -3L, -4L);
		for (long id : new long[] { -1, -2, -3, -4 }) {
			assertThat(this.products.stockOf(id)).isZero();
		}
		assertThat(this.filter.loaded()).hasSize(3);
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
	void failureThatCanNotMeanThatThereIsNoRowIsNeverSuggested() {
		this.filter.absent(-1L);
		try (LogLines log = LogLines.of(NothingFound.class, Level.WARN)) {
			for (RuntimeException failure : OUTAGES) {
				assertThatThrownBy(() -> this.products.fail(-1, failure)).isSameAs(failure);
			}
			assertThat(log.lines()).isEmpty();
			RuntimeException ambiguous = new IllegalStateException("not open");
			assertThatThrownBy(() -> this.products.fail(-1, ambiguous)).isSameAs(ambiguous);
			assertThat(log.lines()).singleElement()
				.asString()
				.endsWith(
						"Products.fail(long, RuntimeException) has failed with java.lang.IllegalStateException for a key that is not in the"
								+ " filter, which proves nothing; a method that throws for what is missing needs an exception"
								+ " that it throws for nothing else, named as missing");
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
	void typeThatMayBeNullIsAnsweredWithItUnlessTheMethodWasSeenToThrowBefore() {
		this.filter.absent(-1L, -2L, -3L);
		this.filter.shadow();
		for (long id : new long[] { -1, -2, -3 }) {
			assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.unmarked.get(id));
		}
		assertThat(this.filter.loaded()).containsExactly("-1 ABSENT empty", "-2 ABSENT empty", "-3 ABSENT empty");
		this.filter.enforce();
		try (LogLines log = LogLines.of(NothingFound.class, Level.WARN)) {
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.unmarked.get(-1))
					.withMessage("Not found (filter 'products')");
			}
			assertThat(log.lines()).singleElement()
				.asString()
				.endsWith("Unmarked.get(long) throws " + EmptyResultDataAccessException.class.getName()
						+ " for what is missing, and so does the guard from now on; to have that from the start, write"
						+ " missing = EmptyResultDataAccessException.class");
		}
	}

	@Test
	void callForAKeyThatHasARowTellsNothing() {
		this.filter.absent(-1L, -2L, -3L);
		this.filter.rows(-3L);
		this.filter.shadow();
		for (long id : new long[] { -1, -2, -3 }) {
			assertThatException().isThrownBy(() -> this.unmarked.get(id));
		}
		this.filter.enforce();
		assertThat(this.unmarked.get(-1)).isNull();
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
		this.filter.absent(-1L, -2L, -3L);
		this.filter.shadow();
		for (long id : new long[] { -1, -2, -3 }) {
			assertThatThrownBy(this.unmarked.future(id)::join).hasCauseInstanceOf(NoSuchElementException.class);
			StepVerifier.create(this.unmarked.mono(id)).verifyErrorMessage(String.valueOf(id));
		}
		this.filter.enforce();
		assertThatThrownBy(this.unmarked.future(-1)::join).hasCauseInstanceOf(NoSuchElementException.class)
			.hasMessageContaining("Not found");
		StepVerifier.create(this.unmarked.mono(-1)).verifyErrorMessage("Not found (filter 'products')");
		assertThat(this.filter.loaded()).hasSize(6);
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

	private static RuntimeException causedBy(Exception failure) {
		RuntimeException notFound = new MissingTests.NotFoundException("or not there");
		notFound.initCause(failure);
		return notFound;
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

	/**
	 * Codes are letters, a dash and digits.
	 */
	private static String checked(String code) {
		if (!code.matches("[a-z]+-[0-9]+")) {
			throw new NoSuchElementException(code);
		}
		return code;
	}

	static class Products {

		@BloomGuarded("products")
		public String byCode(String code) {
			if (checked(code).startsWith("a-")) {
				return "product";
			}
			throw new EmptyResultDataAccessException("code", 1);
		}

		@BloomGuarded(filter = "products", key = "#id")
		public String fail(long id, RuntimeException failure) {
			throw failure;
		}

		@BloomGuarded("products")
		public String get(long id) {
			if (id < -1000) {
				throw new EmptyResultDataAccessException(1);
			}
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

		@BloomGuarded("products")
		public Integer stockOf(long id) {
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
		public String byCode(String code) {
			return checked(code).startsWith("a-") ? "product" : null;
		}

		@BloomGuarded("products")
		public Map<String, Object> row(long id) {
			return (id < 0) ? null : Map.of("id", id);
		}

		@BloomGuarded("products")
		public String get(long id) {
			return load(id, new EmptyResultDataAccessException(1));
		}

		@BloomGuarded("products")
		public Boolean existsById(long id) {
			return id > 0;
		}

		@BloomGuarded("products")
		public CompletableFuture<Long> countById(long id) {
			return CompletableFuture.completedFuture(1L);
		}

		@BloomGuarded("products")
		public Integer stockOf(long id) {
			return 1;
		}

		/**
		 * Keys below -1000 are malformed.
		 */
		@BloomGuarded("products")
		public String getOrNull(long id) {
			return (id < -1000) ? load(id, new NoSuchElementException()) : (id < 0) ? null : "product";
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
							: load((long) arguments[0], ((long) arguments[0] < -1000) ? new NoSuchElementException()
									: new EmptyResultDataAccessException("Result must not be null", 1)));
		}

		@Override
		public Class<?> getObjectType() {
			return Books.class;
		}

	}

}
