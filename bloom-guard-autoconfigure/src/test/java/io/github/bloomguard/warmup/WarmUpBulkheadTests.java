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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what warm-ups of several filters leave of the connections of a pool.
 */
@Tag("slow")
class WarmUpBulkheadTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@Test
	void warmUpsOfAllFiltersTogetherLeaveHalfOfTheConnections() {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"insert into product select * from generate_series(1, 100)");
		List<String> properties = new ArrayList<>(
				List.of(postgres.and("spring.datasource.hikari.maximum-pool-size=12")));
		for (String filter : List.of("products", "orders", "books")) {
			properties.addAll(List.of("bloom-guard.filters." + filter + ".expected-insertions=1000",
					"bloom-guard.filters." + filter + ".rebuild.longest-transaction=100ms",
					"bloom-guard.filters." + filter + ".warm-up.partitions=6",
					"bloom-guard.filters." + filter + ".warm-up.query=select id from product where id between :from"
							+ " and :to and pg_sleep(0.005) is not null"));
		}
		try (GuardApplication application = GuardApplication.start(redis, List.of(),
				properties.toArray(String[]::new))) {
			application.bean(JdbcTemplate.class).execute("select 1");
			HikariPoolMXBean pool = application.bean(HikariDataSource.class).getHikariPoolMXBean();
			ManagedFilters filters = application.bean(ManagedFilters.class);
			AtomicInteger most = new AtomicInteger();
			Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> {
				most.accumulateAndGet(pool.getActiveConnections(), Math::max);
				return filters.stream().allMatch((filter) -> filter.filter().active() != null);
			});
			assertThat(most.get()).as("half of them, and one more for each filter that looks for migrations")
				.isBetween(6, 9);
		}
	}

}
