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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a database about texts, with whatever driver.
 */
public interface SqlClient {

	/**
	 * Return the name of the database's kind.
	 */
	String product() throws SQLException;

	/**
	 * Return what names are quoted with.
	 */
	String quote() throws SQLException;

	/**
	 * Run a query with two columns of whole numbers.
	 */
	List<int[]> pairs(String query) throws SQLException;

	/**
	 * Throw a failure of a database that is down, and not one of a query that it refuses.
	 */
	void throwIfDown(SQLException failure) throws SQLException;

	static SqlClient of(Connection connection) {
		return new SqlClient() {

			@Override
			public String product() throws SQLException {
				return connection.getMetaData().getDatabaseProductName();
			}

			@Override
			public String quote() throws SQLException {
				return connection.getMetaData().getIdentifierQuoteString().strip();
			}

			@Override
			public List<int[]> pairs(String query) throws SQLException {
				List<int[]> pairs = new ArrayList<>();
				try (Statement statement = connection.createStatement();
						ResultSet rows = statement.executeQuery(query)) {
					while (rows.next()) {
						pairs.add(new int[] { rows.getInt(1), rows.getInt(2) });
					}
				}
				return pairs;
			}

			@Override
			public void throwIfDown(SQLException failure) throws SQLException {
				QueryColumns.throwIfDown(connection, failure);
			}

		};
	}

}
