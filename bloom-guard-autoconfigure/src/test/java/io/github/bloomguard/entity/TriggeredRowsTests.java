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

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.Membership;
import io.github.bloomguard.catalogue.RowWrite;
import io.github.bloomguard.catalogue.StoredCode;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.OnDelete;
import org.hibernate.annotations.OnDeleteAction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that triggers insert when Hibernate writes others.
 */
@Tag("slow")
class TriggeredRowsTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("machines");

	private static final TestPostgres postgres = TestPostgres.create();

	@AutoClose
	private static GuardApplication application;

	private static EntityManagerFactory unit;

	@BeforeAll
	static void startApplication() {
		List<String> properties = new ArrayList<>(List.of(postgres.and(GuardApplication.HIBERNATE,
				"spring.jpa.hibernate.ddl-auto=update", "spring.jpa.open-in-view=false")));
		Shop.filter(properties, "products", Kept.class.getName(), null);
		Shop.filter(properties, "machines", Engine.class.getName(), null);
		application = GuardApplication.start(redis, List.of(Entities.class), properties.toArray(String[]::new));
		unit = application.bean(EntityManagerFactory.class);
		postgres.execute(
				"create function keep() returns trigger language plpgsql as $$ begin insert into public.kept (id)"
						+ " values (coalesce(new.id, old.id)); return coalesce(new, old); end $$",
				"create function keep_owner() returns trigger language plpgsql as $$ begin insert into public.kept (id)"
						+ " values (new.owner); return new; end $$",
				"create function keep_in() returns trigger language plpgsql as $$ begin execute format("
						+ "'insert into public.%I (id) values (%s)', tg_argv[0], new.id); return new; end $$",
				"create function copy_engine() returns trigger language plpgsql as $$ begin"
						+ " insert into public.engine (id) values (9000 + new.id); return new; end $$",
				trigger("after update on account", "keep()"), trigger("after delete on account", "keep()"),
				trigger("after delete on booking", "keep()"), trigger("after insert on remark", "keep_owner()"),
				trigger("after insert on line", "keep_owner()"), trigger("after insert on vessel", "keep()"),
				trigger("after insert on parcel", "keep_in('kept')"),
				"create trigger copied after insert on engine for each row when (new.id < 9000)"
						+ " execute function copy_engine()");
	}

	private static String trigger(String event, String function) {
		return "create trigger \"" + event + "\" " + event + " for each row execute function " + function;
	}

	@BeforeEach
	void awaitReady() {
		Shop.awaitReady(application);
	}

	@Test
	void allPartsOfATableAreAskedAboutAtOnce() throws SQLException {
		postgres.execute("create table parted (id int) partition by list (id)",
				"create table parted_1 partition of parted for values in (1)",
				"create table parted_2 partition of parted for values in (2)");
		AtomicInteger asked = new AtomicInteger();
		OtherTables tables = new OtherTables(List::of);
		try (Connection connection = postgres.dataSource().getConnection()) {
			Connection counted = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						asked.addAndGet(method.getName().equals("prepareStatement") ? 1 : 0);
						return method.invoke(connection, arguments);
					});
			for (int i = 0; i < 2; i++) {
				tables.filters(postgres, RowWrite.Kind.INSERT, List.of("parted"), (keys) -> List.of(), () -> counted);
			}
		}
		assertThat(asked).as("parts, and code of all of them").hasValue(2);
	}

	@Test
	void rowsThatAnUpdateInsertsAreKnown() {
		write((entities) -> entities.persist(new Account(100)));
		assertAbsent(100);
		write((entities) -> entities.find(Account.class, 100).name = "new");
		assertFound(100);
	}

	@Test
	void rowsThatADeletionInsertsAreKnown() {
		write((entities) -> entities.persist(new Account(200)));
		assertAbsent(200);
		write((entities) -> entities.remove(entities.find(Account.class, 200)));
		assertFound(200);
	}

	@Test
	void rowsThatADeletionOfAStatelessSessionInsertsAreKnown() {
		write((entities) -> entities.persist(new Account(300)));
		assertAbsent(300);
		unit.unwrap(SessionFactory.class)
			.inStatelessTransaction((session) -> session.delete(session.get(Account.class, 300)));
		assertFound(300);
	}

	@Test
	void rowsThatADeletionInsertsWhichCascadesInTheDatabaseAreKnown() {
		write((entities) -> {
			Customer customer = new Customer(400);
			entities.persist(customer);
			entities.persist(new Booking(401, customer));
		});
		assertAbsent(401);
		write((entities) -> entities.remove(entities.find(Customer.class, 400)));
		assertFound(401);
	}

	@Test
	void rowsThatAnInsertIntoASecondaryTableInsertsAreKnown() {
		write((entities) -> entities.persist(new Letter(500, "remark")));
		assertFound(500);
	}

	@Test
	void rowsThatAnInsertIntoTheTableOfASuperclassInsertsAreKnown() {
		write((entities) -> entities.persist(new Ferry(600)));
		assertFound(600);
	}

	@Test
	void rowsThatAnInsertIntoTheTableOfACollectionInsertsAreKnown() {
		write((entities) -> entities.persist(new Poem(700)));
		assertAbsent(700);
		write((entities) -> entities.find(Poem.class, 700).lines.add("line"));
		assertFound(700);
	}

	@Test
	void rowsThatATriggerInsertsIntoATableOfItsArgumentsAreKnown() {
		write((entities) -> entities.persist(new Parcel(800)));
		assertFound(800);
	}

	@Test
	void rowsThatATriggerInsertsIntoItsOwnTableAreKnown() {
		write((entities) -> entities.persist(new Engine(900)));
		assertThat(postgres.template().queryForList("select * from engine where id = 9900")).hasSize(1);
		assertThat(application.guard().membership("machines", 9900)).isNotEqualTo(Membership.ABSENT);
	}

	@Test
	void triggersAreReadInMariaDbAndWarnedOfIfTheUserMayNotSeeThem() {
		TestMariaDb database = TestMariaDb.create("create table kept (id int primary key)",
				"create table account (id int primary key, name varchar(20))",
				"create trigger kept after update on account for each row insert into kept values (new.id)",
				"create or replace user seller", "grant all on *.* to seller", "revoke trigger on *.* from seller");
		try (TestRedis other = TestRedis.start().reset();
				GuardApplication seeing = start(other, database.url());
				GuardApplication blind = start(other, database.url().replaceAll("user=.*", "user=seller"));
				LogLines log = LogLines.of(StoredCode.class, Level.WARN)) {
			update(seeing);
			assertThat(database.template().queryForList("select * from kept where id = 1")).hasSize(1);
			assertThat(seeing.guard().membership("products", 1)).isNotEqualTo(Membership.ABSENT);
			assertThat(log.lines()).isEmpty();
			database.execute("delete from kept", "delete from account");
			update(blind);
			assertThat(log.lines()).singleElement(InstanceOfAssertFactories.STRING).contains("Grant it TRIGGER");
		}
	}

	private static GuardApplication start(TestRedis redis, String url) {
		List<String> properties = new ArrayList<>(List.of(GuardApplication.HIBERNATE, "spring.datasource.url=" + url,
				"spring.jpa.hibernate.ddl-auto=none"));
		Shop.filter(properties, "products", Kept.class.getName(), null);
		return Shop
			.awaitReady(GuardApplication.start(redis, List.of(Entities.class), properties.toArray(String[]::new)));
	}

	private static void update(GuardApplication application) {
		EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
		unit.runInTransaction((entities) -> entities.persist(new Account(1)));
		unit.runInTransaction((entities) -> entities.find(Account.class, 1).name = "new");
	}

	private static void write(Consumer<EntityManager> work) {
		unit.runInTransaction(work::accept);
	}

	private static void assertAbsent(int id) {
		assertThat(application.guard().membership("products", id)).isEqualTo(Membership.ABSENT);
	}

	private static void assertFound(int id) {
		assertThat(postgres.template().queryForList("select * from kept where id = ?", id)).hasSize(1);
		assertThat(application.guard().membership("products", id)).isNotEqualTo(Membership.ABSENT);
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Stream
				.of(Kept.class, Account.class, Customer.class, Booking.class, Letter.class, Vessel.class, Ferry.class,
						Poem.class, Parcel.class, Engine.class)
				.map(Class::getName)
				.toArray(String[]::new));
		}

	}

	@MappedSuperclass
	static class Numbered {

		@Id
		int id;

		protected Numbered() {
		}

		Numbered(int id) {
			this.id = id;
		}

	}

	/** Its rows are inserted by triggers. */
	@Entity
	@Table(name = "kept")
	static class Kept extends Numbered {

		protected Kept() {
		}

	}

	/** Its rows are kept when they change. */
	@Entity
	@Table(name = "account")
	static class Account extends Numbered {

		String name;

		protected Account() {
		}

		Account(int id) {
			super(id);
		}

	}

	/** Its rows take their bookings with them. */
	@Entity
	@Table(name = "customer")
	static class Customer extends Numbered {

		protected Customer() {
		}

		Customer(int id) {
			super(id);
		}

	}

	/** Its remark is in a table of its own. */
	@Entity
	@Table(name = "letter")
	@SecondaryTable(name = "remark", pkJoinColumns = @PrimaryKeyJoinColumn(name = "owner"))
	static class Letter extends Numbered {

		@Column(table = "remark")
		String remark;

		protected Letter() {
		}

		Letter(int id, String remark) {
			super(id);
			this.remark = remark;
		}

	}

	/** Has a subclass with a table of its own. */
	@Entity
	@Table(name = "vessel")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Vessel extends Numbered {

		protected Vessel() {
		}

		Vessel(int id) {
			super(id);
		}

	}

	/** Has rows in the table of a collection. */
	@Entity
	@Table(name = "poem")
	static class Poem extends Numbered {

		@ElementCollection
		@CollectionTable(name = "line", joinColumns = @JoinColumn(name = "owner"))
		Set<String> lines = new HashSet<>();

		protected Poem() {
		}

		Poem(int id) {
			super(id);
		}

	}

	/** Its trigger is told where to insert. */
	@Entity
	@Table(name = "parcel")
	static class Parcel extends Numbered {

		protected Parcel() {
		}

		Parcel(int id) {
			super(id);
		}

	}

	/** Each row brings another one. */
	@Entity
	@Table(name = "engine")
	static class Engine extends Numbered {

		protected Engine() {
		}

		Engine(int id) {
			super(id);
		}

	}

	/** A vessel. */
	@Entity
	@Table(name = "ferry")
	static class Ferry extends Vessel {

		protected Ferry() {
		}

		Ferry(int id) {
			super(id);
		}

	}

	/** Its rows are kept when they go with their customer. */
	@Entity
	@Table(name = "booking")
	static class Booking extends Numbered {

		@ManyToOne
		@OnDelete(action = OnDeleteAction.CASCADE)
		Customer customer;

		protected Booking() {
		}

		Booking(int id, Customer customer) {
			super(id);
			this.customer = customer;
		}

	}

}
