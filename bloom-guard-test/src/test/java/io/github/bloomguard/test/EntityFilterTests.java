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

package io.github.bloomguard.test;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

import static io.github.bloomguard.test.BloomGuardAssertions.assertThatMethod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for filters of entities in tests of an application.
 */
@SpringBootTest(
		properties = { "bloom-guard.filters.products.entity=io.github.bloomguard.test.EntityFilterTests$Product",
				"bloom-guard.filters.prices.mode=enforce", "spring.jpa.hibernate.ddl-auto=create" })
@AutoConfigureBloomGuard
class EntityFilterTests {

	@Autowired
	private BloomGuard guard;

	@Autowired
	private Catalogue catalogue;

	@Autowired
	private ProductRepository repository;

	@Autowired
	private EntityManager entities;

	@Autowired
	private EntityManagerFactory units;

	@Test
	void rowThatTheTestInsertsExists() {
		assertThat(this.guard.membership("products", 1)).isEqualTo(Membership.ABSENT);
		assertThat(this.catalogue.findById(1)).isNull();
		this.units.runInTransaction((session) -> session.persist(new Product(1)));
		assertThat(this.guard.membership("products", 1)).isEqualTo(Membership.MAYBE);
		assertThat(this.catalogue.findById(1)).isEqualTo("product 1");
	}

	@Test
	@Transactional
	void rowOfTheTransactionThatTheTestRollsBackExistsInIt() {
		assertThat(this.catalogue.findById(2)).isNull();
		this.entities.persist(new Product(2));
		assertThat(this.catalogue.findById(2)).isEqualTo("product 2");
	}

	@Test
	void guardedMethodOfARepositoryIsRecognized() {
		assertThatMethod(this.repository, "findById", Long.class).isGuardedBy("products").withKey("#id");
		assertThatMethod(this.repository, "findOneById", long.class).isGuardedBy("products").withKey("#number");
		assertThatMethod(this.repository, "count").isNotGuarded();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EntityScan(basePackageClasses = EntityFilterTests.class)
	static class Application {

		@Bean
		Catalogue catalogue() {
			return new Catalogue();
		}

	}

	@Entity
	static class Product {

		@Id
		long id;

		protected Product() {
		}

		Product(long id) {
			this.id = id;
		}

	}

}
