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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Membership;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogicalPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

import static io.github.bloomguard.catchup.Feeds.await;
import static io.github.bloomguard.catchup.Feeds.awaitFound;
import static io.github.bloomguard.catchup.Feeds.awaitRebuilt;
import static io.github.bloomguard.catchup.Feeds.generation;
import static io.github.bloomguard.catchup.Feeds.isFollowing;
import static io.github.bloomguard.catchup.Feeds.known;
import static io.github.bloomguard.catchup.Feeds.membership;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed}, in applications with a real Redis and a real PostgreSQL,
 * into which others write who know nothing of the guard.
 */
@Tag("slow")
class ChangeFeedTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@AutoClose
	private static final LogicalPostgres postgres = LogicalPostgres
		.start("create table product (id bigint primary key, tenant text, name text, active bool)");

	@BeforeEach
	void clear() {
		redis.reset();
		dropSlots();
		postgres.execute("truncate product", "insert into product (id) values (1), (2)");
	}

	@Test
	void rowThatOthersInsertIsFoundSoon() {
		try (GuardApplication application = start()) {
			insert(1000);
			awaitFound(application, 1000);
			assertThat(known(application, 2)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 1001)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void whoHasWaitedForLongEnoughGoesThrough() throws SQLException {
		start("changes.wait=300ms").close();
		Connection other = replicate();
		try (GuardApplication application = start("changes.wait=300ms")) {
			insert(1000);
			long begun = System.nanoTime();
			assertThat(membership(application, 1000)).isEqualTo(Membership.UNKNOWN);
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(250),
					Duration.ofSeconds(5));
			other.close();
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
		}
		finally {
			other.close();
		}
	}

	/**
	 * Follow with the slot that there is, and read nothing.
	 */
	private static Connection replicate() throws SQLException {
		String slot = postgres.template().queryForObject("select slot_name from pg_replication_slots", String.class);
		await().until(
				() -> postgres.template().queryForObject("select not active from pg_replication_slots", Boolean.class));
		Connection connection = DriverManager
			.getConnection(postgres.url() + "&replication=database&preferQueryMode=simple&assumeMinServerVersion=14");
		connection.unwrap(PGConnection.class)
			.getReplicationAPI()
			.replicationStream()
			.logical()
			.withSlotName(slot)
			.withSlotOption("proto_version", "1")
			.withSlotOption("publication_names", slot)
			.start();
		return connection;
	}

	@Test
	void keyOfSeveralColumnsIsFound() {
		postgres.execute("insert into product (id, tenant, active) values (7, 'a', true)");
		try (GuardApplication application = start("changes.wait=5s", "changes.key-columns=tenant,id,active",
				"warm-up.query=select tenant, id, active from product")) {
			assertThat(application.guard().membership("products", List.of("a", 7, true))).isEqualTo(Membership.MAYBE);
			postgres.execute("insert into product (id, tenant, active) values (1000, 'b', false)");
			assertThat(application.guard().membership("products", List.of("b", 1000, false)))
				.isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", List.of("b", 1000, true)))
				.isEqualTo(Membership.ABSENT);
			postgres.execute("update product set tenant = 'c' where id = 1000");
			assertThat(application.guard().membership("products", List.of("c", 1000, false)))
				.isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void rowsInsertedWhileTheApplicationWasDownAreFoundWithoutARebuild() {
		String generation;
		try (GuardApplication application = start()) {
			generation = generation(application);
		}
		postgres.execute("insert into product (id) select generate_series(1000, 6000)");
		try (GuardApplication application = start()) {
			awaitFound(application, 6000);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(generation(application)).isEqualTo(generation);
		}
	}

	@Test
	void instanceThatWasStoppedAndStartedFollowsAgain() {
		try (GuardApplication application = start()) {
			application.context().stop();
			insert(1000);
			application.context().start();
			awaitFound(application, 1000);
			assertThat(isFollowing(application)).isTrue();
		}
	}

	@Test
	void anotherInstanceFollowsWhenOneStops() {
		GuardApplication first = start();
		try (GuardApplication second = start()) {
			await().until(() -> isFollowing(first));
			assertThat(isFollowing(second)).isFalse();
			String generation = generation(second);
			first.close();
			insert(1000);
			awaitFound(second, 1000);
			assertThat(isFollowing(second)).isTrue();
			assertThat(generation(second)).isEqualTo(generation);
		}
	}

	@Test
	void rebuildNeedsNoReadingAgain() {
		try (GuardApplication application = start("changes.wait=5s"); GuardApplication other = start()) {
			await().until(() -> isFollowing(application) != isFollowing(other));
			insert(1000);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			application.guard().rebuild("products").join();
			insert(1001);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 1001)).isEqualTo(Membership.MAYBE);
			assertThat(known(application, 5000)).isEqualTo(Membership.ABSENT);
			String rebuilt = generation(application);
			await().during(Duration.ofSeconds(3)).until(() -> rebuilt.equals(generation(application)));
		}
	}

	@Test
	void droppedSlotMeansARebuildAndNoAbsentAnswerBefore() {
		GuardApplication application = start("changes.wait=5s");
		String generation = generation(application);
		application.close();
		dropSlots();
		insert(1000);
		try (GuardApplication restarted = launch("changes.wait=5s")) {
			awaitRebuilt(restarted, generation, 1000);
		}
	}

	@Test
	void tableThatIsRenamedIntoPlaceMeansARebuildAndNoAbsentAnswerBefore() {
		postgres.execute("create table filled (like product including all)", "insert into filled (id) values (1000)");
		try (GuardApplication application = start("changes.wait=5s"); GuardApplication other = start()) {
			String generation = generation(application);
			postgres.execute("alter table product rename to replaced; alter table filled rename to product");
			insert(1001);
			assertThat(membership(application, 1000)).isNotEqualTo(Membership.ABSENT);
			awaitRebuilt(application, generation, 1001);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			insert(1002);
			assertThat(known(application, 1002)).isEqualTo(Membership.MAYBE);
			awaitFound(other, 1002);
		}
		finally {
			postgres.execute("drop table if exists replaced, filled");
		}
	}

	@Test
	void releasedLogMeansARebuildAlsoWithoutABarrier() {
		GuardApplication application = start();
		String generation = generation(application);
		application.close();
		insert(1000);
		// a slot moves only up to what was flushed
		postgres.execute("checkpoint",
				"select pg_replication_slot_advance(slot_name, pg_current_wal_lsn()) from pg_replication_slots");
		try (GuardApplication restarted = launch()) {
			await().until(() -> generation(restarted) != null && !generation.equals(generation(restarted)));
			awaitFound(restarted, 1000);
		}
	}

	@Test
	void flushedRedisAndRestartedDatabaseLoseNoRow() {
		try (GuardApplication application = start("changes.wait=1s")) {
			insert(1000);
			redis.command("FLUSHALL");
			insert(1001);
			assertThat(membership(application, 1001)).isNotEqualTo(Membership.ABSENT);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			String generation = generation(application);
			postgres.restart();
			insert(1002);
			assertThat(membership(application, 1002)).isNotEqualTo(Membership.ABSENT);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 1002)).isEqualTo(Membership.MAYBE);
			assertThat(generation(application)).isEqualTo(generation);
		}
	}

	/**
	 * As blue and green deployments on one database may be.
	 */
	@Test
	void logThatIsFollowedForAnotherRedisIsLeftToItAndNothingIsLoadedInVain() {
		GuardApplication blue = start();
		await().until(() -> isFollowing(blue));
		try (TestRedis green = TestRedis.start(); GuardApplication other = launch(green)) {
			other.awaitLoaded();
			// as long as nothing is written, nothing is missing
			insert(1000);
			await().until(() -> error(other).contains("another Redis"));
			assertThat(error(other)).contains("give one of them another bloom-guard.application");
			awaitFound(blue, 1000);
			assertThat(membership(other, 5000)).isEqualTo(Membership.UNKNOWN);
			blue.close();
			await().until(() -> membership(other, 5000) == Membership.ABSENT);
			assertThat(known(other, 1000)).isEqualTo(Membership.MAYBE);
		}
		finally {
			blue.close();
		}
	}

	private static String error(GuardApplication application) {
		return String.valueOf(application.products().warmUp().progress().error());
	}

	@Test
	@Tag("proof")
	void rowsAfterAFailOverThatLostTheEndOfTheLogAreNotHidden() {
		rowsAreNotHiddenAfter(postgres::failOver);
	}

	@Test
	@Tag("proof")
	void rowsAfterTheDatabaseWasRestoredAreNotHidden() {
		rowsAreNotHiddenAfter(postgres::restore);
	}

	private void rowsAreNotHiddenAfter(Consumer<Runnable> loss) {
		try (GuardApplication application = start("changes.wait=1s")) {
			String generation = generation(application);
			loss.accept(() -> {
				postgres.execute("create table lost as select generate_series(1, 100000)");
				insert(1000);
				await().until(() -> membership(application, 5000) == Membership.ABSENT);
				assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			});
			insert(2000);
			awaitRebuilt(application, generation, 2000);
		}
	}

	@Test
	void logIsReleasedWhileOthersWriteOtherTables() {
		postgres.execute("create table if not exists noise (id bigint, text text)");
		try (GuardApplication application = start()) {
			postgres.execute("insert into noise select n, repeat('x', 1000) from generate_series(1, 10000) n");
			await().untilAsserted(() -> {
				FeedStatus status = application.products().changes().progress().status();
				assertThat(status).isNotNull();
				assertThat(status.lag()).isLessThan(1 << 20);
				assertThat(status.released().offset()).isGreaterThan(1 << 20);
				assertThat(status.follower()).isNotNull();
			});
			assertThat(application.products().changes().progress().behindSince()).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "changes.enabled=false", "mode=off" })
	void feedThatIsRemovedLeavesNoSlot(String property) {
		start().close();
		try (GuardApplication application = launch(property)) {
			await().untilAsserted(() -> {
				assertThat(count("pg_replication_slots")).isZero();
				assertThat(count("pg_publication")).isZero();
			});
			RowFeed changes = application.products().changes();
			assertThat(changes == null || !changes.progress().following()).isTrue();
		}
	}

	@Test
	void filterThatIsConfiguredOffFollowsTheLogWhenItIsSwitchedOn() {
		try (GuardApplication application = launch("mode=off")) {
			application.products().filter().switchTo(new ModeSwitch(FilterMode.ENFORCE, Instant.now(), null)).join();
			application.awaitReady();
			await().until(() -> application.filter("products").check(1000).await().answered());
			postgres.execute("insert into product (id) values (1000)");
			await().until(() -> !application.filter("products").check(1000).await().answered());
		}
	}

	@Test
	void keysOfDeletedRowsAreRemovedFromTheMirrors() {
		try (GuardApplication application = start("mirror.enabled=true")) {
			// what was loaded has not been added lately
			postgres.execute("delete from product where id = 1");
			await().until(() -> application.products().changes().progress().removed() == 1);
		}
	}

	@Test
	void keyThatAnotherRowHasIsNotRemoved() {
		postgres.execute("alter table product replica identity full",
				"insert into product (id, tenant) values (3, 'a'), (4, 'a')");
		try (GuardApplication application = start("mirror.enabled=true", "changes.key-columns=tenant",
				"warm-up.query=select tenant from product")) {
			postgres.execute("delete from product where id = 3", "insert into product (id, tenant) values (5, 'b')");
			awaitFound(application, "b");
			// what was read with it is removed by the time that more is read
			postgres.execute("insert into product (id, tenant) values (6, 'c')");
			awaitFound(application, "c");
			assertThat(application.products().changes().progress().removed()).isZero();
			assertThat(known(application, "a")).isEqualTo(Membership.MAYBE);
		}
		finally {
			postgres.execute("alter table product replica identity default");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.datasource.hikari.schema=shop",
			"spring.datasource.hikari.connection-init-sql=set search_path = shop" })
	void tableThatThePoolFindsIsFollowed(String pool) {
		postgres.execute("create schema shop", "create table shop.product (id bigint primary key)",
				"insert into shop.product values (1), (2)");
		try (GuardApplication application = GuardApplication
			.start(redis, List.of(),
					postgres.and(
							Stream
								.concat(Stream.of(pool),
										Stream
											.of("changes.enabled=true", "changes.wait=5s", "changes.table=product",
													"changes.key-columns=id", "warm-up.query=select id from product")
											.map((property) -> PREFIX + property))
								.toArray(String[]::new)))
			.awaitReady()) {
			postgres.execute("insert into shop.product values (1000)");
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
		}
		finally {
			postgres.execute("drop schema shop cascade");
		}
	}

	/**
	 * By updates, and by a change of the table that no record tells of.
	 */
	@Test
	void rowThatIsShownLaterIsFound() {
		postgres.execute("insert into product (id, active) values (6, true), (7, false), (8, null)");
		try (GuardApplication application = start("changes.wait=5s",
				"warm-up.query=select id from product where active")) {
			String generation = generation(application);
			assertThat(known(application, 7)).isEqualTo(Membership.ABSENT);
			postgres.execute("update product set active = true where id = 7");
			assertThat(known(application, 7)).isEqualTo(Membership.MAYBE);
			assertThat(generation(application)).isEqualTo(generation);
			postgres.execute("alter table product alter column active type bool using true");
			awaitRebuilt(application, generation, 8);
		}
	}

	private static int count(String catalog) {
		Integer count = postgres.template().queryForObject("select count(*) from " + catalog, Integer.class);
		return (count != null) ? count : 0;
	}

	private static GuardApplication start(String... more) {
		return launch(more).awaitReady();
	}

	private static GuardApplication launch(String... more) {
		return launch(redis, more);
	}

	private static GuardApplication launch(TestRedis redis, String... more) {
		String query = Arrays.stream(more).anyMatch((property) -> property.startsWith("warm-up.query="))
				? "verification.required-calls=0" : "warm-up.query=select id from product";
		String columns = Arrays.stream(more).anyMatch((property) -> property.startsWith("changes.key-columns="))
				? "verification.required-calls=0" : "changes.key-columns=id";
		return GuardApplication.start(redis, List.of(),
				postgres.and(Stream
					.concat(Stream.of("changes.enabled=true", "changes.table=product", query, columns,
							"false-positive-probability=0.000000001"), Stream.of(more))
					.map((property) -> PREFIX + property)
					.toArray(String[]::new)));
	}

	private static void insert(long id) {
		postgres.execute("insert into product (id) values (" + id + ")");
	}

	private static void dropSlots() {
		Feeds.dropSlots(postgres.template());
	}

}
