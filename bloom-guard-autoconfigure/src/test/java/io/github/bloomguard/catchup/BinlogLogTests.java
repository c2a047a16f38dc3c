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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.changes.MySqlLogs;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.testsupport.MySqlDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the {@link ChangeLog} of a real server with a binary log, without an
 * application.
 */
abstract class BinlogLogTests {

	private static final String XA = "'a','b',7";

	private final MySqlDatabase database;

	BinlogLogTests(MySqlDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void create() {
		this.database.execute("drop view if exists shown", "drop function if exists filling",
				"drop table if exists product, product_note, other, parent, former",
				"create table parent (id varchar(20) primary key)", "insert into parent values ('A')",
				"create table product (id bigint primary key, sku varchar(20) not null, old_sku varchar(20) not null,"
						+ " size enum('small', 'large'), note text, unique key known (sku))",
				"create table other (id bigint primary key)",
				"create table product_note (id bigint primary key, sku varchar(20), old_sku varchar(20))",
				"insert into product values (1, 'A', 'x', 'small', 'n')",
				"create trigger filled after insert on other for each row"
						+ " insert into product (id, sku, old_sku) values (new.id, new.id, '')",
				"create function filling(id bigint) returns int deterministic modifies sql data begin"
						+ " insert into product (id, sku, old_sku) values (id, id, ''); return 1; end",
				"create view shown as select * from product");
	}

	@AfterEach
	void drop() {
		if (!this.database.template().queryForList("xa recover").isEmpty()) {
			this.database.execute("xa rollback " + XA);
		}
		this.database.execute("drop table if exists product");
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"alter table product change sku other varchar(20), change old_sku sku varchar(20) not null",
			"alter table product modify sku varchar(40) not null",
			"alter table product modify sku varchar(20) character set latin1 not null",
			"alter table product modify sku varchar(20) collate utf8mb4_bin not null",
			"alter table product modify size enum('large', 'small')", "alter table product drop index known",
			"alter table product engine = MyISAM", "alter table product add column first_one int first",
			"alter table product add constraint adopted foreign key (sku) references parent (id) on update cascade" })
	void tableWhoseKeysMayBeOthersHasAnotherLog(String change) throws SQLException {
		try (ChangeLog log = log("product", "sku", "size")) {
			LogPosition begun = log.begin();
			assertThat(log.mark(begun).reaches(begun)).isTrue();
			// so that the log does not tell it
			session("set session sql_log_bin = 0", change);
			assertThat(log.mark(begun).isOfLogOf(begun)).isFalse();
			assertThat(log.status(begun).released().isOfLogOf(begun)).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "alter table product add column more varchar(20) default 'a, b', add index noted (more)",
			"alter table product drop column note", "alter table product comment = 'some'", "analyze table product",
			"insert into product values (2, 'B', 'y', 'small', 'n')" })
	void tableWhoseKeysAreTheSameHasTheSameLog(String change) {
		try (ChangeLog log = log("product", "id")) {
			LogPosition begun = log.begin();
			this.database.execute(change);
			assertThat(log.mark(begun).reaches(begun)).isTrue();
			assertThat(log.status(begun).released().isOfLogOf(begun)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "set session binlog_format = 'STATEMENT'; insert into other values (7)",
			"set session binlog_format = 'STATEMENT'; select filling(7)",
			"set session binlog_format = 'STATEMENT'; do filling(7)",
			"set session binlog_format = 'STATEMENT'; insert into shown (id, sku, old_sku) values (7, 'G', '')",
			"set session binlog_format = 'STATEMENT'; delete from other",
			"set session binlog_format = 'STATEMENT'; create table former as select 1 as f",
			"alter table product modify note varchar(100)", "alter table product drop column note",
			"rename table product to former, product_note to product", "/*!50000 rename table product to former */",
			"alter table product rename to former", "create table former like product; drop table product",
			"alter table product modify id int; alter table product modify id bigint", "drop index known on product" })
	void statementAfterWhichKeysMayBeOthersIsALostLog(String statements) throws Exception {
		try (ChangeLog log = log("product", "id")) {
			LogPosition begun = log.begin();
			try (ChangeReader reader = log.follow(begun).orElseThrow()) {
				session(statements.split("; "));
				this.database.execute(
						"create table if not exists product (id bigint primary key, sku varchar(20),"
								+ " old_sku varchar(20))",
						"insert into product (id, sku, old_sku) values (8, '8', '')");
				assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, 8));
			}
			LogPosition again = log.begin();
			try (ChangeReader reader = log.follow(again).orElseThrow()) {
				assertThat(again.reaches(reader.start())).isTrue();
			}
		}
	}

	@Test
	void statementThatTouchesNoKeyIsNoLostLog() throws Exception {
		try (ChangeLog log = log("product", "id"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			session("start transaction", "insert into other values (20)", "savepoint here",
					"insert into other values (21)", "rollback to savepoint here", "commit",
					"create table if not exists product (id bigint primary key)",
					"create table former as select * from product_note", "alter table former add column more int first",
					"drop table former", "alter table product_note add column product int",
					"create index noted on product (old_sku)",
					"alter table product add column more decimal(10, 2), add index (more)",
					"create or replace view shown as select id from product", "drop trigger filled",
					"truncate table product_note", "rename table product_note to former", "analyze table product",
					"create user if not exists nobody@localhost", "grant select on product to nobody@localhost",
					"drop user nobody@localhost", "optimize table product", "create database if not exists elsewhere",
					"create table elsewhere.product (id int primary key)",
					"alter table elsewhere.product modify id bigint", "use elsewhere", "drop table product",
					"drop database elsewhere");
			this.database.execute("insert into product (id, sku, old_sku) values (8, '8', '')");
			assertThat(added(reader, 8)).contains(20L, 8L).doesNotContain(21L);
		}
	}

	@Test
	void keyOfARowThatIsUpdatedIsAdded() throws InterruptedException {
		try (ChangeLog log = log("product", "id"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			this.database.execute("update product set size = 'large'");
			assertThat(added(reader, 1)).containsOnly(1L);
		}
	}

	/**
	 * The rows of a prepared transaction are in the log: a load that begins behind them
	 * must find them in the table.
	 */
	@Test
	void loadBeginsWhenTransactionsThatWerePreparedAreCompleted() throws Exception {
		try (ChangeLog log = log("product", "id");
				Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			prepare(statement, 30);
			CompletableFuture<LogPosition> begun = CompletableFuture.supplyAsync(log::begin);
			Feeds.await().during(Duration.ofSeconds(2)).until(() -> !begun.isDone());
			statement.execute("xa commit " + XA);
			assertThat(this.database.template().queryForObject("select count(*) from product where id = 30", int.class))
				.isOne();
			try (ChangeReader reader = log.follow(begun.join()).orElseThrow()) {
				prepare(statement, 31);
				assertThat(added(reader, 31)).containsOnly(31L);
				statement.execute("xa commit " + XA);
				this.database.execute("insert into product (id, sku, old_sku) values (32, '32', '')");
				assertThat(added(reader, 32)).containsOnly(32L);
			}
		}
	}

	@Test
	void loadDoesNotBeginWhileATransactionStaysPrepared() throws Exception {
		try (ChangeLog log = log("product", "id");
				Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			prepare(statement, 30);
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(log::begin)
				.withStackTraceContaining("xa recover");
			statement.execute("xa rollback " + XA);
		}
	}

	private static void prepare(Statement statement, long id) throws SQLException {
		statement.execute("xa start " + XA);
		statement.execute("insert into product (id, sku, old_sku) values (" + id + ", '" + id + "', '')");
		statement.execute("xa end " + XA);
		statement.execute("xa prepare " + XA);
	}

	@Test
	void namesOfTablesAndColumnsMayBeBeyondAscii() throws Exception {
		this.database.execute("create table größe (größe bigint primary key)");
		try (ChangeLog log = log("größe", "größe"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			this.database.execute("insert into größe values (1)");
			assertThat(added(reader, 1)).containsOnly(1L);
			this.database.execute("alter table `größe` modify größe int", "insert into größe values (2)");
			assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, 2));
		}
		finally {
			this.database.execute("drop table größe");
		}
	}

	void session(String... statements) throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	/**
	 * Read until a key was added.
	 */
	static List<Object> added(ChangeReader reader, long key) throws InterruptedException {
		List<Object> added = new ArrayList<>();
		while (!added.contains(key)) {
			added.addAll(reader.next().added());
		}
		return added;
	}

	ChangeLog log(String table, String... keys) {
		return logAt(this.database.url(), table, keys);
	}

	static ChangeLog logAt(String url, String table, String... keys) {
		return new MySqlLogs().open(
				new FeedSpecification("products", "", table, List.of(keys), Duration.ofSeconds(1), false, true), url,
				new Properties());
	}

}
