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

package io.github.bloomguard;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AddedKeysListener}, in an application that keeps in Redis by itself
 * which rows there are not, with a real Redis and a real PostgreSQL.
 */
class AddedKeysListenerTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	private static final long ID = 1000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static TestPostgres postgres;

	@AutoClose
	private static GuardApplication application;

	private final Products products = application.bean(Products.class);

	private final AbsentProducts absent = application.bean(AbsentProducts.class);

	private final StringRedisTemplate template = application.bean(StringRedisTemplate.class);

	@BeforeAll
	static void start() {
		postgres = TestPostgres.create("create table product (id bigint primary key)");
		application = GuardApplication.start(redis, List.of(Entities.class, Products.class, AbsentProducts.class),
				postgres.and(GuardApplication.HIBERNATE, PREFIX + "entity=" + Product.class.getName(),
						PREFIX + "catch-up.query=select id from product where id > :mark order by id",
						PREFIX + "catch-up.start=select 1000", PREFIX + "catch-up.interval=100ms"))
			.awaitReady();
	}

	@BeforeEach
	void rememberAsAbsent() {
		postgres.execute("delete from product");
		this.absent.failures = 0;
		this.absent.rememberedBeforeCommit = false;
		this.absent.told.clear();
		this.template.opsForValue().set(AbsentProducts.key(ID), "");
	}

	@ParameterizedTest
	@EnumSource
	void keyIsForgottenInsideTheTransactionThatInsertsItsRow(Way way) {
		way.insert(this.products);
		assertThat(this.template.hasKey(AbsentProducts.key(ID))).isFalse();
		assertThat(isVisible(ID)).isTrue();
		assertThat(this.absent.told).contains(new Told(ID, true, false));
	}

	@ParameterizedTest
	@EnumSource
	void rowIsNotInsertedIfItsKeyIsNotForgotten(Way way) {
		this.absent.failures = Integer.MAX_VALUE;
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> way.insert(this.products))
			.satisfies((failure) -> assertThat(causes(failure)).hasAtLeastOneElementOfType(KeyNotAddedException.class)
				.anyMatch((cause) -> "absent products can't be forgotten".equals(cause.getMessage())));
		assertThat(isVisible(ID)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void whatAReaderRemembersBeforeTheCommitIsForgottenAfterIt(Way way) {
		this.absent.rememberedBeforeCommit = true;
		way.insert(this.products);
		assertThat(this.template.hasKey(AbsentProducts.key(ID))).isFalse();
	}

	@Test
	void keyThatAFeedAddsIsForgottenAlsoIfThatFailsAtFirst() {
		long id = 1001;
		this.template.opsForValue().set(AbsentProducts.key(id), "");
		this.absent.failures = 2;
		postgres.execute("insert into product values (" + id + ")");
		Awaitility.await().until(() -> !this.template.hasKey(AbsentProducts.key(id)));
		assertThat(this.absent.told).filteredOn((told) -> told.id().equals(id)).hasSize(3);
	}

	private static boolean isVisible(Object id) {
		return !new JdbcTemplate(postgres.dataSource()).queryForList("select id from product where id = ?", id)
			.isEmpty();
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause);
	}

	enum Way {

		ADD {
			@Override
			void insert(Products products) {
				products.insertAndAdd();
			}
		},

		ANNOTATION {
			@Override
			void insert(Products products) {
				products.insert(ID);
			}
		},

		ENTITY {
			@Override
			void insert(Products products) {
				products.persist();
			}
		};

		abstract void insert(Products products);

	}

	static class Products {

		private final BloomGuard guard;

		private final JdbcTemplate database;

		private final EntityManager entities;

		Products(BloomGuard guard, JdbcTemplate database, EntityManagerFactory unit) {
			this.guard = guard;
			this.database = database;
			this.entities = SharedEntityManagerCreator.createSharedEntityManager(unit);
		}

		@Transactional
		public void insertAndAdd() {
			this.guard.add("products", ID);
			this.database.update("insert into product values (?)", ID);
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#id")
		public void insert(long id) {
			this.database.update("insert into product values (?)", id);
		}

		@Transactional
		public void persist() {
			this.entities.persist(new Product());
		}

	}

	/**
	 * Which products there are not, as an application of its own mind keeps it.
	 */
	static class AbsentProducts implements AddedKeysListener {

		private final List<Told> told = new CopyOnWriteArrayList<>();

		private final StringRedisTemplate template;

		private volatile int failures;

		private volatile boolean rememberedBeforeCommit;

		AbsentProducts(StringRedisTemplate template) {
			this.template = template;
		}

		static String key(Object id) {
			return "absent:" + id;
		}

		@Override
		public void onKeysAdded(String filter, Collection<?> keys) {
			keys.stream()
				.filter(Long.class::isInstance)
				.map((id) -> new Told(id, TransactionSynchronizationManager.isActualTransactionActive(), isVisible(id)))
				.forEach(this.told::add);
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("absent products can't be forgotten");
			}
			this.template.unlink(keys.stream().map(AbsentProducts::key).toList());
			if (this.rememberedBeforeCommit && !isVisible(ID)) {
				this.template.opsForValue().set(key(ID), "");
			}
		}

	}

	record Told(Object id, boolean inTransaction, boolean visible) {

	}

	@Entity(name = "ListenedProduct")
	@Table(name = "product")
	static class Product {

		@Id
		Long id = ID;

	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Product.class.getName());
		}

	}

}
