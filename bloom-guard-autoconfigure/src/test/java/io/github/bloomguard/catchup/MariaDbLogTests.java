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

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.feed.LostLogException;
import io.github.bloomguard.testsupport.TestMariaDb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the {@link ChangeLog} of MariaDB.
 */
class MariaDbLogTests extends BinlogLogTests {

	private static final TestMariaDb database = TestMariaDb.startLogging();

	MariaDbLogTests() {
		super(database);
	}

	/**
	 * The client can't read the rows of such a table.
	 */
	@Test
	void compressedColumnStopsTheStart() {
		database.execute("create table packed (id bigint primary key, text varchar(2000) compressed)");
		try (ChangeLog log = log("packed", "id")) {
			assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(log::check)
				.withMessageContaining("whose column 'text' can't be read from the log")
				.satisfies((refusal) -> assertThat(refusal.getRemedy()).startsWith(
						"Run: alter table packed modify text with a type that is neither compressed nor a VECTOR"));
			assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(log::begin);
		}
		finally {
			database.execute("drop table packed");
		}
	}

	@Test
	void rowsOfAStatementWithASettingOfItsOwnMeanALostLog() throws Exception {
		try (ChangeLog log = log("product", "id"); ChangeReader reader = log.follow(log.begin()).orElseThrow()) {
			session("set session binlog_format = 'STATEMENT'",
					"set statement max_statement_time = 10 for insert into other values (7)");
			database.execute("insert into product (id, sku, old_sku) values (8, '8', '')");
			assertThatExceptionOfType(LostLogException.class).isThrownBy(() -> added(reader, 8));
		}
	}

}
