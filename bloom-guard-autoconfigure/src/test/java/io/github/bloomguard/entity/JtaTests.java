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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.jta.TransactionManager;
import com.arjuna.ats.jta.UserTransaction;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.entity.Shop.Book;
import io.github.bloomguard.entity.Shop.Order;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.xa.PGXADataSource;

import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for adds in transactions of JTA, with a real transaction manager.
 */
@Tag("slow")
class JtaTests {

	@AutoClose
	private final TestRedis redis = Shop.redis();

	private final TestPostgres postgres = TestPostgres.create();

	private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>(() -> {
	});

	private GuardApplication application;

	private EntityManager entities;

	private TransactionTemplate transactions;

	private void start(String... properties) {
		BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
			.setObjectStoreType(VolatileStore.class.getName());
		JtaTransactionManager manager = new JtaTransactionManager(UserTransaction.userTransaction(),
				TransactionManager.transactionManager());
		this.application = Shop.start(this.redis, this.postgres,
				List.of(manager, new EnlistingDataSource(this.postgres.url()), Receipts.class), properties);
		Shop.awaitReady(this.application);
		this.entities = SharedEntityManagerCreator
			.createSharedEntityManager(this.application.bean(EntityManagerFactory.class));
		this.transactions = new TransactionTemplate(manager);
	}

	@AfterEach
	void closeApplication() {
		this.application.close();
	}

	@Test
	void rowOfAnEntityIsKnownBeforeTheCommit() {
		start();
		AtomicReference<Membership> atCommit = new AtomicReference<>();
		Order order = new Order();
		this.beforeCommit.set(() -> atCommit.set(ask("orders", order.id)));
		this.transactions.executeWithoutResult((status) -> this.entities.persist(order));
		assertThat(atCommit).hasValue(Membership.MAYBE);
		assertThat(this.postgres.template().queryForList("select id from orders", Integer.class))
			.containsExactly(order.id);
	}

	@Test
	void keysOfTheThreadAreLookedAfterUntilTheCommit() {
		start();
		AtomicReference<List<String>> atCommit = new AtomicReference<>();
		this.beforeCommit.set(() -> atCommit.set(List.of(added(1), added(2))));
		this.transactions.executeWithoutResult((status) -> {
			this.application.guard().add("receipts", 1);
			this.application.bean(Receipts.class).add(2);
			this.entities.persist(new Book("jta"));
			this.redis.command("FLUSHALL");
		});
		assertThat(atCommit.get()).doesNotContainNull().hasSize(2);
	}

	@Test
	void keysThatCantBeAddedRollBack() {
		start("bloom-guard.add-timeout=500ms");
		this.redis.freeze();
		assertThatException()
			.isThrownBy(
					() -> this.transactions.executeWithoutResult((status) -> this.entities.persist(new Book("lost"))))
			.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(KeyNotAddedException.class.getName()));
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				this.entities.createNativeQuery("insert into book (isbn) values ('lost')").executeUpdate();
				this.application.bean(Receipts.class).add(3);
			}));
		assertThat(this.postgres.template().queryForList("select * from book")).isEmpty();
	}

	/**
	 * The transaction's own calls know that it has new rows.
	 */
	private Membership ask(String filter, Object key) {
		return CompletableFuture.supplyAsync(() -> this.application.guard().membership(filter, key)).join();
	}

	private String added(int key) {
		return this.redis.command("ZSCORE", "bloom-guard:{receipts}:added", ":" + key);
	}

	static class Receipts {

		@BloomAdd(filter = "receipts")
		void add(long id) {
		}

	}

	/**
	 * Its connections take part in the transaction of the thread, if there is one.
	 */
	private final class EnlistingDataSource extends AbstractDataSource {

		private final PGXADataSource database = new PGXADataSource();

		private final Map<Transaction, Connection> connections = new ConcurrentHashMap<>();

		EnlistingDataSource(String url) {
			this.database.setUrl(url);
		}

		@Override
		public Connection getConnection() throws SQLException {
			try {
				Transaction transaction = TransactionManager.transactionManager().getTransaction();
				if (transaction == null) {
					return this.database.getConnection();
				}
				if (!this.connections.containsKey(transaction)) {
					this.connections.put(transaction, enlist(transaction));
				}
				return open(this.connections.get(transaction));
			}
			catch (SystemException | RollbackException ex) {
				throw new SQLException(ex);
			}
		}

		@Override
		public Connection getConnection(String user, String password) throws SQLException {
			return getConnection();
		}

		private Connection enlist(Transaction transaction) throws SQLException, SystemException, RollbackException {
			XAConnection connection = this.database.getXAConnection();
			transaction.enlistResource(watched(connection.getXAResource()));
			transaction.registerSynchronization(new Synchronization() {

				@Override
				public void beforeCompletion() {
				}

				@Override
				public void afterCompletion(int status) {
					EnlistingDataSource.this.connections.remove(transaction);
					try {
						connection.close();
					}
					catch (SQLException ex) {
						throw new IllegalStateException(ex);
					}
				}

			});
			return connection.getConnection();
		}

		/**
		 * The connection is closed when its transaction has ended.
		 */
		private Connection open(Connection connection) {
			return proxy(Connection.class, (method, arguments) -> method.getName().equals("close") ? null
					: method.invoke(connection, arguments));
		}

		private XAResource watched(XAResource resource) {
			return proxy(XAResource.class, (method, arguments) -> {
				if (method.getName().equals("commit")) {
					JtaTests.this.beforeCommit.get().run();
				}
				return method.invoke(resource, arguments);
			});
		}

		@SuppressWarnings("unchecked")
		private <T> T proxy(Class<T> type, Call call) {
			return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						try {
							return call.invoke(method, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

	private interface Call {

		Object invoke(Method method, Object[] arguments) throws ReflectiveOperationException;

	}

}
