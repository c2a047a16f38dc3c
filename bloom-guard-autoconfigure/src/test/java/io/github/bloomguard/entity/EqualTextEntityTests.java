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

import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for entities whose ids are texts that are asked for in another way than they are
 * stored, which the database calls equal.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class EqualTextEntityTests {

	private static final String ID = "8a6e0804-2bd0-4672-b79d-d97027f9071a";

	private static final List<String> ROWS = List.of("Bob", "Zoe");

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	static Stream<Named<Supplier<String>>> databases() {
		return Stream.of(Named.of("MySQL", () -> TestMySql.create(table("varchar(50)")).url()),
				Named.of("MySQL, binary", () -> TestMySql.create(table("varchar(50) collate utf8mb4_bin")).url()),
				Named.of("MariaDB", () -> TestMariaDb.create(table("varchar(50)")).url()),
				Named.of("MariaDB, binary", () -> TestMariaDb.create(table("varchar(50) collate utf8mb4_bin")).url()),
				Named.of("PostgreSQL", () -> TestPostgres.create(table("text")).url()),
				Named.of("PostgreSQL, citext",
						() -> postgres("create extension citext", "citext") + "&stringtype=unspecified"),
				Named.of("PostgreSQL, nondeterministic", () -> postgres(
						"create collation ci (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
						"text collate ci")),
				Named.of("H2, IGNORECASE", EqualTextEntityTests::h2));
	}

	private static String[] table(String type) {
		return new String[] { "create table customer (name " + type + " primary key)",
				"insert into customer values ('Bob')" };
	}

	private static String postgres(String first, String type) {
		return TestPostgres.create(Stream.concat(Stream.of(first), Stream.of(table(type))).toArray(String[]::new))
			.url();
	}

	private static String h2() {
		String url = "jdbc:h2:mem:entities;IGNORECASE=TRUE;DB_CLOSE_DELAY=-1";
		JdbcTemplate template = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
		Stream.of(table("varchar(50)")).forEach(template::execute);
		return url;
	}

	@ParameterizedTest
	@MethodSource("databases")
	void entityThatIsFoundByAnEqualIdIsNotAbsent(Supplier<String> url) {
		try (GuardApplication application = start(url.get())) {
			EntityManagerFactory factory = application.bean(EntityManagerFactory.class);
			Customers customers = application.bean(Customers.class);
			factory.runInTransaction((entities) -> entities.persist(new Customer("Zoe")));
			for (String row : ROWS) {
				for (String name : List.of(row, row.toLowerCase(), row.toUpperCase(), row.replace('o', '\u00f6'),
						row + " ")) {
					Customer found = factory.callInTransaction((entities) -> entities.find(Customer.class, name));
					assertThat(customers.find(name)).as(name)
						.satisfies((guarded) -> assertThat(guarded != null).isEqualTo(found != null));
					if (found != null) {
						assertThat(application.guard().membership("products", name)).as(name)
							.isEqualTo(Membership.MAYBE);
					}
				}
			}
			assertThat(application.guard().membership("products", "no one")).isEqualTo(Membership.ABSENT);
		}
	}

	static Stream<Arguments> columnsOfOtherTypes() {
		return Stream.of(arguments("uuid", ID, List.of(ID, ID.toUpperCase(), ID.replace("-", ""))),
				arguments("inet6", "::1", List.of("::1", "0:0:0:0:0:0:0:1", "0::1")),
				arguments("bigint", "7", List.of("7", "07", "7abc")));
	}

	@ParameterizedTest
	@MethodSource("columnsOfOtherTypes")
	void entityWhoseTextIsInAColumnOfAnotherTypeIsFoundHoweverItIsAsked(String type, String id, List<String> asked) {
		String url = TestMariaDb
			.create("create table customer (name " + type + " primary key)",
					"insert into customer values ('" + id + "')")
			.url();
		try (GuardApplication application = start(url)) {
			JdbcTemplate database = application.bean(JdbcTemplate.class);
			assertThat(asked).allSatisfy((name) -> {
				assertThat(database.queryForList("select name from customer where name = ?", name)).isNotEmpty();
				assertThat(application.guard().membership("products", name)).isEqualTo(Membership.MAYBE);
			});
		}
	}

	@Test
	void textInAnIdOfSeveralColumnsIsComparedAsItsOwnColumn() {
		String url = TestMariaDb
			.create("create table seat (aisle bigint, hall uuid, primary key (aisle, hall))",
					"insert into seat values (7, '" + ID + "')")
			.url();
		try (GuardApplication application = start(url, Seat.class)) {
			assertThat(application.guard().membership("products", new SeatId(ID, 7))).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", new SeatId(ID.replace("-", ""), 7)))
				.isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", new SeatId(ID, 8))).isEqualTo(Membership.ABSENT);
		}
	}

	private GuardApplication start(String url) {
		return start(url, Customer.class);
	}

	private GuardApplication start(String url, Class<?> entity) {
		return GuardApplication
			.start(this.redis, List.of(Entities.class, Customers.class), "spring.datasource.url=" + url,
					"spring.jpa.hibernate.ddl-auto=none", "spring.datasource.hikari.maximum-pool-size=4",
					GuardApplication.HIBERNATE, "bloom-guard.filters.products.entity=" + entity.getName())
			.awaitReady();
	}

	@Entity(name = "customer")
	static class Customer {

		@Id
		private @Nullable String name;

		Customer() {
		}

		Customer(String name) {
			this.name = name;
		}

	}

	@Entity(name = "seat")
	static class Seat {

		@EmbeddedId
		private @Nullable SeatId id;

	}

	@Embeddable
	record SeatId(String hall, long aisle) implements Serializable {

	}

	static class Customers {

		private final EntityManagerFactory factory;

		Customers(EntityManagerFactory factory) {
			this.factory = factory;
		}

		@BloomGuarded("products")
		public @Nullable Customer find(String name) {
			return this.factory.callInTransaction((entities) -> entities.find(Customer.class, name));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		static PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Customer.class.getName(), Seat.class.getName());
		}

	}

}
