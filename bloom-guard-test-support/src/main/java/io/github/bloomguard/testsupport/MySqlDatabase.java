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

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A database of its own in a real server that speaks MySQL's protocol, which both drivers
 * reach.
 */
public abstract class MySqlDatabase extends SqlDatabase {

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

	public int port() {
		return this.server.port();
	}

	/**
	 * Restart the server on the same port, with the same data.
	 */
	public void restart() {
		this.server.restart();
	}

	/**
	 * Delete the binary log, so that it begins again with its first file.
	 */
	public void resetLog() {
		String version = String.valueOf(template().queryForObject("select version()", String.class));
		boolean older = version.contains("MariaDB") || version.startsWith("8.0.");
		execute(older ? "reset master" : "reset binary logs and gtids");
	}

	@Override
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

	private String url(String driver, String database) {
		return "jdbc:" + driver + "://127.0.0.1:" + port() + "/" + database + "?user=" + MySqlProcess.USER;
	}

}
