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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.MySqlDatabase;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static io.github.bloomguard.catchup.Feeds.await;
import static io.github.bloomguard.catchup.Feeds.awaitFound;
import static io.github.bloomguard.catchup.Feeds.awaitRebuilt;
import static io.github.bloomguard.catchup.Feeds.generation;
import static io.github.bloomguard.catchup.Feeds.isFollowing;
import static io.github.bloomguard.catchup.Feeds.known;
import static io.github.bloomguard.catchup.Feeds.membership;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeFeed}, in applications with a real Redis and a real server with
 * a binary log, into which others write who know nothing of the guard.
 */
@Tag("slow")
abstract class BinlogFeedTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	/**
	 * What the tests of both kinds of server need.
	 */
	static final String[] TABLES = { "create table product (id bigint primary key, name varchar(40))",
			"create table kinds (big bigint unsigned, small tinyint unsigned, medium mediumint, flag tinyint(1),"
					+ " text varchar(20) character set utf8mb4 collate utf8mb4_bin,"
					+ " noise json, ratio float, bytes binary(16),"
					+ " amount decimal(12, 2), day date, year year, size enum('small', 'large') character set utf8mb4 collate utf8mb4_bin, primary key (big))",
			"create table folded (id int primary key, code varchar(20) character set utf8mb4 collate"
					+ " utf8mb4_general_ci)",
			"create table isam (id bigint primary key) engine = MyISAM", "create table parent (id bigint primary key)",
			"create table child (id bigint primary key, parent bigint, constraint adopted foreign key (parent)"
					+ " references parent (id) on update cascade)" };

	@AutoClose
	private static TestRedis redis;

	private final MySqlDatabase database;

	BinlogFeedTests(MySqlDatabase database) {
		this.database = database;
	}

	@BeforeAll
	static void startRedis() {
		redis = TestRedis.start();
	}

	@BeforeEach
	void clear() {
		redis.reset();
		this.database.execute("delete from product", "insert into product (id) values (1), (2)");
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

	/**
	 * As blue and green deployments on one database may be. Each takes the lease that is
	 * free, and the other one waits for a minute before it takes the next.
	 */
	@Test
	void twoDeploymentsWithARedisOfTheirOwnFollowTheSameLog() {
		try (TestRedis green = TestRedis.start();
				GuardApplication blue = start();
				GuardApplication other = launch(green).awaitReady()) {
			insert(1000);
			await()
				.until(() -> membership(blue, 1000) == Membership.MAYBE && membership(other, 1000) == Membership.MAYBE);
		}
	}

	@Test
	void rowsThatOthersCommitAreNeverAbsentWithABarrier() throws SQLException {
		try (GuardApplication first = start("changes.wait=5s"); GuardApplication second = start("changes.wait=5s")) {
			for (long id = 1000; id < 1100; id++) {
				insert(id);
				assertThat(known(first, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
				assertThat(known(second, id)).as("row %s", id).isEqualTo(Membership.MAYBE);
			}
			assertThat(known(first, 5000)).isEqualTo(Membership.ABSENT);
			assertThat(known(second, 5000)).isEqualTo(Membership.ABSENT);
			rolledBackRowsAreAbsent(first);
			manyRowsOfOneTransactionAreFound(first);
			changedKeyIsFound(first);
		}
	}

	private void rolledBackRowsAreAbsent(GuardApplication application) throws SQLException {
		try (Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("insert into product (id) values (2000)");
			assertThat(known(application, 2000)).isEqualTo(Membership.ABSENT);
			connection.rollback();
			statement.execute("insert into product (id) values (2001)");
			statement.execute("savepoint before_it");
			statement.execute("insert into product (id) values (2002)");
			statement.execute("rollback to savepoint before_it");
			connection.commit();
		}
		assertThat(known(application, 2000)).isEqualTo(Membership.ABSENT);
		assertThat(known(application, 2001)).isEqualTo(Membership.MAYBE);
		assertThat(known(application, 2002)).isEqualTo(Membership.ABSENT);
	}

	private void manyRowsOfOneTransactionAreFound(GuardApplication application) {
		insertAll(10_000, 12_500);
		assertThat(LongStream.of(10_000, 11_111, 12_499).mapToObj((id) -> membership(application, id)))
			.containsOnly(Membership.MAYBE);
		assertThat(known(application, 12_500)).isEqualTo(Membership.ABSENT);
	}

	private void changedKeyIsFound(GuardApplication application) {
		this.database.execute("update product set id = 3000 where id = 1", "update product set name = 'x' where id = 2",
				"insert into product (id, name) values (2, 'x') on duplicate key update id = 3001",
				"replace into product (id) values (3002)");
		assertThat(LongStream.of(3000, 3001, 3002).mapToObj((id) -> membership(application, id)))
			.containsOnly(Membership.MAYBE);
	}

	@Test
	void columnsAreToldApartByTheirNamesWhateverTheirOrder() {
		this.database.execute("create table moving (id bigint primary key, other bigint)");
		try (GuardApplication application = start("changes.wait=5s", "changes.table=moving",
				"warm-up.query=select id from moving")) {
			this.database.execute("insert into moving (id, other) values (1000, 1)",
					"alter table moving add column first_one bigint first",
					"insert into moving (id, other, first_one) values (1001, 2, 3)",
					"alter table moving modify column other bigint first",
					"insert into moving (id, other, first_one) values (1002, 4, 5)",
					"alter table moving drop column first_one", "insert into moving (id, other) values (1003, 6)");
			assertThat(LongStream.rangeClosed(1000, 1003).mapToObj((id) -> membership(application, id)))
				.doesNotContain(Membership.ABSENT);
			// each of these loads the filter again
			await().until(() -> membership(application, 6) == Membership.ABSENT);
			assertThat(LongStream.rangeClosed(1000, 1003).mapToObj((id) -> membership(application, id)))
				.containsOnly(Membership.MAYBE);
			assertThat(LongStream.rangeClosed(1, 6).mapToObj((id) -> membership(application, id)))
				.containsOnly(Membership.ABSENT);
		}
		finally {
			this.database.execute("drop table moving");
		}
	}

	@Test
	void keysHaveTheFormThatTheirRowsAreLoadedWith() {
		String columns = "big, small, medium, flag, text, bytes, amount, day, year, size";
		try (GuardApplication application = startWithKinds(columns)) {
			String insert = "insert into kinds (noise, " + columns + ") values ('{\"a\": 1}', ";
			this.database.execute(
					insert + "18446744073709551615, 255, -8388608, 1, 'Übung 😀', unhex('%s'), -12.00,"
						.formatted("00112233445566778899aabbccdd0000") + " '2024-02-29', 1999, 'large')",
					insert + "7, 0, 5, 0, '', unhex('%s'), 100.00, '1000-01-01', 0, 'small')"
						.formatted("ffffffffffffffffffffffffffffffff"));
			List<List<Object>> rows = this.database.template()
				.query("select " + columns + " from kinds",
						(row, number) -> List.of(row.getBigDecimal(1), row.getInt(2), row.getInt(3), row.getInt(4),
								row.getString(5), row.getBytes(6), row.getBigDecimal(7),
								row.getObject(8, LocalDate.class), row.getInt(9), row.getString(10)));
			assertThat(rows).hasSize(2).allSatisfy((key) -> {
				List<Object> other = new ArrayList<>(key);
				other.set(1, 77);
				assertFound(application, key, other);
			});
			application.guard().rebuild("products").join();
			assertThat(rows).allSatisfy((key) -> assertThat(lookUp(application, key)).isEqualTo(Membership.MAYBE));
		}
	}

	private GuardApplication startWithKinds(String columns) {
		this.database.execute("delete from kinds");
		return start("changes.table=kinds", "changes.key-columns=" + columns.replace(" ", ""),
				"warm-up.query=select " + columns + " from kinds");
	}

	private static void assertFound(GuardApplication application, Object key, Object other) {
		await().until(() -> lookUp(application, key) == Membership.MAYBE);
		assertThat(lookUp(application, other)).isEqualTo(Membership.ABSENT);
	}

	/**
	 * Ask the filter itself: a key of such parts is never called absent.
	 */
	private static Membership lookUp(GuardApplication application, Object key) {
		return application.lookUpInStore(new KeyFormat(List.of()).format(key));
	}

	@Test
	void rowIsFoundByEachValueThatHibernateReads() {
		this.database.execute("delete from kinds");
		List<String> attributes = List.of("small", "text", "bytes", "amount", "day", "size");
		try (GuardApplication application = startWithEntity(Kinds.class, attributes)) {
			this.database
				.execute("insert into kinds (big, small, text, bytes, amount, day, size) values (7, 255, '007',"
						+ " unhex('00112233445566778899aabbccdd0000'), 12.50, '2024-02-29', 'large')");
			Kinds row = application.bean(EntityManagerFactory.class)
				.callInTransaction((entities) -> entities.find(Kinds.class, 7L));
			assertThat(row.keys()).hasSize(1 + attributes.size())
				.allSatisfy((filter, key) -> assertThat(known(application, filter, key)).isEqualTo(Membership.MAYBE));
			assertThat(known(application, 8)).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "bytes", UUID.randomUUID())).isEqualTo(Membership.ABSENT);
			assertThat(known(application, "amount", 12)).isEqualTo(Membership.ABSENT);
		}
	}

	GuardApplication startWithEntity(Class<?> entity, List<String> attributes) {
		List<String> properties = new ArrayList<>(Feeds.filter("products", entity));
		attributes.forEach((attribute) -> {
			properties.addAll(Feeds.filter(attribute, entity));
			properties.add("bloom-guard.filters." + attribute + ".attribute=" + attribute);
		});
		properties.add(GuardApplication.HIBERNATE);
		return Feeds.awaitAllReady(GuardApplication.start(redis, List.of(Entities.class),
				this.database.and(properties.toArray(String[]::new))));
	}

	@Test
	void textIsFoundAsTheDatabaseComparesIt() {
		try (GuardApplication application = start("changes.wait=5s", "changes.table=folded", "changes.key-columns=code",
				"warm-up.query=select code from folded")) {
			this.database.execute("delete from folded", "insert into folded values (1, 'Größe')");
			assertThat(application.guard().membership("products", "GRÖSSE")).isNotEqualTo(Membership.ABSENT);
			assertThat(application.guard().membership("products", "grosse")).isNotEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void keyThatAnotherRowHasIsNotRemoved() {
		this.database.execute("insert into product values (3, 'a'), (4, 'a')");
		try (GuardApplication application = start("mirror.enabled=true", "changes.key-columns=name",
				"warm-up.query=select name from product")) {
			await().until(() -> isFollowing(application));
			// the end of the log is noted each second, and only what is behind it removed
			await().during(Duration.ofSeconds(2)).until(() -> {
				this.database.execute("delete from product where id = 3", "insert into product values (3, 'a')");
				return application.products().changes().progress().removed() == 0;
			});
			assertThat(known(application, "a")).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void keysOfDeletedRowsAreRemovedFromTheMirrors() {
		try (GuardApplication application = start("mirror.enabled=true")) {
			await().until(() -> isFollowing(application));
			// what was loaded has not been added lately
			await().until(() -> {
				this.database.execute("delete from product where id = 1", "insert into product (id) values (1)");
				return application.products().changes().progress().removed() > 0;
			});
		}
	}

	@Test
	void anotherInstanceFollowsWhenOneStopsOrIsCutOff() {
		GuardApplication first = start();
		try (GuardApplication second = start()) {
			await().until(() -> isFollowing(first));
			assertThat(isFollowing(second)).isFalse();
			String generation = generation(second);
			first.close();
			insert(1000);
			awaitFound(second, 1000);
			assertThat(isFollowing(second)).isTrue();
			try (GuardApplication third = start()) {
				await().until(() -> second.products().changes().progress().status() != null);
				killFollower(second);
				insert(1001);
				awaitFound(third, 1001);
				await().until(() -> isFollowing(second) != isFollowing(third));
				killReaders();
				insert(1002);
				awaitFound(second, 1002);
				awaitFound(third, 1002);
			}
			assertThat(generation(second)).isEqualTo(generation);
		}
	}

	/**
	 * End the connection that has the lease.
	 */
	private void killFollower(GuardApplication application) {
		FeedStatus status = application.products().changes().progress().status();
		assertThat(status).isNotNull();
		this.database.execute("kill "
				+ this.database.template().queryForObject("select is_used_lock(?)", String.class, status.name()));
	}

	private void killReaders() {
		for (String id : this.database.template()
			.queryForList("select id from information_schema.processlist where command = 'Binlog Dump'",
					String.class)) {
			this.database.execute("kill " + id);
		}
	}

	@Test
	void rowsInsertedWhileTheApplicationWasDownAreFoundWithoutARebuild() {
		String generation;
		try (GuardApplication application = start()) {
			generation = generation(application);
		}
		insertAll(1000, 3500);
		this.database.execute("flush binary logs");
		insert(4000);
		try (GuardApplication application = start()) {
			awaitFound(application, 4000);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(generation(application)).isEqualTo(generation);
		}
	}

	@Test
	void purgedLogMeansARebuildAndNoAbsentAnswerBefore() {
		GuardApplication application = start("changes.wait=5s");
		String generation = generation(application);
		application.close();
		insert(1000);
		purge();
		assertRebuilt(generation, 1000);
	}

	@Test
	void logThatWasResetMeansARebuildAndNoAbsentAnswerBefore() {
		GuardApplication application = start("changes.wait=5s");
		String generation = generation(application);
		application.close();
		insert(1000);
		this.database.resetLog();
		// up to behind where the filter has come to
		insertAll(10_000, 10_500);
		assertRebuilt(generation, 1000);
	}

	@Test
	void resetUnderARunningApplicationHidesNoRow() {
		try (GuardApplication application = start("changes.wait=1s");
				GuardApplication other = start("changes.wait=1s")) {
			String generation = generation(application);
			for (long id = 1000; id < 1020; id++) {
				this.database.resetLog();
				insert(id);
				assertThat(membership(application, id)).as("row %s", id).isNotEqualTo(Membership.ABSENT);
				assertThat(membership(other, id)).as("row %s", id).isNotEqualTo(Membership.ABSENT);
			}
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			await().until(() -> membership(other, 5000) == Membership.ABSENT);
			assertThat(generation(application)).isNotEqualTo(generation);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
			assertThat(known(other, 1019)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void logThatIsAsLongAfterAResetIsNotTheOneThatWasFollowed() {
		try (GuardApplication application = start("changes.wait=1s")) {
			for (long id = 1000; id < 1003; id++) {
				this.database.resetLog();
				insert(id);
				assertThat(membership(application, id)).as("row %s", id).isNotEqualTo(Membership.ABSENT);
				await().until(() -> membership(application, 5000) == Membership.ABSENT);
			}
		}
	}

	@Test
	void rowsWithoutEventsMeanARebuild() throws SQLException {
		this.database.execute("create table filled (id bigint primary key)", "insert into filled values (1000)");
		try (GuardApplication application = start("changes.wait=1s");
				Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			String generation = generation(application);
			statement.execute("set session binlog_format = 'STATEMENT'");
			statement.execute("insert into product (id) values (2000)");
			assertThat(membership(application, 2000)).isNotEqualTo(Membership.ABSENT);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 2000)).isEqualTo(Membership.MAYBE);
			String rebuilt = generation(application);
			assertThat(rebuilt).isNotEqualTo(generation);
			this.database.execute("alter table filled add column name varchar(40)",
					"rename table product to old, filled to product");
			assertThat(membership(application, 1000)).isNotEqualTo(Membership.ABSENT);
			await().until(() -> membership(application, 5000) == Membership.ABSENT);
			assertThat(known(application, 1000)).isEqualTo(Membership.MAYBE);
		}
		finally {
			this.database.execute("drop table if exists old, filled");
		}
	}

	private void assertRebuilt(String generation, long id) {
		try (GuardApplication restarted = launch("changes.wait=5s")) {
			awaitRebuilt(restarted, generation, id);
		}
	}

	/**
	 * A server keeps what a connection that was just closed may still read.
	 */
	private void purge() {
		this.database.execute("flush binary logs");
		await().until(() -> {
			List<String> files = files();
			this.database.execute("purge binary logs to '" + files.get(files.size() - 1) + "'");
			return files().size() == 1;
		});
	}

	private List<String> files() {
		return this.database.template().query("show binary logs", (row, number) -> row.getString(1));
	}

	@Test
	void settingsOfTheServerStopTheStart() {
		assertRefusal("binlog_format", "STATEMENT", "ROW");
		assertRefusal("binlog_row_image", "MINIMAL", "FULL");
		assertRefusal("binlog_row_metadata", "MINIMAL", "FULL");
	}

	private void assertRefusal(String variable, String value, String wanted) {
		this.database.execute("set global " + variable + " = '" + value + "'");
		try {
			InvalidGuardException refusal = refusal(this.database.url(), "changes.key-columns=id");
			assertThat(refusal).hasMessageStartingWith(
					PREFIX + "changes.enabled is true, but " + variable + " of the server is '" + value + "'");
			assertThat(refusal.getRemedy()).contains(variable + " = '" + wanted + "'");
		}
		finally {
			this.database.execute("set global " + variable + " = '" + wanted + "'");
		}
	}

	@Test
	void missingRightsStopTheStart() {
		this.database.execute("create user reader@'127.0.0.1'", "grant select on *.* to reader@'127.0.0.1'");
		try {
			String url = this.database.url().replace("user=test", "user=reader");
			String right = url.startsWith("jdbc:mariadb") ? "binlog monitor" : "replication client";
			assertThat(refusal(url, "changes.key-columns=id").getRemedy())
				.isEqualTo("Run: grant " + right + " on *.* to 'reader'@'127.0.0.1';");
			this.database.execute("grant " + right + " on *.* to reader@'127.0.0.1'");
			assertThat(refusal(url, "changes.key-columns=id").getRemedy())
				.isEqualTo("Run: grant replication slave on *.* to 'reader'@'127.0.0.1';");
		}
		finally {
			this.database.execute("drop user reader@'127.0.0.1'");
		}
	}

	@Test
	void tablesThatCanNotBeFollowedStopTheStart() {
		String url = this.database.url();
		assertThat(refusal(url, "changes.table=products", "changes.key-columns=id"))
			.hasMessageContaining("there is no table of that name");
		assertThat(refusal(url, "changes.key-columns=code")).hasMessageContaining("'code', which the table ")
			.hasMessageContaining(".product does not have");
		assertThat(refusal(url, "changes.table=kinds", "changes.key-columns=ratio"))
			.hasMessageContaining("'ratio', which is of type float");
		assertThat(refusal(url, "changes.table=isam", "changes.key-columns=id").getRemedy())
			.contains(".isam engine = InnoDB;");
		assertThat(refusal(url, "changes.table=child", "changes.key-columns=parent").getRemedy())
			.startsWith("Run: alter table child drop foreign key adopted;");
	}

	static InvalidGuardException refusal(String url, String... properties) {
		return Feeds.refusal(() -> GuardApplication.start(redis, List.of(),
				Stream.concat(Stream.of("spring.datasource.url=" + url), properties(properties))
					.toArray(String[]::new)));
	}

	private GuardApplication start(String... more) {
		return launch(more).awaitReady();
	}

	private GuardApplication launch(String... more) {
		return launch(redis, more);
	}

	private GuardApplication launch(TestRedis redis, String... more) {
		return GuardApplication.start(redis, List.of(), this.database.and(properties(more).toArray(String[]::new)));
	}

	/**
	 * What comes last counts.
	 */
	private static Stream<String> properties(String... more) {
		return Stream
			.concat(Stream
				.of("changes.enabled=true", "changes.table=product", "changes.key-columns=id", Feeds.query(more),
						"false-positive-probability=0.000000001")
				.filter((property) -> Stream.of(more)
					.noneMatch((other) -> other.startsWith(property.substring(0, property.indexOf('=') + 1)))),
					Stream.of(more))
			.map((property) -> PREFIX + property);
	}

	private void insert(long id) {
		this.database.execute("insert into product (id) values (" + id + ")");
	}

	private void insertAll(long from, long to) {
		StringBuilder values = new StringBuilder("insert into product (id) values (" + from + ")");
		LongStream.range(from + 1, to).forEach((id) -> values.append(", (").append(id).append(')'));
		this.database.execute(values.toString());
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		static PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(Kinds.class.getName(), Token.class.getName());
		}

	}

	@Entity
	@Table(name = "`kinds`")
	static class Kinds {

		@Id
		@Column(name = "BIG")
		Long big;

		int small;

		String text;

		@JdbcTypeCode(SqlTypes.BINARY)
		UUID bytes;

		BigDecimal amount;

		LocalDate day;

		@Enumerated(EnumType.STRING)
		Size size;

		Map<String, Object> keys() {
			return Map.of("products", this.big, "small", this.small, "text", this.text, "bytes", this.bytes, "amount",
					this.amount, "day", this.day, "size", this.size);
		}

	}

	/** Its id is in a column of the type that Hibernate takes for it. */
	@Entity(name = "token")
	static class Token {

		@Id
		UUID id;

	}

	enum Size {

		small, large

	}

}
