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
package io.github.bloomguard.catalogue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.logging.ThrottledLog;

/**
 * What the catalogue of a database says of a name. It is asked for each seldom, on the
 * connection that has just used the name.
 *
 * @param <T> the answer
 */
final class CatalogueQuestion<T> {

	private static final Duration ASKED_AGAIN = Duration.ofMinutes(1);

	private static final int MAX_NAMES = 1000;

	private static final int LONGEST = 5;

	private final ThrottledLog failures = new ThrottledLog(CatalogueQuestion.class);

	private final Map<Name, Asked<T>> asked = new ConcurrentHashMap<>();

	private final String purpose;

	private final Map<String, String> queries;

	private final AnswerReader<T> reader;

	/**
	 * @param purpose what is not known if the question fails
	 * @param queries by the name of the product, each parameter is the name
	 */
	CatalogueQuestion(String purpose, Map<String, String> queries, AnswerReader<T> reader) {
		this.purpose = purpose;
		this.queries = queries;
		this.reader = reader;
	}

	/**
	 * Return the answer, nothing if the database can't be asked.
	 * @param database told apart from others by its identity
	 */
	Optional<T> ask(Object database, String name, RelatedTables.ConnectionSource connection) {
		Name key = new Name(database, name);
		Asked<T> known = this.asked.get(key);
		if (known == null || known.isOld()) {
			if (this.asked.size() >= MAX_NAMES) {
				this.asked.clear();
			}
			known = new Asked<>(ask(name, connection), System.nanoTime());
			this.asked.put(key, known);
		}
		return known.answer();
	}

	private Optional<T> ask(String name, RelatedTables.ConnectionSource source) {
		try {
			Connection connection = source.get();
			String query = this.queries.get(connection.getMetaData().getDatabaseProductName());
			return (query != null) ? Optional.of(read(query, name, connection)) : Optional.empty();
		}
		catch (SQLException | RuntimeException ex) {
			this.failures.warn(
					"It is not known " + this.purpose + ", because the catalogue of the database could not be read",
					ex);
			return Optional.empty();
		}
	}

	/**
	 * Ask without harm to the transaction that the connection is in.
	 */
	private T read(String query, String name, Connection connection) throws SQLException {
		if (connection.getAutoCommit()) {
			return readNow(query, name, connection);
		}
		Savepoint before = connection.setSavepoint();
		try {
			return readNow(query, name, connection);
		}
		catch (SQLException | RuntimeException ex) {
			connection.rollback(before);
			throw ex;
		}
		finally {
			connection.releaseSavepoint(before);
		}
	}

	private T readNow(String query, String name, Connection connection) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(query)) {
			statement.setQueryTimeout(LONGEST);
			for (int i = 1; i <= query.chars().filter((character) -> character == '?').count(); i++) {
				statement.setString(i, name);
			}
			try (ResultSet rows = statement.executeQuery()) {
				return this.reader.read(name, rows);
			}
		}
	}

	/**
	 * Reads all rows.
	 */
	@FunctionalInterface
	interface AnswerReader<T> {

		T read(String name, ResultSet rows) throws SQLException;

	}

	private record Name(Object database, String name) {
	}

	private record Asked<T>(Optional<T> answer, long at) {

		boolean isOld() {
			return System.nanoTime() - this.at > ASKED_AGAIN.toNanos();
		}

	}

}
