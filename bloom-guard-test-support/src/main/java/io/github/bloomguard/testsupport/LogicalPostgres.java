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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * A real PostgreSQL server of its own that writes a logical change log, and can be
 * restarted.
 */
@Needs(Needed.POSTGRESQL)
public final class LogicalPostgres extends SqlDatabase implements AutoCloseable {

	private final Path data;

	private EmbeddedPostgres server;

	private LogicalPostgres(Path data, String walLevel) {
		this.data = data;
		this.server = start(PostgresPort.choose(), walLevel);
	}

	/**
	 * Start a server.
	 * @param statements what is executed in it
	 * @return the server
	 */
	public static LogicalPostgres start(String... statements) {
		return startWith("logical", statements);
	}

	/**
	 * Start a server that writes its log in another way.
	 * @param walLevel the setting {@code wal_level}
	 * @param statements what is executed in it
	 * @return the server
	 */
	public static LogicalPostgres startWith(String walLevel, String... statements) {
		Needed.POSTGRESQL.assume();
		try {
			LogicalPostgres postgres = new LogicalPostgres(Files.createTempDirectory("logical-postgres"), walLevel);
			postgres.execute(statements);
			return postgres;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private EmbeddedPostgres start(int port, String walLevel) {
		try {
			return builder(port).setDataDirectory(this.data)
				.setCleanDataDirectory(false)
				.setServerConfig("wal_level", walLevel)
				.setServerConfig("max_connections", "200")
				.setServerConfig("max_prepared_transactions", "10")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Begin to start a server, which compares text and tells of errors alike on each
	 * machine.
	 */
	static EmbeddedPostgres.Builder builder(int port) {
		EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
			.setPort(port)
			.setPGStartupWait(Duration.ofMinutes(1))
			.setServerConfig("fsync", "off");
		// the name that each Linux knows, and nobody else
		return "Linux".equals(System.getProperty("os.name")) ? builder.setLocaleConfig("locale", "C.UTF-8") : builder;
	}

	/**
	 * Restart the server on the same port, with the same data.
	 */
	public void restart() {
		int port = this.server.getPort();
		stop();
		this.server = start(port, "logical");
	}

	/**
	 * Restart the server as the standby of one that has no more to send.
	 */
	public void restartAsStandby() {
		try {
			Files.createFile(this.data.resolve("standby.signal"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		restart();
	}

	/**
	 * Fail over to a standby, on the same port, that did not receive the end of the log.
	 * @param lost what happens while nothing is replicated any more
	 */
	public void failOver(Runnable lost) {
		loseEnd(lost);
		restartAsStandby();
		execute("select pg_promote()");
	}

	/**
	 * Restore the server to the state before something happened.
	 * @param lost what happens
	 */
	public void restore(Runnable lost) {
		loseEnd(lost);
		restart();
	}

	/**
	 * Go back to a copy, which has no slots, as one that replication or a backup makes.
	 */
	private void loseEnd(Runnable lost) {
		Path copy = this.data.resolveSibling(this.data.getFileName() + "-copy");
		int port = this.server.getPort();
		try {
			stop();
			FileSystemUtils.copyRecursively(this.data, copy);
			FileSystemUtils.deleteRecursively(copy.resolve("pg_replslot"));
			Files.createDirectory(copy.resolve("pg_replslot"));
			this.server = start(port, "logical");
			lost.run();
			stop();
			FileSystemUtils.deleteRecursively(this.data);
			Files.move(copy, this.data);
			Files.setPosixFilePermissions(this.data, PosixFilePermissions.fromString("rwx------"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public DataSource dataSource() {
		return this.server.getPostgresDatabase();
	}

	@Override
	public String url() {
		return this.server.getJdbcUrl("postgres", "postgres");
	}

	private void stop() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		stop();
	}

}
