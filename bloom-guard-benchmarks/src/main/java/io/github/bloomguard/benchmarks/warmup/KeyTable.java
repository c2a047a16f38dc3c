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

package io.github.bloomguard.benchmarks.warmup;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongConsumer;

import javax.sql.DataSource;

import io.github.bloomguard.benchmarks.server.LocalPostgres;

/**
 * A table of keys of the type {@code bigint}, from 1 on, with a primary key.
 */
public final class KeyTable {

	static final String QUERY = "select id from entry";

	private static final int FETCH_SIZE = 10_000;

	private final LocalPostgres postgres;

	private long keys;

	private KeyTable(LocalPostgres postgres) {
		this.postgres = postgres;
	}

	/**
	 * Create an empty table.
	 * @param postgres where
	 * @return the table
	 */
	public static KeyTable create(LocalPostgres postgres) {
		postgres.template().execute("create unlogged table entry (id bigint primary key)");
		return new KeyTable(postgres);
	}

	/**
	 * Add keys until there is a number of them.
	 * @param count the number
	 */
	public void fill(long count) {
		this.postgres.template()
			.update("insert into entry select * from generate_series(?::bigint, ?)", this.keys + 1, count);
		this.postgres.template().execute("vacuum analyze entry");
		this.keys = count;
	}

	long keys() {
		return this.keys;
	}

	DataSource dataSource() {
		return this.postgres.dataSource();
	}

	/**
	 * Read keys through a cursor.
	 * @param limit how many at most
	 * @param each is given each key
	 * @return how many were read
	 */
	long read(long limit, LongConsumer each) {
		try (Connection connection = dataSource().getConnection()) {
			connection.setAutoCommit(false);
			try (Statement statement = connection.createStatement()) {
				statement.setFetchSize(FETCH_SIZE);
				return read(statement.executeQuery(QUERY), limit, each);
			}
			finally {
				connection.rollback();
				connection.setAutoCommit(true);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static long read(ResultSet rows, long limit, LongConsumer each) throws SQLException {
		long read = 0;
		while (read < limit && rows.next()) {
			each.accept(rows.getLong(1));
			read++;
		}
		return read;
	}

}
