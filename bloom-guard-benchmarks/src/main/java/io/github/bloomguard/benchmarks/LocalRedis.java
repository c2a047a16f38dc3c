package io.github.bloomguard.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import redis.embedded.RedisServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A real Redis on this machine, and a client of it.
 */
final class LocalRedis implements AutoCloseable {

	private final RedisServer server;

	private final RedissonClient client;

	private LocalRedis(RedisServer server, RedissonClient client) {
		this.server = server;
		this.client = client;
	}

	static LocalRedis start() {
		try {
			int port = freePort();
			RedisServer server = RedisServer.newRedisServer()
				.port(port)
				.setting("bind 127.0.0.1")
				.setting("save \"\"")
				.build();
			server.start();
			Config config = new Config();
			config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
			return new LocalRedis(server, Redisson.create(config));
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

	RedisConnectionFactory connectionFactory() {
		return new RedissonConnectionFactory(this.client);
	}

	@Override
	public void close() {
		this.client.shutdown();
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
