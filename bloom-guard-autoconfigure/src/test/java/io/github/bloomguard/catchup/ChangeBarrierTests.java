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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.github.bloomguard.catchup.Feeds.known;
import static io.github.bloomguard.catchup.Feeds.membership;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what absent answers of a {@link ChangeFeed} wait for, with a real Redis, a
 * real PostgreSQL, and two instances that all tests share, so each has rows of its own.
 */
@Tag("slow")
class ChangeBarrierTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres
		.create("create table product (id bigint primary key, name text)");

	@AutoClose
	private static GuardApplication first;

	@AutoClose
	private static GuardApplication second;

	@BeforeAll
	static void start() {
		first = launch().awaitReady();
		second = launch().awaitReady();
	}

	@Test
	void rowsThatOthersInsertAreNeverAbsent() {
		for (long id = 1000; id < 1200; id++) {
			insert(id);
			assertThat(known(first, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
			assertThat(known(second, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
		}
		assertThat(known(first, 1200)).isEqualTo(Membership.ABSENT);
		assertThat(known(second, 1200)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void rowsThatOthersInsertAreNeverAbsentForAMirror() {
		try (GuardApplication mirrored = launch("mirror.enabled=true").awaitReady()) {
			Awaitility.await()
				.until(() -> mirrored.products().filter().mirrorStatus().state() == MirrorStatus.State.ANSWERING);
			for (long id = 8000; id < 8100; id++) {
				insert(id);
				assertThat(known(mirrored, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
			}
			assertThat(known(mirrored, 8100)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void rowCommittedWithoutAFlushIsNeverAbsent() throws SQLException {
		try (Connection connection = postgres.connect(); Statement statement = connection.createStatement()) {
			statement.execute("set synchronous_commit = off");
			for (long id = 2000; id < 2050; id++) {
				statement.execute("insert into product (id) values (" + id + ")");
				assertThat(known(first, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
				assertThat(known(second, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void oneKeyOfManyIsFound() {
		for (long id = 3000; id < 3050; id++) {
			insert(id);
			assertThat(first.filter("products").possible(List.of(id, 3999L)).await().positions().stream().boxed())
				.containsExactly(0);
		}
	}

	@Test
	void rowsThatOthersInsertAreNeverAbsentForCallsThatDoNotWait() {
		GuardedFilter filter = first.filter("products");
		for (long id = 9000; id < 9050; id++) {
			insert(id);
			assertThat(filter.check(id).future().join().answered()).as("row %s", id).isFalse();
			insert(id + 100);
			assertThat(filter.possible(List.of(id + 100, 9999L)).future().join().positions().stream().boxed())
				.containsExactly(0);
		}
		assertThat(filter.check(9999L).future().join().answered()).isTrue();
	}

	@Test
	void rolledBackRowsAreNotAdded() throws SQLException {
		try (Connection connection = postgres.connect(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("insert into product (id) values (4000)");
			connection.rollback();
			assertThat(known(first, 4000)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void rowsOfATransactionThatCommitsLateAreFound() throws SQLException {
		try (Connection connection = postgres.connect(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("insert into product (id) select generate_series(50000, 52500)");
			for (long id = 5000; id < 5100; id++) {
				insert(id);
			}
			first.guard().rebuild("products").join();
			assertThat(known(first, 50_000)).isEqualTo(Membership.ABSENT);
			connection.commit();
			assertThat(known(first, 50_000)).isEqualTo(Membership.MAYBE);
			assertThat(known(first, 52_500)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void newColumnChangesNothing() {
		insert(6000);
		postgres.execute("alter table product add column price numeric",
				"insert into product (id, price) values (6001, 5)", "alter table product drop column price");
		insert(6002);
		assertThat(Stream.of(6000L, 6001L, 6002L).map((id) -> membership(first, id))).containsOnly(Membership.MAYBE);
	}

	@Test
	void changedKeyIsFound() {
		insert(7000);
		postgres.execute("update product set id = 7001 where id = 7000", "update product set name = 'x'");
		assertThat(known(first, 7001)).isEqualTo(Membership.MAYBE);
	}

	private static GuardApplication launch(String... more) {
		return GuardApplication.start(redis, List.of(), postgres.and(Stream.concat(Stream.of(more),
				Stream.of("changes.enabled=true", "changes.table=product", "changes.key-columns=id", "changes.wait=5s",
						"warm-up.query=select id from product", "false-positive-probability=0.000000001"))
			.map((property) -> "bloom-guard.filters.products." + property)
			.toArray(String[]::new)));
	}

	private static void insert(long id) {
		postgres.execute("insert into product (id) values (" + id + ")");
	}

}
