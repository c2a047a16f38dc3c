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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A database of its own in a real server that speaks MySQL's protocol, which both drivers
 * reach.
 */
public abstract class MySqlDatabase {

	/**
	 * The options of a server that writes a binary log that can be followed.
	 */
	static final String[] LOGGING = { "--log-bin=binlog", "--server-id=1", "--binlog-format=ROW",
			"--binlog-row-metadata=FULL", "--character-set-server=utf8mb4",
			"--loose-slave-connections-needed-for-purge=0" };

	private static final AtomicInteger databases = new AtomicInteger();

	private final String name = "test" + databases.incrementAndGet();

	private final MySqlProcess server;

	MySqlDatabase(MySqlProcess server, String... statements) {
		this.server = server;
		new JdbcTemplate(dataSource(url("mariadb", "mysql"))).execute("create database " + this.name);
		execute(statements);
	}

	/**
	 * Return the URL for the driver of MySQL, Connector/J.
	 * @return the URL, with the user
	 */
	public String connectorJUrl() {
		return url("mysql", this.name);
	}

	/**
	 * Return the URL for the driver of MariaDB.
	 * @return the URL, with the user
	 */
	public String mariaDbDriverUrl() {
		return url("mariadb", this.name);
	}

	/**
	 * Return the URL for the driver that is the server's own.
	 * @return the URL, with the user
	 */
	public abstract String url();

	public int port() {
		return this.server.port();
	}

	/**
	 * Restart the server on the same port, with the same data.
	 */
	public void restart() {
		this.server.restart();
	}

	public void execute(String... statements) {
		JdbcTemplate template = template();
		for (String statement : statements) {
			template.execute(statement);
		}
	}

	public JdbcTemplate template() {
		return new JdbcTemplate(dataSource());
	}

	/**
	 * Return a data source without a pool, with the server's own driver.
	 * @return the data source
	 */
	public DataSource dataSource() {
		return dataSource(url());
	}

	/**
	 * Return a data source without a pool.
	 * @param url which driver is used, and how
	 * @return the data source
	 */
	public static DataSource dataSource(String url) {
		return new DriverManagerDataSource(url);
	}

	/**
	 * Return the Spring Boot properties that point an application to this database, with
	 * the server's own driver.
	 * @param more more properties
	 * @return all properties as {@code name=value}
	 */
	public String[] and(String... more) {
		return Stream
			.concat(Stream.of("spring.datasource.url=" + url(), "spring.datasource.hikari.maximum-pool-size=4"),
					Stream.of(more))
			.toArray(String[]::new);
	}

	private String url(String driver, String database) {
		return "jdbc:" + driver + "://127.0.0.1:" + port() + "/" + database + "?user=" + MySqlProcess.USER;
	}

}
