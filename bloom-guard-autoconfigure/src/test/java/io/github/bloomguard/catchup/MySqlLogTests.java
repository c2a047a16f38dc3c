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
import java.sql.Statement;
import java.util.List;

import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.testsupport.TestMySql;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the {@link ChangeLog} of MySQL.
 */
class MySqlLogTests extends BinlogLogTests {

	private static final TestMySql database = TestMySql.startLogging();

	MySqlLogTests() {
		super(database);
	}

	@Test
	void commitOfAPreparedTransactionIsALostLogForAUserWhoMayNotSeeThem() throws Exception {
		database.execute("create user blind@'127.0.0.1'",
				"grant select, replication client, replication slave on *.* to blind@'127.0.0.1'");
		try (ChangeLog log = logAt(database.url().replace("user=test", "user=blind"), "product", "id");
				ChangeReader reader = log.follow(log.begin()).orElseThrow();
				Connection connection = database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("xa start 'c'");
			statement.execute("insert into other values (40)");
			statement.execute("xa end 'c'");
			statement.execute("xa prepare 'c'");
			statement.execute("xa commit 'c'");
			database.execute("insert into product (id, sku, old_sku) values (41, '41', '')");
			assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, 41))
				.withMessageContaining("grant xa_recover_admin");
		}
		finally {
			database.execute("drop user blind@'127.0.0.1'");
		}
	}

	/**
	 * What MySQL 8.0.15, which the tests bring along, does not have.
	 */
	@Test
	void vectorOfAnotherTableTaggedGtidAndCompressedTransactionLoseNothing() throws Exception {
		assumeThat(database.template().queryForObject("select version()", String.class)).doesNotStartWith("8.");
		database.execute("create table described (id bigint primary key, meaning vector(3))");
		try (ChangeLog log = log("product", "id"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			session("insert into described values (1, to_vector('[1, 2, 3]'))", insertOf(50),
					"set session gtid_next = 'AUTOMATIC:tag'", insertOf(51), "set session gtid_next = 'AUTOMATIC'",
					"set session binlog_transaction_compression = on", insertOf(52),
					"insert into described values (2, to_vector('[1, 2, 3]'))", insertOf(53));
			assertThat(added(reader, 53)).contains(50L, 51L, 52L, 53L);
			List<String> events = database.template()
				.query("show binlog events", (row, number) -> row.getString("Event_type"));
			assertThat(events).contains("Gtid_tagged_log_event", "Transaction_payload");
		}
		finally {
			database.execute("drop table described");
		}
	}

	private static String insertOf(long id) {
		return "insert into product (id, sku, old_sku) values (" + id + ", '" + id + "', '')";
	}

}
