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

package io.github.bloomguard.changes;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions of {@code xa} that are prepared: their rows are in the log already,
 * and visible only when they are committed, at any later time.
 */
final class PreparedTransactions {

	private static final List<Integer> DENIED = List.of(1227, 1401);

	private PreparedTransactions() {
	}

	/**
	 * Return them, empty if the user may not see them.
	 */
	static Optional<Set<String>> read(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("xa recover")) {
			Set<String> transactions = new HashSet<>();
			while (rows.next()) {
				transactions.add(rows.getString(1) + "/" + rows.getString(2) + "/" + rows.getString(3) + "/"
						+ rows.getString(4));
			}
			return Optional.of(transactions);
		}
		catch (SQLException ex) {
			if (DENIED.contains(ex.getErrorCode())) {
				return Optional.empty();
			}
			throw ex;
		}
	}

}
