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

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.Archive.Caption;
import io.github.bloomguard.entity.Archive.Draft;
import io.github.bloomguard.entity.Shop.Book;
import io.github.bloomguard.entity.Shop.Lorry;
import io.github.bloomguard.entity.Shop.Order;
import io.github.bloomguard.entity.Shop.Product;
import io.github.bloomguard.entity.Shop.Stock;
import io.github.bloomguard.entity.Shop.StockId;
import io.github.bloomguard.entity.Shop.Vehicle;
import io.github.bloomguard.entity.Warehouse.Bin;
import io.github.bloomguard.entity.Warehouse.Bins;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the removal of keys of entities.
 */
@Tag("slow")
class EntityRemovalTests {

	@Test
	void keysOfRowsThatHibernateDeletesAreRemovedAfterTheCommit() {
		KeySource more = new Keys("orders", 10);
		try (TestRedis redis = Shop.redis();
				GuardApplication application = Shop.start(redis, TestPostgres.create(), List.of(more))) {
			Shop.awaitReady(application);
			EntityManager entities = SharedEntityManagerCreator
				.createSharedEntityManager(application.bean(EntityManagerFactory.class));
			TransactionTemplate transactions = new TransactionTemplate(
					application.bean(PlatformTransactionManager.class));
			Product product = new Product("a");
			Order order = new Order();
			Vehicle lorry = new Lorry();
			transactions.executeWithoutResult((status) -> {
				entities.persist(product);
				entities.persist(order);
				entities.persist(lorry);
				for (int i = 0; i < 6; i++) {
					entities.persist(new Book("978-" + i));
				}
				entities.persist(new Stock(new StockId(1, "left")));
			});
			forgetWhatWasAdded(redis, application);
			transactions.executeWithoutResult((status) -> {
				entities.remove(entities.find(Book.class, "978-0"));
				entities.flush();
				status.setRollbackOnly();
			});
			transactions.executeWithoutResult((status) -> {
				entities.remove(entities.find(Book.class, "978-5"));
				entities.flush();
				// what a transaction manager does that has savepoints, which Boot's for
				// JPA has not
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((synchronization) -> synchronization.savepointRollback("savepoint"));
			});
			transactions.executeWithoutResult((status) -> {
				entities.remove(entities.find(Product.class, product.id));
				entities.remove(entities.find(Order.class, order.id));
				entities.remove(entities.find(Vehicle.class, lorry.id));
				entities.remove(entities.find(Stock.class, new StockId(1, "left")));
				entities.remove(entities.find(Book.class, "978-1"));
				entities.flush();
				assertThat(RemovedKeys.of(redis, "books")).isEmpty();
			});
			application.bean(SessionFactory.class)
				.inStatelessTransaction((session) -> session.delete(session.get(Book.class, "978-2")));
			Awaitility.await().untilAsserted(() -> {
				assertThat(RemovedKeys.of(redis, "books")).containsExactlyInAnyOrder("978-1", "978-2");
				assertThat(RemovedKeys.of(redis, "products")).containsExactly(product.id.toString());
				assertThat(RemovedKeys.of(redis, "vehicles")).containsExactly(String.valueOf(lorry.id));
				assertThat(RemovedKeys.of(redis, "stocks")).hasSize(1);
			});
			assertThat(RemovedKeys.of(redis, "skus")).as("another row may have the same").isEmpty();
			assertThat(RemovedKeys.of(redis, "orders")).as("another source may have the same").isEmpty();
		}
	}

	@Test
	void keyOfARowThatAnotherEntityOfItsTableDeletesIsRemovedAndThatOfARowWithoutAPartIsNot() {
		TestPostgres postgres = TestPostgres.create();
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop.awaitReady(Archive.start(redis, postgres, List.of()))) {
			EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
			postgres.execute("insert into poster (id) values (1)");
			unit.runInTransaction((session) -> {
				session.persist(new Caption(1, "caption"));
				session.persist(new Draft(1, "draft"));
			});
			forgetWhatWasAdded(redis, application);
			unit.runInTransaction((session) -> {
				session.remove(session.find(Caption.class, 1));
				session.remove(session.find(Draft.class, 1L));
			});
			Awaitility.await().untilAsserted(() -> assertThat(RemovedKeys.of(redis, "articles")).containsExactly("1"));
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> RemovedKeys.of(redis, "posters").isEmpty());
		}
	}

	@Test
	void keysOfAggregatesThatAreDeletedAreRemovedIfTheirRowsAreGone() {
		TestPostgres postgres = TestPostgres.create(Warehouse.SCHEMA);
		try (TestRedis redis = Warehouse.redis(); GuardApplication application = Warehouse.start(redis, postgres)) {
			Shop.awaitReady(application);
			Bins bins = application.bean(Bins.class);
			Bin one = bins.save(new Bin(null, "one"));
			Bin two = bins.save(new Bin(null, "two"));
			Bin three = bins.save(new Bin(null, "three"));
			Bin kept = bins.save(new Bin(null, "kept"));
			postgres.execute(
					"create function keep() returns trigger language plpgsql as $$ begin"
							+ " update bin set label = 'deleted' where bin_id = old.bin_id; return null; end $$",
					"create trigger keep before delete on bin for each row when (old.label = 'kept')"
							+ " execute function keep()");
			forgetWhatWasAdded(redis, application);
			bins.delete(kept);
			assertThat(postgres.template().queryForList("select 1 from bin where label = 'deleted'")).hasSize(1);
			bins.delete(one);
			bins.deleteById(two.id());
			new TransactionTemplate(application.bean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					bins.delete(three);
					status.setRollbackOnly();
				});
			Awaitility.await()
				.untilAsserted(() -> assertThat(RemovedKeys.of(redis, "products"))
					.containsExactlyInAnyOrder(one.id().toString(), two.id().toString()));
			assertThat(RemovedKeys.of(redis, "labels")).isEmpty();
		}
	}

	/**
	 * Let it seem as if nothing had been added lately.
	 */
	static void forgetWhatWasAdded(TestRedis redis, GuardApplication application) {
		application.forgetWhatWasAdded(redis);
	}

}
