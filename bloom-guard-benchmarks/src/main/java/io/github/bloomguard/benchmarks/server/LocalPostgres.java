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

package io.github.bloomguard.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A real PostgreSQL on this machine, and a pool of connections to it.
 */
public final class LocalPostgres implements AutoCloseable {

	private static final int CONNECTIONS = 16;

	private final EmbeddedPostgres server;

	private final HikariDataSource pool;

	private LocalPostgres(EmbeddedPostgres server) {
		this.server = server;
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url());
		config.setMaximumPoolSize(CONNECTIONS);
		config.setConnectionTimeout(60_000);
		this.pool = new HikariDataSource(config);
	}

	/**
	 * Start a server on a free port. Nothing in it outlives it, so it does not wait for
	 * the disk.
	 * @return the server
	 */
	public static LocalPostgres start() {
		return startWith("replica", "off");
	}

	/**
	 * Start a server as {@link #start()} does, whose changes can be followed. Commits
	 * write them to the log at once, not up to 200 ms later.
	 * @return the server
	 */
	public static LocalPostgres startLogical() {
		return startWith("logical", "on");
	}

	private static LocalPostgres startWith(String walLevel, String synchronousCommit) {
		try {
			return new LocalPostgres(EmbeddedPostgres.builder()
				.setServerConfig("fsync", "off")
				.setServerConfig("shared_buffers", "512MB")
				.setServerConfig("wal_level", walLevel)
				.setServerConfig("synchronous_commit", synchronousCommit)
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the pool.
	 * @return the pool, which is closed with the server
	 */
	public DataSource dataSource() {
		return this.pool;
	}

	/**
	 * Return the URL, with the user.
	 * @return the JDBC URL
	 */
	public String url() {
		return this.server.getJdbcUrl("postgres", "postgres");
	}

	/**
	 * Return a template on the pool.
	 * @return the template
	 */
	public JdbcTemplate template() {
		return new JdbcTemplate(this.pool);
	}

	@Override
	public void close() {
		this.pool.close();
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
