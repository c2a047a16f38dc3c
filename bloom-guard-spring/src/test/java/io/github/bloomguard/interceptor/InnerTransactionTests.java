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

package io.github.bloomguard.interceptor;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestTransactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for methods whose transactions begin inside of all proxies, as those do that
 * AspectJ weaves into them.
 */
class InnerTransactionTests {

	@AutoClose
	private final GuardContext context = GuardContext.of(Products.class);

	private final Products products = this.context.bean(Products.class);

	private final RecordingFilter filter = this.context.products();

	private final List<String> events = new ArrayList<>();

	@BeforeEach
	void record() {
		this.filter
			.onAdd(() -> this.events.add("add " + TransactionSynchronizationManager.isActualTransactionActive()));
		this.filter.onEnd(() -> this.events.add("end"));
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(new TestTransactions(this.events, ThreadTransaction.listener(System::nanoTime)));
	}

	@Test
	void keyIsAddedBeforeTheCommitAndNotAgainAndNothingIsAdvised() {
		try (LogLines log = LogLines.of(KeyChange.class, Level.WARN)) {
			this.products.create(7, transaction());
			assertThat(log.lines()).isEmpty();
		}
		assertThat(this.events).containsExactly("begin", "add true", "commit", "end");
		assertThat(this.filter.added()).containsExactly(7L);
	}

	@Test
	void transactionIsRolledBackIfTheKeyCanNotBeAdded() {
		this.filter.refuseAdds();
		assertThatExceptionOfType(KeyNotAddedException.class).isThrownBy(() -> this.products.create(7, transaction()));
		assertThat(this.events).containsExactly("begin", "add true", "rollback", "end");
	}

	@Test
	void keyIsAddedBeforeTheLastOfSeveralCommitsOnceItIsKnown() {
		Product product = new Product();
		this.products.createInSteps(product, transaction(), transaction());
		assertThat(this.events).containsExactly("begin", "commit", "begin", "add true", "commit", "end");
		assertThat(this.filter.added()).containsExactly(8L);
	}

	@Test
	void keyOfTheResultIsAddedAfterTheCommitWithAnAdviceThatHelps() {
		try (LogLines log = LogLines.of(KeyChange.class, Level.WARN)) {
			this.products.createAndReturn(transaction());
			assertThat(log.lines()).singleElement()
				.asString()
				.contains("has committed one before it returned", "Name the key by a parameter instead of #result")
				.doesNotContain("@Transactional");
		}
		assertThat(this.events).containsExactly("begin", "commit", "add false");
	}

	@Test
	void keyIsAddedOnceInATransactionThatGoesOn() {
		transaction().executeWithoutResult((status) -> this.products.create(7, transaction()));
		assertThat(this.events).containsExactly("begin", "begin", "commit", "add true", "commit");
	}

	@Test
	void keyIsNotRemovedIfTheDeletionMayHaveBeenRolledBack() {
		TransactionTemplate rolledBack = transaction();
		transaction().executeWithoutResult((status) -> {
			this.products.delete(7, rolledBack);
			this.products.delete(8, transaction());
		});
		this.products.delete(9, rolledBack);
		this.products.delete(10, transaction());
		assertThat(this.filter.removed()).containsExactly(8L, 10L);
	}

	public static class Product {

		private Long id;

		public Long getId() {
			return this.id;
		}

	}

	static class Products {

		@BloomAdd(filter = "products", key = "#id")
		void create(long id, TransactionTemplate transaction) {
			transaction.executeWithoutResult((status) -> {
			});
		}

		@BloomAdd(filter = "products", key = "#product.id")
		void createInSteps(Product product, TransactionTemplate first, TransactionTemplate second) {
			first.executeWithoutResult((status) -> {
			});
			second.executeWithoutResult((status) -> product.id = 8L);
		}

		@BloomAdd(filter = "products", key = "#result")
		long createAndReturn(TransactionTemplate transaction) {
			return transaction.execute((status) -> 9L);
		}

		/**
		 * Odd rows stay.
		 */
		@BloomRemove(filter = "products", key = "#id")
		void delete(long id, TransactionTemplate transaction) {
			transaction.executeWithoutResult((status) -> {
				if (id % 2 != 0) {
					status.setRollbackOnly();
				}
			});
		}

	}

}
