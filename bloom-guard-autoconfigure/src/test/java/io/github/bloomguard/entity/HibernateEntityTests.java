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

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Shop.Book;
import io.github.bloomguard.entity.Shop.Lorry;
import io.github.bloomguard.entity.Shop.Order;
import io.github.bloomguard.entity.Shop.Price;
import io.github.bloomguard.entity.Shop.Product;
import io.github.bloomguard.entity.Shop.Sku;
import io.github.bloomguard.entity.Shop.Stock;
import io.github.bloomguard.entity.Shop.StockId;
import io.github.bloomguard.entity.Shop.Vehicle;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for filters of entities of Hibernate.
 */
class HibernateEntityTests {

	@AutoClose
	private static final TestRedis redis = Shop.redis();

	private static final TestPostgres postgres = TestPostgres.create();

	@AutoClose
	private static GuardApplication application;

	private static EntityManager entities;

	private static TransactionTemplate transactions;

	@BeforeAll
	static void startApplication() {
		application = Shop.start(redis, postgres, List.of(),
				"bloom-guard.filters.orders.rebuild.longest-transaction=2s");
		Shop.awaitReady(application);
		entities = SharedEntityManagerCreator.createSharedEntityManager(application.bean(EntityManagerFactory.class));
		transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
	}

	@Test
	void rowsOfEachKindOfIdAreKnown() {
		Product product = new Product("a");
		Order order = new Order();
		Vehicle lorry = new Lorry();
		transactions.executeWithoutResult((status) -> {
			entities.persist(product);
			entities.persist(order);
			entities.persist(new Book("978-1"));
			entities.persist(new Stock(new StockId(1, "left")));
			entities.persist(new Price(7, "EUR"));
			entities.persist(lorry);
		});
		assertKnown("products", product.id);
		assertKnown("orders", order.id);
		assertKnown("books", "978-1");
		assertKnown("stocks", new StockId(1, "left"));
		assertKnown("stocks", List.of(1, "left"));
		assertKnown("prices", List.of(7, "EUR"));
		assertKnown("vehicles", lorry.id);
		// another test may have frozen Redis a moment ago
		Awaitility.await().until(() -> application.guard().membership("orders", 4711) == Membership.ABSENT);
	}

	@Test
	void attributeIsTheKeyWhenItIsInsertedAndWhenItChanges() {
		Product product = new Product("first");
		transactions.executeWithoutResult((status) -> entities.persist(product));
		assertKnown("skus", new Sku("first"));
		assertThat(application.guard().membership("skus", new Sku("second"))).isEqualTo(Membership.ABSENT);
		transactions.executeWithoutResult((status) -> entities.find(Product.class, product.id).sku = new Sku("second"));
		assertKnown("skus", new Sku("second"));
	}

	@Test
	void rowsOfCascadesMergesAndStatelessSessionsAreKnown() {
		Product product = new Product("cascading");
		product.books.add(new Book("978-2"));
		transactions.executeWithoutResult((status) -> {
			entities.persist(product);
			entities.merge(new Book("978-3"));
		});
		SessionFactory sessions = application.bean(SessionFactory.class);
		sessions.inStatelessTransaction((session) -> {
			session.insert(new Book("978-4"));
			session.upsert(new Book("978-5"));
			session.insertMultiple(List.of(new Book("978-6"), new Book("978-7")));
		});
		try (StatelessSession session = sessions.openStatelessSession()) {
			session.insert(new Book("978-8"));
		}
		IntStream.rangeClosed(2, 8).forEach((number) -> assertKnown("books", "978-" + number));
	}

	@Test
	void transactionThatInsertsARowTakesOneRoundTripToRedis() {
		assertThat(fewestCalls(40,
				(round) -> IntStream.range(0, 5)
					.forEach((i) -> transactions.executeWithoutResult((status) -> entities.persist(new Order())))))
			.isEqualTo(5);
	}

	/**
	 * Return the commands of the round with the fewest, so without those of a refresh.
	 */
	private static long fewestCalls(int rounds, IntConsumer round) {
		return IntStream.range(0, rounds).mapToLong((number) -> {
			long before = redis.calls("evalsha");
			round.accept(number);
			return redis.calls("evalsha") - before;
		}).min().orElseThrow();
	}

	@Test
	void keyOfASingleRowIsSentWithItsInsert() {
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Book("single"));
			entities.flush();
			Awaitility.await().until(() -> application.guard().membership("books", "single") == Membership.MAYBE);
		});
		assertKnown("books", "single");
	}

	@Test
	void allKeysOfATransactionAreAddedTogether() {
		transactions
			.executeWithoutResult((status) -> IntStream.range(0, 5).forEach((i) -> entities.persist(new Order())));
		List<Order> orders = new ArrayList<>();
		long fewest = fewestCalls(3, (round) -> {
			List<Order> added = IntStream.range(0, 300).mapToObj((i) -> new Order()).toList();
			transactions.executeWithoutResult((status) -> added.forEach(entities::persist));
			orders.addAll(added);
		});
		assertThat(fewest).as("commands for 300 rows").isLessThan(150);
		orders.forEach((order) -> assertKnown("orders", order.id));
	}

	@Test
	void idsThatAreKnownAreSentBeforeTheFlush() {
		transactions.executeWithoutResult((status) -> {
			IntStream.range(0, 150).forEach((i) -> entities.persist(new Book("early-" + i)));
			Awaitility.await().until(() -> application.guard().membership("books", "early-0") == Membership.MAYBE);
			assertThat(postgres.template().queryForList("select * from book where isbn = 'early-0'")).isEmpty();
		});
		IntStream.range(0, 150).forEach((i) -> assertKnown("books", "early-" + i));
	}

	@Test
	void keysOfRowsThatAreFlushedOneByOneAreAddedTogetherToo() {
		long fewest = fewestCalls(3,
				(round) -> transactions.executeWithoutResult((status) -> IntStream.range(0, 150).forEach((i) -> {
					entities.persist(new Book("flushed-" + round + "-" + i));
					entities.flush();
				})));
		assertThat(fewest).as("commands for 300 rows").isLessThan(150);
		IntStream.range(0, 150).forEach((i) -> assertKnown("books", "flushed-0-" + i));
	}

	@Test
	void transactionWhoseKeysCantBeAddedIsRolledBack() {
		try (TestRedis frozen = TestRedis.start();
				GuardApplication impatient = Shop.start(frozen, postgres, List.of(), "bloom-guard.add-timeout=200ms")) {
			frozen.freeze();
			EntityManager other = SharedEntityManagerCreator
				.createSharedEntityManager(impatient.bean(EntityManagerFactory.class));
			assertThatException()
				.isThrownBy(() -> new TransactionTemplate(impatient.bean(PlatformTransactionManager.class))
					.executeWithoutResult((status) -> other.persist(new Book("lost"))))
				.withRootCauseInstanceOf(Exception.class)
				.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(KeyNotAddedException.class.getName()));
			frozen.thaw();
		}
		assertThat(postgres.template().queryForList("select * from book where isbn = 'lost'")).isEmpty();
	}

	@Test
	void allRowsAreLoadedFromTheMapping() {
		TestPostgres other = TestPostgres.create();
		try (TestRedis empty = TestRedis.start()) {
			Shop.start(empty, other, List.of()).close();
			empty.command("FLUSHALL");
			other.execute("alter table book alter column isbn type char(20)",
					"insert into product (id, stock_keeping_unit) select i, 'sku-' || i from generate_series(-20000, 20000, 3) i",
					"insert into product (id) values (50000)",
					"insert into orders (id) values (2147483647), (-2147483648), (5)",
					"insert into book (isbn) values ('978-9')", "insert into stock values (2, 'right')",
					"insert into price (product, currency) values (8, 'USD')", "insert into vehicle values (3)",
					"insert into vehicle values (4)", "insert into lorry (id, axles) values (4, 2)");
			try (GuardApplication loaded = Shop.start(empty, other, List.of(),
					"bloom-guard.filters.products.warm-up.partitions=3")) {
				Shop.awaitReady(loaded);
				for (int id = -20000; id <= 20000; id += 3) {
					assertThat(loaded.guard().membership("products", id)).isEqualTo(Membership.MAYBE);
					assertThat(loaded.guard().membership("skus", new Sku("" + id))).isEqualTo(Membership.MAYBE);
				}
				assertThat(loaded.guard().membership("products", 50000)).isEqualTo(Membership.MAYBE);
				for (long id : new long[] { Integer.MAX_VALUE, Integer.MIN_VALUE, 5 }) {
					assertThat(loaded.guard().membership("orders", id)).isEqualTo(Membership.MAYBE);
				}
				assertThat(loaded.guard().membership("orders", 6)).isEqualTo(Membership.ABSENT);
				assertThat(loaded.guard().membership("books", "978-9")).isEqualTo(Membership.MAYBE);
				assertThat(loaded.guard().membership("stocks", new StockId(2, "right"))).isEqualTo(Membership.MAYBE);
				assertThat(loaded.guard().membership("prices", List.of(8, "USD"))).isEqualTo(Membership.MAYBE);
				assertThat(loaded.guard().membership("vehicles", 3)).isEqualTo(Membership.MAYBE);
				assertThat(loaded.guard().membership("vehicles", 4)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void queryBesideTheEntityHasToGiveTheSameKeys() {
		assertThatException()
			.isThrownBy(
					() -> Shop
						.start(redis, postgres, List.of(),
								"bloom-guard.filters.stocks.warm-up.query=select warehouse from stock")
						.close())
			.havingRootCause()
			.isInstanceOf(InvalidGuardException.class)
			.withMessageContainingAll("bloom-guard.filters.stocks.entity is ",
					"bloom-guard.filters.stocks.warm-up.query gives [");
		Shop.start(redis, postgres, List.of(),
				"bloom-guard.filters.stocks.warm-up.query=select warehouse, shelf from stock",
				"bloom-guard.filters.orders.warm-up.query=select id from orders where id between :from and :to")
			.close();
	}

	private static void assertKnown(String filter, Object key) {
		assertThat(application.guard().membership(filter, key)).isEqualTo(Membership.MAYBE);
	}

}
