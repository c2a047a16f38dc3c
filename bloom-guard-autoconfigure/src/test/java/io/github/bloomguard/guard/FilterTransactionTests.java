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

package io.github.bloomguard.guard;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys that are added in transactions of a real database, while the filter is
 * rebuilt from it. The journal is emptied before each rebuild, so each key that survives
 * does so because the transaction looked after it.
 */
@Tag("slow")
class FilterTransactionTests {

	private static final AtomicLong ids = new AtomicLong(1000);

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	@AutoClose
	private static GuardApplication application;

	private static BloomGuard guard;

	private static JdbcTemplate jdbc;

	private final TransactionTemplate transaction = transaction(TransactionDefinition.PROPAGATION_REQUIRED);

	private final long id = ids.incrementAndGet();

	@BeforeAll
	static void start() {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"insert into product select * from generate_series(1, 100)");
		application = GuardApplication.start(redis, List.of(),
				postgres.and("bloom-guard.filters.products.warm-up.query=select id from product",
						"bloom-guard.filters.products.rebuild.longest-transaction=1ms", "bloom-guard.timeout=1s"));
		guard = application.guard();
		jdbc = application.bean(JdbcTemplate.class);
	}

	@BeforeEach
	void awaitReady() {
		Awaitility.await().until(() -> guard.membership("products", this.id) == Membership.ABSENT);
	}

	@AfterEach
	void everyRowHasItsKey() {
		List<Long> rows = jdbc.queryForList("select id from product", Long.class);
		// the filter may need a moment after an outage to tell
		Awaitility.await().until(() -> {
			List<Membership> answers = rows.stream().map((row) -> guard.membership("products", row)).toList();
			assertThat(answers).doesNotContain(Membership.ABSENT);
			return answers.stream().allMatch(Membership.MAYBE::equals);
		});
	}

	@Test
	void keyIsThereBeforeTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
		});
		assertThat(isStored(this.id)).isTrue();
	}

	@Test
	void rollbackLeavesAFalsePositiveUntilTheNextRebuild() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			status.setRollbackOnly();
		});
		assertThat(isStored(this.id)).isFalse();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
		rebuild();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void interruptedWriterCommitsAndTheFilterStaysTrusted() {
		Generation active = application.products().filter().active();
		this.transaction.executeWithoutResult((status) -> {
			jdbc.update("insert into product values (?)", this.id);
			Thread.currentThread().interrupt();
			guard.add("products", this.id);
		});
		assertThat(Thread.interrupted()).isTrue();
		assertThat(isStored(this.id)).isTrue();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
		assertThat(application.products().filter().active()).isEqualTo(active);
	}

	@Test
	void writerThatIsInterruptedWhenItCommitsDoesNotThrowTheFilterAway() {
		Generation active = application.products().filter().active();
		this.transaction.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCompletion() {
					Thread.currentThread().interrupt();
				}

			});
			insertAndAdd(this.id);
		});
		assertThat(Thread.interrupted()).isTrue();
		assertThat(application.products().filter().state()).isEqualTo(FilterState.READY);
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
		assertThat(application.products().filter().active()).isEqualTo(active);
	}

	@Test
	void keyThatCanNotBeAddedRollsTheTransactionBack() {
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				jdbc.update("insert into product values (?)", this.id);
				redis.freeze();
				try {
					guard.add("products", this.id);
				}
				finally {
					redis.thaw();
				}
			}))
			.withMessageContaining("products");
		assertThat(isStored(this.id)).isFalse();
		Awaitility.await().until(() -> guard.membership("products", 1) == Membership.MAYBE);
	}

	@Test
	void keyThatCanNotBeWrittenAgainRollsTheTransactionBack() {
		assertThatExceptionOfType(KeyNotAddedException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				insertAndAdd(this.id);
				redis.freeze();
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						redis.thaw();
					}

				});
			}));
		assertThat(isStored(this.id)).isFalse();
		Awaitility.await().until(() -> guard.membership("products", 1) == Membership.MAYBE);
	}

	@Test
	void rebuildBetweenAddAndCommitLosesNoKey() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			rebuild();
			assertThat(guard.membership("products", this.id)).as("known to nobody but the transaction")
				.isEqualTo(Membership.ABSENT);
		});
	}

	@Test
	void secondRebuildAndSecondAddBeforeTheCommitLoseNoKey() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			rebuild();
			insertAndAdd(ids.incrementAndGet());
			rebuild();
		});
	}

	@Test
	void rebuildBetweenTheLastLookAndTheCommitLosesNoKey() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			TransactionSynchronizationManager.registerSynchronization(new LastMoment(FilterTransactionTests::rebuild));
		});
	}

	@Test
	void everythingLostBetweenAddAndCommitLosesNoKey() {
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			redis.command("FLUSHALL");
			Awaitility.await().until(() -> guard.membership("products", this.id) == Membership.ABSENT);
		});
	}

	@Test
	void independentTransactionInsideAnotherLooksAfterItsOwnKeys() {
		long inner = ids.incrementAndGet();
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((innerStatus) -> {
				insertAndAdd(inner);
				rebuild();
			});
			assertThat(guard.membership("products", inner)).isEqualTo(Membership.MAYBE);
			assertThat(guard.membership("products", this.id)).isEqualTo(Membership.ABSENT);
			rebuild();
		});
		assertThat(isStored(this.id)).isTrue();
		assertThat(isStored(inner)).isTrue();
	}

	@Test
	void independentTransactionOutlivesTheRollbackOfTheOuterOne() {
		long inner = ids.incrementAndGet();
		this.transaction.executeWithoutResult((status) -> {
			transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
				.executeWithoutResult((innerStatus) -> insertAndAdd(inner));
			insertAndAdd(this.id);
			status.setRollbackOnly();
		});
		assertThat(isStored(this.id)).isFalse();
		assertThat(isStored(inner)).isTrue();
	}

	@Test
	void nestedTransactionIsLookedAfterByTheOuterOne() {
		long rolledBack = ids.incrementAndGet();
		long nested = ids.incrementAndGet();
		TransactionTemplate savepoint = transaction(TransactionDefinition.PROPAGATION_NESTED);
		this.transaction.executeWithoutResult((status) -> {
			insertAndAdd(this.id);
			savepoint.executeWithoutResult((innerStatus) -> {
				insertAndAdd(rolledBack);
				innerStatus.setRollbackOnly();
			});
			savepoint.executeWithoutResult((innerStatus) -> insertAndAdd(nested));
			rebuild();
		});
		assertThat(isStored(nested)).isTrue();
		assertThat(isStored(rolledBack)).isFalse();
	}

	@Test
	void withoutATransactionTheKeyIsThereAtOnceAndInTheNextGeneration() {
		insertAndAdd(this.id);
		rebuild();
		assertThat(guard.membership("products", this.id)).isEqualTo(Membership.MAYBE);
	}

	private static void insertAndAdd(long id) {
		jdbc.update("insert into product values (?)", id);
		guard.add("products", id);
	}

	private static boolean isStored(long id) {
		return Boolean.TRUE
			.equals(jdbc.queryForObject("select exists (select 1 from product where id = ?)", Boolean.class, id));
	}

	/**
	 * Build a generation whose journal begins after everything that has been added.
	 */
	private static void rebuild() {
		redis.command("XTRIM", "bloom-guard:{products}:journal", "MAXLEN", "0");
		guard.rebuild("products").orTimeout(20, TimeUnit.SECONDS).join();
	}

	private static TransactionTemplate transaction(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		return template;
	}

	/**
	 * Does something after all others have looked and before the commit.
	 */
	private record LastMoment(Runnable action) implements TransactionSynchronization, Ordered {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			this.action.run();
		}

	}

}
