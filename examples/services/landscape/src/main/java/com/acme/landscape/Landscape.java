package com.acme.landscape;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import redis.embedded.RedisServer;

/**
 * Redis, PostgreSQL and the three applications, each in a process of its own.
 */
public final class Landscape implements AutoCloseable {

	private final Deque<AutoCloseable> started = new ArrayDeque<>();

	private final int redis;

	private Landscape(int redis) {
		this.redis = redis;
	}

	public static void main(String[] args) throws Exception {
		Landscape landscape = start(6390, 8081, 8082, 8080);
		Runtime.getRuntime().addShutdownHook(new Thread(landscape::close));
		System.out.println("The gateway is starting at http://localhost:8080, stop it with Ctrl-C");
		Thread.currentThread().join();
	}

	/**
	 * Start all, without waiting for the applications.
	 */
	static Landscape start(int redis, int catalogue, int orders, int gateway) throws IOException {
		Landscape landscape = new Landscape(redis);
		try {
			RedisServer server = RedisServer.newRedisServer().port(redis).bind("127.0.0.1").setting("save \"\"").build();
			server.start();
			landscape.started.push(server::stop);
			EmbeddedPostgres database = EmbeddedPostgres.start();
			landscape.started.push(database);
			String catalogueUrl = "--catalogue.url=http://localhost:" + catalogue;
			landscape.run("catalogue", catalogue,
					"--spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"));
			landscape.run("orders", orders, catalogueUrl);
			landscape.run("gateway", gateway, catalogueUrl, "--orders.url=http://localhost:" + orders);
			return landscape;
		}
		catch (IOException | RuntimeException ex) {
			landscape.close();
			throw ex;
		}
	}

	private void run(String application, int port, String... arguments) throws IOException {
		Path jar = Path.of(System.getProperty("basedir", "."), "..", application, "target", application + "-1.0.0.jar");
		List<String> command = new ArrayList<>();
		Collections.addAll(command, Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString(), "--server.port=" + port,
				"--spring.data.redis.port=" + this.redis);
		Collections.addAll(command, arguments);
		File log = jar.resolveSibling("output.log").toFile();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
		this.started.push(() -> end(process));
	}

	private static void end(Process process) throws InterruptedException {
		process.destroy();
		if (!process.waitFor(20, TimeUnit.SECONDS)) {
			process.destroyForcibly();
		}
	}

	@Override
	public void close() {
		while (!this.started.isEmpty()) {
			try {
				this.started.pop().close();
			}
			catch (Exception ex) {
				System.err.println("Could not be stopped: " + ex);
			}
		}
	}

}
