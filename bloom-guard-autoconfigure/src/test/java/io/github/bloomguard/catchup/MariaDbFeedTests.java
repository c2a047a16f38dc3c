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

import java.util.List;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.TestMariaDb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed} with MariaDB.
 */
class MariaDbFeedTests extends BinlogFeedTests {

	private static final TestMariaDb database = TestMariaDb.startLogging(TABLES);

	MariaDbFeedTests() {
		super(database);
	}

	/**
	 * MariaDB leaves them out of the log by default, MySQL does not.
	 */
	@Test
	void rowsThatComeFromAnotherServerStopTheStartIfTheyAreNotInTheLog() {
		TestMariaDb replica = TestMariaDb.startLogging(TABLES);
		replica.execute("set global server_id = 2",
				"change master to master_host = '127.0.0.1', master_port = " + database.port()
						+ ", master_user = 'test', master_log_file = 'binlog.000001', master_log_pos = 4",
				"start slave");
		InvalidGuardException refusal = refusal(replica.url(), "changes.key-columns=id");
		assertThat(refusal).hasMessageContaining("log_slave_updates of the server is 'OFF'");
		assertThat(refusal.getRemedy()).contains("log_slave_updates = ON");
	}

	@Test
	void idInAColumnOfTheTypeUuidStopsTheStart() {
		database.execute("create table token (id uuid primary key)");
		assertThat(Feeds.refusal(() -> startWithEntity(Token.class, List.of())))
			.hasMessageContaining("'id', which is of type uuid");
	}

}
