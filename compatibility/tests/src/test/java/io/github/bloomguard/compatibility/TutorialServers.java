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
package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;

/**
 * The servers of the tutorial, on free ports. It starts them by Docker; a test has those
 * that it brings along.
 */
final class TutorialServers implements AutoCloseable {

	private static final Pattern STATEMENT = Pattern.compile("-c \"([^\"]+)\"");

	private static final Pattern INPUT = Pattern.compile("<<'(\\w+)'\\n(.*)\\n\\1", Pattern.DOTALL);

	private final TestPostgres postgres = TestPostgres.create();

	private final TestRedis redis;

	private final int[] web = { freePort(), freePort() };

	TutorialServers(Path folder) {
		// as in the image, the data is there again after a restart
		this.redis = TestRedis.start("--dir", folder.toString(), "--dbfilename", "shop.rdb");
	}

	/**
	 * Return what a page shows, with the ports of these servers.
	 */
	String withPorts(String text) {
		return text.replace("5432", String.valueOf(port()))
			.replace("6379", String.valueOf(this.redis.port()))
			.replace("8080", String.valueOf(webPort()))
			.replace("8081", String.valueOf(this.web[1]));
	}

	/**
	 * Return the port of the first instance.
	 */
	int webPort() {
		return this.web[0];
	}

	private int port() {
		return URI.create(this.postgres.url().substring("jdbc:".length())).getPort();
	}

	/**
	 * Carry out a command of Docker.
	 * @return what it prints
	 */
	String docker(String command) throws SQLException {
		if (command.contains(" psql ")) {
			Matcher statement = STATEMENT.matcher(command);
			Matcher input = INPUT.matcher(command);
			return sql(statement.find() ? statement.group(1) : input.results().findFirst().orElseThrow().group(2));
		}
		String[] words = command.split("\\s+");
		switch (words[1]) {
			case "run" -> {
				if (command.contains("POSTGRES_USER=shop")) {
					this.postgres.execute("create role shop superuser login password 'shop'",
							"create database shop owner shop");
				}
			}
			case "stop" -> {
				this.redis.command("SAVE");
				this.redis.kill();
			}
			case "start" -> this.redis.restart();
			case "exec" -> {
				return this.redis.command(command.replaceFirst(".*redis-cli ", "").split(" "));
			}
			case "rm" -> close();
			default -> throw new IllegalArgumentException(command);
		}
		return "";
	}

	private String sql(String script) throws SQLException {
		List<String> printed = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(withPorts("jdbc:postgresql://localhost:5432/shop"),
				"shop", "shop"); Statement statement = connection.createStatement()) {
			for (String sql : script.strip().split(";\\s*")) {
				if (statement.execute(sql)) {
					try (ResultSet rows = statement.getResultSet()) {
						while (rows.next()) {
							printed.add(rows.getString(1));
						}
					}
				}
				else {
					String[] words = sql.toUpperCase(Locale.ROOT).split("\\s+");
					printed.add(words[0].equals("INSERT") ? "INSERT 0 " + statement.getUpdateCount()
							: words[0] + " " + words[1]);
				}
			}
		}
		return String.join("\n", printed);
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
