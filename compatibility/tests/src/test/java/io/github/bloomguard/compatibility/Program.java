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
