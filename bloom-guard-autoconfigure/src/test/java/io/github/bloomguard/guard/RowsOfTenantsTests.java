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

package io.github.bloomguard.guard;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for databases in which each caller sees rows of a tenant.
 */
@Tag("slow")
class RowsOfTenantsTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	private static final String RATE = FILTER + "verification.rate=1000";

	private static final ThreadLocal<@Nullable String> tenant = new ThreadLocal<>();

	private static final TestPostgres postgres = TestPostgres.create("create schema a", "create schema b",
			"create table a.product (id bigint primary key)", "create table b.product (id bigint primary key)",
			"insert into a.product select generate_series(1, 100)",
			"insert into b.product select generate_series(1001, 1100)");

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@AfterEach
	void forget() {
		tenant.remove();
	}

	@Test
	void rowThatOnlyItsCallerSeesIsAddedThoughTheSourceHasNone() {
		try (GuardApplication application = startWithPool()) {
			Products products = application.bean(Products.class);
			tenant.set("b");
			assertThat(products.find(1001)).isNotNull();
			Awaitility.await("what was found is added")
				.until(() -> application.filter("products").preview(1001L).membership() == Membership.MAYBE);
			assertThat(rows(1021, 1040)).allMatch((id) -> products.find(id) != null);
		}
	}

	@Test
	void rowThatOnlyItsCallerSeesIsFoundAmongManyKeys() {
		try (GuardApplication application = startWithPool()) {
			Products products = application.bean(Products.class);
			tenant.set("b");
			assertThat(products.findAll(List.of(1050L, 1051L, 9999L))).hasSize(2);
			Awaitility.await("what was found is added")
				.until(() -> application.filter("products").preview(1050L).membership() == Membership.MAYBE);
			assertThat(products.findAll(List.of(1060L, 1061L))).hasSize(2);
		}
	}

	@Test
	void sentinelOfOneTenantHidesNoRowOfAnother() {
		try (GuardApplication application = startWithPool(FILTER + "false-positive-probability=0.5",
				FILTER + "expected-insertions=100")) {
			Products products = application.bean(Products.class);
			long row = rows(1001, 1100)
				.filter((id) -> application.filter("products").preview(id).membership() == Membership.MAYBE)
				.findFirst()
				.orElseThrow();
			tenant.set("a");
			assertThat(products.find(row)).isNull();
			Awaitility.await("sentinel").until(() -> !this.redis.keys("*" + row + "*").isEmpty());
			tenant.set("b");
			assertThat(products.find(row)).isNotNull();
			Awaitility.await("sentinel is gone").until(() -> this.redis.keys("*" + row + "*").isEmpty());
		}
	}

	@Test
	void questionWithoutACallIsNotAnsweredWhileCallersSeeMoreThanTheSource() {
		try (GuardApplication application = startWithPool()) {
			Products products = application.bean(Products.class);
			assertThat(application.guard().membership("products", 1002)).isEqualTo(Membership.ABSENT);
			tenant.set("b");
			assertThat(products.find(1001)).isNotNull();
			Awaitility.await("callers see more")
				.until(() -> application.guard().membership("products", 1002) == Membership.UNKNOWN);
			assertThat(application.guard().mightContain("products", 1003)).isTrue();
			assertThat(products.findAll(List.of(1004L, 1L))).contains("product 1004");
		}
	}

	@Test
	void instancesLearnFromOneThatCallersSeeMoreThanTheSource() {
		try (GuardApplication one = startWithPool();
				GuardApplication other = startWithPool(FILTER + "verification.mode=behind")) {
			tenant.set("b");
			assertThat(other.bean(Products.class).find(1080)).as("nobody has found any").isNull();
			assertThat(one.bean(Products.class).find(1081)).isNotNull();
			Awaitility.await("the other one knows").until(() -> other.products().filter().standing().callersOnly());
			assertThat(rows(1082, 1090)).allMatch((id) -> other.bean(Products.class).find(id) != null);
			assertThat(other.products().filter().standing().beforeUntil()).isAfter(Instant.now());
		}
	}

	@Test
	void keyThatOneTenantRemovesStaysForOthers() {
		try (GuardApplication application = start(new PoolThatSetsTheTenant(), List.of(new KeysOfAllTenants(true)))) {
			tenant.set("a");
			RemovedKeys.allow(this.redis, "products");
			application.guard().remove("products", 1070L);
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.untilAsserted(() -> assertThat(RemovedKeys.of(this.redis, "products")).isEmpty());
		}
	}

	private GuardApplication startWithPool(String... properties) {
		return start(new PoolThatSetsTheTenant(),
				Stream
					.concat(Stream.of(FILTER + "warm-up.query=select id from product", RATE,
							FILTER + "verification.mode=before"), Stream.of(properties))
					.toArray(String[]::new));
	}

	@Test
	void noTenantHidesRowsOfOthersByLookingForThem() {
		DataSource routing = new Tenants();
		try (GuardApplication application = start(routing, List.of(new KeysOfAllTenants(false)), RATE,
				FILTER + "verification.mode=behind")) {
			assertNothingIsHidden(application);
		}
	}

	@Test
	void sourceSaysThatRowsDependOnTheCaller() {
		try (GuardApplication application = start(new PoolThatSetsTheTenant(), List.of(new KeysOfAllTenants(true)),
				RATE, FILTER + "verification.mode=behind")) {
			assertNothingIsHidden(application);
			tenant.set("b");
			postgres.execute("insert into b.product values (2001), (2002) on conflict do nothing");
			assertThat(application.bean(Products.class).find(2001)).isNotNull();
			Awaitility.await("what was found is added").until(() -> application.guard().mightContain("products", 2001));
		}
	}

	private void assertNothingIsHidden(GuardApplication application) {
		Products products = application.bean(Products.class);
		tenant.set("a");
		rows(1001, 1010).forEach((id) -> assertThat(products.find(id)).isNull());
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.untilAsserted(() -> assertThat(this.redis.keys("*1001*")).isEmpty());
		tenant.set("b");
		assertThat(rows(1001, 1010)).allMatch((id) -> products.find(id) != null);
	}

	private static Stream<Long> rows(long from, long to) {
		return LongStream.rangeClosed(from, to).boxed();
	}

	private GuardApplication start(DataSource dataSource, String... properties) {
		return start(dataSource, List.of(), properties);
	}

	private GuardApplication start(DataSource dataSource, List<Object> beans, String... properties) {
		return GuardApplication
			.start(this.redis, Stream.concat(Stream.of(dataSource, Products.class), beans.stream()).toList(),
					properties)
			.awaitReady();
	}

	/**
	 * Not known by its type: most proxies of data sources do the same for all callers.
	 */
	static class PoolThatSetsTheTenant extends DelegatingDataSource {

		PoolThatSetsTheTenant() {
			super(postgres.dataSource());
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			try (Statement statement = connection.createStatement()) {
				String schema = tenant.get();
				statement.execute("set search_path = " + ((schema != null) ? schema : "a"));
			}
			return connection;
		}

	}

	static class Tenants extends AbstractRoutingDataSource {

		Tenants() {
			setTargetDataSources(Map.of("all", new PoolThatSetsTheTenant()));
			afterPropertiesSet();
		}

		@Override
		protected Object determineCurrentLookupKey() {
			return "all";
		}

	}

	static class KeysOfAllTenants implements KeySource {

		private final boolean dependent;

		KeysOfAllTenants(boolean dependent) {
			this.dependent = dependent;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.concat(rows(1, 100), rows(1001, 1100));
		}

		@Override
		public boolean dependsOnCaller() {
			return this.dependent;
		}

	}

	static class Products {

		private final JdbcTemplate database;

		Products(DataSource dataSource) {
			this.database = new JdbcTemplate(dataSource);
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return this.database.queryForList("select id from product where id = ?", Long.class, id)
				.stream()
				.map((found) -> "product " + found)
				.findFirst()
				.orElse(null);
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<String> findAll(List<Long> ids) {
			return ids.stream().map(this::find).filter(Objects::nonNull).toList();
		}

	}

}
