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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestTransactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionContextManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for guarded methods that are {@code @Transactional}, too.
 */
class BloomAddTransactionTests {

	@Test
	void keyIsAddedBeforeTheCommitIfTheTransactionAdvisorWasRegisteredFirst() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			assertThat(create(context, context.bean(Products.class)::create)).containsExactly("begin", "add true",
					"commit");
		}
	}

	@Test
	void keyIsAddedBeforeTheCommitIfTheTransactionAdvisorWasRegisteredLast() {
		try (GuardContext context = GuardContext.of(GuardContext.GuardConfiguration.class,
				TransactionConfiguration.class, Products.class)) {
			assertThat(create(context, context.bean(Products.class)::create)).containsExactly("begin", "add true",
					"commit");
		}
	}

	@Test
	void keyIsAddedBeforeTheCommitBehindAnInterface() {
		try (GuardContext context = GuardContext.ofJdkProxies(GuardContext.GuardConfiguration.class,
				TransactionConfiguration.class, Catalogue.class)) {
			assertThat(create(context, context.bean(Creating.class)::create)).containsExactly("begin", "add true",
					"commit");
		}
	}

	@Test
	void keyIsAddedBeforeTheCommitInACircleOfBeans() {
		try (GuardContext context = GuardContext.of(GuardContext.GuardConfiguration.class,
				TransactionConfiguration.class, Circle.class)) {
			assertThat(create(context, context.bean(Circle.class)::create)).containsExactly("begin", "add true",
					"commit");
		}
	}

	@Test
	void keyThatIsAddedBeforeTheMethodTakesPartInItsTransaction() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			context.products().onEnd(() -> context.bean(TestTransactions.class).events().add("end"));
			assertThat(create(context, context.bean(Products.class)::createFirst)).containsExactly("begin", "add true",
					"commit");
			assertThat(create(context,
					(id) -> assertThat(context.bean(Products.class).createLater(id)).isCompletedWithValue(true)))
				.endsWith("commit", "begin", "add true", "commit");
		}
	}

	@Test
	void keyOfACompletedFutureIsAddedBeforeTheCommit() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			assertThat(create(context, (id) -> context.bean(Products.class).createAtOnce(id).join()))
				.containsExactly("begin", "add true", "commit");
		}
	}

	@Test
	void keyOfAMethodThatFailsIsAddedBeforeItsTransactionIsCommitted() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			assertThat(create(context,
					(id) -> assertThatIOException()
						.isThrownBy(() -> context.bean(Products.class).createAndFail(id, new IOException()))))
				.containsExactly("begin", "add true", "commit");
			assertThat(create(context, (id) -> assertThat(context.bean(Products.class).createAtOnceAndFail(id))
				.isCompletedExceptionally())).endsWith("commit", "begin", "add true", "commit");
			assertThat(context.products().added()).containsExactly(7L, 7L);
		}
	}

	@Test
	void keyOfAMethodThatFailsIsNotAddedIfItsTransactionIsRolledBackOrTheKeyIsUnknown() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			assertThat(create(context,
					(id) -> assertThatIllegalStateException()
						.isThrownBy(() -> context.bean(Products.class).createAndFail(id, new IllegalStateException()))))
				.containsExactly("begin", "rollback");
			assertThatIOException()
				.isThrownBy(() -> context.bean(Products.class).createAndFail(null, new IOException()));
			assertThatIOException().isThrownBy(() -> context.bean(Products.class).createUnknownAndFail());
			assertThat(context.products().added()).isEmpty();
		}
	}

	@Test
	void keyOfAReactiveMethodThatFailsIsAddedBeforeItsTransactionIsCommitted() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			Products products = context.bean(Products.class);
			inReactiveTransaction(products.createReactivelyAndFail(7).onErrorComplete()).block();
			inReactiveTransaction(products.createAllAndFail(8).onErrorComplete().then()).block();
			assertThat(context.products().added()).containsExactly(7L, 8L);
			assertThatIOException().isThrownBy(() -> unwrapped(products.createReactivelyAndFail(9)));
			assertThat(context.products().added()).as("without a transaction").containsExactly(7L, 8L);
		}
	}

	private static void unwrapped(Mono<?> failing) throws Throwable {
		try {
			failing.block();
		}
		catch (RuntimeException ex) {
			throw Exceptions.unwrap(ex);
		}
	}

	private static List<String> create(GuardContext context, LongConsumer create) {
		List<String> events = context.bean(TestTransactions.class).events();
		context.products()
			.onAdd(() -> events.add("add " + TransactionSynchronizationManager.isActualTransactionActive()));
		create.accept(7);
		return events;
	}

	@Test
	void transactionIsRolledBackIfTheKeyCanNotBeAdded() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			context.products().refuseAdds();
			assertThatExceptionOfType(KeyNotAddedException.class)
				.isThrownBy(() -> context.bean(Products.class).create(7));
			assertThat(context.bean(TestTransactions.class).events()).containsExactly("begin", "rollback");
		}
	}

	@Test
	void addOutsideOfATransactionIsWarnedOfOnce() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class);
				LogLines lines = LogLines.of(KeyChange.class, Level.INFO)) {
			context.bean(Products.class).create(7);
			assertThat(lines.lines()).isEmpty();
			context.bean(Products.class).createWithoutTransaction(8);
			context.bean(Products.class).createWithoutTransaction(9);
			assertThat(lines.lines()).singleElement()
				.asString()
				.startsWith("WARN @BloomAdd on ")
				.contains("Products.createWithoutTransaction(long)", "outside of a transaction", "@Transactional");
			inReactiveTransaction(context.bean(Products.class).createReactively(10)).block();
			assertThat(lines.lines()).hasSize(1);
			context.bean(Products.class).createReactively(11).block();
			assertThat(lines.lines()).filteredOn((line) -> line.contains("Products.createReactively(long)")).hasSize(2);
		}
	}

	@Test
	void absentKeyOpensNoTransaction() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			context.products().absent(7L);
			assertThat(context.bean(Products.class).find(7)).isNull();
			assertThat(context.bean(TestTransactions.class).events()).isEmpty();
			context.bean(Products.class).find(8);
			assertThat(context.bean(TestTransactions.class).events()).containsExactly("begin", "commit");
		}
	}

	@Test
	void filtersOfAReactiveTransactionAreAskedOnceMoreBeforeTheCommitIfOthersHaveWaited() {
		try (GuardContext context = GuardContext.of(TransactionConfiguration.class, Products.class)) {
			List<String> asked = new CopyOnWriteArrayList<>();
			List.of("products", "orders").forEach((name) -> context.filter(name).onCommit(() -> asked.add(name)));
			inReactiveTransaction(context.bean(Products.class).createReactively(7)).block();
			assertThat(asked).hasSize(4);
			assertThat(asked.subList(2, 4)).containsExactlyInAnyOrder("products", "orders");
		}
	}

	/**
	 * Run up to right before the commit.
	 */
	private static Mono<Void> inReactiveTransaction(Mono<?> work) {
		return org.springframework.transaction.reactive.TransactionSynchronizationManager.forCurrentTransaction()
			.flatMap((manager) -> {
				manager.setActualTransactionActive(true);
				manager.initSynchronization();
				return work.thenMany(Flux.defer(() -> Flux.fromIterable(manager.getSynchronizations())))
					.concatMap((synchronization) -> synchronization.beforeCommit(false))
					.then();
			})
			.contextWrite(TransactionContextManager.createTransactionContext());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration {

		@Bean
		TestTransactions transactions() {
			return new TestTransactions();
		}

	}

	interface Creating {

		void create(long id);

	}

	static class Catalogue implements Creating {

		@Override
		@Transactional
		@BloomAdd("products")
		public void create(long id) {
		}

	}

	static class Circle {

		@Autowired
		private Circle self;

		public void create(long id) {
			this.self.createInTransaction(id);
		}

		@Transactional
		@BloomAdd("products")
		public void createInTransaction(long id) {
		}

	}

	static class Products {

		@Transactional
		@BloomAdd("products")
		public void create(long id) {
		}

		@Transactional
		@BloomAdd(filter = "products", before = true)
		public void createFirst(long id) {
		}

		@Transactional
		@BloomAdd(filter = "products", before = true)
		public CompletableFuture<Boolean> createLater(long id) {
			return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
		}

		@Transactional
		@BloomAdd("products")
		public CompletableFuture<Long> createAtOnce(long id) {
			return CompletableFuture.completedFuture(id);
		}

		@Transactional
		@BloomAdd("products")
		public CompletableFuture<Long> createAtOnceAndFail(long id) {
			return CompletableFuture.failedFuture(new IOException());
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#id")
		public void createAndFail(@Nullable Long id, Exception failure) throws Exception {
			throw failure;
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		public long createUnknownAndFail() throws IOException {
			throw new IOException();
		}

		@BloomAdd("products")
		public Mono<Long> createReactivelyAndFail(long id) {
			return Mono.error(new IOException());
		}

		@BloomAdd("products")
		public Flux<Long> createAllAndFail(long id) {
			return Flux.error(new IOException());
		}

		@BloomAdd("products")
		@BloomAdd("orders")
		public Mono<Void> createReactively(long id) {
			return Mono.empty();
		}

		@BloomAdd("products")
		public void createWithoutTransaction(long id) {
		}

		@Transactional(readOnly = true)
		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return "product";
		}

	}

}
