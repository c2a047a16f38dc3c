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

package io.github.bloomguard.benchmarks.contender;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import io.github.bloomguard.benchmarks.server.LocalPostgres;

/**
 * The table of products with the ids from 1 on, and the number of queries that reached
 * it.
 */
public final class ProductTable {

	private static final String QUERY = "select id, name from product where id = ?";

	private static final String SLOW_QUERY = "select id, name, pg_sleep(0.05) from product where id = ?";

	private final JdbcTemplate template;

	private final LongAdder queries = new LongAdder();

	/**
	 * Create a view of the table with a count of its own.
	 * @param postgres where the table is
	 */
	public ProductTable(LocalPostgres postgres) {
		this.template = postgres.template();
	}

	/**
	 * Create and fill the table.
	 * @param postgres where it will be
	 * @param rows the number of rows
	 */
	public static void create(LocalPostgres postgres, int rows) {
		postgres.template().execute("create table product (id bigint primary key, name text not null)");
		postgres.template()
			.update("insert into product select i, 'the product with number ' || i from generate_series(1, ?) i", rows);
		postgres.template().execute("vacuum analyze product");
	}

	@Nullable Product find(long id) {
		return query(QUERY, id);
	}

	/**
	 * Read a product, which takes 50 ms.
	 */
	@Nullable Product findSlowly(long id) {
		return query(SLOW_QUERY, id);
	}

	private @Nullable Product query(String sql, long id) {
		this.queries.increment();
		List<Product> found = this.template.query(sql,
				(row, number) -> new Product(row.getLong("id"), row.getString("name")), id);
		return found.isEmpty() ? null : found.get(0);
	}

	long queries() {
		return this.queries.sum();
	}

}
