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
import java.net.InetAddress;
import java.net.ServerSocket;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A real Redis on this machine, and a client of it for those that need one.
 */
public final class LocalRedis implements AutoCloseable {

	private final RedisServer server;

	private final int port;

	private @Nullable RedissonClient client;

	private @Nullable LettuceConnectionFactory factory;

	private LocalRedis(RedisServer server, int port) {
		this.server = server;
		this.port = port;
	}

	/**
	 * Start a server on a free port of the loopback interface, without persistence.
	 * @param settings more lines of its configuration
	 * @return the server
	 */
	public static LocalRedis start(String... settings) {
		try {
			int port = freePort();
			RedisServerBuilder builder = RedisServer.newRedisServer()
				.port(port)
				.setting("bind 127.0.0.1")
				.setting("save \"\"");
			for (String setting : settings) {
				builder.setting(setting);
			}
			RedisServer server = builder.build();
			server.start();
			return new LocalRedis(server, port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Return a client with Redisson's own settings, the same one each time.
	 * @return the client, which is closed with the server
	 */
	public synchronized RedissonClient client() {
		if (this.client == null) {
			Config config = new Config();
			config.useSingleServer().setAddress("redis://127.0.0.1:" + this.port);
			this.client = Redisson.create(config);
		}
		return this.client;
	}

	/**
	 * Return a connection factory for Spring Data Redis with Spring Boot's own driver,
	 * the same one each time.
	 * @return the factory, which is closed with the server
	 */
	public synchronized RedisConnectionFactory connectionFactory() {
		if (this.factory == null) {
			this.factory = new LettuceConnectionFactory("127.0.0.1", this.port);
			this.factory.afterPropertiesSet();
			this.factory.start();
		}
		return this.factory;
	}

	/**
	 * Return the port.
	 * @return the port on the loopback interface
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Open a connection of its own that does not go through any client.
	 * @return the connection
	 */
	public RedisWire wire() {
		return new RedisWire(this.port);
	}

	/**
	 * Return the Spring Boot properties that point an application to this server.
	 * @return the properties as {@code name=value}
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + this.port };
	}

	@Override
	public synchronized void close() {
		if (this.client != null) {
			this.client.shutdown();
		}
		if (this.factory != null) {
			this.factory.destroy();
		}
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
