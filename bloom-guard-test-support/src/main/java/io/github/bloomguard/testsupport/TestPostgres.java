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

package io.github.bloomguard.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database of its own in a real PostgreSQL server, which all tests share. It writes a
 * logical change log.
 */
@Needs(Needed.POSTGRESQL)
public final class TestPostgres extends SqlDatabase {

	private static final AtomicInteger databases = new AtomicInteger();

	private final String name = "test" + databases.incrementAndGet();

	private TestPostgres() {
	}

	/**
	 * Create a database.
	 * @param statements what is executed in it
	 * @return the database
	 */
	public static TestPostgres create(String... statements) {
		Needed.POSTGRESQL.assume();
		TestPostgres database = new TestPostgres();
		new JdbcTemplate(Server.instance.getPostgresDatabase()).execute("create database " + database.name);
		database.execute(statements);
		return database;
	}

	@Override
	public DataSource dataSource() {
		return Server.instance.getDatabase("postgres", this.name);
	}

	@Override
	public String url() {
		return Server.instance.getJdbcUrl("postgres", this.name);
	}

	/**
	 * Started by the first test that needs it, stopped with the JVM.
	 */
	private static final class Server {

		private static final EmbeddedPostgres instance = start();

		private static EmbeddedPostgres start() {
			try {
				EmbeddedPostgres started = LogicalPostgres.builder(PostgresPort.choose())
					.setServerConfig("wal_level", "logical")
					.setServerConfig("max_connections", "200")
					.setServerConfig("max_replication_slots", "50")
					.setServerConfig("max_wal_senders", "50")
					.start();
				Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started)));
				return started;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static void close(EmbeddedPostgres server) {
			try {
				server.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
