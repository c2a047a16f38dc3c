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

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys that are added in reactive transactions, while the filter is rebuilt
 * from what has been committed. The journal is emptied before each rebuild, so each key
 * that survives does so because the transaction looked after it.
 */
@Tag("slow")
class ReactiveTransactionTests {

	private static final AtomicLong ids = new AtomicLong(1000);

	private static final Rows rows = new Rows();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static BloomGuard guard;

	private static Products products;

	private static Service service;

	private final TransactionalOperator transaction = transaction(TransactionDefinition.PROPAGATION_REQUIRED);

	private final long id = absent();

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis,
				List.of(rows, TransactionConfiguration.class, Products.class, Service.class),
				"bloom-guard.filters.products.rebuild.longest-transaction=1ms", "bloom-guard.timeout=1s");
		guard = application.awaitReady().guard();
		products = application.bean(Products.class);
		service = application.bean(Service.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		application.awaitReady();
		rows.hidden.clear();
	}

	@AfterEach
	void everyRowHasItsKey() {
		assertThat(rows.committed).allMatch((row) -> guard.membership("products", row) == Membership.MAYBE);
	}

	@Test
	void keyIsThereBeforeTheCommit() {
		products.insert(this.id).then(during(() -> {
			assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
			assertThat(rows.committed).doesNotContain(this.id);
		})).as(this.transaction::transactional).block();
		assertThat(rows.committed).contains(this.id);
	}

	@Test
	void rebuildBetweenAddAndCommitLosesNoKey() {
		products.insert(this.id).then(during(() -> {
			rebuild();
			assertThat(guard.membership("products", this.id)).as("known to nobody but the transaction")
				.isEqualTo(Membership.ABSENT);
		})).as(this.transaction::transactional).block();
		assertThat(rows.committed).contains(this.id);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void secondRebuildAndSecondAddBeforeTheCommitLoseNoKey() {
		long second = absent();
		products.insert(this.id)
			.then(during(ReactiveTransactionTests::rebuild))
			.then(products.insert(second))
			.then(during(ReactiveTransactionTests::rebuild))
			.as(this.transaction::transactional)
			.block();
		assertThat(rows.committed).contains(this.id, second);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void transactionalMonoLooksAfterItsKeys() {
		service.create(this.id, ReactiveTransactionTests::rebuild).block();
		assertThat(rows.committed).contains(this.id);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void transactionalFluxLooksAfterTheKeysOfItsElements() {
		long second = absent();
		service.createAll(ReactiveTransactionTests::rebuild, this.id, second).blockLast();
		assertThat(rows.committed).contains(this.id, second);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void methodThatIsBothTransactionalAndAddsLooksAfterItsKey() {
		service.insert(this.id).block();
		assertThat(rows.committed).contains(this.id);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void methodThatIsSubscribedToAgainLooksAfterTheKeysOfEachTransaction() {
		Iterator<Long> ids = List.of(this.id, absent(), absent(), absent()).iterator();
		service.insertNext(ids).repeat(1).blockLast();
		service.insertNextAsFlux(ids).repeat(1).blockLast();
		assertThat(ids).isExhausted();
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void rebuildBetweenTheLastLookAndTheCommitLosesNoKey() {
		products.insert(this.id)
			.then(rebuildBeforeCommit(Ordered.LOWEST_PRECEDENCE))
			.as(this.transaction::transactional)
			.block();
		assertThat(rows.committed).contains(this.id);
		assertThat(rows.hidden).containsExactly(this.id);
	}

	@Test
	void keyThatCanNotBeWrittenAgainRollsTheTransactionBack() {
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> products.insert(this.id)
			.then(during(redis::freeze))
			.as(this.transaction::transactional)
			.doFinally((signal) -> redis.thaw())
			.block());
		assertThat(rows.committed).doesNotContain(this.id);
		Awaitility.await().until(() -> guard.membership("products", Rows.FIRST) == Membership.MAYBE);
	}

	@Test
	void rollbackLeavesAFalsePositiveUntilTheNextRebuild() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> products.insert(this.id)
			.then(Mono.error(new IllegalStateException("rollback")))
			.as(this.transaction::transactional)
			.block());
		assertThat(rows.committed).doesNotContain(this.id);
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
		rebuild();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void independentTransactionInsideAnotherLooksAfterItsOwnKeys() {
		long inner = absent();
		TransactionalOperator independent = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		products.insert(this.id)
			.then(products.insert(inner).then(during(ReactiveTransactionTests::rebuild)).as(independent::transactional))
			.then(during(() -> {
				assertThat(guard.membership("products", inner)).isEqualTo(Membership.MAYBE);
				assertThat(guard.membership("products", this.id)).isEqualTo(Membership.ABSENT);
				rebuild();
			}))
			.as(this.transaction::transactional)
			.block();
		assertThat(rows.committed).contains(this.id, inner);
		assertThat(rows.hidden).isEmpty();
	}

	@Test
	void withoutATransactionTheKeyIsThereAtOnce() {
		products.add(this.id).block();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
	}

	/**
	 * Do something that blocks.
	 */
	private static Mono<Void> during(Runnable action) {
		return Mono.<Void>fromRunnable(action).subscribeOn(Schedulers.boundedElastic());
	}

	private static Mono<Void> rebuildBeforeCommit(int order) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((manager) -> manager.registerSynchronization(new RebuildBeforeCommit(order)))
			.then();
	}

	private static long absent() {
		long id;
		do {
			id = ids.incrementAndGet();
		}
		while (guard.membership("products", id) == Membership.MAYBE);
		return id;
	}

	/**
	 * Build a generation whose journal begins after everything that has been added.
	 */
	private static void rebuild() {
		redis.command("XTRIM", "bloom-guard:{products}:journal", "MAXLEN", "0");
		guard.rebuild("products").orTimeout(20, TimeUnit.SECONDS).join();
	}

	@Test
	void whatATransactionDoesNotFindIsNotRemembered() {
		guard.add("products", this.id);
		forgetWhatWasAdded();
		products.find(this.id).as(this.transaction::transactional).block();
		products.find(this.id).block();
		assertThat(Products.found.remove(this.id)).isEqualTo(2);
		Awaitility.await().untilAsserted(() -> {
			Products.found.clear();
			products.find(this.id).block();
			assertThat(Products.found).isEmpty();
		});
	}

	@Test
	void whatATransactionDoesNotFindThatReadsTheLatestIsRemembered() {
		guard.add("products", this.id);
		forgetWhatWasAdded();
		DefaultTransactionDefinition latest = new DefaultTransactionDefinition();
		latest.setReadOnly(true);
		latest.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		products.find(this.id).as(TransactionalOperator.create(rows, latest)::transactional).block();
		Awaitility.await().untilAsserted(() -> {
			Products.found.clear();
			products.find(this.id).block();
			assertThat(Products.found).isEmpty();
		});
	}

	/**
	 * Keep the set, whose loss would be noticed.
	 */
	private static void forgetWhatWasAdded() {
		redis.command("ZREMRANGEBYSCORE", "bloom-guard:{products}:added", "-inf", "(+inf");
	}

	private static TransactionalOperator transaction(int propagation) {
		return TransactionalOperator.create(rows, new DefaultTransactionDefinition(propagation));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionConfiguration {

	}

	static class Products {

		private static final Map<Long, Integer> found = new ConcurrentHashMap<>();

		@BloomGuarded("products")
		public Mono<Long> find(long id) {
			return Mono.fromRunnable(() -> found.merge(id, 1, Integer::sum));
		}

		@BloomAdd("products")
		public Mono<Void> insert(long id) {
			return rows.insert(id);
		}

		@BloomAdd(filter = "products", key = "#result")
		public Flux<Long> insertAll(long... ids) {
			return Flux.fromStream(() -> LongStream.of(ids).boxed()).concatMap((id) -> rows.insert(id).thenReturn(id));
		}

		@BloomAdd("products")
		public Mono<Void> add(long id) {
			return Mono.empty();
		}

	}

	static class Service {

		private final Products products;

		Service(Products products) {
			this.products = products;
		}

		@Transactional
		public Mono<Void> create(long id, Runnable afterwards) {
			return this.products.insert(id).then(during(afterwards));
		}

		@Transactional
		public Flux<Long> createAll(Runnable afterwards, long... ids) {
			return this.products.insertAll(ids).concatWith(during(afterwards).then(Mono.empty()));
		}

		@Transactional
		@BloomAdd("products")
		public Mono<Void> insert(long id) {
			return rows.insert(id).then(rebuildBeforeCommit(Ordered.HIGHEST_PRECEDENCE));
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		public Mono<Long> insertNext(Iterator<Long> ids) {
			return Mono.fromSupplier(ids::next).flatMap((id) -> rows.insert(id).thenReturn(id));
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		public Flux<Long> insertNextAsFlux(Iterator<Long> ids) {
			return insertNext(ids).flux();
		}

	}

	/**
	 * Rebuilds before or after all others have looked, and before the commit.
	 */
	private record RebuildBeforeCommit(int order) implements TransactionSynchronization, Ordered {

		@Override
		public int getOrder() {
			return this.order;
		}

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return during(ReactiveTransactionTests::rebuild);
		}

	}

	/**
	 * A table whose rows can be seen after the commit.
	 */
	static class Rows extends AbstractReactiveTransactionManager implements KeySource {

		static final long FIRST = 1;

		private final Set<Long> committed = ConcurrentHashMap.newKeySet();

		/**
		 * Rows that were committed when their key was absent.
		 */
		private final Set<Long> hidden = ConcurrentHashMap.newKeySet();

		Rows() {
			this.committed.add(FIRST);
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Set.copyOf(this.committed).stream();
		}

		Mono<Void> insert(long id) {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.doOnNext((manager) -> inserted(manager).add(id))
				.then();
		}

		@SuppressWarnings("unchecked")
		private Collection<Long> inserted(TransactionSynchronizationManager manager) {
			Object inserted = manager.getResource(this);
			assertThat(inserted).isNotNull();
			return (Collection<Long>) inserted;
		}

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager manager) {
			return new Transaction(manager.hasResource(this));
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return ((Transaction) transaction).exists();
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
				TransactionDefinition definition) {
			return Mono.fromRunnable(() -> manager.bindResource(this, ConcurrentHashMap.<Long>newKeySet()));
		}

		@Override
		protected Mono<Object> doSuspend(TransactionSynchronizationManager manager, Object transaction) {
			return Mono.fromSupplier(() -> manager.unbindResource(this));
		}

		@Override
		protected Mono<Void> doResume(TransactionSynchronizationManager manager, @Nullable Object transaction,
				Object suspended) {
			return Mono.fromRunnable(() -> manager.bindResource(this, suspended));
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return during(() -> {
				Collection<Long> inserted = inserted(manager);
				inserted.stream()
					.filter((id) -> guard.membership("products", id) == Membership.ABSENT)
					.forEach(this.hidden::add);
				this.committed.addAll(inserted);
			});
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager manager, Object transaction) {
			return Mono.fromRunnable(() -> manager.unbindResource(this));
		}

	}

	private record Transaction(boolean exists) {

	}

}
