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
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for entities of two databases behind one Redis.
 */
@Tag("slow")
class EntityDatabaseTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@Test
	void entitiesOfHibernateInAnotherDatabaseAreFound() {
		TestPostgres production = TestPostgres.create();
		TestPostgres staging = TestPostgres.create();
		Shop.start(redis, production, List.of()).close();
		Shop.start(redis, staging, List.of()).close();
		redis.command("FLUSHALL");
		staging.execute("insert into book (isbn, title) values ('staged', 'Staged')");
		try (GuardApplication one = Shop.awaitReady(Shop.start(redis, production, List.of()));
				GuardApplication two = Shop.awaitReady(Shop.start(redis, staging, List.of()))) {
			assertThat(one.guard().membership("books", "staged")).isEqualTo(Membership.ABSENT);
			assertThat(two.guard().membership("books", "staged")).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void aggregatesInAnotherDatabaseAreFound() {
		TestPostgres production = TestPostgres.create(Warehouse.SCHEMA);
		TestPostgres staging = TestPostgres.create(Warehouse.SCHEMA);
		staging.execute("insert into bin (bin_id, label) values (500, 'staged')");
		redis.command("FLUSHALL");
		try (GuardApplication one = Shop.awaitReady(Warehouse.start(redis, production));
				GuardApplication two = Shop.awaitReady(Warehouse.start(redis, staging))) {
			assertThat(one.guard().membership("labels", "staged")).isEqualTo(Membership.ABSENT);
			assertThat(two.guard().membership("labels", "staged")).isEqualTo(Membership.MAYBE);
			assertThat(two.guard().membership("products", 500)).isEqualTo(Membership.MAYBE);
		}
	}

}
