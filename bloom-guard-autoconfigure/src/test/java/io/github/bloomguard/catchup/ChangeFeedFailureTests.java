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
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogicalPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what stops the start of an application whose database does not let it follow
 * the change log, with the statement to run.
 */
@Tag("slow")
class ChangeFeedFailureTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose
	private static final LogicalPostgres postgres = LogicalPostgres.start(
			"create table product (id bigint primary key, attributes json, twice bigint generated always as (id * 2) stored)",
			"create table nameless (id bigint)", "create role reader login", "grant select on product to reader",
			"create role writer login replication", "grant select on product to writer");

	@Test
	void tableWithoutIdentityStopsTheStart() {
		assertThat(refusal(postgres.url(), "changes.table=nameless", "changes.key-columns=id"))
			.hasMessageContaining("which has no primary key and no other replica identity");
		assertThat(remedy(postgres.url(), "changes.table=nameless", "changes.key-columns=id"))
			.isEqualTo("Run: alter table nameless replica identity full; or give it a primary key");
	}

	@Test
	void unknownTableAndColumnsStopTheStart() {
		assertThat(refusal(postgres.url(), "changes.table=products", "changes.key-columns=id"))
			.hasMessageContaining("there is no table of that name");
		assertThat(refusal(postgres.url(), "changes.table=product", "changes.key-columns=code"))
			.hasMessageContaining("'code', which the table public.product does not have");
		assertThat(refusal(postgres.url(), "changes.table=product", "changes.key-columns=attributes"))
			.hasMessageContaining("attributes (json), whose values have no canonical form");
		assertThat(refusal(postgres.url(), "changes.table=product"))
			.hasMessageContaining(PREFIX + "changes.key-columns is not set");
	}

	/**
	 * The log has only what was written, before PostgreSQL 18.
	 */
	@Test
	void generatedColumnStopsTheStart() {
		assertThat(refusal(postgres.url(), "changes.table=product", "changes.key-columns=twice"))
			.hasMessageContaining("'twice', which is a generated column of type bigint");
	}

	@Test
	void missingRightsStopTheStart() {
		assertThat(remedy(postgres.url().replace("user=postgres", "user=reader"), "changes.table=product",
				"changes.key-columns=id"))
			.startsWith("Run: alter role \"reader\" replication;");
		String publication = "create publication bloomguard_";
		String remedy = remedy(postgres.url().replace("user=postgres", "user=writer"), "changes.table=product",
				"changes.key-columns=id");
		assertThat(remedy).startsWith("Let its owner run: " + publication);
		// one of another table may have been renamed out of its place
		String name = remedy.split(" ")[6];
		postgres.execute("select pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
		assertThat(remedy(postgres.url().replace("user=postgres", "user=writer"), "changes.table=product",
				"changes.key-columns=id"))
			.startsWith("Let its owner run: select pg_drop_replication_slot('" + name
					+ "'); drop publication if exists " + name + "; " + publication);
	}

	@Test
	void logThatIsNotLogicalStopsTheStart() {
		try (LogicalPostgres replica = LogicalPostgres.startWith("replica",
				"create table product (id bigint primary key)")) {
			assertThat(remedy(replica.url(), "changes.table=product", "changes.key-columns=id"))
				.isEqualTo("Run: alter system set wal_level = logical; and restart the server");
		}
	}

	@Test
	void standbyStopsTheStart() {
		try (LogicalPostgres standby = LogicalPostgres.start("create table product (id bigint primary key)")) {
			standby.restartAsStandby();
			assertThat(refusal(standby.url(), "changes.table=product", "changes.key-columns=id"))
				.hasMessageContaining("the server is a standby");
		}
	}

	@Test
	void urlOfSeveralServersStopsTheStartUnlessItIsThatOfThePrimary() {
		String url = postgres.url().replaceFirst("(//)([^/]+)", "$1$2,$2");
		assertThat(refusal(url, "changes.table=product", "changes.key-columns=id"))
			.hasMessageContaining("the URL has several servers");
		assertThat(remedy(url, "changes.table=product", "changes.key-columns=id"))
			.isEqualTo("Add targetServerType=primary to the URL");
		assertThat(refusal(url + "&targetServerType=primary", "changes.table=products", "changes.key-columns=id"))
			.hasMessageContaining("there is no table of that name");
	}

	private static InvalidGuardException refusal(String url, String... properties) {
		return Feeds.refusal(() -> GuardApplication.start(redis, List.of(),
				Stream
					.concat(Stream.of("spring.datasource.url=" + url),
							Stream
								.concat(Stream.of("changes.enabled=true", "warm-up.on-startup=never",
										Feeds.query(properties)), Stream.of(properties))
								.map((property) -> PREFIX + property))
					.toArray(String[]::new)));
	}

	private static String remedy(String url, String... properties) {
		return refusal(url, properties).getRemedy();
	}

}
