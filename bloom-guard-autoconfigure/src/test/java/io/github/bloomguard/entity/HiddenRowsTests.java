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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Archive.Caption;
import io.github.bloomguard.entity.Archive.Correction;
import io.github.bloomguard.entity.Archive.Draft;
import io.github.bloomguard.entity.Archive.Letter;
import io.github.bloomguard.entity.Archive.Machine;
import io.github.bloomguard.entity.Archive.Memo;
import io.github.bloomguard.entity.Archive.Note;
import io.github.bloomguard.entity.Archive.Poster;
import io.github.bloomguard.entity.Archive.Reprint;
import io.github.bloomguard.mybatis.MyBatisAdds;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.defaults.DefaultSqlSessionFactory;
import org.awaitility.Awaitility;
import org.hibernate.annotations.SQLInsert;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;

import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for rows of entities that are hidden now and shown later.
 */
@Tag("slow")
class HiddenRowsTests {

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
	void rowThatStaysWhenItIsDeletedIsStillKnown() {
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Note("deleted"));
			entities.persist(new Letter("deleted"));
		});
		EntityRemovalTests.forgetWhatWasAdded(redis, application);
		transactions.executeWithoutResult((status) -> {
			entities.remove(entities.find(Note.class, "deleted"));
			entities.remove(entities.find(Letter.class, "deleted"));
		});
		assertThat(entities.find(Note.class, "deleted")).isNotNull();
		postgres.execute("update letter set deleted = false");
		assertThat(entities.find(Letter.class, "deleted")).isNotNull();
		assertNothingIsRemoved("products", "letters");
	}

	@Test
	void rowWhoseDeletionAListenerPreventsIsStillKnown() {
		try (TestRedis other = Archive.redis();
				GuardApplication instance = Shop.awaitReady(Archive.start(other, postgres, List.of()))) {
			EntityManagerFactory unit = instance.bean(EntityManagerFactory.class);
			unit.unwrap(SessionFactoryImplementor.class)
				.getEventListenerRegistry()
				.appendListeners(EventType.PRE_DELETE, (PreDeleteEventListener) (event) -> true);
			unit.runInTransaction((session) -> session.persist(new Memo(1)));
			EntityRemovalTests.forgetWhatWasAdded(other, instance);
			unit.runInTransaction((session) -> session.remove(session.find(Memo.class, 1)));
			assertThat(postgres.template().queryForList("select * from memo where id = 1")).hasSize(1);
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> RemovedKeys.of(other, "memos").isEmpty());
		}
	}

	@Test
	void rowsThatAreHiddenWhileTheyAreLoadedAreKnown() {
		TestPostgres full = TestPostgres.create();
		try (TestRedis empty = TestRedis.start()) {
			Archive.start(empty, full, List.of()).close();
			empty.command("FLUSHALL");
			full.execute("insert into letter (id, deleted) values ('hidden', true), ('shown', false)",
					"insert into article (id, title, published_at) select i, 'title ' || i, now() + interval '1 h' from generate_series(1, 3000) i",
					"insert into machine (id, dtype) values (1, 'Archive$Machine'), (2, 'Archive$Crane')",
					"insert into memo (id, thrown_away) values (1, true)");
			try (GuardApplication loaded = Shop.awaitReady(
					Archive.start(empty, full, List.of(), "bloom-guard.filters.articles.warm-up.partitions=3"))) {
				assertKnown(loaded, "letters", "hidden");
				assertKnown(loaded, "letters", "shown");
				for (int id = 1; id <= 3000; id++) {
					assertKnown(loaded, "articles", id);
				}
				assertKnown(loaded, "titles", "title 7");
				assertKnown(loaded, "cranes", 1);
				assertKnown(loaded, "cranes", 2);
				assertKnown(loaded, "memos", 1);
				assertThat(loaded.guard().membership("articles", 3001)).isEqualTo(Membership.ABSENT);
				assertThat(loaded.guard().membership("titles", "title 3001")).isEqualTo(Membership.ABSENT);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Stamped.class, Binder.class })
	void applicationDoesNotStartIfAnEntityWritesTheTableByItsSchemaWithoutTellingItsKeys(Class<?> other) {
		List<String> properties = new ArrayList<>(List.of(postgres.and(GuardApplication.HIBERNATE)));
		Shop.filter(properties, "products", Memo.class.getName(), null);
		assertThatException()
			.isThrownBy(
					() -> GuardApplication
						.start(redis, List.of(PersistenceManagedTypes.of(Memo.class.getName(), other.getName())),
								properties.toArray(String[]::new))
						.close())
			.withStackTraceContaining("bloom-guard.filters.products.entity is " + Memo.class.getName() + ", wh")
			.withStackTraceContaining(other.getName());
	}

	@Test
	void rowsThatAnotherEntityOfTheTableInsertsAreKnown() {
		transactions.executeWithoutResult((status) -> {
			entities.persist(new Draft(7000, "draft"));
			entities.persist(new Reprint(7055, "reprint"));
			entities.persist(new Machine(7000));
		});
		assertKnown(application, "articles", 7000);
		assertKnown(application, "articles", 7055);
		assertKnown(application, "titles", "reprint");
		assertKnown(application, "titles", "draft");
		assertKnown(application, "cranes", 7000);
		transactions.executeWithoutResult((status) -> entities.find(Draft.class, 7000L).heading = "changed");
		assertKnown(application, "titles", "changed");
		transactions.executeWithoutResult((status) -> entities.find(Correction.class, 7000).title = "corrected");
		assertKnown(application, "titles", "corrected");
		assertThat(application.guard().membership("articles", 7001)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void rowsThatAnotherEntityCompletesInASecondaryTableAreKnown() {
		postgres.execute("insert into poster (id) values (7000)");
		assertThat(entities.find(Poster.class, 7000)).isNull();
		transactions.executeWithoutResult((status) -> entities.persist(new Caption(7000, "caption")));
		assertThat(entities.find(Poster.class, 7000).caption).isEqualTo("caption");
		assertKnown(application, "posters", 7000);
		assertKnown(application, "captions", "caption");
		transactions.executeWithoutResult((status) -> entities.find(Caption.class, 7000).caption = "changed");
		assertKnown(application, "captions", "changed");
		assertThat(application.guard().membership("posters", 7001)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void rowsThatAMapperOfMyBatisWritesToTheTableOfAnEntityAreKnown() {
		Configuration configuration = new Configuration(
				new Environment("shop", new SpringManagedTransactionFactory(), application.bean(DataSource.class)));
		configuration.addMapper(Articles.class);
		SqlSessionTemplate session = new SqlSessionTemplate(new DefaultSqlSessionFactory(configuration));
		application.bean(MyBatisAdds.class).listenTo(session.getSqlSessionFactory());
		Articles articles = session.getMapper(Articles.class);
		articles.insert(7300, "mapped");
		assertKnown(application, "articles", 7300);
		assertKnown(application, "titles", "mapped");
		transactions.executeWithoutResult((status) -> articles.insert(7301, "mapped as well"));
		assertKnown(application, "articles", 7301);
		assertKnown(application, "titles", "mapped as well");
		articles.rename(7301, "renamed");
		assertKnown(application, "titles", "renamed");
		assertThat(application.guard().membership("articles", 7302)).isEqualTo(Membership.ABSENT);
		articles.copy(7300, 7303);
		assertFoundAgain(Map.of("articles", 7303, "titles", "mapped again"));
	}

	private static void assertFoundAgain(Map<String, Object> keys) {
		keys.forEach((filter, key) -> assertThat(application.guard().membership(filter, key))
			.isNotEqualTo(Membership.ABSENT));
		Awaitility.await("loaded again")
			.until(() -> keys.entrySet()
				.stream()
				.allMatch((key) -> application.guard().membership(key.getKey(), key.getValue()) == Membership.MAYBE));
		Shop.awaitReady(application);
	}

	private static void assertKnown(GuardApplication application, String filter, Object key) {
		assertThat(application.guard().membership(filter, key)).isEqualTo(Membership.MAYBE);
	}

	private static void assertNothingIsRemoved(String... filters) {
		for (String filter : filters) {
			Awaitility.await(filter)
				.during(Duration.ofMillis(500))
				.until(() -> RemovedKeys.of(redis, filter).isEmpty());
		}
	}

	interface Articles {

		@Insert("insert into article (id, title) values (#{id}, #{title})")
		void insert(@Param("id") int id, @Param("title") String title);

		@Update("update article set title = #{title} where id = #{id}")
		void rename(@Param("id") int id, @Param("title") String title);

		@Insert("insert into article (id, title) select ${to}, title || ' again' from article where id = #{from}")
		void copy(@Param("from") int from, @Param("to") int to);

	}

	@Entity
	@Table(name = "memo", schema = "public")
	@SQLInsert(sql = "insert into public.memo (id) values (? + 1000)")
	static class Stamped {

		@Id
		int id;

	}

	@Entity
	@Table(name = "binder")
	static class Binder {

		@Id
		int id;

		@ElementCollection
		@CollectionTable(name = "memo", schema = "public")
		Set<String> memos;

	}

}
