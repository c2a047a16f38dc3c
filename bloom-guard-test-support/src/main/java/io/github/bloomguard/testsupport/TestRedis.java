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

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import redis.embedded.core.ExecutableProvider;

/**
 * A real redis-server on a free port of the loopback interface that a test may freeze,
 * kill and start again on the same port. It is the one that the tests bring along, or the
 * one that the system property {@value #INSTALLED} names.
 */
public final class TestRedis implements AutoCloseable {

	/**
	 * The system property that names the executable of another redis-server.
	 */
	public static final String INSTALLED = "bloom-guard.test.redis-server";

	/**
	 * The system property that names a file with the module RedisBloom, for servers that
	 * have their own filters.
	 */
	public static final String MODULE = "bloom-guard.test.redis-module";

	/**
	 * The system property that names a server with filters of its own that is there
	 * already, as {@code host:port}. All that is in it gets lost.
	 */
	public static final String RUNNING = "bloom-guard.test.redis";

	private static final int ATTEMPTS = 5;

	private static final Path EXECUTABLE = extractExecutable();

	private final String host;

	private final int port;

	private final List<String> options;

	private final @Nullable String password;

	private @Nullable Process process;

	private TestRedis(String host, int port) {
		this.host = host;
		this.port = port;
		this.options = List.of();
		this.password = null;
	}

	TestRedis(int port, List<String> options) {
		this.host = "127.0.0.1";
		this.port = port;
		this.options = options;
		int password = options.indexOf("--requirepass");
		this.password = (password >= 0) ? options.get(password + 1) : null;
		this.process = launch();
	}

	/**
	 * Start a server without persistence.
	 * @param options more options for the command line, such as
	 * {@code "--maxmemory", "64mb"}
	 * @return the server, which accepts connections
	 */
	public static TestRedis start(String... options) {
		// another process may take the port, or that of the cluster's bus, before the
		// server does
		for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
			try {
				return new TestRedis(freePort(), List.of(options));
			}
			catch (EndedException ex) {
				// with another port
			}
		}
		return new TestRedis(freePort(), List.of(options));
	}

	/**
	 * Start a server that has filters of its own, or use the one that there is. The test
	 * is skipped if neither is given.
	 * @param options more options for the command line
	 * @return the server, which accepts connections
	 */
	public static TestRedis withModule(String... options) {
		String module = System.getProperty(MODULE);
		if (module != null) {
			return start(Stream
				.concat(Stream.of("--loadmodule", Path.of(module).toAbsolutePath().toString()), Stream.of(options))
				.toArray(String[]::new));
		}
		String running = System.getProperty(RUNNING);
		Needed.REDIS_BLOOM.assume();
		Assumptions.assumeTrue(options.length == 0, "The server at " + running + " has other options");
		int colon = Objects.requireNonNull(running).lastIndexOf(':');
		return new TestRedis(running.substring(0, colon), Integer.parseInt(running.substring(colon + 1)));
	}

	/**
	 * Start a Sentinel that watches this server as {@code "shop"} and alone decides on a
	 * failover.
	 * @return the Sentinel
	 */
	public TestRedis startSentinel() {
		try {
			Path file = Files.createTempFile("sentinel", ".conf");
			Files.writeString(file, """
					sentinel monitor shop 127.0.0.1 %d 1
					sentinel down-after-milliseconds shop 500
					sentinel failover-timeout shop 2000
					%s""".formatted(this.port,
					(this.password != null) ? "sentinel auth-pass shop " + this.password + "\n" : ""));
			return start(file.toString(), "--sentinel");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start a replica of this server.
	 * @return the replica, which has finished its first synchronisation
	 */
	public TestRedis startReplica() {
		List<String> options = new ArrayList<>(List.of("--replicaof", "127.0.0.1", String.valueOf(this.port)));
		int module = this.options.indexOf("--loadmodule");
		if (module >= 0) {
			options.addAll(this.options.subList(module, module + 2));
		}
		TestRedis replica = start(options.toArray(String[]::new));
		Awaitility.await().until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
		return replica;
	}

	public int port() {
		return this.port;
	}

	public String url() {
		return "redis://" + this.host + ":" + this.port;
	}

	/**
	 * Return the Spring Boot properties that point an application to this server.
	 * @return the properties as {@code name=value}
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=" + this.host, "spring.data.redis.port=" + this.port };
	}

	/** Send SIGSTOP: connections stay open, nothing answers. */
	public void freeze() {
		Signals.send("STOP", process());
	}

	/** Send SIGCONT. */
	public void thaw() {
		Signals.send("CONT", process());
	}

	/** Send SIGKILL and wait until the process is gone. */
	public void kill() {
		try {
			process().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Start again, empty, on the same port. */
	public void restart() {
		kill();
		this.process = launch();
	}

	/**
	 * Empty the server, but for control records that have been there for long: the one of
	 * the filter {@code products}, and more. With a new one, each add waits for seconds
	 * until no instance trusts a record that was lost. A test that still runs an instance
	 * from before needs {@code FLUSHALL} instead.
	 * @param more the names of other filters
	 * @return this server
	 */
	public TestRedis reset(String... more) {
		command("FLUSHALL");
		String server = command("INFO", "server").lines()
			.filter((line) -> line.startsWith("run_id:"))
			.map((line) -> line.substring(line.indexOf(':') + 1).strip())
			.findFirst()
			.orElseThrow();
		Stream.concat(Stream.of("products"), Stream.of(more))
			.forEach((filter) -> command("HSET", "bloom-guard:{" + filter + "}:control", "server", server, "created",
					"1"));
		return this;
	}

	/**
	 * Run one command on a connection of its own.
	 * @param words the command and its arguments
	 * @return the reply: the text of a string, number or error; the elements of an array,
	 * each on a line; {@code "(nil)"} for nothing
	 */
	public String command(String... words) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(this.host, this.port), 2_000);
			socket.setSoTimeout(10_000);
			StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
			for (String word : words) {
				request.append('$').append(word.getBytes(StandardCharsets.UTF_8).length).append("\r\n");
				request.append(word).append("\r\n");
			}
			OutputStream out = socket.getOutputStream();
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
			if (this.password != null) {
				out.write(("AUTH " + this.password + "\r\n").getBytes(StandardCharsets.UTF_8));
				reply(in);
			}
			out.write(request.toString().getBytes(StandardCharsets.UTF_8));
			out.flush();
			return reply(in);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the keys that match a pattern.
	 * @param pattern as of the command KEYS
	 * @return the keys
	 */
	public List<String> keys(String pattern) {
		return command("KEYS", pattern).lines().filter((line) -> !line.isEmpty()).toList();
	}

	/**
	 * Return how many commands were carried out.
	 * @return the number since the server started
	 */
	public long commands() {
		return command("INFO", "stats").lines()
			.filter((line) -> line.startsWith("total_commands_processed:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.sum();
	}

	/**
	 * Return how often commands were called.
	 * @param command the name of the command in lower case, such as {@code "evalsha"}
	 * @return the number of calls since the server started
	 */
	public long calls(String command) {
		return command("INFO", "commandstats").lines()
			.filter((line) -> line.startsWith("cmdstat_" + command + ":calls="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
			.sum();
	}

	/**
	 * Return how many scripts were run, whether the client sent them or only their names.
	 */
	public long scripts() {
		return calls("evalsha") + calls("eval");
	}

	@Override
	public void close() {
		if (this.process != null) {
			kill();
		}
	}

	private Process process() {
		Assumptions.assumeTrue(this.process != null, "The server at " + url() + " can't be stopped");
		return Objects.requireNonNull(this.process);
	}

	private static String reply(BufferedReader in) throws IOException {
		String line = in.readLine();
		if (line == null) {
			throw new IOException("connection closed");
		}
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+', ':', '-' -> rest;
			case '$' -> {
				int length = Integer.parseInt(rest);
				if (length < 0) {
					yield "(nil)";
				}
				char[] chars = new char[length + 2];
				for (int read = 0; read < chars.length;) {
					int n = in.read(chars, read, chars.length - read);
					if (n < 0) {
						throw new IOException("connection closed");
					}
					read += n;
				}
				yield new String(chars, 0, length);
			}
			case '*' -> {
				int size = Integer.parseInt(rest);
				List<String> elements = new ArrayList<>();
				for (int i = 0; i < size; i++) {
					elements.add(reply(in));
				}
				yield String.join("\n", elements);
			}
			default -> throw new IOException("not a reply: " + line);
		};
	}

	private Process launch() {
		List<String> command = new ArrayList<>(List.of(System.getProperty(INSTALLED, EXECUTABLE.toString())));
		List<String> own = List.of("--port", String.valueOf(this.port), "--bind", "127.0.0.1");
		if (this.options.contains("--sentinel")) {
			command.add(this.options.get(0));
			command.addAll(own);
			command.add("--sentinel");
		}
		else {
			command.addAll(own);
			command.addAll(List.of("--save", "", "--appendonly", "no", "--dbfilename", "dump-" + this.port + ".rdb"));
			command.addAll(this.options);
		}
		try {
			Files.deleteIfExists(EXECUTABLE.resolveSibling("dump-" + this.port + ".rdb"));
			Process started = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.directory(EXECUTABLE.getParent().toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
			Awaitility.await()
				.pollInterval(Duration.ofMillis(10))
				.ignoreExceptions()
				// not one of another process that has taken the port meanwhile
				.until(() -> !started.isAlive()
						|| command("INFO", "server").lines().anyMatch(("process_id:" + started.pid())::equals));
			if (!started.isAlive()) {
				throw new EndedException();
			}
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path extractExecutable() {
		try {
			Path directory = Files.createTempDirectory("test-redis");
			File file = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
			return file.toPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The server has ended by itself.
	 */
	static final class EndedException extends RuntimeException {

	}

}
