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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.junit.jupiter.api.parallel.Resources;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link PolledLog}, in applications with a real Redis and a real PostgreSQL.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Resources.SYSTEM_OUT, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@Tag("slow")
class CatchUpTests {

	private static final String PREFIX = "bloom-guard.filters.products.";

	private static final String QUERY = "select id from product where id > :mark order by id";

	/**
	 * Counts its runs, also those that fail.
	 */
	private static final String COUNTED = "select id from product, (select run()) r where id > :mark order by id";

	private static final String START = "select coalesce(max(id), 0) from product";

	private static final String CONTROL = "bloom-guard:{products}:control";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	private final TestPostgres postgres = TestPostgres
		.create("create table product (id bigint primary key, tenant text, code text,"
				+ " day timestamp, instant timestamptz, price numeric)", "create sequence runs");

	private void letRunsSucceed() {
		this.postgres
			.execute("create or replace function run() returns bigint language sql as $$ select nextval('runs') $$");
	}

	@BeforeEach
	void createRows() {
		letRunsSucceed();
		insert(1);
		insert(2);
	}

	@Test
	void rowInsertedByPlainSqlIsFoundWithinTheInterval() {
		try (GuardApplication application = start(QUERY, START)) {
			insert(1000);
			awaitFound(application, 1000L);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 1001)).isEqualTo(Membership.ABSENT);
			await()
				.untilAsserted(() -> assertThat(application.products().changes().progress()).satisfies((progress) -> {
					assertThat(progress.position()).isEqualTo("1000");
					assertThat(progress.following()).isTrue();
					assertThat(progress.added()).isEqualTo(1);
					assertThat(progress.error()).isNull();
				}));
			assertThat(this.redis.command("HGET", CONTROL, "m:" + generation(application))).isEqualTo("bigint|1000");
		}
	}

	@Test
	void rowsInsertedWhileTheApplicationWasDownAreFound() {
		String generation;
		try (GuardApplication application = start(QUERY, START)) {
			generation = generation(application);
		}
		this.postgres.execute("insert into product (id) select generate_series(1000, 3500)");
		try (GuardApplication application = start(QUERY, START)) {
			awaitFound(application, 3500L);
			assertThat(application.guard().membership("products", 1000)).isEqualTo(Membership.MAYBE);
			assertThat(generation(application)).isEqualTo(generation);
			await().until(() -> checkpoint(application).equals("bigint|3500"));
		}
	}

	@Test
	void markMayBeOfEachOrderedType() {
		List<Marked> filters = List.of(new Marked("bigint", "id", "0", ""), new Marked("text", "code", "''", ""),
				new Marked("numeric", "price", "0", ""), new Marked("timestamp", "day", "'epoch'", ""),
				new Marked("timestamptz", "instant", "'epoch'", ""), new Marked("bigint", "id", "0", " - 1000"),
				new Marked("timestamp", "day", "'epoch'", " - interval '1 hour'"),
				new Marked("timestamptz", "instant", "'epoch'", " - interval '1 hour'"));
		String[] properties = this.postgres.and(IntStream.range(0, filters.size())
			.boxed()
			.flatMap((number) -> filters.get(number).properties("f" + number))
			.toArray(String[]::new));
		for (long id = 1000; id < 1002; id++) {
			long inserted = id;
			try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 2),
					properties)) {
				List<ManagedFilter> all = application.bean(ManagedFilters.class)
					.stream()
					.filter((managed) -> managed.changes() != null)
					.toList();
				await().until(() -> all.stream().allMatch((managed) -> managed.filter().active() != null));
				insert(inserted);
				for (ManagedFilter managed : all) {
					await().until(() -> managed.guard().membership(inserted) == Membership.MAYBE);
					assertThat(managed.changes().progress().error()).isNull();
				}
				assertThat(all).hasSameSizeAs(filters);
			}
		}
		for (int number = 0; number < filters.size(); number++) {
			assertThat(this.redis.command("HVALS", "bloom-guard:{f" + number + "}:control"))
				.contains(filters.get(number).type() + "|");
		}
	}

	@Test
	void rowThatIsCommittedLateIsFoundWithoutAnOverlapWhenTheMarkIsItsTransaction() throws SQLException {
		this.postgres.execute("alter table product add column written xid8 not null default pg_current_xact_id()");
		try (GuardApplication application = start(
				"select id, cast(cast(written as text) as bigint) from product, (select run()) r"
						+ " where written > cast(cast(:mark as text) as xid8)"
						+ " and written < pg_snapshot_xmin(pg_current_snapshot()) order by written",
				"select cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) - 1");
				Connection late = this.postgres.dataSource().getConnection()) {
			late.setAutoCommit(false);
			late.createStatement().execute("insert into product (id) values (1000)");
			insert(2000);
			insert(2001);
			awaitTwoRuns();
			late.commit();
			awaitFound(application, 1000L);
			awaitFound(application, 2000L);
			awaitFound(application, 2001L);
			assertThat(application.products().changes().progress().error()).isNull();
		}
		finally {
			this.postgres.execute("alter table product drop column written");
		}
	}

	private void awaitTwoRuns() {
		long before = runs();
		// one may be under way
		await().until(() -> runs() > before + 2);
	}

	private long runs() {
		return Objects
			.requireNonNull(this.postgres.template().queryForObject("select last_value from runs", Long.class));
	}

	@Test
	void lateRowIsFoundThroughTheOverlap() {
		try (GuardApplication application = start("select id from product where id > :mark - 100 order by id", START)) {
			insert(1000);
			awaitFound(application, 1000L);
			insert(950);
			awaitFound(application, 950L);
			await().until(() -> checkpoint(application).equals("bigint|1000"));
		}
	}

	@Test
	void columnsBeforeTheMarkAreACompositeKey() {
		try (GuardApplication application = start("select tenant, id, day from product where day > :mark order by day",
				"select max(day) from product")) {
			insert(1000);
			awaitFound(application, List.of("t1000", 1000));
			assertThat(application.guard().membership("products", 1000)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void rowCommittedDuringTheScanIsNotLost() {
		Keys scan = new Keys("products", 2);
		scan.beforeRead(() -> insert(1000 + scan.reads()));
		try (GuardApplication application = GuardApplication
			.start(this.redis, scan, properties(QUERY, START, "warm-up.on-startup=if-missing"))
			.awaitReady()) {
			awaitFound(application, 1001L);
			String former = generation(application);
			application.guard().rebuild("products").join();
			assertThat(generation(application)).isNotEqualTo(former);
			awaitFound(application, 1002L);
		}
	}

	@Test
	void rebuildSetsTheMarkAnewBeforeItsScan() {
		AtomicBoolean seen = new AtomicBoolean();
		Keys scan = new Keys("products", 2);
		try (GuardApplication application = GuardApplication
			.start(this.redis, scan, properties(QUERY, START, "catch-up.interval=1h"))
			.awaitReady()) {
			await().until(() -> application.products().changes().progress().following());
			insert(1000);
			scan.beforeRead(() -> seen.set(this.redis.command("HVALS", CONTROL).contains("bigint|1000")));
			application.guard().rebuild("products").join();
			assertThat(seen).isTrue();
			assertThat(checkpoint(application)).isEqualTo("bigint|1000");
		}
	}

	@Test
	void filterWhoseMarkIsLostIsRebuilt() {
		try (GuardApplication application = GuardApplication
			.start(this.redis, List.of(), properties(QUERY, START, "warm-up.query=select id from product"))
			.awaitReady()) {
			String former = generation(application);
			insert(1000);
			this.redis.command("HDEL", CONTROL, "m:" + former);
			await().until(
					() -> application.products().filter().active() != null && !generation(application).equals(former));
			awaitFound(application, 1000L);
			await().until(() -> application.products().changes().progress().error() == null);
			assertThat(checkpoint(application)).isEqualTo("bigint|1000");
		}
	}

	@Test
	void filterThatWasBuiltWithoutCatchUpIsRebuilt() {
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(), this.postgres
			.and(PREFIX + "warm-up.query=select id from product", PREFIX + "false-positive-probability=0.000000001"))) {
			application.awaitReady();
			assertThat(application.products().changes()).isNull();
		}
		insert(1000);
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(),
				properties(QUERY, START, "warm-up.query=select id from product"))) {
			awaitFound(application, 1000L);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	@ResourceLock(Resources.SYSTEM_OUT)
	void failingQueryIsShownAndLoggedOnceAndRetried(CapturedOutput output) {
		try (GuardApplication application = start(COUNTED, START)) {
			this.postgres.execute("create or replace function run() returns bigint language plpgsql as $$ begin"
					+ " perform nextval('runs'); raise 'relation \"product\" is away' using errcode = '42P01'; end $$");
			try {
				await().until(() -> application.products().changes().progress().error() != null);
				assertThat(application.products().changes().progress().error())
					.isEqualTo("BadSqlGrammarException, caused by PSQLException (SQL state 42P01:"
							+ " the database refuses the statement, or the user may not run it)");
				BloomGuardEndpoint endpoint = new BloomGuardEndpoint(application.bean(ManagedFilters.class),
						(filter, keys) -> List.of(), (filter) -> List.of(), null);
				assertThat(endpoint.filter("products").changes().error()).contains("42P01");
				assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
				assertThat(application.products().changes().progress().behindSince()).isNotNull();
				awaitTwoRuns();
			}
			finally {
				letRunsSucceed();
			}
			insert(1000);
			awaitFound(application, 1000L);
			await().until(() -> application.products().changes().progress().error() == null);
			assertThat(output.getAll().split("The change feed of the filter 'products' failed", -1)).hasSize(2);
			assertThat(output).contains("WARN", "The change feed of the filter 'products' works again")
				.doesNotContain("select id", "relation \"product\"");
		}
	}

	@Test
	void oneOfTwoInstancesCatchesUpInEachInterval() {
		insert(1000);
		try (GuardApplication first = start(QUERY, START, "catch-up.interval=1h");
				GuardApplication second = start(QUERY, START, "catch-up.interval=1h")) {
			List<GuardApplication> both = List.of(first, second);
			Awaitility.await()
				.during(Duration.ofMillis(1500))
				.until(() -> both.stream()
					.filter((application) -> application.products().changes().progress().following())
					.count() == 1);
		}
	}

	@Test
	void otherInstanceTakesOver() {
		GuardApplication first = start(QUERY, START);
		try (GuardApplication second = start(QUERY, START)) {
			first.close();
			insert(1000);
			awaitFound(second, 1000L);
		}
		finally {
			first.close();
		}
	}

	@Test
	void nothingIsCaughtUpBeforeTheFilterIsReady() {
		Keys scan = new Keys("products", 2);
		scan.beforeRead(() -> {
			throw new IllegalStateException("The source is down");
		});
		try (GuardApplication application = GuardApplication.start(this.redis, scan, properties(QUERY, START))) {
			await().until(() -> scan.reads() > 1);
			assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
			assertThat(application.products().changes().progress().position()).isNull();
			assertThat(this.redis.keys("*:catch-up")).isEmpty();
		}
	}

	@Test
	void warmUpWaitsForAStartMark() {
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(), properties(QUERY,
				"select max(id) from product where id > 5000", "warm-up.query=select id from product"))) {
			await().until(() -> application.products().warmUp().progress().error() != null);
			assertThat(application.products().warmUp().progress().error()).contains("coalesce");
			insert(5001);
			application.awaitReady();
		}
	}

	@Test
	void applicationWithoutADataSourceDoesNotStart() {
		assertThatThrownBy(() -> GuardApplication.start(this.redis, new Keys("products", 2),
				PREFIX + "catch-up.query=" + QUERY, PREFIX + "catch-up.start=" + START))
			.rootCause()
			.isInstanceOfSatisfying(InvalidGuardException.class, (ex) -> {
				assertThat(ex.getProblem()).contains(PREFIX + "catch-up.query").contains("not one DataSource");
				assertThat(ex.getRemedy()).contains("spring.datasource.url");
			});
	}

	private GuardApplication start(String query, String start, String... more) {
		return GuardApplication
			.start(this.redis, List.of(),
					properties(query, start, concat(more, "warm-up.query=select id from product where id < 1000")))
			.awaitReady();
	}

	private String[] properties(String query, String start, String... more) {
		List<String> properties = new ArrayList<>(
				List.of("catch-up.interval=200ms", "false-positive-probability=0.000000001"));
		properties.addAll(List.of("catch-up.query=" + query, "catch-up.start=" + start));
		properties.addAll(List.of(more));
		return this.postgres.and(properties.stream().map((property) -> PREFIX + property).toArray(String[]::new));
	}

	private static String[] concat(String[] first, String... second) {
		return Stream.concat(Arrays.stream(first), Arrays.stream(second)).toArray(String[]::new);
	}

	private void insert(long id) {
		this.postgres.template()
			.update("insert into product values (?, 't' || ?, lpad(?::text, 10, '0'), timestamp '2026-01-01' + ? *"
					+ " interval '1 second', timestamptz '2026-01-01 00:00Z' + ? * interval '1 second', ? / 7.0)", id,
					id, id, id, id, id);
	}

	private static String generation(GuardApplication application) {
		return application.products().filter().active().id();
	}

	private String checkpoint(GuardApplication application) {
		return this.redis.command("HGET", CONTROL, "m:" + generation(application));
	}

	private static void awaitFound(GuardApplication application, Object key) {
		await().until(() -> application.guard().membership("products", key) == Membership.MAYBE
				&& application.products().filter().state() == FilterState.READY);
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(20));
	}

	/**
	 * A filter with a checkpoint of some type.
	 */
	private record Marked(String type, String column, String least, String overlap) {

		Stream<String> properties(String filter) {
			String prefix = "bloom-guard.filters." + filter + ".";
			return Stream.of(prefix + "expected-insertions=1000", prefix + "false-positive-probability=0.000000001",
					prefix + "rebuild.longest-transaction=100ms",
					prefix + "warm-up.query=select id from product where id < 1000",
					prefix + "catch-up.query=select id, %s from product where %s > :mark%s order by %s"
						.formatted(this.column, this.column, this.overlap, this.column),
					prefix + "catch-up.start=select coalesce(max(%s), %s) from product".formatted(this.column,
							this.least),
					prefix + "catch-up.interval=200ms");
		}

	}

}
