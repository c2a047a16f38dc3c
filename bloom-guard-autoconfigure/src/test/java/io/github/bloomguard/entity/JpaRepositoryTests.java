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

package io.github.bloomguard.entity;

import java.util.List;
import java.util.Optional;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.entity.Shop.Book;
import io.github.bloomguard.entity.Shop.Receipt;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for guarded repositories of Spring Data JPA.
 */
@Tag("slow")
class JpaRepositoryTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create();

	@AutoClose
	private static GuardApplication application;

	private static Books books;

	@BeforeAll
	static void startApplication() {
		Shop.start(redis, postgres, List.of()).close();
		redis.command("FLUSHALL");
		postgres.execute("insert into book (isbn, title) values ('old', 'Old')");
		application = Shop
			.awaitReady(Shop.start(redis, postgres, List.of(Repositories.class), "spring.cache.type=simple"));
		books = application.bean(Books.class);
	}

	@Test
	void methodsOfARepositoryFindWhatThereIs() {
		books.save(new Book("one"));
		books.saveAll(List.of(new Book("two"), new Book("three")));
		assertThat(books.findById("one")).isPresent();
		assertThat(books.findByIsbn("two")).isNotNull();
		assertThat(books.findAllById(List.of("three", "old", "none"))).extracting((book) -> book.isbn)
			.containsExactlyInAnyOrder("three", "old");
	}

	@Test
	void methodsOfARepositoryAreNotCalledForWhatTheFilterDoesNotKnow() {
		postgres.execute("insert into book (isbn, title) values ('unseen', 'Unseen')");
		assertThat(books.findById("unseen")).isEmpty();
		assertThat(books.findByIsbn("unseen")).isNull();
		assertThat(books.findAllById(List.of("unseen"))).isEmpty();
		assertThat(books.findAllById(List.of("unseen", "old"))).extracting((book) -> book.isbn).containsExactly("old");
	}

	@Test
	void methodThatNeverReturnsNullThrowsTheSameWhetherItIsCalledOrNot() {
		books.save(new Book("got"));
		assertThat(books.getByIsbn("got").isbn).isEqualTo("got");
		postgres.execute("delete from book where isbn = 'got'");
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> books.getByIsbn("got"))
			.withMessage("Result must not be null")
			.satisfies((exception) -> assertThat(exception.getExpectedSize()).isEqualTo(1));
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> books.getByIsbn("absent"))
			.withMessage("Not found (filter 'books')")
			.satisfies((exception) -> assertThat(exception.getExpectedSize()).isEqualTo(1));
	}

	@Test
	void guardStandsBeforeTheCacheOfARepository() {
		CacheManager caches = application.bean(CacheManager.class);
		books.save(new Book("cached"));
		assertThat(books.findById("cached")).isPresent();
		assertThat(books.findById("absent")).isEmpty();
		assertThat(caches.getCache("books").get("cached")).isNotNull();
		assertThat(caches.getCache("books").get("absent")).isNull();
	}

	@Test
	void transactionFindsWhatItInsertsBeforeItsCommit() {
		TransactionTemplate transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		transactions.executeWithoutResult((status) -> {
			books.saveAndFlush(new Book("flushed"));
			assertThat(books.findByIsbn("flushed")).isNotNull();
			assertThat(books.findAllById(List.of("flushed"))).hasSize(1);
		});
		EntityManager entities = application.bean(EntityManager.class);
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Book("persisted"));
			assertThat(books.findByIsbn("persisted")).isNotNull();
		});
		transactions.executeWithoutResult((status) -> {
			entities.merge(new Book("merged"));
			assertThat(books.findAllById(List.of("merged"))).hasSize(1);
			status.setRollbackOnly();
		});
		assertThat(books.findAllById(List.of("merged"))).isEmpty();
		assertThat(application.bean(ManagedFilters.class).find("books").filter().state()).isEqualTo(FilterState.READY);
	}

	@Test
	void rowWhoseDeletionIsRolledBackIsFound() {
		books.save(new Book("kept"));
		forgetWhatWasAdded();
		new TransactionTemplate(application.bean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
			books.deleteById("kept");
			books.flush();
			assertThat(books.readByIsbn("kept")).isEmpty();
			status.setRollbackOnly();
		});
		assertThat(books.readByIsbn("kept")).isPresent();
	}

	/**
	 * Keep the set, whose loss would be noticed.
	 */
	private static void forgetWhatWasAdded() {
		redis.command("ZREMRANGEBYSCORE", "bloom-guard:{books}:added", "-inf", "(+inf");
	}

	@Test
	void annotatedMethodsOfARepositoryAddWhatTheySave() {
		Receipts receipts = application.bean(Receipts.class);
		TransactionTemplate transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		Receipt saved = transactions.execute((status) -> receipts.save(new Receipt()));
		List<Receipt> more = transactions.execute((status) -> receipts.saveAll(List.of(new Receipt(), new Receipt())));
		assertThat(receipts.findById(saved.id)).isPresent();
		assertThat(more).hasSize(2).allSatisfy((receipt) -> assertThat(receipts.findById(receipt.id)).isPresent());
		assertThat(application.guard().membership("receipts", 4711)).isEqualTo(Membership.ABSENT);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	@EnableJpaRepositories(basePackageClasses = JpaRepositoryTests.class, considerNestedRepositories = true)
	static class Repositories {

	}

	interface Books extends JpaRepository<Book, String> {

		@Override
		@BloomGuarded(filter = "books")
		@Cacheable("books")
		Optional<Book> findById(String isbn);

		@BloomGuarded(filter = "books", key = "#isbn")
		@Nullable Book findByIsbn(String isbn);

		@BloomGuarded(filter = "books", key = "#isbn")
		Book getByIsbn(String isbn);

		@BloomGuarded(filter = "books", key = "#isbn")
		Optional<Book> readByIsbn(String isbn);

		@Override
		@BloomGuarded(filter = "books", keys = "#isbns")
		List<Book> findAllById(Iterable<String> isbns);

	}

	interface Receipts extends JpaRepository<Receipt, Integer> {

		@Override
		@BloomGuarded(filter = "receipts")
		Optional<Receipt> findById(Integer id);

		@Override
		@BloomAdd(filter = "receipts", key = "#result.id")
		<S extends Receipt> S save(S receipt);

		@Override
		@BloomAdd(filter = "receipts", keys = "#result.![id]")
		<S extends Receipt> List<S> saveAll(Iterable<S> receipts);

	}

}
