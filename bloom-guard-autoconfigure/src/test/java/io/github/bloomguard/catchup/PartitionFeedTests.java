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
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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

import static io.github.bloomguard.catchup.Feeds.await;
import static io.github.bloomguard.catchup.Feeds.awaitFound;
import static io.github.bloomguard.catchup.Feeds.awaitRebuilt;
import static io.github.bloomguard.catchup.Feeds.generation;
import static io.github.bloomguard.catchup.Feeds.known;
import static io.github.bloomguard.catchup.Feeds.membership;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed} with a table of PostgreSQL that has rows in others:
 * {@code product} has partitions, {@code article} has heirs.
 */
@Tag("slow")
class PartitionFeedTests {

	private static final String ATTACH = "alter table product attach partition more for values from (1000) to (2000)";

	private static final String INHERIT = "alter table more inherit article";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create();

	@BeforeEach
	void create() {
		redis.reset();
		Feeds.dropSlots(postgres.template());
		postgres.execute("drop table if exists product, article, more cascade",
				"create table product (id bigint primary key) partition by range (id)",
				"create table product_0 partition of product for values from (0) to (1000)",
				"create table article (id bigint primary key)", "create table more (id bigint primary key)",
				"insert into product values (1)", "insert into article values (1)");
	}

	@ParameterizedTest
	@CsvSource({ "product, " + ATTACH, "article, " + INHERIT })
	void rowsOfATableThatIsAttachedAreNotHidden(String table, String attach) {
		postgres.execute("insert into more values (1000)");
		try (GuardApplication application = start(table); GuardApplication other = start(table)) {
			String generation = generation(application);
			postgres.execute(attach);
			assertThat(membership(application, 1000)).isNotEqualTo(Membership.ABSENT);
			assertThat(membership(other, 1000)).isNotEqualTo(Membership.ABSENT);
			awaitRebuilt(application, generation, 1000);
			postgres.execute("insert into more values (1001)");
			assertThat(known(application, 1001)).isEqualTo(Membership.MAYBE);
		}
	}

	@ParameterizedTest
	@CsvSource({ "product, " + ATTACH, "article, " + INHERIT })
	void rowsOfATableThatIsAttachedWhileNobodyFollowsAreNotHidden(String table, String attach) {
		GuardApplication application = start(table);
		String generation = generation(application);
		application.close();
		postgres.execute("insert into more values (1000)", attach);
		try (GuardApplication restarted = launch(table)) {
			awaitRebuilt(restarted, generation, 1000);
		}
	}

	@ParameterizedTest
	@CsvSource({ "product, " + ATTACH, "article, " + INHERIT })
	void emptyTableIsAttachedWithoutARebuild(String table, String attach) {
		try (GuardApplication application = start(table); GuardApplication other = start(table)) {
			String generation = generation(application);
			postgres.execute(attach);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			postgres.execute("insert into more values (1000)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(other, 1000)).isEqualTo(Membership.MAYBE);
			await().during(Duration.ofSeconds(3)).until(() -> generation.equals(generation(application)));
		}
	}

	/**
	 * The log would not have what is written before the table is published.
	 */
	@Test
	void tableIntoWhichSomebodyWritesIsNotYetFollowed() throws SQLException {
		try (GuardApplication application = start("article");
				Connection writer = postgres.connect();
				Statement statement = writer.createStatement()) {
			writer.setAutoCommit(false);
			postgres.execute(INHERIT);
			statement.execute("lock table more in row exclusive mode");
			await().during(Duration.ofSeconds(3)).until(() -> membership(application, 1000) != Membership.ABSENT);
			statement.execute("insert into more values (1000)");
			writer.commit();
			assertThat(membership(application, 1000)).isNotEqualTo(Membership.ABSENT);
			awaitFound(application, 1000);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void rowsOfATableThatIsDetachedAndAttachedAgainAreNotHidden() {
		try (GuardApplication application = start("product")) {
			postgres.execute("alter table product detach partition product_0", "insert into product_0 values (2)");
			postgres.execute("alter table product attach partition product_0 for values from (0) to (1000)");
			assertThat(known(application, 2)).isEqualTo(Membership.MAYBE);
			postgres.execute("insert into product values (3)");
			assertThat(known(application, 3)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void heirWithoutIdentityCanStillBeUpdated() {
		try (GuardApplication application = start("article")) {
			postgres.execute("create table heir () inherits (article)", "insert into heir values (1000)",
					"update heir set id = 1001 where id = 1000");
			assertThat(membership(application, 1001)).isNotEqualTo(Membership.ABSENT);
			await().untilAsserted(() -> assertThat(application.products().changes().progress().error())
				.contains("alter table heir replica identity full"));
			postgres.execute("alter table heir replica identity full");
			awaitFound(application, 1001);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
		}
		postgres.execute("drop table heir", "create table heir () inherits (article)");
		assertThat(refusal("article").getRemedy())
			.isEqualTo("Run: alter table heir replica identity full; or give it a primary key");
	}

	@Test
	void tableWhoseRowsAreNotInTheLogStopsTheStart() {
		postgres.execute("create unlogged table product_1 partition of product for values from (1000) to (2000)");
		assertThat(refusal("product"))
			.hasMessageContaining("changes.table is 'public.product', and the log does not have the rows of product_1");
		postgres.execute("create foreign data wrapper elsewhere",
				"create server elsewhere foreign data wrapper elsewhere",
				"create foreign table heir () inherits (article) server elsewhere");
		assertThat(refusal("article")).hasMessageContaining("does not have the rows of heir");
	}

	private static InvalidGuardException refusal(String table) {
		return Feeds.refusal(() -> launch(table));
	}

	private static GuardApplication start(String table) {
		return launch(table).awaitReady();
	}

	private static GuardApplication launch(String table) {
		return GuardApplication.start(redis, List.of(),
				postgres.and(Stream
					.of("changes.enabled=true", "changes.table=" + table, "changes.key-columns=id", "changes.wait=5s",
							"warm-up.query=select id from " + table, "false-positive-probability=0.000000001")
					.map((property) -> "bloom-guard.filters.products." + property)
					.toArray(String[]::new)));
	}

}
