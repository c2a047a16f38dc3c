package io.github.bloomguard.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that runs in a JVM of its own.
 */
final class Program implements AutoCloseable {

	private final Process process;

	private final Path output;

	private Program(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	/**
	 * Start a program.
	 * @param classPath the class path
	 * @param mainClass its class
	 * @param jvm options of the JVM
	 * @param properties properties of the application, as {@code name=value}
	 */
	static Program start(ClassPath classPath, String mainClass, List<String> jvm, String... properties) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		command.addAll(jvm);
		command.addAll(List.of("-cp", classPath.toString(), mainClass));
		Stream.of(properties).map((property) -> "--" + property).forEach(command::add);
		try {
			Path output = Files.createTempFile(Path.of("target"), "program", ".log");
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
			return new Program(process, output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return what it has written so far.
	 */
	String output() {
		try {
			return Files.readString(this.output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until it has ended.
	 * @return its exit code
	 */
	int await() {
		try {
			if (!this.process.waitFor(90, TimeUnit.SECONDS)) {
				throw new IllegalStateException("It does not end: " + output());
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
