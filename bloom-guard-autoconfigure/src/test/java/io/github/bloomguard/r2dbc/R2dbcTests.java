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

package io.github.bloomguard.r2dbc;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for filters of an application with a {@link ConnectionFactory} of a real
 * PostgreSQL and no {@link DataSource}.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class R2dbcTests {

	private static final Optional<Boolean> THERE = Optional.of(true);

	private static final Optional<Boolean> NONE = Optional.of(false);

	private static final Optional<Boolean> UNTOLD = Optional.empty();

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static TestPostgres postgres;

	@BeforeAll
	static void createTables() {
		postgres = TestPostgres.create("create table product (id bigint primary key, name text)", "create schema shop",
				"create table shop.\"Seat\" (hall varchar(20), number int, primary key (number, hall))",
				"create table keyless (id int)", "insert into shop.\"Seat\" values ('loaded', 7)",
				"create table kept (i2 smallint, i4 int, n numeric(12), d numeric(8, 2), v varchar(20), c char(9),"
						+ " u uuid, day date, b bytea, flag boolean, f float8, at timestamptz)",
				"insert into kept values (1, 2, 3, 4.50, 'five', 'six', '00000000-0000-0000-0000-000000000007',"
						+ " '2026-11-26', '\\x0102', true, 1.5, now())",
				"insert into kept (i2) values (null)", "create role limited login",
				"create table private (id int primary key)", "alter table private enable row level security",
				"grant all on private to limited");
	}

	@BeforeEach
	void reset() {
		redis.reset();
		postgres.execute("truncate product", "insert into product select id, 'a' from generate_series(1, 2500) id");
	}

	@Test
	void tableIsReadByItsPrimaryKeyThroughTheConnectionFactory() {
		try (GuardApplication application = start("table=product", "warm-up.fetch-size=100").awaitReady()) {
			assertThat(application.context().getBeanNamesForType(DataSource.class)).isEmpty();
			assertThat(membership(application, 1)).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, "2500")).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, 2501)).isEqualTo(Membership.ABSENT);
			assertThat(application.products().warmUp().progress().loaded()).isEqualTo(2500);
		}
	}

	@Test
	void keyOfSeveralColumnsHasTheOrderOfThePrimaryKeyUnlessItIsTold() {
		try (GuardApplication application = start("table=shop.\"Seat\"").awaitReady()) {
			assertThat(membership(application, List.of(7, "loaded"))).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, List.of("loaded", 7))).isEqualTo(Membership.ABSENT);
		}
		try (GuardApplication application = start("table=shop.\"Seat\"", "key-columns=HALL,number").awaitReady()) {
			assertThat(membership(application, List.of("loaded", 7))).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, List.of(7, "loaded"))).isEqualTo(Membership.ABSENT);
		}
	}

	@ParameterizedTest
	@CsvSource({ "i2, 1, 2", "i4, 2, 1", "n, 3, 4", "v, five, Five", "c, six, seven",
			"u, 00000000-0000-0000-0000-000000000007, 00000000-0000-0000-0000-000000000008",
			"day, 2026-11-26, 2026-11-27" })
	void keysOfTheTypeAreReadAndLookedUp(String column, String key, String absent) {
		try (GuardApplication application = start("warm-up.query=select " + column + " from kept;").awaitReady()) {
			assertThat(membership(application, key)).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, absent)).isEqualTo(Membership.ABSENT);
		}
		KeySource source = source("select " + column + " from kept");
		source.database();
		assertThat(source.contains(List.of(key))).contains(true);
		assertThat(source.contains(List.of(absent))).contains(false);
	}

	@Test
	void manyKeysAreLookedUpTogetherAndEachIsToldInItsPlace() {
		KeySource numbers = described("select id from product");
		assertThat(numbers.containsEach(List.of())).as("nothing").isEmpty();
		assertThat(numbers.containsEach(keys(-1L, 7L, -7L, 7, "7", "no number"))).containsExactly(NONE, THERE, NONE,
				THERE, THERE, UNTOLD);
		List<Optional<Boolean>> many = numbers.containsEach(keys(LongStream.rangeClosed(2491, 3690).boxed().toArray()));
		assertThat(many.subList(0, 10)).containsOnly(THERE);
		assertThat(many.subList(10, 1200)).as("more than one statement takes").containsOnly(NONE);
		assertThat(described("select v from kept").containsEach(keys("six", "five", "it's none", "five")))
			.containsExactly(NONE, THERE, NONE, THERE);
		UUID seven = new UUID(0, 7);
		assertThat(described("select u from kept").containsEach(keys(new UUID(0, 8), seven, seven.toString())))
			.containsExactly(NONE, THERE, THERE);
		assertThat(described("select hall, number from shop.\"Seat\"")
			.containsEach(List.of(List.of("none", 7), List.of("loaded", 7), List.of("loaded"), List.of("loaded", 8))))
			.containsExactly(NONE, THERE, UNTOLD, NONE);
	}

	private static List<List<Object>> keys(Object... keys) {
		return Arrays.stream(keys).map(List::of).toList();
	}

	private static KeySource described(String query) {
		KeySource source = source(query);
		source.database();
		return source;
	}

	@Test
	void bytesAndFlagsAreReadAndLookedUp() {
		KeySource source = source("select b, flag from kept");
		source.database();
		List<?> read = source.keys().toList();
		assertThat(read).hasSize(2);
		assertThat(((List<?>) read.get(0)).get(0)).isEqualTo(new byte[] { 1, 2 });
		assertThat(((List<?>) read.get(0)).get(1)).isEqualTo(true);
		assertThat(source.contains(List.of(new byte[] { 1, 2 }, true))).contains(true);
		assertThat(source.contains(List.of(new byte[] { 1, 2 }, false))).contains(false);
		assertThat(source.contains(Arrays.asList(new byte[] { 1, 2 }, null))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "f", "at" })
	void keyOfAnUncertainTypeIsNeverAbsent(String column, CapturedOutput output) {
		try (GuardApplication application = start("warm-up.query=select " + column + " from kept").awaitReady()) {
			assertThat(membership(application, 7)).isEqualTo(Membership.MAYBE);
			assertThat(output).contains("never calls a key absent");
		}
	}

	@Test
	void textsThatTheDatabaseCallsEqualAreOneKey() {
		try (GuardApplication application = start("warm-up.query=select lower(v) collate \"C\" from kept")
			.awaitReady()) {
			assertThat(membership(application, "five")).isEqualTo(Membership.MAYBE);
			assertThat(membership(application, "FIVE")).isEqualTo(Membership.ABSENT);
		}
		KeySource padded = source("select c from kept");
		padded.database();
		assertThat(padded.equality().orElseThrow().ignored()).contains(Difference.TRAILING_BLANKS);
	}

	@Test
	void rowThatNobodyAddedIsFoundByAskingTheConnectionFactory() {
		try (GuardApplication application = startWithCatalogue("table=product", "verification.mode=behind")
			.awaitReady()) {
			Catalogue catalogue = application.bean(Catalogue.class);
			postgres.execute("insert into product values (9999, 'hidden')");
			assertThat(catalogue.findById(9999).block()).isNull();
			await().until(() -> application.guard().membership("products", 9999) != Membership.ABSENT);
			assertThat(catalogue.calls()).as("the source has told it, and not the method").isZero();
			assertThat(catalogue.findById(9999).block()).isEqualTo("hidden");
		}
	}

	@Test
	void reactiveMethodAddsTheKeyOfTheRowThatItWrites() {
		try (GuardApplication application = startWithCatalogue("table=product").awaitReady()) {
			Catalogue catalogue = application.bean(Catalogue.class);
			assertThat(catalogue.findById(9999).block()).isNull();
			catalogue.save(9999, "new").block();
			assertThat(catalogue.findById(9999).block()).isEqualTo("new");
		}
	}

	@Test
	void anotherDatabaseOrSchemaVersionIsToldApart() {
		KeySource source = source("select id from product");
		String database = source.database();
		assertThat(source.database()).isEqualTo(database);
		TestPostgres other = TestPostgres.create("create table product (id bigint primary key)");
		assertThat(source(other, "select id from product").database()).isNotEqualTo(database);
		assertThat(source.schemaVersion()).isEmpty();
		postgres.execute("create table flyway_schema_history (installed_rank int, installed_on timestamp)",
				"insert into flyway_schema_history values (1, now())");
		String migrated = source.schemaVersion();
		assertThat(migrated).isNotEmpty();
		postgres.execute("insert into flyway_schema_history values (2, now())");
		assertThat(source.schemaVersion()).isNotEqualTo(migrated);
		postgres.execute("drop table flyway_schema_history");
	}

	@Test
	void rowsThatAPolicyHidesKeepTheFilterFromBeingLoaded() {
		KeySource source = R2dbcKeySource.ofQuery("products", connections(postgres, "limited"),
				"select id from private", null, 100, RowSecurity.REFUSED);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> source.keys().count())
			.withMessageContaining("may not see all rows");
		KeySource allowed = R2dbcKeySource.ofQuery("products", connections(postgres, "limited"),
				"select id from private", null, 100, RowSecurity.ALLOWED);
		assertThat(allowed.keys()).isEmpty();
	}

	@Test
	void cancelledLoadFails() {
		KeySource source = source("select id from product");
		assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> {
			try (Stream<?> keys = source.keys()) {
				keys.forEach((key) -> source.cancel());
			}
		});
	}

	@Test
	void progressKnowsTheNumberOfKeys() {
		assertThat(R2dbcKeySource
			.ofQuery("products", connections(postgres, "postgres"), "select id from product",
					"select count(*) from product", 100, RowSecurity.REFUSED)
			.count()).hasValue(2500);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					table=produkt | table is 'produkt', and there is no table of that name
					table=seat | Write it as a statement does, with schema and quotes, such as shop."Seat"
					table=keyless | which has no primary key, and key-columns is not set
					table=product;key-columns=idd | key-columns has 'idd', which the table product does not have
					table=product;warm-up.query=select 'a' | table has the keys [id (int8)], but bloom-guard.filters.products.warm-up.query gives
					table=product;warm-up.partitions=4 | but through R2DBC keys are read with one query
					table=product;changes.enabled=true | Declare a DataSource with @BloomGuardDataSource, or set it to false
					warm-up.query=select now() - now() | whose values have no canonical form
					""")
	void applicationSaysWhatIsWrongAndWhatToWrite(String properties, String description, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(properties.split(";")).close());
		assertThat(output).contains("APPLICATION FAILED TO START").contains(description);
	}

	@Test
	void otherDatabasesAndSeveralOnesAreRefused(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(List.of(new OtherConnections()), "table=product").close());
		assertThat(output).contains("the ConnectionFactory is one of H2")
			.contains("Declare a DataSource with @BloomGuardDataSource");
		assertThatException().isThrownBy(() -> start(List.of(new Routing()), "table=product").close());
		assertThat(output).contains("its ConnectionFactory is a " + Routing.class.getName());
		assertThatException()
			.isThrownBy(() -> start(List.of(connections(postgres, "postgres"), connections(postgres, "limited")),
					"table=product")
				.close());
		assertThat(output).contains("there is not one ConnectionFactory");
	}

	private static Membership membership(GuardApplication application, Object key) {
		return application.guard().membership("products", key);
	}

	private static GuardApplication start(String... properties) {
		return start(List.of(connections(postgres, "postgres")), properties);
	}

	private static GuardApplication startWithCatalogue(String... properties) {
		return start(List.of(connections(postgres, "postgres"), Catalogue.class), properties);
	}

	private static GuardApplication start(List<?> beans, String... properties) {
		return GuardApplication.start(redis, beans,
				Stream.of(properties).map((property) -> PRODUCTS + property).toArray(String[]::new));
	}

	private static KeySource source(String query) {
		return source(postgres, query);
	}

	private static KeySource source(TestPostgres database, String query) {
		return R2dbcKeySource.ofQuery("products", connections(database, "postgres"), query, null, 100,
				RowSecurity.REFUSED);
	}

	private static ConnectionFactory connections(TestPostgres database, String user) {
		URI uri = URI.create(database.url().substring("jdbc:".length()));
		return new PostgresqlConnectionFactory(PostgresqlConnectionConfiguration.builder()
			.host(uri.getHost())
			.port(uri.getPort())
			.database(uri.getPath().substring(1))
			.username(user)
			.build());
	}

	static class Catalogue {

		private final AtomicInteger calls = new AtomicInteger();

		private final DatabaseClient client;

		Catalogue(ConnectionFactory connections) {
			this.client = DatabaseClient.create(connections);
		}

		int calls() {
			return this.calls.get();
		}

		@BloomGuarded("products")
		Mono<String> findById(long id) {
			this.calls.incrementAndGet();
			return this.client.sql("select name from product where id = $1")
				.bind(0, id)
				.map((row) -> row.get(0, String.class))
				.one();
		}

		@BloomAdd(filter = "products", key = "#id")
		Mono<Long> save(long id, String name) {
			return this.client.sql("insert into product values ($1, $2)")
				.bind(0, id)
				.bind(1, name)
				.fetch()
				.rowsUpdated();
		}

	}

	static class OtherConnections implements ConnectionFactory {

		@Override
		public Publisher<? extends Connection> create() {
			return Flux.error(new IllegalStateException());
		}

		@Override
		public ConnectionFactoryMetadata getMetadata() {
			return () -> "H2";
		}

	}

	static class Routing extends AbstractRoutingConnectionFactory {

		Routing() {
			setDefaultTargetConnectionFactory(connections(postgres, "postgres"));
			setTargetConnectionFactories(Map.of());
		}

		@Override
		protected Mono<Object> determineCurrentLookupKey() {
			return Mono.empty();
		}

	}

}
