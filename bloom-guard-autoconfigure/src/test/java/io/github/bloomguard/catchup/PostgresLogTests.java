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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.changes.PostgresLogs;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.testsupport.LogicalPostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the {@link ChangeLog} of a real PostgreSQL, without an application.
 */
class PostgresLogTests {

	@AutoClose
	private static final LogicalPostgres postgres = LogicalPostgres.start();

	@BeforeEach
	void create() {
		postgres.execute("create type size as enum ('small', 'large')",
				"create table product (id int, sku varchar(20) not null, old_sku varchar(20), size size,"
						+ " constraint known unique (sku), primary key (id, sku))",
				"create table part (id int, sku varchar(20), primary key (id, sku)) partition by range (sku)",
				"create table part_a partition of part for values from ('a') to ('m')",
				"insert into product values (1, 'A', 'x', 'small')", "insert into part values (1, 'a')");
	}

	@AfterEach
	void drop() {
		postgres.execute("select pg_terminate_backend(active_pid, 5000) from pg_replication_slots where active",
				"select pg_drop_replication_slot(slot_name) from pg_replication_slots", "drop table product, part",
				"drop type size");
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"begin; alter table product rename sku to other; alter table product rename old_sku to sku; commit",
			"alter table product alter column sku type varchar(20) using lower(sku)",
			"alter table product alter column sku type varchar(40) using 'shop/' || sku",
			"begin; alter table product drop column sku; alter table product add column sku varchar(20) default 'y'; commit",
			"alter type size rename value 'small' to 'tiny'", "alter table product alter column id type bigint",
			"alter table product drop constraint known",
			"alter table product alter column sku type varchar(20) collate \"C\"",
			"begin; alter table product rename to former; create table product (like former); commit; drop table former" })
	void tableWhoseKeysMayBeOthersHasAnotherLog(String change) {
		try (ChangeLog log = log("product", "sku", "size", "id")) {
			LogPosition begun = log.begin();
			assertThat(log.mark(begun).reaches(begun)).isTrue();
			postgres.execute(change);
			assertThat(log.status(begun).released().isOfLogOf(begun)).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "alter table part add column note text", "analyze part", "create index on part (sku)",
			"alter table part rename column old_sku to note",
			"create table part_m partition of part for values from ('m') to ('z')",
			"alter table part detach partition part_a" })
	void tableWhoseKeysAreTheSameHasTheSameLog(String change) {
		postgres.execute("alter table part add column old_sku text");
		try (ChangeLog log = log("part", "sku", "id")) {
			LogPosition begun = log.begin();
			postgres.execute(change);
			assertThat(log.status(begun).released().isOfLogOf(begun)).isTrue();
		}
		finally {
			postgres.execute("drop table if exists part_a");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "set (publish = 'update, delete')", "set (publish = 'insert')", "drop table product" })
	void publicationThatLeavesOutRowsIsALostLog(String change) {
		try (ChangeLog log = log("product", "id")) {
			LogPosition begun = log.begin();
			String publication = postgres.template().queryForObject("select pubname from pg_publication", String.class);
			postgres.execute("alter publication " + publication + " " + change);
			assertThatException().isThrownBy(() -> log.mark(begun)).withMessageContaining("Not all rows of product");
			LogPosition again = log.begin();
			assertThat(log.mark(again)).isNotNull();
			assertThat(log.follow(begun)).hasValueSatisfying((reader) -> {
				assertThat(begun.reaches(reader.start())).isFalse();
				reader.close();
			});
		}
	}

	@Test
	void logThatCantBeReadBeginsBehindThat() throws InterruptedException {
		try (ChangeLog log = log("product", "id")) {
			LogPosition begun = log.begin();
			try (ChangeReader reader = log.follow(begun).orElseThrow()) {
				assertThat(begun.reaches(reader.start())).isTrue();
				postgres.execute("alter table product alter column id type bigint",
						"insert into product values (7, 'G', 'x', 'small')");
				assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, "7"));
			}
			LogPosition again = log.begin();
			postgres.execute("insert into product values (8, 'H', 'x', 'small')");
			try (ChangeReader reader = log.follow(again).orElseThrow()) {
				assertThat(again.reaches(reader.start())).isTrue();
				assertThat(added(reader, "8")).containsOnly("8");
			}
		}
	}

	/**
	 * PostgreSQL repeats neither a long value that is the same nor what is not part of
	 * the identity.
	 */
	@Test
	void keyWithALongPartThatIsNotRepeatedIsALostLog() throws InterruptedException {
		postgres.execute("alter table product alter column old_sku type text",
				"alter table product alter column old_sku set storage external",
				"insert into product values (2, 'B', repeat('x', 5000), 'small')");
		try (ChangeLog log = log("product", "id", "old_sku")) {
			LogPosition begun = log.begin();
			try (ChangeReader reader = log.follow(begun).orElseThrow()) {
				postgres.execute("update product set id = 1002 where id = 2");
				assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, "1002"));
			}
			postgres.execute("alter table product replica identity full");
			try (ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
				postgres.execute("update product set id = 1003 where id = 1002");
				assertThat(added(reader, "1003")).contains(List.of("1003", "x".repeat(5000)));
			}
		}
	}

	@Test
	void keyOfARowThatIsUpdatedIsAdded() throws InterruptedException {
		try (ChangeLog log = log("product", "id"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			postgres.execute("update product set size = 'large'");
			assertThat(added(reader, "1")).containsOnly("1");
		}
	}

	/**
	 * A prepared transaction is in the log where it was prepared, and is sent where it is
	 * committed.
	 */
	@Test
	void rowsOfATransactionThatWasPreparedBeforeALoadAreReadWhenItIsCommitted() throws InterruptedException {
		try (ChangeLog log = log("product", "id")) {
			log.begin();
			postgres.execute("begin; insert into product values (7, 'G', 'x', 'small'); prepare transaction 'later'");
			LogPosition begun = log.begin();
			try (ChangeReader reader = log.follow(begun).orElseThrow()) {
				postgres.execute("insert into product values (8, 'H', 'x', 'small')");
				assertThat(added(reader, "8")).containsOnly("8");
				postgres.execute("commit prepared 'later'", "insert into product values (9, 'I', 'x', 'small')");
				assertThat(added(reader, "9")).containsExactly("7", "9");
				assertThat(log.mark(begun).reaches(begun)).isTrue();
			}
		}
	}

	@Test
	void firstLoadBeginsWhenTransactionsThatWerePreparedAreCompleted() throws InterruptedException {
		postgres.execute("begin; insert into product values (7, 'G', 'x', 'small'); prepare transaction 'first'");
		try (ChangeLog log = log("product", "id")) {
			CompletableFuture<LogPosition> begun = CompletableFuture.supplyAsync(log::begin);
			Feeds.await()
				.until(() -> postgres.template()
					.queryForObject("select count(*) from pg_replication_slots", int.class) == 1);
			assertThat(begun).isNotDone();
			postgres.execute("commit prepared 'first'");
			assertThat(begun.join()).isNotNull();
		}
	}

	/**
	 * Read until a key was added that begins with a text.
	 */
	private static List<Object> added(ChangeReader reader, String text) throws InterruptedException {
		List<Object> added = new ArrayList<>();
		while (added.stream().noneMatch((key) -> key.toString().replace("[", "").startsWith(text))) {
			added.addAll(reader.next().added());
		}
		return added;
	}

	private static ChangeLog log(String table, String... keys) {
		return new PostgresLogs().open(
				new FeedSpecification("products", "", table, List.of(keys), Duration.ZERO, false, true), postgres.url(),
				new Properties());
	}

}
