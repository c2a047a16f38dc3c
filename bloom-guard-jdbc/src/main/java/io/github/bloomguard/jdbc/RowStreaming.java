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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.Function;

/**
 * How a driver is made to stream rows instead of reading all into memory first, and
 * whether several connections read faster than one. Each needs a transaction around the
 * query.
 */
public enum RowStreaming {

	/**
	 * MySQL's own driver, which streams with a special fetch size.
	 */
	CONNECTOR_J("MySQL Connector/J", "", "", false),

	/**
	 * H2, which else collects all rows, in part on the disk, before it gives the first.
	 */
	H2("H2 JDBC Driver", "set lazy_query_execution 1", "set lazy_query_execution 0", false),

	/**
	 * HSQLDB, which collects all rows too, and only on the disk if it is told so.
	 */
	HSQLDB("HSQL Database Engine Driver", "set session result memory rows 10000", "set session result memory rows 0",
			false),

	SQLITE("SQLite JDBC", "", "", false),

	BY_FETCH_SIZE("", "", "", true);

	private static final int MAX_PARTITIONS = 4;

	private final String driver;

	private final String begin;

	private final String end;

	private final boolean divisible;

	RowStreaming(String driver, String begin, String end, boolean divisible) {
		this.driver = driver;
		this.begin = begin;
		this.end = end;
		this.divisible = divisible;
	}

	public static RowStreaming of(Connection connection) throws SQLException {
		String name = connection.getMetaData().getDriverName();
		return Arrays.stream(values()).filter((each) -> each.driver.equals(name)).findFirst().orElse(BY_FETCH_SIZE);
	}

	public int fetchSize(int rows) {
		return (this == CONNECTOR_J) ? Integer.MIN_VALUE : rows;
	}

	public int partitions() {
		return this.divisible ? Math.min(Runtime.getRuntime().availableProcessors(), MAX_PARTITIONS) : 1;
	}

	/**
	 * Begin with a transaction in which rows are read.
	 * @return the connection whose queries stream, with the {@linkplain #fetchSize fetch
	 * size}
	 */
	public Connection begin(Connection connection) throws SQLException {
		execute(connection, this.begin);
		return DeclaredCursors.around(connection);
	}

	/**
	 * Begin with a transaction in which rows are read.
	 * @param present reads with the connection as it is
	 * @param other makes what reads with the one whose queries stream, if it is another
	 */
	public <T> T begin(Connection connection, T present, Function<Connection, T> other) throws SQLException {
		Connection reader = begin(connection);
		return (reader == connection) ? present : other.apply(reader);
	}

	public void end(Connection connection) throws SQLException {
		execute(connection, this.end);
	}

	private static void execute(Connection connection, String setting) throws SQLException {
		if (!setting.isEmpty()) {
			try (Statement statement = connection.createStatement()) {
				statement.execute(setting);
			}
		}
	}

}
