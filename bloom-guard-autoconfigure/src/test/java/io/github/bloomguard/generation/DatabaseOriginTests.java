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

package io.github.bloomguard.generation;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TcpProxy;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for filters that are told apart by the database that their keys come from.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class DatabaseOriginTests {

	private static final String TABLE = "create table product (id bigint primary key)";

	private static final String ROWS = "insert into product select generate_series(1, 100)";

	private static final String HISTORY = "create table flyway_schema_history (installed_rank int primary key,"
			+ " version varchar(50), installed_on timestamp not null default now())";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@Test
	void rowsOfAnotherDatabaseBehindTheSameRedisAreFound() {
		TestPostgres production = TestPostgres.create(TABLE, ROWS);
		TestPostgres staging = TestPostgres.create(TABLE, "insert into product values (1), (500)");
		try (GuardApplication one = start(production).awaitReady(); GuardApplication two = start(staging)) {
			awaitNeverAbsent(two, 500);
			assertThat(two.guard().membership("products", 50)).isEqualTo(Membership.ABSENT);
			assertThat(one.guard().membership("products", 500)).isEqualTo(Membership.ABSENT);
			one.guard().add("products", 600);
			two.guard().add("products", 700);
			for (GuardApplication application : List.of(one, two)) {
				assertThat(application.guard().membership("products", 600)).isEqualTo(Membership.MAYBE);
				assertThat(application.guard().membership("products", 700)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void filtersOfSeveralDatabasesStayBesideEachOther() {
		List<TestPostgres> databases = List.of(TestPostgres.create(TABLE, ROWS), TestPostgres.create(TABLE, ROWS),
				TestPostgres.create(TABLE, ROWS));
		List<String> generations = new ArrayList<>();
		for (int round = 0; round < 2; round++) {
			for (TestPostgres database : databases) {
				try (GuardApplication application = start(database).awaitReady()) {
					generations.add(application.products().filter().active().id());
				}
			}
		}
		assertThat(generations.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(generations.subList(3, 6));
	}

	@Test
	void rowsOfAMigrationBetweenTwoStartsAreFound() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS, HISTORY);
		try (GuardApplication application = start(postgres).awaitReady()) {
			assertThat(application.guard().membership("products", 500)).isEqualTo(Membership.ABSENT);
		}
		migrate(postgres, 500);
		try (GuardApplication application = start(postgres)) {
			awaitNeverAbsent(application, 500);
		}
	}

	@Test
	void rowsOfAVersionWithAnotherQueryAreFoundAfterARollback() {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key, sku varchar(50))",
				ROWS);
		String settle = "bloom-guard.filters.products.rebuild.settle=1s";
		start(postgres, settle).awaitReady().close();
		String[] next = postgres.and(settle,
				"bloom-guard.filters.products.warm-up.query=select sku from product where sku is not null");
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(), next).awaitLoaded()) {
			application.guard().add("products", "sku-500");
			postgres.execute("insert into product values (500, 'sku-500')");
		}
		try (GuardApplication application = start(postgres, settle)) {
			awaitNeverAbsent(application, 500);
			assertThat(application.awaitReady().guard().membership("products", 501)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void rowsOfAMigrationAreFoundByThoseWhoRanBeforeIt() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS, HISTORY);
		try (GuardApplication before = start(postgres).awaitReady()) {
			migrate(postgres, 500);
			try (GuardApplication after = start(postgres).awaitReady()) {
				Awaitility.await().until(() -> before.guard().membership("products", 500) == Membership.MAYBE);
				before.awaitReady();
				assertThat(before.products().filter().active().id()).isEqualTo(after.products().filter().active().id());
			}
		}
	}

	@Test
	void rowsOfAMigrationThatNoInstanceRunsAreFoundByThoseThatAreRunning() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS, HISTORY);
		try (GuardApplication one = start(postgres).awaitReady(); GuardApplication two = start(postgres).awaitReady()) {
			assertThat(one.guard().membership("products", 500)).isEqualTo(Membership.ABSENT);
			migrate(postgres, 500);
			for (GuardApplication application : List.of(one, two)) {
				Awaitility.await().until(() -> application.guard().membership("products", 500) == Membership.MAYBE);
				assertThat(application.guard().membership("products", 501)).isEqualTo(Membership.ABSENT);
			}
			assertThat(one.products().filter().active().id()).isEqualTo(two.products().filter().active().id());
		}
	}

	@Test
	void filterOfADatabaseThatIsDownIsUnknownUntilItIsBack() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS);
		int port = URI.create(postgres.url().substring("jdbc:".length())).getPort();
		try (TcpProxy proxy = TcpProxy.start(port)) {
			String[] properties = { "spring.datasource.url=" + postgres.url().replace(":" + port, ":" + proxy.port()),
					"spring.datasource.hikari.connection-timeout=500",
					"bloom-guard.filters.products.warm-up.query=select id from product" };
			String generation;
			try (GuardApplication application = GuardApplication.start(this.redis, List.of(), properties)
				.awaitReady()) {
				generation = application.products().filter().active().id();
			}
			proxy.shut();
			try (GuardApplication application = GuardApplication.start(this.redis, List.of(), properties)) {
				Awaitility.await().until(() -> application.products().warmUp().progress().error() != null);
				assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
				assertThat(application.guard().membership("products", 500)).isEqualTo(Membership.UNKNOWN);
				application.guard().add("products", 600);
				proxy.open(port);
				application.awaitReady();
				assertThat(application.products().filter().active().id()).isEqualTo(generation);
				assertThat(application.guard().membership("products", 500)).isEqualTo(Membership.ABSENT);
				assertThat(application.guard().membership("products", 600)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void filterIsRebuiltAtTheStartAlthoughItIsThere() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS);
		start(postgres).awaitReady().close();
		postgres.execute("insert into product values (500)");
		try (GuardApplication application = start(postgres, "bloom-guard.filters.products.warm-up.on-startup=always")) {
			Awaitility.await().until(() -> application.guard().membership("products", 500) == Membership.MAYBE);
		}
	}

	@Test
	void filterOfAnotherInstanceAnswersWithoutAWarmUp() {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS);
		try (GuardApplication one = start(postgres).awaitReady();
				GuardApplication two = start(postgres, "bloom-guard.filters.products.warm-up.on-startup=never")) {
			two.awaitReady();
			assertThat(two.products().filter().active().id()).isEqualTo(one.products().filter().active().id());
		}
	}

	@Test
	void rowsOfScriptsThatAreRunAtEachStartAreFound(@TempDir Path directory) throws IOException {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS);
		Path data = Files.writeString(directory.resolve("data.sql"), "select 1");
		String[] scripts = { "spring.sql.init.mode=always", "spring.sql.init.data-locations=" + data.toUri() };
		try (GuardApplication before = start(postgres, scripts).awaitReady()) {
			Files.writeString(data, "insert into product values (500)");
			try (GuardApplication after = start(postgres, scripts)) {
				awaitNeverAbsent(after, 500);
				Awaitility.await().until(() -> before.guard().membership("products", 500) == Membership.MAYBE);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.jpa.hibernate.ddl-auto=create", "spring.jpa.hibernate.ddl-auto=populate",
			"spring.jpa.properties.hibernate.hbm2ddl.auto=truncate",
			"spring.jpa.properties.jakarta.persistence.schema-generation.database.action=drop-and-create" })
	void rowsThatHibernateMayWriteAtEachStartAreFound(String property) {
		TestPostgres postgres = TestPostgres.create(TABLE, ROWS);
		start(postgres, property).awaitReady().close();
		postgres.execute("insert into product values (500)");
		try (GuardApplication application = start(postgres, property)) {
			awaitNeverAbsent(application, 500);
		}
	}

	private static void migrate(TestPostgres postgres, long id) {
		postgres.execute("insert into product values (" + id + ")",
				"insert into flyway_schema_history (installed_rank, version) values (1, '1')");
	}

	private GuardApplication start(TestPostgres postgres, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("bloom-guard.filters.products.warm-up.query=select id from product");
		return GuardApplication.start(this.redis, List.of(), postgres.and(all.toArray(String[]::new)));
	}

	private static void awaitNeverAbsent(GuardApplication application, long id) {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			Membership answer = application.guard().membership("products", id);
			assertThat(answer).isNotEqualTo(Membership.ABSENT);
			return answer == Membership.MAYBE;
		});
	}

}
