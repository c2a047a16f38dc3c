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

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.logging.LogText;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with the application's driver, and a client for the binary log.
 */
record MySqlServer(String url, Properties credentials, String host, int port) {

	private static final int PORT = 3306;

	private static final int TIMEOUT = 10_000;

	private static final Pattern URL = Pattern
		.compile("jdbc:(?:mysql|mariadb)://([^/,():?]+|\\[[^]]+])(?::(\\d+))?(?:/[^?]*)?(?:\\?.*)?");

	static MySqlServer of(String filter, String url, Properties credentials) {
		Matcher matcher = URL.matcher(url);
		if (!matcher.matches()) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + filter + ".changes.enabled is true, and the URL of the database is "
							+ LogText.server(url),
					"The change log can be followed with one host, such as jdbc:mysql://localhost:3306/shop");
		}
		String host = matcher.group(1).replaceAll("[\\[\\]]", "");
		return new MySqlServer(url, credentials, host,
				(matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : PORT);
	}

	Connection connect() throws SQLException {
		Connection connection = DriverManager.getConnection(this.url, this.credentials);
		connection.setNetworkTimeout(Runnable::run, TIMEOUT);
		try (Statement statement = connection.createStatement()) {
			// so that each connection is told the same text of a table
			statement.execute("set session sql_mode = '', sql_quote_show_create = 1");
		}
		catch (SQLException ex) {
			LogSession.close(connection);
			throw ex;
		}
		return connection;
	}

	BinaryLogClient client() {
		String user = value("user");
		BinaryLogClient client = new BinaryLogClient(this.host, this.port, (user != null) ? user : "",
				value("password"));
		client.setSSLMode(sslMode());
		client.setKeepAlive(false);
		client.setConnectTimeout(TIMEOUT);
		return client;
	}

	private @Nullable String value(String name) {
		String given = this.credentials.getProperty(name);
		return (given != null) ? given : parameter(name);
	}

	private @Nullable String parameter(String name) {
		Matcher matcher = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(this.url);
		return matcher.find() ? URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8) : null;
	}

	private SSLMode sslMode() {
		String mode = parameter("sslMode");
		if (mode == null) {
			return "false".equals(parameter("useSSL")) ? SSLMode.DISABLED : SSLMode.PREFERRED;
		}
		return switch (mode.toUpperCase(Locale.ROOT).replace('-', '_')) {
			case "DISABLE", "DISABLED" -> SSLMode.DISABLED;
			case "TRUST", "REQUIRED" -> SSLMode.REQUIRED;
			case "VERIFY_CA" -> SSLMode.VERIFY_CA;
			case "VERIFY_FULL", "VERIFY_IDENTITY" -> SSLMode.VERIFY_IDENTITY;
			default -> SSLMode.PREFERRED;
		};
	}

	/**
	 * Return what tells the server of a connection from others. MariaDB has no uuid, only
	 * a number that is unique among servers that replicate each other.
	 */
	static String identity(Connection connection) throws SQLException {
		String uuid = variable(connection, "server_uuid");
		return (uuid != null) ? uuid : "server " + variable(connection, "server_id");
	}

	static @Nullable String variable(Connection connection, String name) throws SQLException {
		return show(connection, "variables", name);
	}

	static @Nullable String status(Connection connection, String name) throws SQLException {
		return show(connection, "status", name);
	}

	private static @Nullable String show(Connection connection, String what, String name) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("show global " + what + " like '" + name + "'")) {
			return row.next() ? row.getString(2) : null;
		}
	}

}
