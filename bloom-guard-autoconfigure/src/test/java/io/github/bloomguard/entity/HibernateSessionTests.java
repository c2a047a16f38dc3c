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

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Archive.Memo;
import io.github.bloomguard.entity.Archive.Tag;
import io.github.bloomguard.hibernate.HibernateWrites;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Synchronization;
import org.awaitility.Awaitility;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.JpaSystemException;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what an application may do with sessions of Hibernate and their transactions.
 */
class HibernateSessionTests {

	@AutoClose
	private static final TestRedis redis = Archive.redis();

	private static final TestPostgres postgres = TestPostgres.create();

	@AutoClose
	private static GuardApplication application;

	private static EntityManager entities;

	private static TransactionTemplate transactions;

	@BeforeAll
	static void startApplication() {
		application = Shop.awaitReady(Archive.start(redis, postgres, List.of()));
		entities = SharedEntityManagerCreator.createSharedEntityManager(application.bean(EntityManagerFactory.class));
		transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
	}

	@Test
	void rowsThatASynchronizationInsertsAreKnown() {
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Memo(1));
			SessionImplementor session = entities.unwrap(SessionImplementor.class);
			session.getTransaction().registerSynchronization(new Synchronization() {

				@Override
				public void beforeCompletion() {
					session.persist(new Memo(2));
					session.persist(new Tag(2, "last"));
					session.flush();
				}

				@Override
				public void afterCompletion(int status) {
				}

			});
		});
		assertThat(postgres.template().queryForList("select * from memo where id = 2")).hasSize(1);
		assertThat(application.guard().membership("memos", 2)).isEqualTo(Membership.MAYBE);
		assertThat(application.guard().membership("tags", "last")).isEqualTo(Membership.MAYBE);
	}

	@Test
	void deletionOnAConnectionOfTheApplicationThatIsRolledBackRemovesNothing() {
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Memo(10));
			entities.persist(new Memo(11));
		});
		EntityRemovalTests.forgetWhatWasAdded(redis, application);
		DataSource dataSource = application.bean(DataSource.class);
		SessionFactory sessions = application.bean(SessionFactory.class);
		transactions.executeWithoutResult((status) -> {
			Connection connection = DataSourceUtils.getConnection(dataSource);
			try (StatelessSession session = sessions.openStatelessSession(connection)) {
				session.delete(session.get(Memo.class, 10));
			}
			DataSourceUtils.releaseConnection(connection, dataSource);
			status.setRollbackOnly();
		});
		assertThat(entities.find(Memo.class, 10)).isNotNull();
		sessions.inStatelessTransaction((session) -> session.delete(session.get(Memo.class, 11)));
		Awaitility.await().until(() -> RemovedKeys.of(redis, "memos").contains("11"));
		assertThat(RemovedKeys.of(redis, "memos")).doesNotContain("10");
	}

	@Test
	void filterIsLoadedAgainAfterAnApplicationHasReplacedTheListeners() {
		EventListenerRegistry listeners = application.bean(SessionFactory.class)
			.unwrap(SessionFactoryImplementor.class)
			.getEventListenerRegistry();
		setOthers(listeners, EventType.PERSIST);
		setOthers(listeners, EventType.PRE_INSERT);
		setOthers(listeners, EventType.POST_INSERT);
		transactions.executeWithoutResult((status) -> entities.persist(new Memo(70)));
		Awaitility.await().until(() -> application.guard().membership("memos", 70) == Membership.MAYBE);
		Shop.awaitReady(application);
		transactions.executeWithoutResult((status) -> entities.persist(new Memo(71)));
		assertThat(application.guard().membership("memos", 71)).isEqualTo(Membership.MAYBE);
		assertThat(application.guard().membership("memos", 72)).isEqualTo(Membership.ABSENT);
	}

	private static <T> void setOthers(EventListenerRegistry registry, EventType<T> type) {
		List<T> others = new ArrayList<>();
		registry.getEventListenerGroup(type).fireEventOnEachListener(others, (listener, all) -> all.add(listener));
		others.removeIf(HibernateWrites.class::isInstance);
		registry.getEventListenerGroup(type).clearListeners();
		others.forEach(registry.getEventListenerGroup(type)::appendListener);
	}

	@Test
	void referenceCanBePersistedAndMerged() {
		transactions.executeWithoutResult((status) -> entities.persist(new Memo(20)));
		transactions.executeWithoutResult((status) -> entities.persist(entities.getReference(Memo.class, 20)));
		transactions.executeWithoutResult((status) -> entities.merge(entities.getReference(Memo.class, 20)));
		transactions.executeWithoutResult((status) -> {
			Memo reference = entities.getReference(Memo.class, 20);
			Hibernate.initialize(reference);
			entities.persist(reference);
			entities.merge(reference);
		});
		assertThat(application.guard().membership("memos", 20)).isEqualTo(Membership.MAYBE);
	}

	@Test
	void formsThatCallbacksGiveAreKnown() {
		transactions.executeWithoutResult((status) -> {
			Tag tag = new Tag(30, "PERSISTED");
			entities.persist(tag);
			assertThat(tag.text).isEqualTo("persisted");
			tag.text = "CHANGED";
			entities.merge(new Tag(31, "MERGED"));
		});
		application.bean(SessionFactory.class)
			.inStatelessTransaction((session) -> session.insert(new Tag(32, "INSERTED")));
		transactions.executeWithoutResult((status) -> entities.find(Tag.class, 31).text = "UPDATED");
		List<String> stored = postgres.template().queryForList("select text from tag where id >= 30", String.class);
		assertThat(stored).hasSize(3)
			.allSatisfy((text) -> assertThat(application.guard().membership("tags", text)).as(text)
				.isEqualTo(Membership.MAYBE));
	}

	@Test
	void exceptionSaysWhichFilterHasNotGotItsKeysAndWhatToDo() {
		try (TestRedis frozen = TestRedis.start();
				GuardApplication impatient = Archive.start(frozen, postgres, List.of(),
						"bloom-guard.add-timeout=200ms")) {
			frozen.freeze();
			EntityManager other = SharedEntityManagerCreator
				.createSharedEntityManager(impatient.bean(EntityManagerFactory.class));
			assertThatExceptionOfType(JpaSystemException.class)
				.isThrownBy(() -> new TransactionTemplate(impatient.bean(PlatformTransactionManager.class))
					.executeWithoutResult((status) -> other.persist(new Memo(40))))
				.withMessageContainingAll("filter 'memos'", "Redis", "bloom-guard.filters.memos.add-failure");
			frozen.thaw();
		}
		assertThat(postgres.template().queryForList("select * from memo where id = 40")).isEmpty();
	}

}
