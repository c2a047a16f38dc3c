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

package io.github.bloomguard.mybatis;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.mybatis.WrittenValues.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for what the text of a statement tells about the keys that it writes.
 */
class SqlWritesTests {

	private static final FollowedColumn ID = new FollowedColumn("`id`", Long.class, true);

	private static final FollowedKey KEY = FollowedKey.of(new EntityRows(new EntityKeys("products", "Product", null),
			"shop.\"Product\"", false, List.of(new EntityRows.Column("id", Long.class, true))));

	private static TableWrites writes(String sql) {
		return SqlStatement.of(sql).writes().to(KEY);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			insert into product (id, sku) values (?, ?) | 0
			INSERT INTO "shop"."product" ( sku, ID ) VALUES ( 'it''s, (?', ? ) | 0
			insert into product (sku, id) values (?, ?), (coalesce(?, 'x'), ?) | 1,3
			insert /* (id) values (7) */ into product (id) values (?) -- id | 0
			insert ignore into `product` (sku, `id`) value (lower(?), ?) | 1
			replace into product (id) values (?) | 0
			insert into product as p (id) overriding system value values (?) returning id | 0
			insert into product (sku, id) values (?, ?) on conflict (id) do update set sku = ?, id = excluded.id | 1
			insert into product (id, sku) values (?, ?) on duplicate key update id = last_insert_id(id), sku = ? | 0
			insert into product (id) values (?) on duplicate key update id = values(id) | 0
			insert /* a */ into product (id, /* b */ sku) values (?, '#1 -- a = b /*! c') --the id | 0
			insert into product (id) values (?) # it's the id | 0
			insert into product (id, n) values (?, data #>> '{a}') | 0
			insert into product (id) values (?) as new on duplicate key update id = new.id | 0
			update other o join product p on p.other = o.id set o.sku = 'x', p.id = ? | 0
			insert into product set sku = ?, id = ? | 1
			insert into product set sku = ?, id = ? on duplicate key update id = values(id), sku = ? | 1
			insert into product (id, sku) values (?, ?) on conflict (sku) do update set (sku, n) = (?, (id)) | 0
			update product set sku = ?, id = ? where id = ? | 1
			update product p set p.id = ? | 0
			with x as (select 1 where ? > 0) update product set id = ? from x where id = ? | 1
			set lock_timeout = '1s'; update product set sku = ?, id = ? where id = ? | 1
			""")
	void keysThatAreParametersAreKnown(String sql, String parameters) {
		WrittenValues values = writes(sql).to(ID);
		assertThat(values.kind()).as(sql).isEqualTo(Kind.PARAMETERS);
		assertThat(values.parameters()).as(sql)
			.isEqualTo(List.of(parameters.split(",")).stream().map(Integer::valueOf).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into product (sku) values (?), (?)",
			"insert into product (id, sku) values (default, ?)", "insert into product (id, sku) values (null, ?)",
			"insert into product set sku = ?" })
	void keysThatAreLeftOutAreOfTheDatabase(String sql) {
		assertThat(writes(sql).to(ID).kind()).isEqualTo(Kind.DEFAULT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into product select * from other", "insert into product (id) select 1",
			"insert into product (select 1)", "insert into product values (?, ?)",
			"insert into product (id) values (7)", "insert into product (id) values (? + 1)",
			"insert into product (id) values (?), (7)", "insert into product (id) values (?), (default)",
			"insert into product default values", "with i as (insert into product (id) values (?)) select 1",
			"insert into log values (?); insert into product (id) values (?)",
			"insert into product (id) values (?); insert into product (id) values (7)",
			"insert into product (id, sku) values (?, 'a\\'')", "insert into product (id) values ($$a$$)",
			"insert into product (id) /*! values (7) */",
			"merge into product p using x on (p.id = x.id) when not matched then insert (id) values (x.id)",
			"insert into product (id) values (?) on conflict (sku) do update set id = 7",
			"insert into product (id) values (?) on duplicate key update id = id + 1",
			"insert into product (id, sku) values (?, ?) on conflict (sku) do update set (id, sku) = (?, ?)",
			"insert into product (id, sku) values (?, ?) on conflict (sku) do update set (sku, \"id\") = row(?, ?)",
			"insert into product (id, sku) values (?, ?) on conflict (sku) do update set (id) = row(?)",
			"insert into product (id, sku) values (?, ?) on conflict (sku) do update set (id) = (select 7)",
			"insert into product (id, sku) values (?, ?) on conflict (sku) do update set sku = ?, (id) = row(?)",
			"insert into product set id = ?, sku = ? on duplicate key update id = ?",
			"insert into product set sku = ? on duplicate key update id = ?", "update product set (id) = row(?)",
			"update product set (sku, id) = (select sku, id from other)",
			"with x as (select 1) update product set id = id + 1", "update product set id = id + 1",
			"update product set (sku, id) = (?, ?)", "insert into [product] exec x",
			"insert all into other (id) values (?) into product (id) values (?) select 1 from dual",
			"update other o, product p set p.id = o.id", "update other o, product p set id = o.id",
			"update product set id = id + ?", "update product p, other id set p.id = id.id",
			"load data infile ? into table product", "copy product from '/tmp/rows'",
			"alter table imported rename to product", "select 1; copy product from ?",
			"rename table imported to product", "select * into product from other", "{? = call product(?)}" })
	void whateverElseWritesKeysIsUnknown(String sql) {
		assertThat(writes(sql).to(ID).kind()).isEqualTo(Kind.UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into log values ('it\\'s'); insert into product (id) values (7); select 'x'",
			"insert into log values (\"it\\\"s\"); insert into \"product\" (id) values (7); select \"x\"",
			"select 1 # it's one\n; insert into product (id) values (7); select 'x'",
			"select 1 # as in /*\n; insert into product (id) values (7); select /* x */ 2",
			"/*! insert into product (id) values (7) */", "/*!50003 rename table imported to product */",
			"/*M!100100 insert into product (id) values (7) */",
			"select $$it's$$; insert into product (id) values (7); select 'x'",
			"select $a$it's$a$; insert into product (id) values (7); select 'x'",
			"select E'\\''; insert into product (id) values (7); select 'x'",
			"/* /* */ it's */ insert into product (id) values (7); select 'x'",
			"update log set n = n--1; insert into product (id) values (7)",
			"update product set n = n--1, id = 7 where id = ?",
			"select 5--'a\nb'; insert into product (id) values (7); select 'x'",
			"begin insert into log values (q'[it's]'); insert into product values ('x'); end;",
			"select array[n || ']']; insert into product (id) values (7); select 'x'" })
	void writesInWhatOneDatabaseTakesForALiteralOrACommentAreUnknown(String sql) {
		assertThat(writes(sql).to(ID).kind()).isEqualTo(Kind.UNKNOWN);
		assertThat(SqlStatement.of(sql).writes().areNone()).isFalse();
		assertThat(SqlStatement.of(sql).writes().areCounted()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			update product set sku = ? where id = ? | 1
			update product set sku = ?, id = id where id = ? | 1
			update product set id = "ID", sku = ? where (id = ?) | 1
			update product set deleted = 0 where tenant = ? and "id" in (?, ?) | 1,2
			UPDATE shop.product p SET p.sku = ? WHERE p.id = ? AND deleted = 0 | 1
			""")
	void rowsThatAnUpdateNamesAreKnown(String sql, String parameters) {
		assertThat(writes(sql).to(ID).kind()).as(sql).isEqualTo(Kind.NOTHING);
		assertThat(writes(sql).changedBy(ID).parameters()).as(sql)
			.isEqualTo(List.of(parameters.split(",")).stream().map(Integer::valueOf).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "update product set sku = ?", "update product set sku = ? where sku = ?",
			"update product set sku = ? where id in (select id from other)", "update other set sku = ? where id = ?",
			"delete from product where id = ?", "update product set sku = 'a\\' where id = ?" })
	void rowsOfOtherUpdatesAreNotKnown(String sql) {
		assertThat(writes(sql).changedBy(ID).kind()).as(sql).isEqualTo(Kind.NOTHING);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			delete from product where id = ? | 0
			DELETE FROM shop."Product" p WHERE p.tenant = ? AND p.id IN (?, ?) | 1,2
			""")
	void rowsThatADeletionNamesAreKnown(String sql, String parameters) {
		assertThat(writes(sql).deletedBy(ID).parameters()).as(sql)
			.isEqualTo(List.of(parameters.split(",")).stream().map(Integer::valueOf).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete from product", "delete from product where sku = ?",
			"delete from product where id in (select id from other)", "delete from products where id = ?",
			"update product set deleted = 1 where id = ?", "delete from product where sku = 'a\\' and id = ?" })
	void rowsOfOtherDeletionsAreNotKnown(String sql) {
		assertThat(writes(sql).deletedBy(ID).kind()).as(sql).isEqualTo(Kind.NOTHING);
	}

	@Test
	void longLiteralsAreRead() {
		String sql = "insert into product (sku, id) values ('%s', ?)".formatted("it''s ".repeat(20_000));
		assertThat(writes(sql).to(ID).parameters()).containsExactly(0);
	}

	/**
	 * A scan of the statement for each of its rows would take a minute.
	 */
	@Test
	void statementOfManyRowsIsReadInOneGo() {
		int rows = 20_000;
		String sql = "insert into product (sku, id) values " + String.join(",", Collections.nCopies(rows, "(?, ?)"));
		WrittenValues values = assertTimeoutPreemptively(Duration.ofSeconds(15), () -> writes(sql).to(ID));
		assertThat(values.parameters()).hasSize(rows).startsWith(1, 3, 5).endsWith(2 * rows - 1);
		assertThat(values.placeholders()).isEqualTo(2 * rows);
	}

	@ParameterizedTest
	@ValueSource(strings = { "select id, deleted, updated_at from product p where lower(p.insert_into) = ?",
			"with x as (select 'delete from product' as t) select count(*) from x where t in (?) -- call(x)" })
	void whatOnlyReadsWritesNothing(String sql) {
		assertThat(SqlStatement.of(sql).writes().areNone()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete from product where id = ?", "insert into product (id) values (?)",
			"select * into product from other", "copy product from ?" })
	void whateverWritesWritesSomething(String sql) {
		assertThat(SqlStatement.of(sql).writes().areNone()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			insert into product (id) values (?) | true
			update product set sku = ?; | true
			delete from product | true
			select add_product(?) | false
			insert into log values (?); insert into product (id) values (?) | false
			with x as (insert into product (id) values (?)) select 1 | false
			""")
	void countOfASingleStatementIsOfAllThatItWrites(String sql, boolean counted) {
		assertThat(SqlStatement.of(sql).writes().areCounted()).isEqualTo(counted);
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into audit select id from product", "insert into products (id) values (?)",
			"insert into product_old (id) values (?)", "delete from product where id = ?",
			"select replace(id, 'a', 'b') from product", "select id from product where id = ? for update",
			"with x as (select 1) update product set sku = ? where id = ?",
			"select id from product for no key update of product", "update product set sku = ? where id = ?",
			"update other set id = ? where x in (select id from product)", "insert into log values ('into product')",
			"-- insert into product\nselect 1", "", "truncate table product", "lock table product", "set product = 1",
			"update other set x = y from product where id = ?" })
	void othersWriteNoKeys(String sql) {
		assertThat(writes(sql).to(ID).kind()).isEqualTo(Kind.NOTHING);
	}

}
