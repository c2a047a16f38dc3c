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
import java.util.UUID;

import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMySql;
import org.junit.jupiter.api.Test;

import static io.github.bloomguard.catchup.Feeds.known;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed} with MySQL.
 */
class MySqlFeedTests extends BinlogFeedTests {

	private static final TestMySql database = TestMySql.startLogging(TABLES);

	MySqlFeedTests() {
		super(database);
	}

	@Test
	void uuidThatHibernateHasInBytesIsFound() {
		UUID id = UUID.randomUUID();
		database.execute("create table token (id binary(16) primary key)");
		try (GuardApplication application = startWithEntity(Token.class, List.of())) {
			database.execute("insert into token values (unhex('" + id.toString().replace("-", "") + "'))");
			assertThat(known(application, id)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, UUID.randomUUID())).isEqualTo(Membership.ABSENT);
		}
	}

}
