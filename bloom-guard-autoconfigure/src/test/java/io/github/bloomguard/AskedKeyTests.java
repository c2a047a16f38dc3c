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

package io.github.bloomguard;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for methods that ask for other keys than a query gives.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class AskedKeyTests {

	private static final String QUERY = "bloom-guard.filters.products.warm-up.query=";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private final TestPostgres postgres = TestPostgres
		.create("create table product (id bigint, sku text, at date, token uuid)");

	static Stream<Arguments> mistakes() {
		return Stream.of(
				arguments(ByName.class, "select id from product", "gives the column id (int8), but @BloomGuarded on ",
						" asks for String name, which no row of it can have",
						"Select the column that is asked for, or guard the method by another filter; if it is that"
								+ " column, name the parameter as it"),
				arguments(ByToken.class, "select id from product", "gives the column id (int8), but @BloomGuarded on ",
						" asks for UUID token, which no row of it can have",
						"Select the column that is asked for, or guard the method by another filter."),
				arguments(ById.class, "select token from product",
						"gives the column token (uuid), but @BloomGuarded on ",
						" asks for long id, which no row of it can have", "Select the column that is asked for"),
				arguments(ById.class, "select * from product",
						"gives 4 columns [id (int8), sku (text), at (date), token (uuid)], but @BloomGuarded on ",
						" asks for [long id]", "Select the one column that the method asks for"),
				arguments(ByIdAndSku.class, "select id from product",
						"gives one column [id (int8)], but @BloomGuarded on ", " asks for [long id, String sku]",
						"Select the 2 columns that the method asks for."),
				arguments(AddByName.class, "select id from product", "gives the column id (int8), but @BloomAdd on ",
						" adds String name, which no row of it can have",
						"Name the key of the row, such as key = \"#result.id\", or another filter"),
				arguments(AddByRecord.class, "select id from product", "gives the column id (int8), but @BloomAdd on ",
						" adds String name, which no row of it can have", "Name the key of the row"),
				arguments(AddByIdAndSku.class, "select id from product",
						"gives one column [id (int8)], but @BloomAdd on ", " adds [long id, String sku]",
						"Name the key of the row"),
				arguments(AddAll.class, "select id from product", "gives the column id (int8), but @BloomAdd on ",
						" adds UUID tokens, which no row", "Name the key of the row"),
				arguments(RemoveByToken.class, "select id from product",
						"gives the column id (int8), but @BloomRemove on ",
						" removes UUID token, which no row of it can have", "Name the key of the row"),
				arguments(AddRow.class, "select id from product", "@BloomAdd on AskedKeyTests.AddRow.create(",
						" adds Row row, which can be no key",
						"Name what is the key of it, such as key = \"#row.id\", or declare a KeyConverter bean for it"),
				arguments(AddResult.class, "select id from product", "@BloomAdd on AskedKeyTests.AddResult.create(",
						" adds Row, which can be no key", "such as key = \"#result.id\""),
				arguments(ByOptional.class, "select id from product", "@BloomGuarded on AskedKeyTests.ByOptional.find(",
						" asks for Optional id, which can be no key", "such as key = \"#id.id\""),
				arguments(ByIds.class, "select id, sku from product", "gives 2 columns [id (int8), sku (text)], but ",
						" asks for [Long ids]", "Select the one column that the method asks for"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void methodThatAsksForWhatNoRowHasStopsTheStart(Class<?> service, String query, String gives, String asks,
			String advice, CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> GuardApplication.start(redis, List.of(service), this.postgres.and(QUERY + query)).close());
		assertThat(output).contains("APPLICATION FAILED TO START").contains(gives).contains(asks).contains(advice);
	}

	@Test
	void methodThatAsksForTheSameKeyInEachCallIsNamed(CapturedOutput output) {
		GuardApplication.start(redis, List.of(BySame.class), this.postgres.and(QUERY + "select id from product"))
			.close();
		assertThat(output).contains("@BloomGuarded(key = \"'id'\") on AskedKeyTests.BySame.find(long)"
				+ " is the same key in each call. If that is not meant, write an expression such as #id");
	}

	static Stream<Arguments> rights() {
		return Stream.of(arguments(ById.class, "select id from product"),
				arguments(ByText.class, "select id from product"), arguments(ByIds.class, "select id from product"),
				arguments(ByIdAndSku.class, "select id, sku from product"),
				arguments(ByKey.class, "select id, sku from product"), arguments(ByAny.class, "select * from product"),
				arguments(ByToken.class, "select cast(token as varchar) from product"),
				arguments(AddRights.class, "select id from product"));
	}

	@ParameterizedTest
	@MethodSource("rights")
	void methodThatMayAskForItsRowsIsLeft(Class<?> service, String query) {
		try (GuardApplication application = GuardApplication.start(redis, List.of(service),
				this.postgres.and(QUERY + query))) {
			assertThat(application.context().getBean(service)).isNotNull();
		}
	}

	static class ById {

		@BloomGuarded("products")
		@Nullable String findById(long id) {
			return null;
		}

	}

	static class ByName {

		@BloomGuarded("products")
		@Nullable String findByName(String name) {
			return null;
		}

	}

	static class ByText {

		@BloomGuarded("products")
		@Nullable String findByProductId(String number) {
			return null;
		}

	}

	static class ByToken {

		@BloomGuarded("products")
		@Nullable String findByToken(UUID token) {
			return null;
		}

	}

	static class ByIdAndSku {

		@BloomGuarded(filter = "products", key = "{#id, #sku}")
		@Nullable String findByIdAndSku(long id, String sku) {
			return null;
		}

	}

	static class ByIds {

		@BloomGuarded(filter = "products", keys = "#ids")
		List<String> findAll(Collection<Long> ids) {
			return List.of();
		}

	}

	static class ByKey {

		@BloomGuarded("products")
		@Nullable String find(Key key) {
			return null;
		}

	}

	static class ByAny {

		@BloomGuarded("products")
		@Nullable String find(Object key) {
			return null;
		}

	}

	static class AddByName {

		@Transactional
		@BloomAdd(filter = "products", key = "#name")
		void create(String name) {
		}

	}

	static class AddByRecord {

		@Transactional
		@BloomAdd("products")
		Row create(NewRow row) {
			return new Row();
		}

	}

	static class AddByIdAndSku {

		@Transactional
		@BloomAdd(filter = "products", key = "{#id, #sku}")
		void create(long id, String sku) {
		}

	}

	static class AddAll {

		@Transactional
		@BloomAdd(filter = "products", keys = "#tokens")
		void createAll(Collection<UUID> tokens) {
		}

	}

	static class RemoveByToken {

		@Transactional
		@BloomRemove("products")
		void delete(UUID token) {
		}

	}

	static class AddRow {

		@Transactional
		@BloomAdd("products")
		void create(Row row) {
		}

	}

	static class AddResult {

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		Row create(String name) {
			return new Row();
		}

	}

	static class ByOptional {

		@BloomGuarded("products")
		@Nullable String find(Optional<Long> id) {
			return null;
		}

	}

	static class BySame {

		@BloomGuarded(filter = "products", key = "'id'")
		@Nullable String find(long id) {
			return null;
		}

	}

	static class AddRights {

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		String create(NewRow row) {
			return "1";
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#row.id")
		Row create(Row row) {
			return row;
		}

		@Transactional
		@BloomAdd("products")
		void create(ById id) {
		}

		@Transactional
		@BloomAdd(filter = "products", keys = "#result.![id]")
		List<Row> createAll(Collection<String> names) {
			return List.of();
		}

		@Transactional
		@BloomRemove("products")
		void delete(Object id) {
		}

		record ById(long id) {

		}

	}

	record NewRow(String name) {

	}

	static class Row {

		public long getId() {
			return 1;
		}

	}

	record Key(long id, String sku) {

	}

}
