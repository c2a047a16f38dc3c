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

package io.github.bloomguard.chaos;

import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.bloomguard.testsupport.GuardApplication;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Inserts customers by Hibernate, in transactions.
 */
final class HibernateCustomers implements CustomerWriter {

	@Override
	public List<Object> beans(Ledger ledger) {
		return List.of(Mapping.class, LedgerTransactionManager.class, ledger);
	}

	@Override
	public List<String> properties() {
		return List.of(GuardApplication.HIBERNATE, "spring.jpa.hibernate.ddl-auto=none",
				CustomerWriter.property("products", "entity", Customer.class.getName()),
				CustomerWriter.property("names", "entity", Customer.class.getName()),
				CustomerWriter.property("names", "attribute", "name"));
	}

	@Override
	public void write(GuardApplication instance, Ledger ledger, Map<Long, Long> ids, Random random, boolean inVain) {
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(instance.bean(EntityManagerFactory.class));
		new TransactionTemplate(instance.bean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
			for (int i = random.nextInt(5); i >= 0; i--) {
				long number = ledger.reserve();
				Customer customer = new Customer(CustomerWriter.name(number));
				entities.persist(customer);
				ids.put(number, customer.id);
				ledger.inserted(number);
			}
			Faults.pause((random.nextInt(6) == 0) ? random.nextInt(200) : 0);
			if (inVain) {
				status.setRollbackOnly();
			}
		});
	}

	@Override
	public String toString() {
		return "Hibernate";
	}

	@Entity(name = "customer")
	static class Customer {

		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		private @Nullable Long id;

		private @Nullable String name;

		Customer() {
		}

		Customer(String name) {
			this.name = name;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapping {

		@Bean
		static PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Customer.class.getName());
		}

	}

	/**
	 * Tells the ledger of a commit before what is registered for after the commit is run.
	 */
	static class LedgerTransactionManager extends JpaTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient Ledger ledger;

		LedgerTransactionManager(EntityManagerFactory factory, Ledger ledger) {
			super(factory);
			this.ledger = ledger;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.ledger.commit(() -> super.doCommit(status));
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			super.doRollback(status);
			this.ledger.rolledBack();
		}

	}

}
