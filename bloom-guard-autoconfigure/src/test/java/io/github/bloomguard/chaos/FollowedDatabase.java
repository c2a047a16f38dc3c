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

package io.github.bloomguard.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

import io.github.bloomguard.testsupport.LogicalPostgres;
import io.github.bloomguard.testsupport.MySqlDatabase;
import org.awaitility.Awaitility;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database whose change log is followed, and what can happen to it.
 */
interface FollowedDatabase extends AutoCloseable {

	String[] and(String... properties);

	JdbcTemplate template();

	/**
	 * Make some connections commit in another way than others.
	 * @param connection one of several
	 * @param number its number
	 */
	void vary(Connection connection, int number) throws SQLException;

	/**
	 * End the connection that follows.
	 * @param feed what it is known by in the database
	 */
	void cutOff(String feed);

	/**
	 * Throw away what has not been read.
	 * @param feed what it is known by in the database
	 */
	void loseLog(String feed);

	/**
	 * Bring rows in from another table.
	 * @param ids their ids
	 */
	void bring(List<Long> ids);

	void restart();

	@Override
	void close();

	private static String table(List<Long> ids) {
		return "more" + ids.get(0);
	}

	private static String rows(List<Long> ids) {
		return ids.stream().map((id) -> "(" + id + ")").collect(Collectors.joining(", "));
	}

	/**
	 * PostgreSQL, some of whose connections do not wait for the disk.
	 */
	record Postgres(LogicalPostgres server) implements FollowedDatabase {

		private static final String CUT_OFF = "select pg_terminate_backend(active_pid) from pg_replication_slots"
				+ " where active";

		@Override
		public String[] and(String... properties) {
			return this.server.and(properties);
		}

		@Override
		public JdbcTemplate template() {
			return this.server.template();
		}

		@Override
		public void vary(Connection connection, int number) throws SQLException {
			connection.createStatement().execute("set synchronous_commit = " + ((number % 2 == 0) ? "on" : "off"));
		}

		@Override
		public void cutOff(String feed) {
			this.server.execute(CUT_OFF);
		}

		@Override
		public void loseLog(String feed) {
			// one that follows connects again at once
			Awaitility.await().ignoreExceptions().until(() -> {
				this.server.execute(CUT_OFF, "select pg_drop_replication_slot('" + feed + "')");
				return true;
			});
		}

		@Override
		public void bring(List<Long> ids) {
			this.server.execute("create table %s (like product including all)".formatted(table(ids)),
					"insert into %s (id) values %s".formatted(table(ids), rows(ids)),
					"alter table %s inherit product".formatted(table(ids)));
		}

		@Override
		public void restart() {
			this.server.restart();
		}

		@Override
		public void close() {
			this.server.close();
		}

	}

	/**
	 * MySQL or MariaDB.
	 */
	record Binlog(MySqlDatabase database) implements FollowedDatabase {

		@Override
		public String[] and(String... properties) {
			return this.database.and(properties);
		}

		@Override
		public JdbcTemplate template() {
			return this.database.template();
		}

		@Override
		public void vary(Connection connection, int number) {
			// each commit is in the log before it is visible
		}

		@Override
		public void cutOff(String feed) {
			List<String> connections = template().queryForList("select id from information_schema.processlist"
					+ " where command = 'Binlog Dump' or id = is_used_lock(?)", String.class, feed);
			for (String id : connections) {
				try {
					this.database.execute("kill " + id);
				}
				catch (DataAccessException ex) {
					// it is gone, as what it followed for has ended
				}
			}
		}

		@Override
		public void loseLog(String feed) {
			this.database.resetLog();
		}

		@Override
		public void bring(List<Long> ids) {
			this.database.execute("create table %s like product".formatted(table(ids)),
					"insert into %s (id) values %s".formatted(table(ids), rows(ids)),
					"insert into product select * from " + table(ids));
		}

		@Override
		public void restart() {
			this.database.restart();
		}

		@Override
		public void close() {
			// the server ends with the JVM
		}

	}

}
