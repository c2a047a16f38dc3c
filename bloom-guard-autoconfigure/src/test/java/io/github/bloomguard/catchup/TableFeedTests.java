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
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.bloomguard.catchup.Feeds.known;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for filters of which only the table is configured, in a real PostgreSQL into
 * which others write.
 */
@Tag("slow")
class TableFeedTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	private static final UUID CODE = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
			"create schema shop", "create table shop.product (code uuid primary key, sku text unique not null)",
			"create table shop.\"Seat\" (hall text, \"Number\" int, primary key (\"Number\", hall))",
			"create table shop.keyless (id bigint)");

	@BeforeEach
	void clear() {
		redis.reset();
		Feeds.dropSlots(postgres.template());
		postgres.execute("truncate shop.product, shop.\"Seat\"",
				"insert into shop.product values (gen_random_uuid(), 'a')");
	}

	@Test
	void tableOfThePoolIsLoadedAndFollowedByItsPrimaryKey() {
		try (GuardApplication application = start("table=product", "changes.enabled=true", "changes.wait=5s")) {
			UUID loaded = postgres.template().queryForObject("select code from shop.product", UUID.class);
			assertThat(known(application, loaded)).isEqualTo(Membership.MAYBE);
			postgres.execute("insert into shop.product values ('" + CODE + "', 'b')");
			assertThat(known(application, CODE)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, UUID.randomUUID())).isEqualTo(Membership.ABSENT);
			postgres.execute("delete from shop.product where code = '" + CODE + "'");
			Feeds.await().until(() -> application.products().changes().progress().removed() == 1);
		}
	}

	@Test
	void keyOfSeveralColumnsHasTheOrderOfThePrimaryKeyUnlessItIsTold() {
		postgres.execute("insert into shop.\"Seat\" values ('loaded', 7)");
		String seats = "table=shop.\"Seat\"";
		try (GuardApplication application = start(seats, "changes.enabled=true", "changes.wait=5s")) {
			postgres.execute("insert into shop.\"Seat\" values ('written', 8)");
			assertThat(known(application, List.of(7, "loaded"))).isEqualTo(Membership.MAYBE);
			assertThat(known(application, List.of(8, "written"))).isEqualTo(Membership.MAYBE);
			assertThat(known(application, List.of("loaded", 7))).isEqualTo(Membership.ABSENT);
		}
		try (GuardApplication application = start(seats, "key-columns=hall,number", "changes.enabled=true",
				"changes.wait=5s")) {
			postgres.execute("insert into shop.\"Seat\" values ('written', 9)");
			assertThat(known(application, List.of("loaded", 7))).isEqualTo(Membership.MAYBE);
			assertThat(known(application, List.of("written", 9))).isEqualTo(Membership.MAYBE);
			assertThat(known(application, List.of(7, "loaded"))).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void queryOfOtherRowsMayBeBesideTheTable() {
		try (GuardApplication application = start("table=product", "key-columns=sku",
				"warm-up.query=select 'archived'::text as sku")) {
			assertThat(known(application, "a")).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "archived")).isEqualTo(Membership.MAYBE);
			assertThat(known(application, "b")).isEqualTo(Membership.ABSENT);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					table=produkt | table is 'produkt', and there is no table of that name
					table=seat | table is 'seat', and there is no table of that name
					table=shop.prodcut | table is 'shop.prodcut', and there is no table of that name
					table=shpo.product | table is 'shpo.product', and there is no table of that name
					warm-up.query=select id from prodcut | warm-up.query is refused by the database: ERROR: relation "prodcut" does not exist Position: 16 (SQL state 42P01): Write it as a statement
					warm-up.query=select idd from product | warm-up.query is refused by the database: ERROR: column "idd" does not exist
					warm-up.query=selct id from product | warm-up.query is refused by the database: ERROR: syntax error
					warm-up.query=select sku from product;catch-up.start=select '';catch-up.query=select sku from prodcut where sku > :mark | catch-up.query is refused by the database: ERROR: relation "prodcut" does not exist
					table=keyless | which has no primary key, and key-columns is not set
					table=product;key-columns=idd | key-columns has 'idd', which the table product does not have
					table=select id from product | which is no name of a table
					table=product;entity=com.acme.Product | table is product, and bloom-guard.filters.products.entity is com.acme.Product
					table=product;attribute=sku | attribute is sku, but bloom-guard.filters.products.entity is not set
					table=product;text=fold | text is 'fold', but the filter 'products' has no KeySource bean
					table=product;warm-up.query=select 7 | table has the keys [code (uuid)], but bloom-guard.filters.products.warm-up.query gives
					table=product;changes.enabled=true;changes.table=shop.product | table is set, and bloom-guard.filters.products.changes.table, too
					table=product;changes.enabled=true;changes.key-columns=sku | table is set, and bloom-guard.filters.products.changes.key-columns, too
					""")
	void whatCantBeMeantStopsTheStart(String properties, String problem) {
		InvalidGuardException refusal = Feeds.refusal(() -> start(properties.split(";")));
		assertThat(refusal).hasMessageContaining("bloom-guard.filters.products.").hasMessageContaining(problem);
	}

	private static GuardApplication start(String... properties) {
		return GuardApplication
			.start(redis, List.of(),
					Stream.concat(
							Stream.of("spring.datasource.url=" + postgres.url(), "spring.datasource.hikari.schema=shop",
									PREFIX + "false-positive-probability=0.000000001"),
							Stream.of(properties).map((property) -> PREFIX + property))
						.toArray(String[]::new))
			.awaitReady();
	}

}
