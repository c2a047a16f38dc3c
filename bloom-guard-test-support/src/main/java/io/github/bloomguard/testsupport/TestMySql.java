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
import java.util.stream.Stream;

import org.springframework.util.function.SingletonSupplier;

/**
 * A database of its own in a real MySQL server, which all tests share.
 */
@Needs(Needed.MYSQL)
public final class TestMySql extends MySqlDatabase {

	/**
	 * The system property that names the executable of another server.
	 */
	public static final String INSTALLED = "bloom-guard.test.mysql";

	private static final String RESOURCE = "mysql-Linux-amd64.tar.gz";

	private static final String EXECUTABLE = "mysqld";

	/**
	 * Of the server, which is started by the first test that needs it, and stopped with
	 * the JVM.
	 */
	private static final Supplier<MySqlProcess> server = SingletonSupplier.of(TestMySql::start);

	private TestMySql(MySqlProcess server, String... statements) {
		super(server, statements);
	}

	/**
	 * Create a database.
	 * @param statements what is executed in it
	 * @return the database
	 */
	public static TestMySql create(String... statements) {
		return new TestMySql(server.get(), statements);
	}

	/**
	 * Start a server of its own, which writes a binary log that can be followed.
	 * @param statements what is executed in it
	 * @return a database of it
	 */
	public static TestMySql startLogging(String... statements) {
		return new TestMySql(start(LOGGING), statements);
	}

	@Override
	public String url() {
		return connectorJUrl();
	}

	private static MySqlProcess start(String... options) {
		Needed.MYSQL.assume();
		MySqlProcess server = new MySqlProcess(INSTALLED, RESOURCE, EXECUTABLE);
		server.initialize("--initialize-insecure", "");
		server.start(Stream.concat(Stream.of("--mysqlx=0"), Stream.of(options)).toArray(String[]::new));
		return server;
	}

}
