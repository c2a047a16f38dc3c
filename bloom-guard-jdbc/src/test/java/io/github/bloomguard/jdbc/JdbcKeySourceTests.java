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

package io.github.bloomguard.jdbc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.CheckpointedKey;
import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.testsupport.TestPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.InOrder;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JdbcKeySource} with a real PostgreSQL.
 */
class JdbcKeySourceTests {

	private static final String ENDLESS = "select generate_series(1, 9000000000000000000)";

	private static TestPostgres postgres;

	private final KeyFormat format = new KeyFormat(List.of());

	@BeforeAll
	static void start() {
		postgres = TestPostgres.create("create table written (id bigint)",
				"create function fail_at(n bigint, last bigint) returns bigint language plpgsql as $$"
						+ " begin if n > last then raise exception 'broken at %', n; end if; return n; end $$");
	}

	static Stream<Arguments> columns() {
		UUID uuid = UUID.fromString("8a6e0804-2bd0-4672-b79d-d97027f9071a");
		return Stream.of(arguments("7::bigint", 7L), arguments("7::int", 7), arguments("7::smallint", (short) 7),
				arguments("'a b'::text", "a b"), arguments("'7'::varchar(10)", "7"), arguments("'ab '::char(5)", "ab"),
				arguments("'" + uuid + "'::uuid", uuid), arguments("true", true),
				arguments("date '2026-11-21'", LocalDate.of(2026, 11, 21)),
				arguments("time '12:30'", LocalTime.of(12, 30)),
				arguments("time with time zone '12:30+02'", OffsetTime.parse("12:30+02:00")),
				arguments("timestamp '2026-11-21 12:00:00.123456'", LocalDateTime.parse("2026-11-21T12:00:00.123456")),
				arguments("timestamp '2026-03-29 02:30:00'", LocalDateTime.parse("2026-03-29T02:30")),
				arguments("timestamptz '2026-11-21 13:00+01'", Instant.parse("2026-11-21T12:00:00Z")),
				arguments("timestamptz '2026-11-21 13:00+01'", OffsetDateTime.parse("2026-11-21T12:00Z")),
				arguments("7.50::numeric(10,4)", new BigDecimal("7.5")), arguments("7.0::numeric", 7L),
				arguments("1e30::numeric", new BigDecimal("1e30")), arguments("0.1::float8", 0.1),
				arguments("0.1::real", 0.1f), arguments("'\\x0102'::bytea", new byte[] { 1, 2 }),
				arguments("7::bigint, 'a'", List.of(7, "a")), arguments("7, null, 'a'", Arrays.asList(7, null, "a")),
				arguments("date '2026-11-21', 7", new DayAndNumber(LocalDate.of(2026, 11, 21), 7)));
	}

	@ParameterizedTest
	@MethodSource("columns")
	void keyThatIsReadIsTheKeyThatAMethodIsGiven(String columns, Object argument) {
		assertThat(forms("select " + columns)).containsExactly(this.format.format(argument));
	}

	@ParameterizedTest
	@ValueSource(strings = { " -- all", ";", "; -- all", " /* all */", " where 'a--' <> 'b;'" })
	void queryMayEndWithACommentAndIsStillComparedWithTexts(String end) {
		JdbcKeySource source = new JdbcKeySource("products", postgres.dataSource(), "select 'a'::text as sku" + end,
				null, 10);
		source.database();
		assertThat(source.ignored()).isEmpty();
		assertThat(source.contains(List.of("a"))).contains(true);
		assertThat(source.contains(List.of("b"))).contains(false);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			select id from produkt | ERROR: relation "produkt" does not exist Position: 16 (SQL state 42P01): Write it
			select idd from written | ERROR: column "idd" does not exist
			select id from shpo.written | ERROR: relation "shpo.written" does not exist
			selct id from written | ERROR: syntax error at or near "selct"
			""")
	void queryThatTheDatabaseRefusesIsExplainedWithTheWordsOfTheDriver(String query, String words) {
		assertRefused(postgres.dataSource(), query, words);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:refused", "jdbc:hsqldb:mem:refused", "jdbc:sqlite::memory:" })
	void queryThatAnotherDatabaseRefusesIsExplained(String url) {
		DataSource dataSource = new DriverManagerDataSource(url);
		for (String query : List.of("select id from produkt", "select id from shpo.produkt", "selct 7")) {
			assertRefused(dataSource, query, "");
		}
	}

	private static void assertRefused(DataSource dataSource, String query, String words) {
		JdbcKeySource source = new JdbcKeySource("products", dataSource, query, null, 10);
		assertThatExceptionOfType(InvalidGuardException.class).as(query)
			.isThrownBy(source::columns)
			.satisfies((failure) -> assertThat(FailureDescription.of(failure))
				.startsWith("bloom-guard.filters.products.warm-up.query is refused by the database: " + words)
				.contains(": Write it as a statement of the application does.")
				.endsWith("rebuild the filter then")
				.doesNotContain("\\u"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			select 0 | select id from nowhere where id > :mark order by id | query | ERROR: relation "nowhere"
			select max(id) from nowhere | select id from written where id > :mark order by id | start | ERROR: relation
			select 'a' | select id from written where id > :mark order by id | query | ERROR: operator does not exist
			""")
	void queryOfACatchUpThatTheDatabaseRefusesIsExplainedAsThatOfTheWarmUpIs(String start, String query,
			String property, String words) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(catchUp(start, query)::check)
			.satisfies((failure) -> assertThat(FailureDescription.of(failure)).startsWith(
					"bloom-guard.filters.products.catch-up." + property + " is refused by the database: " + words));
	}

	@Test
	void queriesOfACatchUpThatTheDatabaseTakesAreNotRefused() {
		catchUp("select coalesce(max(id), 0) from written", "select id from written where id > :mark order by id")
			.check();
	}

	private static JdbcCatchUpSource catchUp(String start, String query) {
		CatchUpSpecification specification = Objects
			.requireNonNull(CatchUpSpecification.of("products", query, start, Duration.ofSeconds(1)));
		return new JdbcCatchUpSource(specification, postgres.dataSource(), 10, RowSecurity.REFUSED);
	}

	@Test
	void loginThatTheDatabaseRefusesIsTold() {
		DataSource dataSource = new DriverManagerDataSource(postgres.url().replace("user=postgres", "user=nobody"));
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(source(dataSource, "select 7")::database)
			.satisfies((failure) -> assertThat(FailureDescription.of(failure))
				.contains("(SQL state 28000: the database refuses the user or the password of the DataSource)"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Berlin", "America/New_York", "Asia/Tokyo" })
	void timeZoneOfTheMachineDoesNotMatter(String zone) {
		TimeZone former = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone(zone));
		try {
			// between two and three o'clock clocks were put forward in Berlin
			assertThat(forms("select current_setting('TimeZone'), timestamptz '2026-11-21 12:00Z',"
					+ " timestamp '2026-03-29 02:30', date '2026-11-21', time '23:30'"))
				.containsExactly(this.format.format(List.of(zone, Instant.parse("2026-11-21T12:00:00Z"),
						LocalDateTime.parse("2026-03-29T02:30"), LocalDate.of(2026, 11, 21), LocalTime.of(23, 30))));
		}
		finally {
			TimeZone.setDefault(former);
		}
	}

	@Test
	void rowWithoutAKeyIsPassedOn() {
		try (Stream<?> keys = source(postgres.dataSource(), "select null union all select 7").keys()) {
			assertThat(keys.toArray()).containsExactly(null, 7);
		}
	}

	@Test
	void firstKeyOfAnEndlessQueryIsThereAtOnce() {
		assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
			try (Stream<?> keys = source(postgres.dataSource(), ENDLESS).keys()) {
				assertThat(keys.limit(25_000).map(Objects::toString)).hasSize(25_000).startsWith("1", "2");
			}
		});
	}

	@ParameterizedTest
	@CsvSource({ "extended, false", "extended, true", "extendedForPrepared, false", "extendedForPrepared, true",
			"simple, false", "simple, true", "extendedCacheEverything, false" })
	void rowsAreFetchedAFewAtATimeInEachModeOfTheDriver(String mode, boolean partitioned) {
		DataSource dataSource = new DriverManagerDataSource(postgres.url() + "&preferQueryMode=" + mode);
		// each row that the server has come to takes a lock
		String query = "select pg_try_advisory_xact_lock(n) from generate_series(1, 1000) n"
				+ (partitioned ? " where n between :from and :to" : "");
		try (Stream<?> keys = new JdbcKeySource("products", dataSource, query, null, 50).keys()) {
			Iterator<?> iterator = keys.iterator();
			for (int i = 0; i < 120; i++) {
				iterator.next();
			}
			assertThat(postgres.template()
				.queryForObject("select count(*) from pg_locks where locktype = 'advisory'", Long.class))
				.isBetween(120L, 200L);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 49, 50, 51, 100, 1000 })
	void allRowsAreReadWhereTheDriverOpensNoCursor(int rows) {
		DataSource dataSource = new DriverManagerDataSource(postgres.url() + "&preferQueryMode=simple");
		JdbcKeySource source = new JdbcKeySource("products", dataSource,
				"select generate_series(1, " + rows + ") -- all", null, 50);
		try (Stream<?> keys = source.keys()) {
			assertThat(keys.mapToInt((key) -> (Integer) key).toArray())
				.containsExactly(IntStream.rangeClosed(1, rows).toArray());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionGoesBackToThePoolAsItWas(boolean autoCommit) throws SQLException {
		try (HikariDataSource pool = pool(autoCommit)) {
			for (String query : List.of("select generate_series(1, 100)", ENDLESS, "select x from nowhere",
					"select fail_at(generate_series(1, 40000), 20000)")) {
				read(source(pool, query), 30_000);
				assertThat(pool.getHikariPoolMXBean().getActiveConnections()).as(query).isZero();
				try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
					assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
					assertThat(connection.isReadOnly()).isFalse();
					assertThat(statement.executeUpdate("insert into written values (1)")).isOne();
				}
			}
		}
	}

	@Test
	void connectionIsResetBeforeItIsClosedForPoolsThatDoNotSeeToIt() throws SQLException {
		Connection connection = mock(Connection.class, delegatesTo(postgres.dataSource().getConnection()));
		DataSource dataSource = mock(DataSource.class);
		given(dataSource.getConnection()).willReturn(connection);
		read(source(dataSource, "select fail_at(n, 5) from generate_series(1, 10) n"), 100);
		InOrder order = inOrder(connection);
		order.verify(connection).setAutoCommit(false);
		order.verify(connection).rollback();
		order.verify(connection).setAutoCommit(true);
		order.verify(connection).close();
	}

	@Test
	void whatAQueryWritesIsRolledBack() {
		read(source(postgres.dataSource(), "insert into written values (7) returning id"), 100);
		assertThat(postgres.template().queryForObject("select count(*) from written where id = 7", Long.class))
			.isZero();
	}

	@Test
	void keysAreReadFromThePrimaryWhereReadOnlyTransactionsGoToAReplica() {
		TestPostgres primary = TestPostgres.create("create table product (id bigint)",
				"insert into product values (1), (2)");
		TestPostgres replica = TestPostgres.create("create table product (id bigint)",
				"insert into product values (1)");
		LazyConnectionDataSourceProxy dataSource = new LazyConnectionDataSourceProxy(primary.dataSource());
		dataSource.setReadOnlyDataSource(replica.dataSource());
		try (Stream<?> keys = source(dataSource, "select id from product").keys()) {
			assertThat(keys.map(Object::toString)).containsExactly("1", "2");
		}
		CatchUpSpecification changes = Objects.requireNonNull(CatchUpSpecification.of("products",
				"select id from product where id > :mark order by id", "select 0", Duration.ofSeconds(1)));
		try (Stream<CheckpointedKey> keys = new JdbcCatchUpSource(changes, dataSource, 100, RowSecurity.REFUSED)
			.keysAfter(new Checkpoint(0))) {
			assertThat(keys.map((marked) -> String.valueOf(marked.key()))).containsExactly("1", "2");
		}
	}

	@Test
	void brokenQueryAndUnreachableDatabaseAreTold() {
		assertThatExceptionOfType(BadSqlGrammarException.class)
			.isThrownBy(() -> source(postgres.dataSource(), "select x from nowhere").keys())
			.withMessageContaining("nowhere");
		DataSource nobody = new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/x");
		assertThatExceptionOfType(CannotGetJdbcConnectionException.class)
			.isThrownBy(() -> source(nobody, "select 1").keys())
			.withMessageContaining("products");
	}

	@Test
	void numberOfKeysIsWhatTheCountQuerySays() {
		assertThat(source(postgres.dataSource(), "select 1").count()).isEmpty();
		assertThat(new JdbcKeySource("products", postgres.dataSource(), "select 1", "select 42", 10).count())
			.hasValue(42);
		assertThat(new JdbcKeySource("products", postgres.dataSource(), "select 1", "select null::bigint", 10).count())
			.isEmpty();
	}

	@Test
	void partitionsTogetherGiveEachKey() {
		JdbcKeySource source = partitioned("select x.id from (select generate_series(-50, 1000) union all"
				+ " select 1000000000000 union all values (9223372036854775807), (-9223372036854775808)) x(id)"
				+ " where x.id between :from and :to", 4);
		List<Object> keys = new ArrayList<>();
		List<Supplier<Stream<?>>> partitions = source.partitions();
		assertThat(partitions).hasSize(4);
		for (Supplier<Stream<?>> partition : partitions) {
			try (Stream<?> part = partition.get()) {
				part.forEach(keys::add);
			}
		}
		assertThat(keys).hasSizeBetween(1054, 1057)
			.contains(-50L, 1000L, 1_000_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE)
			.containsAll(LongStream.rangeClosed(-50, 1000).boxed().toList());
		try (Stream<?> all = source.keys()) {
			assertThat(all).hasSize(1054);
		}
	}

	@Test
	void partitionsOfAPrimaryKeyAreReadThroughItsIndex() {
		postgres.execute("create table item (id int primary key, \"Name of\" text)",
				"insert into item select n, 'x' from generate_series(1, 3000) n");
		JdbcKeySource source = partitioned("select id as \"Item Id\" from item where id between :from and :to", 3);
		List<Long> sizes = source.partitions().stream().map((partition) -> {
			try (Stream<?> part = partition.get()) {
				return part.count();
			}
		}).toList();
		assertThat(sizes).allSatisfy((size) -> assertThat(size).isBetween(999L, 1002L));
	}

	@Test
	void emptyTableHasOnePartition() {
		assertThat(partitioned("select id from written where id < 0 and id between :from and :to", 3).partitions())
			.singleElement()
			.satisfies((partition) -> {
				try (Stream<?> part = partition.get()) {
					assertThat(part).isEmpty();
				}
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "'a'::text", "7::numeric", "7.5::numeric(20,2)", "7::float8", "now()" })
	void keysThatAreNotWholeNumbersAreNotPartitioned(String column) {
		JdbcKeySource source = partitioned("select k from (select " + column + ") x(k) where :from < :to", 2);
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(source::partitions)
			.withMessageContaining("bloom-guard.filters.products.warm-up.query")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("integer", "partitions to 1"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "select id from product", "select id from product where id >= :from",
			"select id from product where id < :to", "select id::from, a:to, :fromage, :top from product" })
	void queryThatSelectsNoRangeIsNotPartitioned(String query) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> partitioned(query, 2))
			.withMessageContaining("bloom-guard.filters.products.warm-up.partitions is 2")
			.withMessageContaining(query)
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("between :from and :to"));
	}

	@Test
	void rowsOfWhichRowLevelSecurityShowsAPartAreNotLoadedUnlessThatIsMeant() {
		postgres.execute("create table tenanted (id bigint primary key, tenant text)",
				"insert into tenanted values (1, null), (2, 'acme')", "alter table tenanted enable row level security",
				"create policy tenants on tenanted using (tenant is null)",
				"create view seen with (security_barrier) as select * from tenanted", "create role tenant",
				"grant select on tenanted, seen to tenant");
		DataSource restricted = new DelegatingDataSource(postgres.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				try (Statement statement = connection.createStatement()) {
					statement.execute("set role tenant");
				}
				return connection;
			}

		};
		String query = "select id from tenanted";
		assertThatIllegalStateException().isThrownBy(() -> keys(restricted, query, RowSecurity.REFUSED))
			.withMessageContaining("bloom-guard.filters.products.warm-up.allow-row-security");
		assertThat(keys(restricted, query, RowSecurity.ALLOWED)).containsExactly(1L);
		assertThat(keys(postgres.dataSource(), query, RowSecurity.REFUSED)).containsExactly(1L, 2L);
		assertThat(keys(restricted, "select id from seen", RowSecurity.REFUSED)).containsExactly(1L, 2L);
	}

	private static List<Object> keys(DataSource dataSource, String query, RowSecurity security) {
		try (Stream<?> keys = new JdbcKeySource("products", dataSource, query, null, 100, 1, security,
				SpareConnections.ASSUMED)
			.keys()) {
			return List.copyOf(keys.toList());
		}
	}

	@Test
	void questionsLeaveNoTransactionOpen() throws SQLException {
		try (Connection connection = postgres.dataSource().getConnection()) {
			connection.setAutoCommit(false);
			JdbcKeySource source = new JdbcKeySource("products", new SingleConnectionDataSource(connection, true),
					"select 7::bigint as n", null, 10);
			List<Runnable> questions = List.of(source::database, source::schemaVersion, source::ignored,
					source::columns, () -> source.contains(List.of(7L)));
			for (Runnable question : questions) {
				question.run();
				assertThat(connection.unwrap(BaseConnection.class).getTransactionState())
					.isEqualTo(TransactionState.IDLE);
			}
		}
	}

	@Test
	void thereIsAtLeastOnePartition() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> partitioned("select id from product where id between :from and :to", 0))
			.withMessageContaining("partitions is 0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "select n from looked", "select n from looked where n between :from and :to;",
			"select n as \"The Number\" from looked", "select distinct n from looked union select 8" })
	void singleKeyIsLookedUpInTheQuery(String query) {
		postgres.execute("drop table if exists looked", "create table looked (n bigint)",
				"insert into looked values (7)");
		JdbcKeySource source = partitioned(query, 1);
		assertThat(source.contains(List.of(7L))).isEmpty();
		source.database();
		assertThat(source.contains(List.of(7L))).contains(true);
		assertThat(source.contains(List.of(-7L))).contains(false);
		assertThat(source.containsEach(List.of(List.of(-1L), List.of(7L), List.of("no number"), List.of(-7L))))
			.containsExactly(Optional.of(false), Optional.of(true), Optional.empty(), Optional.of(false));
		postgres.execute("insert into looked values (-7)");
		assertThat(source.contains(List.of(-7L))).contains(true);
		assertThat(source.containsEach(List.of(List.of(-1L), List.of(-7L), List.of(-2L), List.of(7L))))
			.containsExactly(Optional.of(false), Optional.of(true), Optional.of(false), Optional.of(true));
	}

	@Test
	void manyKeysAreLookedUpInGroupsOfWhatADatabaseTakes() {
		JdbcKeySource source = source(postgres.dataSource(), "select n from generate_series(1, 1600) as row (n)");
		source.database();
		List<List<Long>> keys = LongStream.rangeClosed(1001, 3000).mapToObj(List::of).toList();
		List<Optional<Boolean>> found = source.containsEach(keys);
		assertThat(found.subList(0, 600)).containsOnly(Optional.of(true));
		assertThat(found.subList(600, 2000)).containsOnly(Optional.of(false));
		assertThat(source.containsEach(List.of())).isEmpty();
	}

	@Test
	void compositeKeyIsLookedUpByTheEqualityOfItsColumns() {
		postgres.execute("create extension if not exists citext", "create table named (shop int, name citext)",
				"insert into named values (1, 'Bob')");
		JdbcKeySource source = source(postgres.dataSource(), "select shop, name from named");
		source.database();
		assertThat(source.contains(List.of(1, "BOB"))).contains(true);
		assertThat(source.contains(List.of(1, "Bo"))).contains(false);
		assertThat(source.contains(List.of(2, "Bob"))).contains(false);
		assertThat(source.contains(List.of(1))).isEmpty();
		assertThat(source.contains(Arrays.asList(1, null))).isEmpty();
		assertThat(source.containsEach(List.of(List.of(1, "BOB"), List.of(1), List.of(2, "Bob"), List.of(1, "bob"))))
			.containsExactly(Optional.of(true), Optional.empty(), Optional.of(false), Optional.of(true));
	}

	@Test
	void nothingIsLookedUpWhileThePoolHasNoConnectionToSpare() {
		JdbcKeySource source = new JdbcKeySource("products", postgres.dataSource(), "select 7", null, 1000, 1,
				RowSecurity.REFUSED, (dataSource) -> false);
		source.database();
		assertThatExceptionOfType(CannotGetJdbcConnectionException.class).isThrownBy(() -> source.contains(List.of(7)));
	}

	@Test
	void migrationsAreNotLookedForAgainWhileThePoolHasNoConnectionToSpare() {
		JdbcTemplate template = new JdbcTemplate(postgres.dataSource());
		template.execute("create table flyway_schema_history (installed_rank int, installed_on timestamp)");
		try {
			JdbcKeySource source = withoutSpareConnections();
			source.database();
			assertThat(source.schemaVersion()).isNotNull();
			// what was found serves all filters of the pool for a quarter of a second
			Awaitility.await()
				.untilAsserted(() -> assertThatExceptionOfType(CannotGetJdbcConnectionException.class)
					.isThrownBy(source::schemaVersion));
			source.database();
			assertThat(source.schemaVersion()).isNotNull();
		}
		finally {
			template.execute("drop table flyway_schema_history");
		}
	}

	@Test
	void noConnectionIsTakenToLookForMigrationsWhereThereAreNone() {
		JdbcKeySource source = withoutSpareConnections();
		source.database();
		String version = source.schemaVersion();
		assertThat(source.schemaVersion()).isEqualTo(version);
	}

	private static JdbcKeySource withoutSpareConnections() {
		return new JdbcKeySource("products", postgres.dataSource(), "select 7", null, 1000, 1, RowSecurity.REFUSED,
				(dataSource) -> false);
	}

	private static JdbcKeySource partitioned(String query, int partitions) {
		return new JdbcKeySource("products", postgres.dataSource(), query, null, 1000, partitions, RowSecurity.REFUSED,
				SpareConnections.ASSUMED);
	}

	private static HikariDataSource pool(boolean autoCommit) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(postgres.url());
		pool.setMaximumPoolSize(1);
		pool.setConnectionTimeout(5000);
		pool.setAutoCommit(autoCommit);
		return pool;
	}

	private static JdbcKeySource source(DataSource dataSource, String query) {
		return new JdbcKeySource("products", dataSource, query, null, 1000);
	}

	private static void read(JdbcKeySource source, int limit) {
		try (Stream<?> keys = source.keys()) {
			keys.limit(limit).forEach((key) -> {
			});
		}
		catch (DataAccessException ex) {
			// is what happens
		}
	}

	private List<String> forms(String query) {
		return forms(postgres.dataSource(), query);
	}

	private List<String> forms(DataSource dataSource, String query) {
		try (Stream<?> keys = source(dataSource, query).keys()) {
			return keys.map((key) -> this.format.format(Objects.requireNonNull(key))).toList();
		}
	}

	private record DayAndNumber(LocalDate day, int number) {

	}

}
