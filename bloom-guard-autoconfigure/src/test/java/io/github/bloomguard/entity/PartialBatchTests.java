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

import java.util.List;

import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for batches of Spring Data JDBC that fail where the database keeps the rows
 * before the one that it refuses, and whose transaction is committed.
 */
@Tag("slow")
class PartialBatchTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose
	private static GuardApplication application;

	@BeforeAll
	static void start() {
		TestMariaDb database = TestMariaDb.create(
				"create table ticket (id bigint primary key auto_increment,"
						+ " label varchar(20) character set ascii collate ascii_bin unique)",
				"insert into ticket values (1, 'there')");
		redis.reset();
		application = GuardApplication
			.start(redis, List.of(), database.and("spring.datasource.url=" + database.url() + "&useBulkStmts=false",
					GuardApplication.SPRING_DATA_JDBC, "bloom-guard.filters.products.entity=" + Ticket.class.getName()))
			.awaitReady();
	}

	@Test
	void rowsBeforeTheOneThatIsRefusedAreKnown() {
		insert(new Ticket(100L, "first"), new Ticket(101L, "there"));
		assertThat(rows("first")).containsExactly(100L);
		assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
	}

	@Test
	void rowsBeforeTheOneThatIsRefusedAreLoadedIfTheirKeysAreNotKnown() {
		insert(new Ticket(null, "generated"), new Ticket(null, "there"));
		long id = rows("generated").get(0);
		assertThat(application.guard().membership("products", id)).isNotEqualTo(Membership.ABSENT);
		Awaitility.await("loaded again")
			.until(() -> application.guard().membership("products", id) == Membership.MAYBE);
		application.awaitReady();
	}

	private static void insert(Ticket... tickets) {
		new TransactionTemplate(application.bean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> application.bean(JdbcAggregateTemplate.class).insertAll(List.of(tickets))));
	}

	private static List<Long> rows(String label) {
		return application.bean(JdbcTemplate.class)
			.queryForList("select id from ticket where label = ?", Long.class, label);
	}

	@Table("ticket")
	record Ticket(@Id Long id, String label) {
	}

}
