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

package io.github.bloomguard.catchup;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.autoconfigure.BloomGuardDataSource;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

import static io.github.bloomguard.catchup.Feeds.await;
import static io.github.bloomguard.catchup.Feeds.filter;
import static io.github.bloomguard.catchup.Feeds.known;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed} where the mapping of an entity tells which table of a real
 * PostgreSQL is followed, and into which others write.
 */
@Tag("slow")
class EntityFeedTests {

	private static final UUID CODE = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create("create type size as enum ('SMALL', 'LARGE')",
			"create table product (id bigint primary key, code uuid, text_code varchar(36), name text, short char(8),"
					+ " price numeric(10, 3), since date, size varchar(20), native_size size)",
			"create schema shop", "create table shop.\"Order\" (id uuid, \"Id\" uuid primary key)",
			"create table seat (hall text, seat_number int, primary key (seat_number, hall))",
			"create table vehicle (id bigint primary key)", "create table lorry (id bigint primary key)",
			"create table machine (id bigint primary key)", "create table crane (id bigint primary key)",
			"create table animal (dtype text, id bigint primary key)", "create view product_view as table product",
			"create table bin (bin_id bigint primary key, label text, kind text)", "create database other",
			"create role reader login", "grant all on all tables in schema public to reader");

	@BeforeEach
	void clear() {
		redis.reset();
		Feeds.dropSlots(postgres.template());
		postgres.execute("truncate product, seat, vehicle, lorry, machine, crane, animal, bin, shop.\"Order\"");
	}

	@Test
	void rowIsFoundByEachValueThatHibernateReads() {
		List<String> attributes = List.of("code", "textCode", "name", "fixed", "price", "since", "size", "nativeSize");
		List<String> properties = new ArrayList<>(filter("products", Product.class));
		attributes.forEach((attribute) -> {
			properties.addAll(filter(attribute, Product.class));
			properties.add("bloom-guard.filters." + attribute + ".attribute=" + attribute);
		});
		try (GuardApplication application = start(properties)) {
			postgres.execute("insert into product values (1000, '" + CODE + "', '" + CODE
					+ "', '007', 'a', 12.500, '2026-02-03', 'LARGE', 'SMALL')");
			Product product = application.bean(EntityManagerFactory.class)
				.callInTransaction((entities) -> entities.find(Product.class, 1000L));
			product.keys()
				.forEach((filter, key) -> assertThat(known(application, filter, key)).as(filter)
					.isEqualTo(Membership.MAYBE));
			assertThat(product.keys()).hasSize(1 + attributes.size());
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "code", UUID.randomUUID())).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "price", new BigDecimal("12"))).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void tableWithQuotesInASchemaIsFollowed() {
		try (GuardApplication application = start(filter("products", Order.class))) {
			postgres.execute("insert into shop.\"Order\" values (gen_random_uuid(), '" + CODE + "')");
			assertThat(known(application, CODE)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, UUID.randomUUID())).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void rowsOfSubclassesAreFoundWhateverTheirTable() {
		List<String> properties = new ArrayList<>();
		Map.of("products", Vehicle.class, "lorries", Lorry.class, "cranes", Crane.class, "dogs", Dog.class)
			.forEach((filter, entity) -> properties.addAll(filter(filter, entity)));
		try (GuardApplication application = start(properties)) {
			postgres.execute("with v as (insert into vehicle values (1000)) insert into lorry values (1000)",
					"insert into crane values (1001)", "insert into animal values ('Dog', 1002)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "lorries", 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "cranes", 1001)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "dogs", 1002)).isEqualTo(Membership.MAYBE);
			postgres.execute("insert into vehicle values (1003)");
			assertThat(known(application, "lorries", 1003)).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "dogs", 1003)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void keyOfSeveralPartsIsFoundIfItsColumnsAreConfigured() {
		List<String> properties = new ArrayList<>(filter("products", Seat.class));
		properties.add("bloom-guard.filters.products.changes.key-columns=hall,seat_number");
		try (GuardApplication application = start(properties)) {
			postgres.execute("insert into seat values ('b', 7)");
			assertThat(known(application, new SeatId("b", 7))).isEqualTo(Membership.MAYBE);
			assertThat(known(application, new SeatId("b", 8))).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void configuredTableIsFollowedInsteadOfAView() {
		List<String> properties = new ArrayList<>(filter("products", ProductView.class));
		assertThat(refusal(properties)).hasMessageContaining("product_view', and there is no table of that name");
		properties.add("bloom-guard.filters.products.changes.table=product");
		try (GuardApplication application = start(properties)) {
			postgres.execute("insert into product (id) values (1000)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void aggregateOfSpringDataIsFound() {
		List<String> properties = new ArrayList<>(filter("products", Bin.class));
		properties.addAll(filter("labels", Bin.class));
		properties.add("bloom-guard.filters.labels.attribute=label");
		try (GuardApplication application = startAggregates(properties)) {
			postgres.execute("insert into bin values (1000, 'top')");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "labels", "top")).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "labels", "bottom")).isEqualTo(Membership.ABSENT);
		}
		properties.add("bloom-guard.filters.labels.attribute=kind");
		assertThat(Feeds.refusal(() -> startAggregates(properties)))
			.hasMessageContaining("attribute is kind, but the change log may have the column kind in another form");
	}

	@Test
	void entityOfAnotherDatabaseIsFollowedThere() {
		JdbcTemplate other = new JdbcTemplate(new DriverManagerDataSource(url("other")));
		other.execute("create table if not exists product (id bigint primary key)");
		List<String> properties = new ArrayList<>(filter("products", Key.class));
		properties.add("test.url=" + url("other"));
		try (GuardApplication application = start(List.of(OtherDatabase.class), properties)) {
			other.execute("insert into product values (1000)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			postgres.execute("insert into product (id) values (1001)");
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
		}
		properties.add("bloom-guard.filters.products.changes.enabled=false");
		try (GuardApplication application = start(List.of(OtherDatabase.class), properties)) {
			await().until(() -> Feeds.slots(other) == 0);
			assertThat(application.products().changes()).isNull();
		}
	}

	@Test
	void logIsReadByTheUserWhoReadsQueries() {
		List<String> properties = new ArrayList<>(filter("products", Key.class));
		properties.add("test.url=" + postgres.url().replaceFirst("[?].*", ""));
		try (GuardApplication application = start(List.of(TwoUsers.class), properties)) {
			postgres.execute("insert into product (id) values (1000)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
		}
	}

	private static GuardApplication start(List<String> properties) {
		List<String> all = new ArrayList<>(properties);
		all.add(GuardApplication.HIBERNATE);
		return start(List.of(Entities.class), all);
	}

	private static GuardApplication startAggregates(List<String> properties) {
		List<String> all = new ArrayList<>(properties);
		all.add(GuardApplication.SPRING_DATA_JDBC);
		return start(List.of(Aggregates.class), all);
	}

	private static GuardApplication start(List<?> beans, List<String> properties) {
		return Feeds
			.awaitAllReady(GuardApplication.start(redis, beans, postgres.and(properties.toArray(String[]::new))));
	}

	private static InvalidGuardException refusal(List<String> properties) {
		return Feeds.refusal(() -> start(properties));
	}

	private static String url(String database) {
		return postgres.url().replaceFirst("/[^/]+[?]", "/" + database + "?");
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		static PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Stream
				.of(Product.class, Order.class, Seat.class, SeatId.class, Vehicle.class, Lorry.class, Machine.class,
						Crane.class, Animal.class, Dog.class, ProductView.class)
				.map(Class::getName)
				.toArray(String[]::new));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableJdbcRepositories(basePackageClasses = EntityFeedTests.class)
	static class Aggregates {

	}

	/** Whose entity is in another database than queries. */
	@Configuration(proxyBeanMethods = false)
	static class OtherDatabase {

		@Bean
		@Primary
		DataSource main() {
			return dataSource(postgres.url(), null);
		}

		@Bean
		LocalContainerEntityManagerFactoryBean unit(@Value("${test.url}") String url) {
			return EntityFeedTests.unit(dataSource(url, null));
		}

	}

	/** Whose queries are read as another user. */
	@Configuration(proxyBeanMethods = false)
	static class TwoUsers {

		@Bean
		@Primary
		DataSource main(@Value("${test.url}") String url) {
			return dataSource(url, "reader");
		}

		@Bean
		@BloomGuardDataSource
		DataSource own(@Value("${test.url}") String url) {
			return dataSource(url, "postgres");
		}

		@Bean
		LocalContainerEntityManagerFactoryBean unit(DataSource dataSource) {
			return EntityFeedTests.unit(dataSource);
		}

	}

	private static DataSource dataSource(String url, @Nullable String user) {
		return DataSourceBuilder.create().type(SimpleDriverDataSource.class).url(url).username(user).build();
	}

	private static LocalContainerEntityManagerFactoryBean unit(DataSource dataSource) {
		LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
		unit.setDataSource(dataSource);
		unit.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		unit.setManagedTypes(PersistenceManagedTypes.of(Key.class.getName()));
		return unit;
	}

	enum Size {

		SMALL, LARGE

	}

	@Entity(name = "product")
	static class Product {

		@Id
		Long id;

		UUID code;

		@JdbcTypeCode(SqlTypes.VARCHAR)
		@Column(name = "text_code")
		UUID textCode;

		String name;

		@Column(name = "short")
		String fixed;

		BigDecimal price;

		LocalDate since;

		@Enumerated(EnumType.STRING)
		Size size;

		@Enumerated(EnumType.STRING)
		@JdbcTypeCode(SqlTypes.NAMED_ENUM)
		@Column(name = "native_size")
		Size nativeSize;

		Map<String, Object> keys() {
			return Map.of("products", this.id, "code", this.code, "textCode", this.textCode, "name", this.name, "fixed",
					this.fixed.strip(), "price", this.price, "since", this.since, "size", this.size, "nativeSize",
					this.nativeSize);
		}

	}

	@Entity
	@Table(name = "`Order`", schema = "shop")
	static class Order {

		@Id
		@Column(name = "`Id`")
		UUID id;

	}

	@Entity(name = "seat")
	static class Seat {

		@EmbeddedId
		SeatId id;

	}

	@Embeddable
	record SeatId(String hall, @Column(name = "seat_number") int number) {

	}

	@Entity(name = "vehicle")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Vehicle {

		@Id
		long id;

	}

	@Entity(name = "lorry")
	static class Lorry extends Vehicle {

	}

	@Entity(name = "machine")
	@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
	static class Machine {

		@Id
		long id;

	}

	@Entity(name = "crane")
	static class Crane extends Machine {

	}

	@Entity(name = "animal")
	@Inheritance
	static class Animal {

		@Id
		long id;

	}

	@Entity(name = "Dog")
	static class Dog extends Animal {

	}

	@Entity
	@Table(name = "product_view")
	static class ProductView {

		@Id
		long id;

	}

	@Entity
	@Table(name = "product")
	static class Key {

		@Id
		long id;

	}

	@org.springframework.data.relational.core.mapping.Table("bin")
	record Bin(
			@org.springframework.data.annotation.Id @org.springframework.data.relational.core.mapping.Column("bin_id") Long id,
			String label, Size kind) {

	}

}
