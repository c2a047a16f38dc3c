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
import java.util.Map;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.OneToMany;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/**
 * An application of Hibernate with entities that have ids of each kind, and with a filter
 * for each of them.
 */
final class Shop {

	private Shop() {
	}

	/**
	 * Start a Redis in which the filters have been for long.
	 */
	static TestRedis redis() {
		return TestRedis.start().reset("orders", "books", "stocks", "prices", "vehicles", "skus", "receipts");
	}

	/**
	 * Start an instance.
	 * @param beans more beans
	 * @param properties more properties
	 */
	static GuardApplication start(TestRedis redis, TestPostgres postgres, List<?> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of(postgres.and(GuardApplication.HIBERNATE,
				"spring.jpa.hibernate.ddl-auto=update", "spring.jpa.open-in-view=false",
				"spring.jpa.properties.hibernate.jdbc.batch_size=50", "spring.datasource.hikari.maximum-pool-size=12",
				"spring.jpa.properties.hibernate.order_inserts=true")));
		Map.of("products", Product.class, "orders", Order.class, "books", Book.class, "stocks", Stock.class, "prices",
				Price.class, "vehicles", Vehicle.class)
			.forEach((name, entity) -> filter(all, name, entity.getName(), null));
		filter(all, "skus", Product.class.getName(), "sku");
		filter(all, "receipts", null, null);
		all.add("bloom-guard.filters.receipts.warm-up.query=select id from receipt");
		all.addAll(List.of(properties));
		List<Object> registered = new ArrayList<>(List.of(Entities.class));
		registered.addAll(beans);
		return GuardApplication.start(redis, registered, all.toArray(String[]::new));
	}

	/**
	 * Add the properties of a filter.
	 * @param entity its entity, {@code null} if it has none
	 * @param attribute the attribute that is the key, {@code null} for the id
	 */
	static void filter(List<String> properties, String name, String entity, String attribute) {
		String filter = "bloom-guard.filters." + name + ".";
		properties.addAll(List.of(filter + "expected-insertions=200000", filter + "rebuild.longest-transaction=100ms",
				filter + "verification.required-calls=0", filter + "verification.mode=off",
				filter + "rebuild.settle=0s", filter + "warm-up.recheck-empty=0s"));
		if (entity != null) {
			properties.add(filter + "entity=" + entity);
		}
		if (attribute != null) {
			properties.add(filter + "attribute=" + attribute);
		}
	}

	/**
	 * Wait until all filters answer.
	 */
	static GuardApplication awaitReady(GuardApplication application) {
		ManagedFilters filters = application.bean(ManagedFilters.class);
		Awaitility.await()
			.until(() -> filters.names()
				.stream()
				.allMatch((name) -> filters.find(name).filter().state() == FilterState.READY));
		return application;
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Stream
				.of(Product.class, SkuColumn.class, Order.class, Receipt.class, Book.class, Stock.class, StockId.class,
						Price.class, Vehicle.class, Lorry.class)
				.map(Class::getName)
				.toArray(String[]::new));
		}

	}

	/** Its id is one of a sequence. */
	@Entity(name = "Article")
	@Table(name = "product")
	static class Product {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "product_seq")
		@SequenceGenerator(name = "product_seq", allocationSize = 50)
		Long id;

		@Convert(converter = SkuColumn.class)
		@Column(name = "stock_keeping_unit")
		Sku sku;

		@OneToMany(cascade = CascadeType.ALL)
		List<Book> books = new ArrayList<>();

		protected Product() {
		}

		Product(String sku) {
			this.sku = new Sku(sku);
		}

	}

	/** A value that is one column. */
	record Sku(String text) {
	}

	static class SkuColumn implements AttributeConverter<Sku, String> {

		@Override
		public String convertToDatabaseColumn(Sku sku) {
			return (sku != null) ? "sku-" + sku.text() : null;
		}

		@Override
		public Sku convertToEntityAttribute(String column) {
			return (column != null) ? new Sku(column.substring(4)) : null;
		}

	}

	/** Its id is given by the column. */
	@Entity
	@Table(name = "orders")
	static class Order {

		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		Integer id;

	}

	/** Its id is given by the column, and its filter has no entity. */
	@Entity
	@Table(name = "receipt")
	public static class Receipt {

		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		Integer id;

		public Integer getId() {
			return this.id;
		}

	}

	/** Its id is assigned. */
	@Entity
	@Table(name = "book")
	static class Book {

		@Id
		String isbn;

		String title;

		protected Book() {
		}

		Book(String isbn) {
			this.isbn = isbn;
		}

	}

	/** Its id is embedded. */
	@Entity
	@Table(name = "stock")
	static class Stock {

		@EmbeddedId
		StockId id;

		protected Stock() {
		}

		Stock(StockId id) {
			this.id = id;
		}

	}

	/** A place in a warehouse. */
	@Embeddable
	record StockId(long warehouse, String shelf) {
	}

	/** Its id is several attributes. */
	@Entity
	@Table(name = "price")
	@IdClass(PriceId.class)
	static class Price {

		@Id
		long product;

		@Id
		String currency;

		protected Price() {
		}

		Price(long product, String currency) {
			this.product = product;
			this.currency = currency;
		}

	}

	/** The id of a price. */
	record PriceId(long product, String currency) {
	}

	/** Has subclasses with tables of their own. */
	@Entity
	@Table(name = "vehicle")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Vehicle {

		@Id
		@GeneratedValue
		long id;

	}

	/** A vehicle. */
	@Entity
	@Table(name = "lorry")
	static class Lorry extends Vehicle {

		int axles;

	}

}
