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

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link UnseenWriters} with real databases.
 */
class UnseenWritersTests {

	private static final String[] TABLES = { "create table item (id bigint primary key, code varchar(40))",
			"create table other (id bigint, code varchar(40))", "create table items (id bigint)" };

	@TempDir
	private Path directory;

	private static Optional<String> find(DataSource database, String... statements) {
		JdbcTemplate template = new JdbcTemplate(database);
		Stream.of(statements).forEach(template::execute);
		return DatabaseQuestion.ask(database, new UnseenWriters(List.of("Item"), List.of("id"))::find);
	}

	private static Optional<String> findInPostgres(String... statements) {
		return find(TestPostgres.create(TABLES).dataSource(), statements);
	}

	@Tag("slow")
	@Test
	void nothingIsFoundWhereNothingNamesTheTable() {
		assertThat(findInPostgres("create view shown as select id from other",
				"create view totals as select code, count(*) from item group by code",
				"create materialized view copied as select id from item",
				"create procedure add_items(id bigint) language sql as $$ insert into items values (id) $$",
				"create function touch() returns trigger language plpgsql as"
						+ " $$ begin new.code := lower(new.code); return new; end $$",
				"create trigger touched before insert on item for each row execute function touch()"))
			.isEmpty();
	}

	@Tag("slow")
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					create view shown as select id, code from item | the view shown
					create rule hand_over as on insert to other do also insert into item values (new.id) | a rule of other
					create table part () inherits (item) | the table part, of which it is a part or which is a part of it
					create procedure add_one(id bigint) language sql as $$ insert into public.item values (id) $$ | the routine add_one
					create procedure add_one(id bigint) begin atomic insert into item values (id); end | the routine add_one
					create procedure add_one(id bigint) language plpgsql as $$ begin execute format('insert into %I', 'item'); end $$ | the routine add_one
					""")
	void whatMayWriteToTheTableIsFoundInPostgres(String statement, String found) {
		assertThat(findInPostgres(statement)).contains(found);
	}

	@Tag("slow")
	@Test
	void triggersAreFoundInPostgresByTheirArgumentsAndByTheKeyThatTheyChange() {
		String keep = "create function keep() returns trigger language plpgsql as $$ begin execute format("
				+ "'insert into public.%I (id) values (%s)', tg_argv[0], new.code); return new; end $$";
		assertThat(findInPostgres(keep,
				"create trigger kept after insert on other for each row execute function keep('item')"))
			.contains("the trigger kept");
		assertThat(findInPostgres(
				"create function number() returns trigger language plpgsql as"
						+ " $$ begin new.id := 7; return new; end $$",
				"create trigger numbered before insert on item for each row execute function number()"))
			.contains("the trigger numbered");
	}

	@Tag("slow")
	@Test
	void partsAndCascadingUpdatesOfTheKeyAreFoundInPostgres() {
		TestPostgres parted = TestPostgres.create("create table item (id bigint) partition by range (id)",
				"create table item_low partition of item for values from (0) to (100)");
		assertThat(find(parted.dataSource())).hasValueSatisfying((found) -> assertThat(found).contains("item_low"));
		TestPostgres cascading = TestPostgres.create("create table parent (id bigint primary key)",
				"create table item (id bigint primary key, code bigint,"
						+ " constraint code_of foreign key (code) references parent on update cascade)");
		assertThat(find(cascading.dataSource())).as("of another column").isEmpty();
		assertThat(find(cascading.dataSource(),
				"alter table item add constraint id_of foreign key (id) references" + " parent on update cascade"))
			.contains("the foreign key id_of");
	}

	@Tag("slow")
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatMayWriteToTheTableIsFoundInMySqlAndMariaDb(boolean mysql) {
		DataSource database = new DriverManagerDataSource(
				mysql ? TestMySql.create(TABLES).url() : TestMariaDb.create(TABLES).url());
		assertThat(find(database, "create view totals as select code, count(*) from item group by code",
				"create procedure note(number bigint) select count(*) from items where id = number"))
			.isEmpty();
		assertThat(find(database, "create view shown as select id, code from item")).contains("the view shown");
		assertThat(find(database, "drop view shown",
				"create trigger kept after insert on other for each row insert into item (id) values (new.id)"))
			.contains("the trigger kept");
		assertThat(find(database, "drop trigger kept",
				"create procedure add_one(number bigint) insert into item (id) values (number)"))
			.contains("the routine add_one");
		assertThat(find(database, "drop procedure add_one",
				"create trigger numbered before insert on item for each row set new.id = 7"))
			.contains("the trigger numbered");
	}

	@Tag("slow")
	@Test
	void userWhoMayNotSeeTriggersOfMySqlIsToldSo() {
		TestMySql mysql = TestMySql.create(TABLES);
		new JdbcTemplate(new DriverManagerDataSource(mysql.url())).execute("create user if not exists seller");
		new JdbcTemplate(new DriverManagerDataSource(mysql.url())).execute("grant select on *.* to seller");
		assertThat(find(new DriverManagerDataSource(mysql.url().replaceAll("user=[^&]*", "user=seller"))))
			.hasValueSatisfying((found) -> assertThat(found).contains("grant it TRIGGER"));
	}

	@Test
	void whatMayWriteToTheTableIsFoundInH2() {
		DataSource database = new DriverManagerDataSource("jdbc:h2:mem:unseen;DB_CLOSE_DELAY=-1");
		assertThat(find(database, TABLES)).isEmpty();
		assertThat(find(database, "create synonym thing for item")).contains("the synonym THING");
		assertThat(find(database, "drop synonym thing",
				"create trigger kept after insert on other for each row call '" + Nothing.class.getName() + "'"))
			.contains("the trigger KEPT");
	}

	@Test
	void whatMayWriteToTheTableIsFoundInHsqldb() {
		DataSource database = new DriverManagerDataSource("jdbc:hsqldb:mem:unseen");
		assertThat(find(database, TABLES)).isEmpty();
		assertThat(find(database, "create trigger kept after insert on other referencing new as added for each row"
				+ " insert into item values (added.id, added.code)"))
			.contains("the trigger KEPT");
	}

	@Test
	void whatMayWriteToTheTableIsFoundInSqlite() {
		DataSource database = new DriverManagerDataSource("jdbc:sqlite:" + this.directory.resolve("unseen.db"));
		assertThat(find(database, TABLES)).isEmpty();
		assertThat(find(database,
				"create trigger kept after insert on other begin insert into item values (new.id," + " new.code); end"))
			.contains("the trigger kept");
	}

	@Test
	void databaseThatCannotBeAskedMayHaveSuchWriters() throws SQLException {
		Connection connection = mock(Connection.class, RETURNS_DEEP_STUBS);
		given(connection.getMetaData().getDatabaseProductName()).willReturn("Oracle");
		assertThat(new UnseenWriters(List.of("item"), List.of("id")).find(connection))
			.contains("a trigger, a view or a routine, for which the guard can't ask Oracle");
	}

	/**
	 * Something written in Java.
	 */
	public static class Nothing implements Trigger {

		@Override
		public void fire(Connection connection, Object[] oldRow, Object[] newRow) {
		}

	}

}
